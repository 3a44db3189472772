//! Reads JSON as Ruby's parser does, which knows comments, and complains in its words.

use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::value::Value;
use bunraku_syntax::deep;

/// How deep Ruby reads.
const DEEPEST: usize = 100;

/// The value of a JSON text, which may have comments.
pub fn parse_json(text: &str) -> Result<Value, Issue> {
    Reader { text }.document()
}

/// A text that is read.
struct Reader<'t> {
    text: &'t str,
}

/// A value and the place after it; nothing if there is none, which the one who asked complains about.
type Read<T> = Result<Option<(T, usize)>, Issue>;

impl<'t> Reader<'t> {
    /// The value of the whole text.
    fn document(&self) -> Result<Value, Issue> {
        let start = self.blanks(0).or_else(|at| self.unexpected(at))?;
        let Some((value, end)) = self.value(start, 0)? else { return self.unexpected(start) };
        match self.blanks(end) {
            Ok(end) if end == self.text.len() => Ok(value),
            Ok(at) | Err(at) => self.unexpected(at),
        }
    }

    fn value(&self, at: usize, depth: usize) -> Read<Value> {
        deep(|| {
            let rest = self.rest(at);
            let words = [("null", Value::Undef), ("true", true.into()), ("false", false.into())];
            if let Some((word, value)) = words.into_iter().find(|(word, _)| rest.starts_with(word)) {
                return Ok(Some((value, at + word.len())));
            }
            match rest.bytes().next() {
                Some(b'"') => Ok(self.string(at)?.map(|(text, end)| (text.into(), end))),
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

    fn array(&self, at: usize, depth: usize) -> Read<Value> {
        let wrong = |at| self.unexpected(at);
        let blanks = |at| self.blanks(at).or_else(|at| self.unexpected(at));
        let mut elements = Vec::new();
        let mut at = blanks(at + 1)?;
        if self.next_is(at, b']') {
            return Ok(Some((elements.into(), at + 1)));
        }
        loop {
            let Some((element, end)) = self.value(at, depth)? else { return wrong(at) };
            elements.push(element);
            at = blanks(end)?;
            if self.next_is(at, b']') {
                return Ok(Some((elements.into(), at + 1)));
            }
            if !self.next_is(at, b',') {
                return wrong(at);
            }
            at = blanks(at + 1)?;
        }
    }

    /// An object complains about nothing: what it is part of does, at the beginning of the object.
    fn object(&self, at: usize, depth: usize) -> Read<Value> {
        let mut object = Hash::new();
        let Ok(mut at) = self.blanks(at + 1) else { return Ok(None) };
        if self.next_is(at, b'}') {
            return Ok(Some((object.into(), at + 1)));
        }
        loop {
            let Some((key, end)) = self.string(at)? else { return Ok(None) };
            let Some(colon) = self.blanks(end).ok().filter(|at| self.next_is(*at, b':')) else { return Ok(None) };
            let Ok(start) = self.blanks(colon + 1) else { return Ok(None) };
            let Some((value, end)) = self.value(start, depth)? else { return Ok(None) };
            object.insert(key.into(), value);
            at = match self.blanks(end) {
                Ok(end) if self.next_is(end, b'}') => return Ok(Some((object.into(), end + 1))),
                Ok(end) if self.next_is(end, b',') => match self.blanks(end + 1) {
                    Ok(at) => at,
                    Err(_) => return Ok(None),
                },
                _ => return Ok(None),
            };
        }
    }

    fn string(&self, at: usize) -> Read<String> {
        if !self.next_is(at, b'"') {
            return Ok(None);
        }
        let (mut text, mut at) = (String::new(), at + 1);
        loop {
            let mut letters = self.rest(at).chars();
            let (letter, length) = match (letters.next(), letters.next()) {
                (Some('"'), _) => return Ok(Some((text, at + 1))),
                (Some('\\'), Some('u')) => match self.unicode(at)? {
                    Some(decoded) => decoded,
                    None => return Ok(None),
                },
                (Some('\\'), None | Some('\0'..='\u{1f}')) | (Some('\0'..='\u{1f}') | None, _) => return Ok(None),
                (Some('\\'), Some(escaped)) => (unescaped(escaped), 1 + escaped.len_utf8()),
                (Some(letter), _) => (letter, letter.len_utf8()),
            };
            text.push(letter);
            at += length;
        }
    }

    /// The letter of `\uXXXX`, or of two of them that make one, and how long its text is.
    fn unicode(&self, at: usize) -> Read<char> {
        let unit = |at: usize| {
            let digits = self.rest(at).strip_prefix("\\u")?.get(..4)?;
            let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            u16::from_str_radix(digits, 16).ok().filter(|_| is_number)
        };
        let Some(first) = unit(at) else { return Ok(None) };
        if let Some(letter) = char::from_u32(first.into()) {
            return Ok(Some((letter, 6)));
        }
        let second = unit(at + 6);
        match char::decode_utf16([first].into_iter().chain(second)).next() {
            Some(Ok(letter)) => Ok(Some((letter, 12))),
            _ => fail(format!("incomplete surrogate pair at '{}'", self.rest(at))),
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

    fn unexpected<T>(&self, at: usize) -> Result<T, Issue> {
        fail(format!("unexpected token at '{}'", self.rest(at)))
    }
}

fn fail<T>(message: String) -> Result<T, Issue> {
    Err(issues::runtime_error(message))
}

fn nested(depth: usize) -> Result<usize, Issue> {
    if depth >= DEEPEST { fail(format!("nesting of {} is too deep", depth + 1)) } else { Ok(depth + 1) }
}

fn unescaped(letter: char) -> char {
    match letter {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}

/// The number a text begins with and its length. A float must not go on as one, else only its whole part is read.
fn number(text: &str) -> Option<(Value, usize)> {
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
    if end > whole && !goes_on {
        return Some((Value::Float(text.get(..end)?.parse().ok()?), end));
    }
    let integer = text.get(..whole)?;
    // A number beyond 64 bits becomes a float, as everywhere where data is read.
    let value = integer.parse().map(Value::Integer).or_else(|_| integer.parse().map(Value::Float));
    Some((value.ok()?, whole))
}
