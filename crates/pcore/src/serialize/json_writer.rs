//! JSON as Ruby's library writes it.

use std::fmt::Write;

/// What stands between the parts of a JSON text.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonLayout<'l> {
    /// Before every element and key, as often as it is deep.
    pub indent: &'l str,
    /// After a colon.
    pub space: &'l str,
    /// Before a colon.
    pub space_before: &'l str,
    /// Around the entries of an object.
    pub object_line_end: &'l str,
    /// Around the elements of an array.
    pub array_line_end: &'l str,
    /// Whether an empty object or array stays on its line.
    pub keeps_empty_short: bool,
}

impl JsonLayout<'static> {
    /// Everything in one line.
    pub const SHORT: Self = JsonLayout {
        indent: "",
        space: "",
        space_before: "",
        object_line_end: "",
        array_line_end: "",
        keeps_empty_short: true,
    };

    /// Two spaces for every level.
    pub const PRETTY: Self =
        JsonLayout { indent: "  ", space: " ", object_line_end: "\n", array_line_end: "\n", ..Self::SHORT };
}

/// Writes a JSON text, part by part.
#[derive(Debug, Default)]
pub struct JsonWriter<'l> {
    /// The text so far.
    pub text: String,
    layout: JsonLayout<'l>,
    /// For each open object or array what stands around its entries, and whether it has one yet.
    open: Vec<(&'l str, bool)>,
    /// What each line begins with.
    indentation: String,
    /// A key has been written and waits for its value.
    is_after_key: bool,
}

impl<'l> JsonWriter<'l> {
    /// An empty text with room for so many bytes.
    pub fn new(layout: JsonLayout<'l>, room: usize) -> Self {
        JsonWriter { text: String::with_capacity(room), layout, ..Self::default() }
    }

    /// Begins an object.
    pub fn begin_object(&mut self) {
        self.begin('{', self.layout.object_line_end);
    }

    /// A key; its value comes next.
    pub fn key(&mut self, key: &str) {
        self.string(key);
        self.text.push_str(self.layout.space_before);
        self.text.push(':');
        self.text.push_str(self.layout.space);
        self.is_after_key = true;
    }

    /// Ends an object.
    pub fn end_object(&mut self) {
        if let Some((line_end, has_entries)) = self.end()
            && (has_entries || !self.layout.keeps_empty_short)
        {
            self.break_line(line_end);
        }
        self.text.push('}');
    }

    /// Begins an array.
    pub fn begin_array(&mut self) {
        self.begin('[', self.layout.array_line_end);
    }

    /// Ends an array. Compatibility: an empty one has an empty line.
    pub fn end_array(&mut self) {
        if let Some((line_end, has_entries)) = self.end() {
            if !has_entries && !self.layout.keeps_empty_short {
                self.text.push_str(line_end);
            }
            if has_entries || !self.layout.keeps_empty_short {
                self.break_line(line_end);
            }
        }
        self.text.push(']');
    }

    /// A string.
    pub fn string(&mut self, string: &str) {
        self.separate();
        push_quoted(string, &mut self.text);
    }

    /// A number or a word.
    pub fn literal(&mut self, text: &str) {
        self.separate();
        self.text.push_str(text);
    }

    fn begin(&mut self, bracket: char, line_end: &'l str) {
        self.separate();
        self.text.push(bracket);
        self.open.push((line_end, false));
        self.indentation.push_str(self.layout.indent);
    }

    /// Leaves an object or array; gives what stands around its entries, and whether it has any.
    fn end(&mut self) -> Option<(&'l str, bool)> {
        self.indentation.truncate(self.indentation.len().saturating_sub(self.layout.indent.len()));
        self.open.pop()
    }

    /// Separates an entry from what comes before it.
    fn separate(&mut self) {
        if std::mem::take(&mut self.is_after_key) {
            return;
        }
        if let Some((line_end, has_entries)) = self.open.last_mut() {
            let line_end = *line_end;
            if std::mem::replace(has_entries, true) {
                self.text.push(',');
            }
            self.break_line(line_end);
        }
    }

    /// Compatibility: what has no line end is indented all the same.
    fn break_line(&mut self, line_end: &str) {
        self.text.push_str(line_end);
        self.text.push_str(&self.indentation);
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

    fn check(layout: JsonLayout<'_>, expected: &str) {
        let mut json = JsonWriter::new(layout, 0);
        json.begin_object();
        json.key("a");
        json.begin_array();
        json.literal("1");
        json.string("x\"\n\u{1}é");
        json.end_array();
        json.key("b");
        json.begin_object();
        json.end_object();
        json.key("c");
        json.begin_array();
        json.end_array();
        json.end_object();
        assert_eq!(json.text, expected);
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
        check(JsonLayout::SHORT, r#"{"a":[1,"x\"\n\u0001é"],"b":{},"c":[]}"#);
        check(
            JsonLayout::PRETTY,
            "{\n  \"a\": [\n    1,\n    \"x\\\"\\n\\u0001é\"\n  ],\n  \"b\": {},\n  \"c\": []\n}",
        );
        // What Ruby 3.1 with json 2.6.1 writes.
        check(
            JsonLayout { keeps_empty_short: false, ..JsonLayout::PRETTY },
            "{\n  \"a\": [\n    1,\n    \"x\\\"\\n\\u0001é\"\n  ],\n  \"b\": {\n  },\n  \"c\": [\n\n  ]\n}",
        );
        check(
            JsonLayout { indent: "--", object_line_end: "\n", ..JsonLayout::default() },
            "{\n--\"a\":[----1,----\"x\\\"\\n\\u0001é\"--],\n--\"b\":{\n--},\n--\"c\":[--]\n}",
        );
    }
}
