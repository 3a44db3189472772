//! JSON as Ruby's parser reads it, which knows comments, and has its own opinion of where a text goes wrong.

use std::fmt;

use crate::stack::deep;

/// How deeply Ruby reads arrays and objects inside each other.
const DEEPEST: usize = 100;

/// How many values a text may have.
const MOST: usize = 1 << 22;

/// A value of a JSON text.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'t> {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number without a fraction, as it is written.
    Integer(&'t str),
    /// A number with a fraction or an exponent, as it is written.
    Float(&'t str),
    /// A string.
    String(String),
    /// The elements of an array.
    Array(Vec<Json<'t>>),
    /// The entries of an object in the order of the text.
    Object(Vec<(String, Json<'t>)>),
}

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault<'t> {
    /// What stands where something else must; the rest of the text from there.
    Unexpected(&'t str),
    /// Arrays and objects inside each other, and how many.
    TooDeep(usize),
    /// Half of a letter that is written as two, and what follows it.
    HalfLetter(&'t str),
    /// More values than anybody needs.
    TooMany,
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unexpected(rest) => write!(formatter, "unexpected token at '{rest}'"),
            Fault::TooDeep(depth) => write!(formatter, "nesting of {depth} is too deep"),
            Fault::HalfLetter(rest) => write!(formatter, "incomplete surrogate pair at '{rest}'"),
            Fault::TooMany => write!(formatter, "the JSON text has more than {MOST} values"),
        }
    }
}

/// Reads a JSON text.
pub fn read(text: &str) -> Result<Json<'_>, Fault<'_>> {
    Reader { text, left: MOST }.document()
}

/// A text that is read, and how many more values it may have.
struct Reader<'t> {
    text: &'t str,
    left: usize,
}

/// A value and the place after it; nothing if there is none, which the one who asked complains about.
type Read<'t, T> = Result<Option<(T, usize)>, Fault<'t>>;

impl<'t> Reader<'t> {
    /// The value of the whole text.
    fn document(&mut self) -> Result<Json<'t>, Fault<'t>> {
        let start = self.blanks(0).or_else(|at| self.unexpected(at))?;
        let Some((value, end)) = self.value(start, 0)? else { return self.unexpected(start) };
        match self.blanks(end) {
            Ok(end) if end == self.text.len() => Ok(value),
            Ok(at) | Err(at) => self.unexpected(at),
        }
    }

    fn value(&mut self, at: usize, depth: usize) -> Read<'t, Json<'t>> {
        self.left = self.left.checked_sub(1).ok_or(Fault::TooMany)?;
        deep(|| {
            let rest = self.rest(at);
            let words = [("null", Json::Null), ("true", Json::Boolean(true)), ("false", Json::Boolean(false))];
            if let Some((word, value)) = words.into_iter().find(|(word, _)| rest.starts_with(word)) {
                return Ok(Some((value, at + word.len())));
            }
            match rest.bytes().next() {
                Some(b'"') => Ok(self.string(at)?.map(|(text, end)| (Json::String(text), end))),
                Some(b'[') => self.array(at, nested(depth)?),
                Some(b'{') => self.object(at, nested(depth)?),
                Some(b'-') if rest.starts_with("-Infinity") => self.unexpected(at),
                Some(b'-' | b'0'..=b'9') => Ok(number(rest).map(|(value, length)| (value, at + length))),
                Some(b'N') if rest.starts_with("NaN") => self.unexpected(at),
                // Compatibility: the reference looks one byte too far back, at nothing if the word begins the text.
                Some(b'I') if rest.starts_with("Infinity") => {
                    self.unexpected(at.checked_sub(1).unwrap_or(self.text.len()))
                }
                _ => Ok(None),
            }
        })
    }

    fn array(&mut self, at: usize, depth: usize) -> Read<'t, Json<'t>> {
        let mut elements = Vec::new();
        let mut at = self.blanks(at + 1).or_else(|at| self.unexpected(at))?;
        if self.next_is(at, b']') {
            return Ok(Some((Json::Array(elements), at + 1)));
        }
        loop {
            let Some((element, end)) = self.value(at, depth)? else { return self.unexpected(at) };
            elements.push(element);
            at = self.blanks(end).or_else(|at| self.unexpected(at))?;
            if self.next_is(at, b']') {
                return Ok(Some((Json::Array(elements), at + 1)));
            }
            if !self.next_is(at, b',') {
                return self.unexpected(at);
            }
            at = self.blanks(at + 1).or_else(|at| self.unexpected(at))?;
        }
    }

    /// An object complains about nothing: what it is part of does, at the beginning of the object.
    fn object(&mut self, at: usize, depth: usize) -> Read<'t, Json<'t>> {
        let mut entries = Vec::new();
        let Ok(mut at) = self.blanks(at + 1) else { return Ok(None) };
        if self.next_is(at, b'}') {
            return Ok(Some((Json::Object(entries), at + 1)));
        }
        loop {
            let Some((key, end)) = self.string(at)? else { return Ok(None) };
            let Some(colon) = self.blanks(end).ok().filter(|at| self.next_is(*at, b':')) else { return Ok(None) };
            let Ok(start) = self.blanks(colon + 1) else { return Ok(None) };
            let Some((value, end)) = self.value(start, depth)? else { return Ok(None) };
            entries.push((key, value));
            at = match self.blanks(end) {
                Ok(end) if self.next_is(end, b'}') => return Ok(Some((Json::Object(entries), end + 1))),
                Ok(end) if self.next_is(end, b',') => match self.blanks(end + 1) {
                    Ok(at) => at,
                    Err(_) => return Ok(None),
                },
                _ => return Ok(None),
            };
        }
    }

    fn string(&self, at: usize) -> Read<'t, String> {
        let Some(end) = self.end_of_string(at) else { return Ok(None) };
        let mut rest = self.text.get(at + 1..end).unwrap_or_default();
        let mut string = String::with_capacity(rest.len());
        while let Some((plain, escape)) = rest.split_once('\\') {
            string.push_str(plain);
            let mut letters = escape.chars();
            match letters.next() {
                Some('b') => string.push('\u{8}'),
                Some('f') => string.push('\u{c}'),
                Some('n') => string.push('\n'),
                Some('r') => string.push('\r'),
                Some('t') => string.push('\t'),
                Some('u') => {
                    let written = rest.len() - plain.len();
                    rest = self.unicode(end - written, end, &mut string)?;
                    continue;
                }
                Some(other) => string.push(other),
                None => {}
            }
            rest = letters.as_str();
        }
        string.push_str(rest);
        Ok(Some((string, end + 1)))
    }

    /// The place of the quote that ends a string; nothing if it does not end or has what strings may not have.
    fn end_of_string(&self, at: usize) -> Option<usize> {
        if !self.next_is(at, b'"') {
            return None;
        }
        let bytes = self.text.as_bytes();
        let mut at = at + 1;
        loop {
            at += match bytes.get(at)? {
                b'"' => return Some(at),
                b'\\' => match bytes.get(at + 1)? {
                    b'u' if unit(self.rest(at)).is_some() => 6,
                    b'u' | 0..=0x1f => return None,
                    _ => 2,
                },
                0..=0x1f => return None,
                _ => 1,
            };
        }
    }

    /// Adds the letter of the `\uXXXX` at a place, or of two of them that make one; what follows it in the string.
    ///
    /// Compatibility: the second half of a letter is not looked at, a second half without a first is no letter of
    /// Unicode, and a first half before anything else than an escape swallows a letter and is a question mark.
    fn unicode(&self, at: usize, end: usize, string: &mut String) -> Result<&'t str, Fault<'t>> {
        let after = |at: usize| self.text.get(at..end).unwrap_or_default();
        let first = unit(self.rest(at)).unwrap_or_default();
        if !(0xd800..0xdc00).contains(&first) {
            string.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
            return Ok(after(at + 6));
        }
        let rest = after(at + 6);
        if rest.len() < 6 {
            return Err(Fault::HalfLetter(self.rest(at)));
        }
        match unit(rest) {
            Some(second) => {
                let letter = 0x1_0000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
                string.push(char::from_u32(letter).unwrap_or(char::REPLACEMENT_CHARACTER));
                Ok(after(at + 12))
            }
            None => {
                string.push('?');
                let mut letters = rest.chars();
                letters.next();
                Ok(letters.as_str())
            }
        }
    }

    /// The place after blanks and comments, or where a comment goes wrong.
    fn blanks(&self, mut at: usize) -> Result<usize, usize> {
        loop {
            let rest = self.rest(at);
            at = match rest.bytes().next() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at + 1,
                Some(b'/') => match rest.as_bytes().get(1) {
                    Some(b'/') => rest.find('\n').map(|end| at + end + 1).ok_or(self.text.len())?,
                    Some(b'*') => match rest.get(2..).and_then(|comment| comment.find("*/")) {
                        Some(end) => at + 2 + end + 2,
                        None => return Err(self.text.len()),
                    },
                    _ => return Err(at + 1),
                },
                _ => return Ok(at),
            };
        }
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    fn next_is(&self, at: usize, byte: u8) -> bool {
        self.text.as_bytes().get(at) == Some(&byte)
    }

    fn unexpected<T>(&self, at: usize) -> Result<T, Fault<'t>> {
        Err(Fault::Unexpected(self.rest(at)))
    }
}

fn nested<'t>(depth: usize) -> Result<usize, Fault<'t>> {
    if depth >= DEEPEST { Err(Fault::TooDeep(depth + 1)) } else { Ok(depth + 1) }
}

/// What the `\uXXXX` at the beginning of a text stands for.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

/// The number a text begins with and its length. A float must not go on as one, else only its whole part is read.
fn number(text: &str) -> Option<(Json<'_>, usize)> {
    let digits = |from: usize| text.get(from..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
    let byte = |at: usize| text.as_bytes().get(at).copied();
    let start = usize::from(text.starts_with('-'));
    let whole = start + digits(start);
    if whole == start || (byte(start) == Some(b'0') && whole > start + 1) {
        return None;
    }
    let mut end = whole;
    if byte(end) == Some(b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(byte(end), Some(b'e' | b'E')) {
        let exponent = end + 1 + usize::from(matches!(byte(end + 1), Some(b'+' | b'-')));
        end = if digits(exponent) > 0 { exponent + digits(exponent) } else { end };
    }
    let goes_on = matches!(byte(end), Some(b'e' | b'E' | b'.' | b'-'));
    match end > whole && !goes_on {
        true => Some((Json::Float(text.get(..end)?), end)),
        false => Some((Json::Integer(text.get(..whole)?), whole)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Ruby 3.1 with json 2.6.1 answers.
    fn check(text: &str, expected: &str) {
        let found = match read(text) {
            Ok(Json::String(string)) => string,
            Ok(_) => String::new(),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(found, expected, "{text}");
    }

    fn check_error(text: &str, rest: &str) {
        check(text, &format!("unexpected token at '{rest}'"));
    }

    #[test]
    fn values() {
        for text in ["1", "{}", "[1, -2.5e3, \"a\\u0041\"]", " {\"a\": [true, null]} // c\n", "[1, /* c */ 2]", "-0"] {
            check(text, "");
        }
        check(r#""\x\u00e9\n""#, "xé\n");
        check(r#""\ud83d\ude00 x""#, "😀 x");
        check(r#""\ud83d\u0041bcdef""#, "👁bcdef");
        check(r#""\ud800xxxxxx""#, "?xxxxx");
    }

    #[test]
    fn faults() {
        check_error("", "");
        check_error("{a: 1}\n", "{a: 1}\n");
        check_error("[1,2\n", "");
        check_error("[1 2]", "2]");
        check_error("1 2", "2");
        check_error("{\"a\":[1,{\"b\":x}]}", "{\"b\":x}]}");
        check_error("{\"a\": NaN}", "NaN}");
        check_error("{\"a\":Infinity}", ":Infinity}");
        check_error("Infinity", "");
        check_error("{\"a\":01}", "{\"a\":01}");
        check_error("[1.]", ".]");
        check_error("[1.5e3.2]", ".5e3.2]");
        check_error("[-]", "-]");
        check_error("[1 /* c", "");
        check_error("// c", "");
        check_error("[1/2]", "2]");
        check_error(r#"["\u12"]"#, r#""\u12"]"#);
        check_error(r#""\ud800\u12""#, r#""\ud800\u12""#);
        check_error("[\"a\tb\"]", "\"a\tb\"]");
        check(r#""\ud800xxxxx""#, r#"incomplete surrogate pair at '\ud800xxxxx"'"#);
        check(&"[".repeat(101), "nesting of 101 is too deep");
    }
}
