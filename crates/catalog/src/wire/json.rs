//! JSON as Ruby's library writes it.

use bunraku_syntax::deep;
use std::fmt::Write;

use bunraku_pcore::Value;
use bunraku_pcore::float_text::float_text;

use super::Writer;

/// Writes JSON, in one line or with two spaces for every level.
#[derive(Debug, Default)]
pub(crate) struct Json {
    text: String,
    is_pretty: bool,
    /// For each open map or list whether it has an entry yet.
    open: Vec<bool>,
    /// A key has been written and waits for its value.
    is_after_key: bool,
}

impl Json {
    /// An empty document.
    pub(crate) fn new(is_pretty: bool) -> Self {
        Json { is_pretty, ..Json::default() }
    }

    /// An empty document with room for so many bytes.
    pub(crate) fn with_room(is_pretty: bool, room: usize) -> Self {
        Json { text: String::with_capacity(room), is_pretty, ..Json::default() }
    }

    /// Separates an entry from what comes before it.
    fn separate(&mut self) {
        if std::mem::take(&mut self.is_after_key) {
            return;
        }
        if let Some(has_entries) = self.open.last_mut() {
            if std::mem::replace(has_entries, true) {
                self.text.push(',');
            }
            self.break_line();
        }
    }

    fn break_line(&mut self) {
        if self.is_pretty {
            const INDENTATION: &str = "\n                                ";
            match INDENTATION.get(..1 + 2 * self.open.len()) {
                Some(indentation) => self.text.push_str(indentation),
                None => {
                    self.text.push('\n');
                    self.text.extend(std::iter::repeat_n("  ", self.open.len()));
                }
            }
        }
    }

    /// The text of the document.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn literal(&mut self, text: &str) {
        self.separate();
        self.text.push_str(text);
    }

    fn begin(&mut self, bracket: char) {
        self.separate();
        self.text.push(bracket);
        self.open.push(false);
    }

    fn end(&mut self, bracket: char) {
        if self.open.pop() == Some(true) {
            self.break_line();
        }
        self.text.push(bracket);
    }
}

impl Writer for Json {
    fn begin_map(&mut self) {
        self.begin('{');
    }

    fn key(&mut self, key: &str) {
        self.string(key);
        self.text.push_str(if self.is_pretty { ": " } else { ":" });
        self.is_after_key = true;
    }

    fn end_map(&mut self) {
        self.end('}');
    }

    fn begin_list(&mut self) {
        self.begin('[');
    }

    fn end_list(&mut self) {
        self.end(']');
    }

    fn string(&mut self, text: &str) {
        self.separate();
        push_quoted(text, &mut self.text);
    }

    fn data(&mut self, value: &Value) {
        deep(|| match value {
            Value::Boolean(true) => self.literal("true"),
            Value::Boolean(false) => self.literal("false"),
            Value::Integer(number) => self.literal(&number.to_string()),
            Value::Float(number) if number.is_finite() => self.literal(&float_text(*number)),
            Value::String(text) => self.string(text),
            Value::Array(elements) => {
                self.begin_list();
                elements.iter().for_each(|element| self.data(element));
                self.end_list();
            }
            Value::Hash(hash) => {
                self.begin_map();
                for (key, value) in hash.iter() {
                    self.key(key.as_str().unwrap_or_default());
                    self.data(value);
                }
                self.end_map();
            }
            _ => self.literal("null"),
        })
    }
}

/// Appends text as a JSON string.
fn push_quoted(text: &str, to: &mut String) {
    to.push('"');
    if is_plain(text.as_bytes()) {
        to.push_str(text);
    } else {
        push_escaped(text, to);
    }
    to.push('"');
}

/// Whether nothing in a text must be escaped. Few texts have such characters, so eight bytes at a time are asked.
fn is_plain(bytes: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = ONES << 7;
    let none_below = |bytes: u64, limit: u8| bytes.wrapping_sub(ONES * u64::from(limit)) & !bytes & HIGHEST == 0;
    let none_equal = |bytes: u64, byte: u8| none_below(bytes ^ (ONES * u64::from(byte)), 1);
    let are_plain = |chunk: &[u8; 8]| {
        let chunk = u64::from_ne_bytes(*chunk);
        none_below(chunk, b' ') && none_equal(chunk, b'"') && none_equal(chunk, b'\\')
    };
    let (chunks, rest) = bytes.as_chunks();
    chunks.iter().all(are_plain)
        && match bytes.last_chunk() {
            Some(last) => are_plain(last),
            None => !rest.iter().copied().any(is_special),
        }
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

fn push_escaped(text: &str, to: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at(at);
        to.push_str(plain);
        let mut letters = special.chars();
        match letters.next() {
            Some('"') => to.push_str("\\\""),
            Some('\\') => to.push_str("\\\\"),
            Some('\n') => to.push_str("\\n"),
            Some('\r') => to.push_str("\\r"),
            Some('\t') => to.push_str("\\t"),
            Some('\u{8}') => to.push_str("\\b"),
            Some('\u{c}') => to.push_str("\\f"),
            // Writing to a string does not fail.
            Some(other) => _ = write!(to, "\\u{:04x}", u32::from(other)),
            None => {}
        }
        rest = letters.as_str();
    }
    to.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(is_pretty: bool, expected: &str) {
        let mut json = Json::new(is_pretty);
        json.begin_map();
        json.key("a");
        json.begin_list();
        json.literal("1");
        json.string("x\"\n\u{1}é");
        json.end_list();
        json.key("b");
        json.begin_map();
        json.end_map();
        json.key("c");
        json.begin_list();
        json.end_list();
        json.end_map();
        assert_eq!(json.finish(), expected);
    }

    #[test]
    fn every_byte_is_escaped_wherever_it_stands() {
        for byte in 0..0x80_u8 {
            for at in 0..20 {
                let mut text = "abcdefghijklmnopqrst".to_owned();
                text.replace_range(at..=at, char::from(byte).encode_utf8(&mut [0; 4]));
                let mut quoted = String::new();
                push_quoted(&text, &mut quoted);
                assert_eq!(serde_json::from_str::<String>(&quoted).ok(), Some(text), "{byte} at {at}");
            }
        }
    }

    #[test]
    fn documents_are_written() {
        check(false, r#"{"a":[1,"x\"\n\u0001é"],"b":{},"c":[]}"#);
        check(true, "{\n  \"a\": [\n    1,\n    \"x\\\"\\n\\u0001é\"\n  ],\n  \"b\": {},\n  \"c\": []\n}");
    }
}
