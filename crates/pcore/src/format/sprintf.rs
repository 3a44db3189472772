//! Ruby's `sprintf`: flags, width, precision, positional and named arguments, with Ruby's messages.

mod float;
mod integer;

use bunraku_syntax::Issue;

use crate::hash::Hash;
use crate::inspect::{inspect, inspect_bytes, inspect_text, to_s};
use crate::issues;
use crate::label::in_conversion;
use crate::limits;
use crate::number::Number;
use crate::value::Value;

/// The widest field and the longest precision; no text of a catalog comes near it.
const MAXIMUM_WIDTH: usize = 1 << 20;

/// Formats the arguments; one hash serves as the source of named arguments.
pub fn sprintf(format: &str, args: &[Value]) -> Result<String, Issue> {
    let mut formatter = Formatter { args, source: Source::None, text: String::with_capacity(format.len() * 2) };
    let mut rest = format;
    while let Some((literal, directive)) = rest.split_once('%') {
        formatter.text.push_str(literal);
        rest = formatter.directive(directive)?;
        limits::check_text(formatter.text.len())?;
    }
    formatter.text.push_str(rest);
    Ok(formatter.text)
}

/// What stands between `%` and the letter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    /// `-`.
    pub(crate) left: bool,
    /// `+`.
    pub(crate) plus: bool,
    /// A space.
    pub(crate) space: bool,
    /// `#`.
    pub(crate) alternate: bool,
    /// `0`.
    pub(crate) zero: bool,
    pub(crate) width: Option<usize>,
    pub(crate) precision: Option<usize>,
}

impl Flags {
    fn is_empty(&self) -> bool {
        !(self.left || self.plus || self.space || self.alternate || self.zero)
            && self.width.is_none()
            && self.precision.is_none()
    }
}

/// Where arguments are taken from; a format may use one way only.
enum Source {
    None,
    Next(usize),
    Numbered,
    Named,
}

struct Formatter<'a> {
    args: &'a [Value],
    source: Source,
    text: String,
}

impl<'a> Formatter<'a> {
    /// Formats one directive and gives what follows it.
    fn directive<'f>(&mut self, directive: &'f str) -> Result<&'f str, Issue> {
        let mut flags = Flags::default();
        let mut value: Option<&'a Value> = None;
        let mut used_name: Option<&str> = None;
        let mut rest = directive;
        loop {
            let mut characters = rest.chars();
            let Some(character) = characters.next() else {
                if directive.is_empty() {
                    return Err(error("incomplete format specifier; use %% (double %) instead"));
                }
                self.percent(&flags)?;
                return Ok(rest);
            };
            let after = characters.as_str();
            match character {
                ' ' | '#' | '+' | '-' | '0' => {
                    check_order(&flags, "flag after")?;
                    match character {
                        ' ' => flags.space = true,
                        '#' => flags.alternate = true,
                        '+' => flags.plus = true,
                        '-' => flags.left = true,
                        _ => flags.zero = true,
                    }
                    rest = after;
                }
                '1'..='9' => {
                    let (number, after) = read_number(rest, "width too big")?;
                    if let Some(after) = after.strip_prefix('$') {
                        if value.is_some() {
                            return Err(error(format!("value given twice - {number}$")));
                        }
                        value = Some(self.numbered(number)?);
                        rest = after;
                    } else {
                        check_width(&flags)?;
                        flags.width = Some(number);
                        rest = after;
                    }
                }
                '*' => {
                    check_width(&flags)?;
                    let (width, after) = self.star(after)?;
                    flags.left = flags.left || width < 0;
                    flags.width = Some(usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX));
                    limit(flags.width, "width too big")?;
                    rest = after;
                }
                '.' => {
                    if flags.precision.is_some() {
                        return Err(error("precision given twice"));
                    }
                    (flags.precision, rest) = self.precision(after)?;
                }
                '<' | '{' => {
                    let end = if character == '<' { '>' } else { '}' };
                    let Some((name, after)) = after.split_once(end) else {
                        return Err(error("malformed name - unmatched parenthesis"));
                    };
                    if let Some(used) = used_name.replace(name) {
                        return Err(error(format!("named{character}{name}{end} after <{used}>")));
                    }
                    let found = self.named(name, character, end)?;
                    if end == '}' {
                        self.push_text(&to_s(found), &flags);
                        return Ok(after);
                    }
                    value = Some(found);
                    rest = after;
                }
                '\n' | '\0' => {
                    self.percent(&flags)?;
                    return Ok(rest);
                }
                '%' => {
                    self.percent(&flags)?;
                    return Ok(after);
                }
                letter => {
                    if !"cspdiuoxXbBfgGeEaA".contains(letter) {
                        return Err(error(format!("malformed format string - %{letter}")));
                    }
                    let value = match value {
                        Some(value) => value,
                        None => self.next()?,
                    };
                    self.convert(letter, value, flags)?;
                    return Ok(after);
                }
            }
        }
    }

    fn percent(&mut self, flags: &Flags) -> Result<(), Issue> {
        if !flags.is_empty() {
            return Err(error("invalid format character - %"));
        }
        self.text.push('%');
        Ok(())
    }

    fn convert(&mut self, letter: char, value: &Value, mut flags: Flags) -> Result<(), Issue> {
        match letter {
            'c' => {
                let character = character(value)?;
                flags.precision = None;
                self.push_text(&character, &flags);
            }
            's' => self.push_text(&to_s(value), &flags),
            'p' => self.push_text(&inspect(value), &flags),
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'b' | 'B' => {
                integer::write(&mut self.text, &integer_of(value)?, letter, flags);
            }
            // An integer keeps all its digits where a float would lose some.
            'f' if let Value::Integer(number) = value => float::write_integer(&mut self.text, *number, flags),
            _ => float::write(&mut self.text, float_of(value)?, letter, flags),
        }
        Ok(())
    }

    /// Text cut to the precision and filled to the width.
    fn push_text(&mut self, text: &str, flags: &Flags) {
        let cut: String;
        let text = match flags.precision {
            Some(precision) => {
                cut = text.chars().take(precision).collect();
                cut.as_str()
            }
            None => text,
        };
        let missing = flags.width.unwrap_or(0).saturating_sub(text.chars().count());
        if flags.left {
            self.text.push_str(text);
            self.text.extend(std::iter::repeat_n(' ', missing));
        } else {
            self.text.extend(std::iter::repeat_n(' ', missing));
            self.text.push_str(text);
        }
    }

    /// Reads a precision; a negative one counts as none.
    fn precision<'f>(&mut self, rest: &'f str) -> Result<(Option<usize>, &'f str), Issue> {
        if let Some(rest) = rest.strip_prefix('*') {
            let (precision, rest) = self.star(rest)?;
            let precision = usize::try_from(precision).ok();
            limit(precision, "precision too big")?;
            return Ok((precision, rest));
        }
        let (precision, rest) = read_number(rest, "precision too big")?;
        Ok((Some(precision), rest))
    }

    /// The value of `*` or `*1$`.
    fn star<'f>(&mut self, rest: &'f str) -> Result<(i64, &'f str), Issue> {
        let (number, after) = read_number(rest, "width too big")?;
        let (value, rest) = match after.strip_prefix('$') {
            Some(after) if number > 0 => (self.numbered(number)?, after),
            _ => (self.next()?, rest),
        };
        let integer = match value {
            Value::Integer(_) => integer_of(value)?,
            Value::Float(number) => {
                check_float(*number)?;
                integer_of(value)?
            }
            Value::Undef => return Err(error("no implicit conversion from nil to integer")),
            other => return Err(error(format!("no implicit conversion of {} into Integer", in_conversion(other)))),
        };
        let width = integer.as_i64().ok_or_else(|| error("width too big"))?;
        check_int(width)?;
        Ok((width, rest))
    }

    fn next(&mut self) -> Result<&'a Value, Issue> {
        let index = match &self.source {
            Source::None => 0,
            Source::Next(index) => *index,
            Source::Numbered => return Err(error("unnumbered(1) mixed with numbered")),
            Source::Named => return Err(error("unnumbered(1) mixed with named")),
        };
        self.source = Source::Next(index + 1);
        self.args.get(index).ok_or_else(|| error("too few arguments"))
    }

    fn numbered(&mut self, number: usize) -> Result<&'a Value, Issue> {
        match &self.source {
            Source::Next(index) => return Err(error(format!("numbered({number}) after unnumbered({index})"))),
            Source::Named => return Err(error(format!("numbered({number}) after named"))),
            Source::None | Source::Numbered => {}
        }
        self.source = Source::Numbered;
        let index = number.checked_sub(1).ok_or_else(|| error("invalid index - 0$"))?;
        self.args.get(index).ok_or_else(|| error("too few arguments"))
    }

    fn named(&mut self, name: &str, open: char, close: char) -> Result<&'a Value, Issue> {
        match &self.source {
            Source::Next(index) => return Err(error(format!("named{open}{name}{close} after unnumbered({index})"))),
            Source::Numbered => return Err(error(format!("named{open}{name}{close} after numbered"))),
            Source::None | Source::Named => {}
        }
        self.source = Source::Named;
        let hash: &'a Hash = match self.args {
            [Value::Hash(hash)] => hash,
            _ => return Err(error("one hash required")),
        };
        hash.get_str(name).ok_or_else(|| error(format!("key{open}{name}{close} not found")))
    }
}

fn check_order(flags: &Flags, what: &str) -> Result<(), Issue> {
    if flags.width.is_some() {
        return Err(error(format!("{what} width")));
    }
    if flags.precision.is_some() {
        return Err(error(format!("{what} precision")));
    }
    Ok(())
}

fn check_width(flags: &Flags) -> Result<(), Issue> {
    if flags.width.is_some() {
        return Err(error("width given twice"));
    }
    if flags.precision.is_some() {
        return Err(error("width after precision"));
    }
    Ok(())
}

/// Reads digits, of which there may be none. Something must follow them.
fn read_number<'f>(text: &'f str, too_big: &str) -> Result<(usize, &'f str), Issue> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length).unwrap_or(("", text));
    if rest.is_empty() {
        return Err(error("malformed format string - %*[0-9]"));
    }
    let number = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(usize::MAX) };
    limit(Some(number), too_big)?;
    Ok((number, rest))
}

fn limit(number: Option<usize>, too_big: &str) -> Result<(), Issue> {
    if number.is_some_and(|number| number > MAXIMUM_WIDTH) { Err(error(too_big)) } else { Ok(()) }
}

/// Refuses what Ruby cannot keep in any of its plain integers.
fn check_float(number: f64) -> Result<(), Issue> {
    if number.abs() < 9.3e18 {
        return Ok(());
    }
    let text = crate::float_text::float_text(number).replace(".0e", "e");
    Err(error(format!("float {text} out of range of integer")))
}

/// Refuses what Ruby cannot keep in its smaller integers.
fn check_int(number: i64) -> Result<(), Issue> {
    match i32::try_from(number) {
        Ok(_) => Ok(()),
        Err(_) => {
            let size = if number > 0 { "big" } else { "small" };
            Err(error(format!("integer {number} too {size} to convert to `int'")))
        }
    }
}

fn character(value: &Value) -> Result<String, Issue> {
    match value {
        Value::String(text) if text.chars().count() == 1 => Ok(text.to_string()),
        Value::String(_) => Err(error("%c requires a character")),
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) => {
            if let Value::Float(number) = value {
                check_float(*number)?;
            }
            let code = integer_of(value)?.as_i64();
            code.map_or(Ok(()), check_int)?;
            let character = code.and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32);
            character.map(String::from).ok_or_else(|| error("invalid character"))
        }
        Value::Undef => Err(error("no implicit conversion from nil to integer")),
        value => Err(error(format!("no implicit conversion of {} into Integer", in_conversion(value)))),
    }
}

/// A whole number of any size.
pub(crate) enum Whole {
    Small(i128),
    /// A float beyond all integers, without a fraction.
    Large(f64),
}

impl Whole {
    fn as_i64(&self) -> Option<i64> {
        match self {
            Whole::Small(number) => i64::try_from(*number).ok(),
            Whole::Large(_) => None,
        }
    }
}

/// Converts as Ruby's `Integer()`.
fn integer_of(value: &Value) -> Result<Whole, Issue> {
    match value {
        Value::Integer(number) => Ok(Whole::Small(i128::from(*number))),
        Value::Float(number) => whole_of_float(*number),
        Value::Timespan(timespan) => Ok(Whole::Small(timespan.to_integer())),
        Value::Timestamp(timestamp) => Ok(Whole::Small(timestamp.to_integer())),
        Value::String(text) => Number::parse_ruby_integer(text, None)
            .map(Whole::Small)
            .ok_or_else(|| error(format!("invalid value for Integer(): {}", inspect(value)))),
        value => Err(cannot_convert(value, "Integer")),
    }
}

pub(crate) fn whole_of_float(number: f64) -> Result<Whole, Issue> {
    if !number.is_finite() {
        return Err(error(crate::float_text::float_text(number)));
    }
    let whole = number.trunc();
    Ok(if whole.abs() < 1e38 { Whole::Small(whole as i128) } else { Whole::Large(whole) })
}

fn shown_by_bytes(text: &str) -> String {
    if text.is_ascii() { inspect_text(text) } else { inspect_bytes(text.as_bytes()) }
}

/// Converts as Ruby's `Float()`.
fn float_of(value: &Value) -> Result<f64, Issue> {
    match value {
        Value::Integer(number) => Ok(*number as f64),
        Value::Float(number) => Ok(*number),
        Value::Timespan(timespan) => Ok(timespan.to_f64()),
        Value::Timestamp(timestamp) => Ok(timestamp.to_f64()),
        Value::String(text) => Number::parse_ruby_float(text)
            // Compatibility: Ruby shows a text that is not ASCII byte by byte here.
            .ok_or_else(|| error(format!("invalid value for Float(): {}", shown_by_bytes(text)))),
        value => Err(cannot_convert(value, "Float")),
    }
}

fn cannot_convert(value: &Value, target: &str) -> Issue {
    error(format!("can't convert {} into {target}", in_conversion(value)))
}

fn error(message: impl Into<String>) -> Issue {
    issues::runtime_error(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_follow_the_digits_of_a_float() {
        let zeros = "0".repeat(69_999);
        for (format, expected) in [("%.70000f", format!("0.5{zeros}")), ("%.70000e", format!("5.0{zeros}e-01"))] {
            assert_eq!(sprintf(format, &[Value::Float(0.5)]), Ok(expected));
        }
    }

    #[test]
    fn text_is_rubys() {
        let cases: Vec<(&str, Vec<Value>, &str)> = vec![
            ("%-01.3A", vec![Value::from("1_000")], "0X1.F40P+9"),
            ("%#3.g", vec![Value::Integer(1)], " 1."),
            ("% #5.1x", vec![Value::Integer(12345678901234)], " 0xb3a73ce2ff2"),
            ("%05G", vec![Value::from("")], "invalid value for Float(): \"\""),
            ("%.0B", vec![Value::from("")], "invalid value for Integer(): \"\""),
            ("%x", vec![Value::Integer(-255)], "..f01"),
            ("%0#+012.1x", vec![Value::from("3.7")], "invalid value for Integer(): \"3.7\""),
            ("%+3.3u", vec![Value::from("abc")], "invalid value for Integer(): \"abc\""),
            ("%#12.3z", vec![Value::Integer(1)], "malformed format string - %z"),
            ("%+5.1d", vec![Value::from("0x1p3")], "invalid value for Integer(): \"0x1p3\""),
            ("%-05.10u", vec![Value::Integer(255)], "0000000255"),
            ("%-03.3a", vec![Value::from("0x1p3")], "0x1.000p+3"),
            ("%-#012.3u", vec![Value::from("abc")], "invalid value for Integer(): \"abc\""),
            ("%o", vec![Value::Float(1e-05)], "0"),
            ("%012.10i", vec![Value::from("12")], "  0000000012"),
            ("%+#1.E", vec![Value::Integer(-1)], "-1.E+00"),
            ("%-1.1a", vec![Value::from("")], "invalid value for Float(): \"\""),
            ("%-05.0X", vec![Value::Float(1.5)], "1    "),
            ("% 01.10x", vec![Value::Integer(-8)], "-0000000008"),
            ("%05%", vec![Value::Integer(-8)], "invalid format character - %"),
            ("%+012.b", vec![Value::Integer(65)], "    +1000001"),
            ("%#0012.0s", vec![Value::Float(0.1)], "            "),
            ("%-01.0e", vec![Value::Integer(0)], "0e+00"),
            ("%-012a", vec![Value::Integer(255)], "0x1.fep+7   "),
            ("% 03.10z", vec![Value::Float(-2.5)], "malformed format string - %z"),
            ("%0.10A", vec![Value::from("0x1f")], "0X1.F000000000P+4"),
            ("%-#012u", vec![Value::from("abc")], "invalid value for Integer(): \"abc\""),
            ("%5.3a", vec![Value::from(" 5 ")], "0x1.400p+2"),
            ("%#0012e", vec![Value::Undef], "can't convert nil into Float"),
            ("%0#+.3x", vec![Value::Float(-0.0)], "+000"),
            ("%12E", vec![Value::from("0x1p3")], "8.000000E+00"),
            ("%012.10s", vec![Value::from(vec![Value::Integer(1), Value::from("a"), Value::Undef])], "  [1, \"a\", n"),
            ("%+12.1x", vec![Value::from("abc")], "invalid value for Integer(): \"abc\""),
            ("% #.3g", vec![Value::from("12")], " 12.0"),
            ("%X", vec![Value::Integer(-8)], "..F8"),
            ("% 05.0d", vec![Value::Float(0.1)], "     "),
            ("%0#+3.A", vec![Value::from("-7")], "-0X1.P+3"),
            ("% #3u", vec![Value::from("12")], " 12"),
            ("%#.E", vec![Value::Integer(12345678901234)], "1.E+13"),
            ("% 012.1B", vec![Value::from("1e3")], "invalid value for Integer(): \"1e3\""),
            ("%+12.10i", vec![Value::from("08")], "invalid value for Integer(): \"08\""),
            ("% 05.%", vec![Value::from("12")], "invalid format character - %"),
            ("%-#1.1z", vec![Value::from("0b11")], "malformed format string - %z"),
            ("%+#1.3y", vec![Value::Undef], "malformed format string - %y"),
            ("%f", vec![Value::from(" 5 ")], "5.000000"),
            ("% #1z", vec![Value::Integer(-1)], "malformed format string - %z"),
            ("%+#012.10y", vec![Value::Integer(255)], "malformed format string - %y"),
            ("%-01.0e", vec![Value::hash([(Value::from("a"), Value::Float(1.5))])], "can't convert Hash into Float"),
            ("%-12B", vec![Value::Integer(8)], "1000        "),
            ("%0#+012.s", vec![Value::from(vec![Value::Integer(1), Value::from("a"), Value::Undef])], "            "),
            ("% 0.z", vec![Value::Float(0.1)], "malformed format string - %z"),
            ("%+3.3u", vec![Value::from("-7")], "-007"),
            ("%+.3o", vec![Value::Integer(1)], "+001"),
            ("%#p", vec![Value::from("1e3")], "\"1e3\""),
            ("%+03.u", vec![Value::Integer(8364)], "+8364"),
            ("%-#5.0o", vec![Value::from("12")], "014  "),
            ("%x", vec![Value::from("1_000")], "3e8"),
            ("%+012o", vec![Value::from("")], "invalid value for Integer(): \"\""),
            ("% #12.3u", vec![Value::Integer(1)], "         001"),
            ("%#5.3g", vec![Value::Integer(0)], " 0.00"),
            (
                "% #.1X",
                vec![Value::from(vec![Value::Integer(1), Value::from("a"), Value::Undef])],
                "can't convert Array into Integer",
            ),
            (
                "%x",
                vec![Value::from(vec![Value::Integer(1), Value::from("a"), Value::Undef])],
                "can't convert Array into Integer",
            ),
            ("% #B", vec![Value::from("0x1p3")], "invalid value for Integer(): \"0x1p3\""),
            ("%+03.0d", vec![Value::hash([(Value::from("a"), Value::Float(1.5))])], "can't convert Hash into Integer"),
            ("%01y", vec![Value::Boolean(true)], "malformed format string - %y"),
            ("%01.0u", vec![Value::Float(1e-05)], " "),
            ("%0#+12.g", vec![Value::Float(123456.789)], "+000001.e+05"),
            ("%g", vec![Value::Float(-0.0)], "-0"),
            ("%b", vec![Value::Integer(12345678901234)], "10110011101001110011110011100010111111110010"),
            ("%z", vec![Value::from("0x1p3")], "malformed format string - %z"),
            ("%z", vec![Value::Float(2.5e-320)], "malformed format string - %z"),
            ("%s %s", vec![Value::Integer(1)], "too few arguments"),
            ("%2$s %1$s", vec![Value::Integer(1), Value::Integer(2)], "2 1"),
            ("%1$s %s", vec![Value::Integer(1), Value::Integer(2)], "unnumbered(1) mixed with numbered"),
            ("%s %1$s", vec![Value::Integer(1), Value::Integer(2)], "numbered(1) after unnumbered(1)"),
            ("%<a>s", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "1"),
            (
                "%<a>5.1f|%{a}|%{b}",
                vec![Value::hash([(Value::from("a"), Value::Integer(1)), (Value::from("b"), Value::from("x"))])],
                "  1.0|1|x",
            ),
            ("%<z>s", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "key<z> not found"),
            ("%{z}", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "key{z} not found"),
            ("%<a>s", vec![Value::Integer(1)], "one hash required"),
            ("%<a>s %s", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "unnumbered(1) mixed with named"),
            ("%s %<a>s", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "named<a> after unnumbered(1)"),
            ("%1$s %<a>s", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "named<a> after numbered"),
            ("%<a>s %1$s", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "numbered(1) after named"),
            ("%*d", vec![Value::Integer(5), Value::Integer(3)], "    3"),
            ("%-*d|", vec![Value::Integer(5), Value::Integer(3)], "3    |"),
            ("%*d|", vec![Value::Integer(-5), Value::Integer(3)], "3    |"),
            ("%.*f", vec![Value::Integer(2), Value::Float(2.5)], "2.50"),
            ("%", vec![Value::Integer(1)], "incomplete format specifier; use %% (double %) instead"),
            ("%5", vec![Value::Integer(1)], "malformed format string - %*[0-9]"),
            ("%%", vec![], "%"),
            ("%5%", vec![Value::Integer(1)], "invalid format character - %"),
            ("%-%", vec![Value::Integer(1)], "invalid format character - %"),
            ("%\n", vec![Value::Integer(1)], "%\n"),
            ("%5 d", vec![Value::Integer(1)], "flag after width"),
            ("%.2-d", vec![Value::Integer(1)], "flag after precision"),
            ("%5*d", vec![Value::Integer(1), Value::Integer(2)], "width given twice"),
            ("%.2.3d", vec![Value::Integer(1)], "precision given twice"),
            ("%.2 5d", vec![Value::Integer(1)], "flag after precision"),
            (
                "%<a",
                vec![Value::hash([(Value::from("a"), Value::Integer(1))])],
                "malformed name - unmatched parenthesis",
            ),
            (
                "%{a",
                vec![Value::hash([(Value::from("a"), Value::Integer(1))])],
                "malformed name - unmatched parenthesis",
            ),
            ("%-10{a}|", vec![Value::hash([(Value::from("a"), Value::Integer(1))])], "1         |"),
            ("%10.2{a}|", vec![Value::hash([(Value::from("a"), Value::from("xyz"))])], "        xy|"),
            ("%10<a>d|", vec![Value::hash([(Value::from("a"), Value::Integer(5))])], "         5|"),
            (
                "%<a>{b}",
                vec![Value::hash([(Value::from("a"), Value::Integer(5)), (Value::from("b"), Value::Integer(6))])],
                "named{b} after <a>",
            ),
            (
                "%<a><b>s",
                vec![Value::hash([(Value::from("a"), Value::Integer(5)), (Value::from("b"), Value::Integer(6))])],
                "named<b> after <a>",
            ),
            ("%99999999999d", vec![Value::Integer(1)], "width too big"),
            ("%.99999999999f", vec![Value::Integer(1)], "precision too big"),
            ("%0$s", vec![Value::Integer(1)], "malformed format string - %$"),
            ("%3$s", vec![Value::Integer(1)], "too few arguments"),
            ("%1$*2$d", vec![Value::Integer(1), Value::Integer(5)], "    1"),
            ("%s%%", vec![Value::Integer(5)], "5%"),
            ("%s", vec![], "too few arguments"),
            ("%d", vec![], "too few arguments"),
            ("%- 5d|%+ d", vec![Value::Integer(3), Value::Integer(4)], " 3   |+4"),
            ("%*1$d", vec![Value::Integer(3)], "unnumbered(1) mixed with numbered"),
            ("%1$1$s", vec![Value::Integer(3)], "value given twice - 1$"),
            ("%1$s%1$s", vec![Value::Integer(3)], "33"),
        ];
        for (format, args, expected) in cases {
            let text = sprintf(format, &args).unwrap_or_else(|issue| issue.message().to_owned());
            assert_eq!(text, expected, "{format} {args:?}");
        }
    }
}
