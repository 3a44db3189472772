//! The value `Binary`: bytes, and their text in the three dialects of base 64.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use bunraku_syntax::Issue;

use crate::issues;

/// The length of a line in text with line breaks.
const LINE: usize = 60;

/// A sequence of bytes. Printed as strict base 64.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binary {
    bytes: Box<[u8]>,
}

impl Binary {
    /// A value of the given bytes.
    pub fn new(bytes: impl Into<Box<[u8]>>) -> Binary {
        Binary { bytes: bytes.into() }
    }

    /// Reads base 64 and skips whatever is not part of it; the padding may be missing.
    pub fn from_base64(text: &str) -> Binary {
        let digits = text.bytes().take_while(|byte| *byte != b'=').filter_map(digit);
        let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
        let (mut buffer, mut bits) = (0u32, 0u32);
        for digit in digits {
            buffer = (buffer << 6) | u32::from(digit);
            bits += 6;
            if bits >= 8 {
                bits -= 8;
                bytes.push((buffer >> bits) as u8);
                buffer &= (1 << bits) - 1;
            }
        }
        Binary::new(bytes)
    }

    /// Reads base 64 that must be complete and have nothing else in it.
    pub fn from_base64_strict(text: &str) -> Result<Binary, Issue> {
        let bytes = STANDARD.decode(text).map_err(|_| issues::runtime_error("invalid base64"))?;
        Ok(Binary::new(bytes))
    }

    /// Reads base 64 with `-` and `_` for `+` and `/`; only the padding may be missing.
    pub fn from_base64_url_safe(text: &str) -> Result<Binary, Issue> {
        let mut standard: String = text.chars().map(standard_digit).collect();
        if !standard.ends_with('=') && !standard.len().is_multiple_of(4) {
            standard.extend(std::iter::repeat_n('=', 4 - standard.len() % 4));
        }
        Binary::from_base64_strict(&standard)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Base 64 with a line break after every sixty characters and at the end.
    pub fn to_base64_lines(&self) -> String {
        let text = STANDARD.encode(&self.bytes);
        let mut lines = String::with_capacity(text.len() + text.len() / LINE + 1);
        for (index, character) in text.chars().enumerate() {
            if index > 0 && index % LINE == 0 {
                lines.push('\n');
            }
            lines.push(character);
        }
        if !text.is_empty() {
            lines.push('\n');
        }
        lines
    }

    /// Base 64 with `-` and `_` for `+` and `/`.
    pub fn to_base64_url_safe(&self) -> String {
        URL_SAFE.encode(&self.bytes)
    }
}

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(&self.bytes))
    }
}

fn standard_digit(character: char) -> char {
    match character {
        '-' => '+',
        '_' => '/',
        other => other,
    }
}

fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn dialects() {
        assert_eq!(Binary::from_base64("aGVs\nbG8").bytes(), b"hello");
        assert_eq!(Binary::from_base64("a").bytes(), b"");
        assert_eq!(Binary::from_base64_strict("aGVsbG8=").unwrap().bytes(), b"hello");
        assert_eq!(Binary::from_base64_strict("aGVsbG8").unwrap_err().message(), "invalid base64");
        assert_eq!(Binary::from_base64_url_safe("-_-_").unwrap().to_string(), "+/+/");
        assert_eq!(Binary::from_base64_url_safe("aGVsbG8").unwrap().bytes(), b"hello");
        assert_eq!(Binary::new([251, 255]).to_base64_url_safe(), "-_8=");
        assert_eq!(Binary::new([]).to_base64_lines(), "");
        assert_eq!(Binary::new([0; 48]).to_base64_lines(), format!("{}\n{}\n", "A".repeat(60), "A".repeat(4)));
    }
}
