//! `scanf`: values out of a string, by a format.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::number::leading_float;

function! {
    /// Reads values out of a string by a format as in C, and returns them, or what the lambda gives for them.
    ///
    /// `%d %u %i` read integers, `%x %o` those of another base, `%f %e %g %a` floats, `%s` a word, `%c` characters and
    /// `%[…]` characters of a set. A number before the letter limits the length, `*` leaves the value out. What comes
    /// after the first thing that does not fit is not read.
    ///
    /// ```puppet
    /// scanf('10.1.2', '%i.%i.%i') # [10, 1, 2]
    /// ```
    "scanf" {
        "(String $data, String $format, Callable &$block = undef)" as ">> Any" => scanf(call, data, format),
    }
}

fn scanf(call: &mut Call<'_, '_>, data: &str, format: &str) -> Outcome {
    let found = Value::from(scan(data, format));
    if call.block.is_some() { call.yield_to_block(vec![found]) } else { Ok(found) }
}

fn scan(mut data: &str, format: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut format = format.chars();
    while let Some(letter) = format.next() {
        if letter.is_ascii_whitespace() {
            data = data.trim_start();
            continue;
        }
        if letter != '%' {
            let Some(rest) = data.strip_prefix(letter) else { break };
            data = rest;
            continue;
        }
        let Some((directive, rest)) = Directive::parse(format.as_str()) else { break };
        format = rest.chars();
        let Some((value, rest)) = directive.read(data) else { break };
        data = rest;
        values.extend(value.filter(|_| !directive.is_left_out));
    }
    values
}

/// What is to be read.
struct Directive {
    is_left_out: bool,
    width: Option<usize>,
    kind: Kind,
}

enum Kind {
    Percent,
    Integer(Option<u32>),
    Float,
    Word,
    Characters,
    Set { letters: Vec<(char, char)>, is_negated: bool },
}

impl Directive {
    /// Reads what is behind a percent sign.
    fn parse(text: &str) -> Option<(Directive, &str)> {
        let (is_left_out, text) = match text.strip_prefix('*') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (width, text) = text.split_at_checked(digits)?;
        let mut letters = text.chars();
        let kind = match letters.next()? {
            '%' => Kind::Percent,
            'd' | 'u' => Kind::Integer(Some(10)),
            'i' => Kind::Integer(None),
            'x' | 'X' => Kind::Integer(Some(16)),
            'o' => Kind::Integer(Some(8)),
            'f' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => Kind::Float,
            's' => Kind::Word,
            'c' => Kind::Characters,
            '[' => return Directive::parse_set(letters.as_str(), is_left_out, width),
            _ => return None,
        };
        Some((Directive { is_left_out, width: width.parse().ok(), kind }, letters.as_str()))
    }

    fn parse_set<'t>(text: &'t str, is_left_out: bool, width: &str) -> Option<(Directive, &'t str)> {
        let (is_negated, text) = match text.strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        // A bracket that comes first belongs to the set.
        let end = text.char_indices().skip(1).find(|(_, letter)| *letter == ']')?.0;
        let (set, rest) = text.split_at_checked(end)?;
        let mut letters = Vec::new();
        let mut characters = set.chars().peekable();
        while let Some(first) = characters.next() {
            let mut ahead = characters.clone();
            match (ahead.next(), ahead.next()) {
                (Some('-'), Some(last)) => {
                    letters.push((first, last));
                    characters = ahead;
                }
                _ => letters.push((first, first)),
            }
        }
        let kind = Kind::Set { letters, is_negated };
        Some((Directive { is_left_out, width: width.parse().ok(), kind }, rest.strip_prefix(']')?))
    }

    /// Reads a value from the beginning of the string and gives what is left.
    fn read<'t>(&self, text: &'t str) -> Option<(Option<Value>, &'t str)> {
        let taken = |text: &'t str, accepts: &dyn Fn(usize, char) -> bool| {
            let letters = text.chars().take(self.width.unwrap_or(usize::MAX)).enumerate();
            let end: usize =
                letters.take_while(|(index, letter)| accepts(*index, *letter)).map(|(_, c)| c.len_utf8()).sum();
            text.split_at_checked(end).filter(|(taken, _)| !taken.is_empty())
        };
        let trimmed = text.trim_start();
        match &self.kind {
            Kind::Percent => Some((None, trimmed.strip_prefix('%')?)),
            Kind::Characters => {
                let width = self.width.unwrap_or(1);
                let end: usize = text.chars().take(width).map(char::len_utf8).sum();
                let (taken, rest) = text.split_at_checked(end).filter(|(taken, _)| !taken.is_empty())?;
                Some((Some(taken.into()), rest))
            }
            Kind::Word => {
                let (taken, rest) = taken(trimmed, &|_, letter| !letter.is_whitespace())?;
                Some((Some(taken.into()), rest))
            }
            Kind::Set { letters, is_negated } => {
                let contains = |letter| letters.iter().any(|(first, last)| (*first..=*last).contains(&letter));
                let (taken, rest) = taken(text, &|_, letter| contains(letter) != *is_negated)?;
                Some((Some(taken.into()), rest))
            }
            Kind::Float => {
                let (taken, _) = taken(trimmed, &|_, letter| letter.is_ascii_hexdigit() || "+-.xXpP".contains(letter))?;
                let end = (1..=taken.len()).rev().find(|end| is_float(taken.get(..*end).unwrap_or_default()))?;
                let (number, rest) = trimmed.split_at_checked(end)?;
                Some((Some(Value::Float(leading_float(number))), rest))
            }
            Kind::Integer(base) => {
                let (taken, _) = taken(trimmed, &|index, letter| {
                    letter.is_ascii_hexdigit() || (index == 0 && "+-".contains(letter)) || "xX".contains(letter)
                })?;
                let (number, length) = integer(taken, *base)?;
                Some((Some(Value::Integer(number)), trimmed.get(length..)?))
            }
        }
    }
}

fn is_float(text: &str) -> bool {
    text.ends_with(|last: char| last.is_ascii_digit() || last == '.') && text.parse::<f64>().is_ok()
}

/// The integer at the beginning of a string and its length. Without a base, the prefixes `0x` and `0` choose it.
fn integer(text: &str, base: Option<u32>) -> Option<(i64, usize)> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    let (base, digits) = match (base, hexadecimal) {
        (None | Some(16), Some(digits)) => (16, digits),
        (None, None) if unsigned.len() > 1 && unsigned.starts_with('0') => (8, unsigned),
        (base, _) => (base.unwrap_or(10), unsigned),
    };
    let length = digits.chars().take_while(|digit| digit.is_digit(base)).count();
    let number = i64::from_str_radix(digits.get(..length)?, base).ok()?;
    Some((if text.starts_with('-') { -number } else { number }, text.len() - digits.len() + length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bunraku_pcore::inspect::inspect;

    #[test]
    fn values_are_read() {
        let check = |data: &str, format: &str, expected: &str| {
            assert_eq!(inspect(&scan(data, format).into()), expected, "{data} by {format}");
        };
        check("10.1.2", "%i.%i.%i", "[10, 1, 2]");
        check("a b", "%s %s", "[\"a\", \"b\"]");
        check("-12 1.5", "%d%f", "[-12, 1.5]");
        check("ff 0x1f 017", "%x %i %i", "[255, 31, 15]");
        check("abc123", "%[a-c]%d", "[\"abc\", 123]");
        check("abc", "%2c%*c", "[\"ab\"]");
        check("12345", "%2d%d", "[12, 345]");
        check("x", "%d", "[]");
        check("50%", "%d%%", "[50]");
    }
}
