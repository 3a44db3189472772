//! What a plain scalar means: Psych's rules, which are YAML 1.1 with a Ruby accent (`yes` is true, `0644` is octal,
//! `12:30` counts in base 60, `:name` is a symbol).

/// The meaning of a scalar.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar<'t> {
    /// Nothing.
    Undef,
    /// Yes or no.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// An integer that needs more than 64 bits, as it is written.
    BigInteger(&'t str),
    /// A float.
    Float(f64),
    /// A string.
    String(&'t str),
    /// A symbol of Ruby, by its name.
    Symbol(&'t str),
}

/// A scalar that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It stands for an object of a class that is not allowed.
    Class(String),
    /// It looks like a number and is none; Ruby's message.
    Number(String),
}

/// Resolves a plain scalar without a tag.
pub fn resolve(text: &str) -> Result<Scalar<'_>, Fault> {
    if text.is_empty() {
        return Ok(Scalar::Undef);
    }
    if is_word(text) {
        return Ok(resolve_word(text));
    }
    if is_time(text) {
        return Err(Fault::Class("Time".to_owned()));
    }
    if is_date(text) {
        return Err(Fault::Class("Date".to_owned()));
    }
    if let Some(float) = special_float(text) {
        return Ok(Scalar::Float(float));
    }
    if text.starts_with(':') && text.len() > 1 {
        return Ok(Scalar::Symbol(symbol_name(text)));
    }
    if let Some(number) = sexagesimal(text) {
        return Ok(number);
    }
    if is_float(text) {
        return float(text);
    }
    if let Some((radix, digits)) = integer_shape(text) {
        return integer(text, radix, digits);
    }
    Ok(Scalar::String(text))
}

/// Ruby's `Float()` of the value of a scalar.
pub(super) fn to_float(scalar: &Scalar<'_>) -> Result<f64, Fault> {
    let conversion = |from: &str| Err(Fault::Number(format!("can't convert {from} into Float")));
    match scalar {
        Scalar::Float(float) => Ok(*float),
        #[expect(clippy::cast_precision_loss, reason = "Ruby loses it too")]
        Scalar::Integer(integer) => Ok(*integer as f64),
        Scalar::Undef => conversion("nil"),
        Scalar::Boolean(true) => conversion("true"),
        Scalar::Boolean(false) => conversion("false"),
        Scalar::Symbol(_) => conversion("Symbol"),
        Scalar::BigInteger(text) | Scalar::String(text) => parse_float(&without_separators(text.trim()), text),
    }
}

/// Whether the text begins like a word, or has several lines, so that it is no number, date or symbol.
fn is_word(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    let is_one_word_character = first.is_some_and(is_word_character);
    let is_second = || {
        first.is_some_and(|first| !matches!(first, '0'..='9' | '.' | ':' | '-'))
            && characters.clone().next().is_some_and(is_word_character)
    };
    is_one_word_character || is_second() || text.contains('\n')
}

fn is_word_character(character: char) -> bool {
    character.is_alphabetic()
        || matches!(
            character,
            '_' | ' ' | '\t'
                ..='\r'
                    | '!'
                    | '@'
                    | '#'
                    | '$'
                    | '%'
                    | '^'
                    | '&'
                    | '*'
                    | '('
                    | ')'
                    | '{'
                    | '}'
                    | '<'
                    | '>'
                    | '|'
                    | '/'
                    | '\\'
                    | '~'
                    | ';'
                    | '='
        )
}

/// Tells `null`, booleans and text apart.
///
/// Compatibility: Ruby's `^` and `$` are anchors of lines, so one line of a short folded text can decide.
fn resolve_word(text: &str) -> Scalar<'_> {
    if text.chars().count() > 5 {
        return Scalar::String(text);
    }
    let lines = || text.split('\n');
    let is = |word: &str| lines().any(|line| line.eq_ignore_ascii_case(word));
    let last = lines().count().saturating_sub(1);
    let begins_otherwise = lines().enumerate().any(|(index, line)| match line.chars().next() {
        Some(first) => !"ytonf~".contains(first.to_ascii_lowercase()),
        None => index < last,
    });
    if begins_otherwise {
        Scalar::String(text)
    } else if text == "~" || is("null") {
        Scalar::Undef
    } else if is("yes") || is("true") || is("on") {
        Scalar::Boolean(true)
    } else if is("no") || is("false") || is("off") {
        Scalar::Boolean(false)
    } else {
        Scalar::String(text)
    }
}

fn special_float(text: &str) -> Option<f64> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is(".inf") || is("+.inf") {
        Some(f64::INFINITY)
    } else if is("-.inf") {
        Some(f64::NEG_INFINITY)
    } else if is(".nan") {
        Some(f64::NAN)
    } else {
        None
    }
}

/// The name of a symbol, which may be quoted: `:"a b"`.
fn symbol_name(text: &str) -> &str {
    let name = text.strip_prefix(':').unwrap_or(text);
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let inner = name.strip_prefix(quote)?;
        inner.rfind(quote).and_then(|end| inner.get(..end))
    });
    quoted.map_or(name, |inner| inner.strip_prefix(':').unwrap_or(inner))
}

/// Numbers in base 60: `1:30:00`, `12:30`, `1:30.5`.
///
/// Compatibility: the first part always counts as hours, so `12:30` is 45000.
fn sexagesimal(text: &str) -> Option<Scalar<'_>> {
    let mut parts = text.split(':');
    let first = parts.next()?;
    let digits = first.strip_prefix(['-', '+']).unwrap_or(first);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return None;
    }
    let rest: Vec<&str> = parts.collect();
    let (last, middle) = rest.split_last()?;
    let (last_whole, fraction) = match last.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (*last, None),
    };
    let is_sixtieth = |part: &str| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    let is_fraction = |part: &str| part.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    if rest.len() > 2
        || !middle.iter().all(|part| is_sixtieth(part))
        || !is_sixtieth(last_whole)
        || !fraction.is_none_or(is_fraction)
    {
        return None;
    }
    let weights = [3600_i64, 60, 1];
    let all = std::iter::once(&first).chain(&rest);
    if fraction.is_none() {
        let sum = all
            .zip(weights)
            .try_fold(0_i64, |sum, (part, weight)| leading_integer(part)?.checked_mul(weight)?.checked_add(sum));
        return Some(sum.map_or(Scalar::BigInteger(text), Scalar::Integer));
    }
    #[expect(clippy::cast_precision_loss, reason = "the weights are small")]
    let sum = all.zip(weights).map(|(part, weight)| leading_float(part) * weight as f64).sum();
    Some(Scalar::Float(sum))
}

/// Ruby's `to_i`: single underscores may stand between digits, the rest is ignored.
fn leading_integer(text: &str) -> Option<i64> {
    leading_digits(text).parse().ok()
}

/// Ruby's `to_f`, likewise.
fn leading_float(text: &str) -> f64 {
    match text.split_once('.') {
        Some((whole, fraction)) if fraction.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{}.{}", leading_digits(whole), leading_digits(fraction)).parse().unwrap_or(0.0)
        }
        Some((whole, _)) => leading_digits(whole).parse().unwrap_or(0.0),
        None => leading_digits(text).parse().unwrap_or(0.0),
    }
}

fn leading_digits(text: &str) -> String {
    let mut digits = String::new();
    let mut characters = text.chars().peekable();
    if let Some(sign) = characters.next_if(|c| matches!(c, '-' | '+')) {
        digits.push(sign);
    }
    while let Some(character) = characters.next() {
        match character {
            '0'..='9' => digits.push(character),
            '_' if characters.peek().is_some_and(char::is_ascii_digit) => {}
            _ => break,
        }
    }
    digits
}

/// `[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?`
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let Some((whole, rest)) = unsigned.split_once('.') else { return false };
    let whole_fits = whole.is_empty()
        || whole.starts_with(|c: char| c.is_ascii_digit())
            && whole.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'_' | b','));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let rest_fits = match rest.split_once(['e', 'E']) {
        None => all_digits(rest),
        Some((fraction, exponent)) => {
            all_digits(fraction)
                && exponent.strip_prefix(['-', '+']).is_some_and(|digits| !digits.is_empty() && all_digits(digits))
        }
    };
    whole_fits && rest_fits && unsigned != "."
}

fn float(text: &str) -> Result<Scalar<'_>, Fault> {
    let digits = without_separators(text).replace(".e", "e").replace(".E", "E");
    let digits = digits.strip_suffix('.').unwrap_or(&digits);
    parse_float(digits, digits).map(Scalar::Float)
}

fn without_separators(text: &str) -> String {
    text.replace([',', '_'], "")
}

fn parse_float(digits: &str, shown: &str) -> Result<f64, Fault> {
    let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    let is_decimal = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !unsigned.ends_with('.');
    match digits.parse() {
        Ok(float) if is_decimal => Ok(float),
        _ => Err(Fault::Number(format!("invalid value for Float(): {shown:?}"))),
    }
}

/// The radix and the digits (with separators) of a text that has the shape of an integer.
fn integer_shape(text: &str) -> Option<(u32, &str)> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let all = |digits: &str, radix: u32| {
        !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix) || matches!(c, '_' | ','))
    };
    if let Some(digits) = unsigned.strip_prefix("0b") {
        return all(digits, 2).then_some((2, digits));
    }
    if let Some(digits) = unsigned.strip_prefix("0x") {
        return all(digits, 16).then_some((16, digits));
    }
    if let Some(digits) = unsigned.strip_prefix('0') {
        return match digits {
            "" => Some((10, unsigned)),
            _ => all(digits, 8).then_some((8, digits)),
        };
    }
    let separators_fit = !unsigned.ends_with(['_', ','])
        && !unsigned.as_bytes().windows(2).any(|pair| pair.iter().all(|b| matches!(b, b'_' | b',')));
    (unsigned.starts_with(|c: char| c.is_ascii_digit()) && all(unsigned, 10) && separators_fit)
        .then_some((10, unsigned))
}

fn integer<'t>(text: &'t str, radix: u32, digits: &str) -> Result<Scalar<'t>, Fault> {
    let digits = without_separators(digits);
    if digits.is_empty() && radix != 8 {
        return Err(Fault::Number(format!("invalid value for Integer(): {:?}", without_separators(text))));
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let digits = if digits.is_empty() { "0" } else { &digits };
    Ok(i64::from_str_radix(&format!("{sign}{digits}"), radix).map_or(Scalar::BigInteger(text), Scalar::Integer))
}

/// A point in time: date, `T` or blanks, time of day, perhaps a fraction and a zone.
fn is_time(text: &str) -> bool {
    let mut scan = Scan(text.as_bytes());
    scan.skip(|b| b == b'-', 1);
    let has_date = scan.digits(4, 4) && scan.byte(b'-') && scan.digits(1, 2) && scan.byte(b'-') && scan.digits(1, 2);
    if !has_date || scan.skip(|b| matches!(b, b'T' | b't'), 1) == 0 && scan.blanks() == 0 {
        return false;
    }
    let has_time = scan.digits(1, 2) && scan.byte(b':') && scan.digits(2, 2) && scan.byte(b':') && scan.digits(2, 2);
    if !has_time {
        return false;
    }
    if scan.byte(b'.') {
        scan.skip(|b| b.is_ascii_digit(), usize::MAX);
    }
    if scan.0.is_empty() {
        return true;
    }
    scan.blanks();
    if scan.byte(b'Z') {
        return scan.0.is_empty();
    }
    if scan.skip(|b| matches!(b, b'-' | b'+'), 1) == 0 {
        return false;
    }
    let hours = scan.skip(|b| b.is_ascii_digit(), 4);
    if scan.byte(b':') {
        let minutes = scan.skip(|b| b.is_ascii_digit(), 2);
        return matches!(hours, 1 | 2) && minutes != 1 && scan.0.is_empty();
    }
    hours > 0 && scan.0.is_empty()
}

/// A day: `2001-01-31`.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-').map(str::as_bytes);
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    year.len() == 4
        && year.iter().all(u8::is_ascii_digit)
        && matches!(month, [b'0'..=b'9'] | [b'0', b'0'..=b'9'] | [b'1', b'0'..=b'2'])
        && matches!(day, [b'0'..=b'9'] | [b'0'..=b'2', b'0'..=b'9'] | [b'3', b'0'..=b'1'])
}

/// The bytes not yet read.
struct Scan<'t>(&'t [u8]);

impl Scan<'_> {
    /// Skips up to `most` bytes that fit and says how many.
    fn skip(&mut self, fits: impl Fn(u8) -> bool, most: usize) -> usize {
        let count = self.0.iter().take(most).take_while(|byte| fits(**byte)).count();
        self.0 = self.0.get(count..).unwrap_or_default();
        count
    }

    fn byte(&mut self, expected: u8) -> bool {
        self.skip(|byte| byte == expected, 1) == 1
    }

    fn digits(&mut self, least: usize, most: usize) -> bool {
        self.skip(|byte| byte.is_ascii_digit(), most) >= least
    }

    fn blanks(&mut self) -> usize {
        self.skip(|byte| matches!(byte, b' ' | b'\t'..=b'\r'), usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_mean_what_psych_says() {
        let check = |text, expected| assert_eq!(resolve(text), Ok(expected), "{text}");
        check("", Scalar::Undef);
        check("~", Scalar::Undef);
        check("YES", Scalar::Boolean(true));
        check("y", Scalar::String("y"));
        check("0644", Scalar::Integer(420));
        check("0o644", Scalar::String("0o644"));
        check("12:30", Scalar::Integer(45000));
        check("-1:30", Scalar::Integer(-1800));
        check("1:60", Scalar::String("1:60"));
        check("1,000", Scalar::Integer(1000));
        check("1.0e3", Scalar::String("1.0e3"));
        check("1.0e+3", Scalar::Float(1000.0));
        check(":sym", Scalar::Symbol("sym"));
        check(":\"a b\"", Scalar::Symbol("a b"));
        check("9223372036854775808", Scalar::BigInteger("9223372036854775808"));
        check("-9223372036854775808", Scalar::Integer(i64::MIN));
        check("no\nt", Scalar::Boolean(false));
    }

    #[test]
    fn dates_and_broken_numbers_are_refused() {
        let check = |text, expected| assert_eq!(resolve(text), Err(expected), "{text}");
        check("2001-01-01", Fault::Class("Date".to_owned()));
        check("2001-1-1 1:02:03 +123", Fault::Class("Time".to_owned()));
        check(".e+5", Fault::Number("invalid value for Float(): \"e+5\"".to_owned()));
        check("0x_", Fault::Number("invalid value for Integer(): \"0x\"".to_owned()));
    }
}
