//! YAML in block style, readable by any YAML library.

use super::Writer;
use super::json::push_quoted;

/// Writes YAML.
#[derive(Debug)]
pub struct Yaml {
    text: String,
    open: Vec<Open>,
    /// The first entry of a collection in a list stands on the line of its dash.
    is_after_dash: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Map,
    List,
    /// Already written in one piece because there is nothing in it.
    Empty,
}

impl Default for Yaml {
    fn default() -> Self {
        Self::new()
    }
}

impl Yaml {
    /// An empty document.
    pub fn new() -> Self {
        Yaml { text: "---".to_owned(), open: Vec::new(), is_after_dash: false }
    }

    fn begin_line(&mut self) {
        if !std::mem::take(&mut self.is_after_dash) {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n("  ", self.open.len().saturating_sub(1)));
        }
    }

    fn begin_entry(&mut self) {
        if self.open.last() == Some(&Open::List) {
            self.begin_line();
            self.text.push_str("- ");
            self.is_after_dash = true;
        }
    }

    fn scalar(&mut self, write: impl FnOnce(&mut String)) {
        self.begin_entry();
        if !std::mem::take(&mut self.is_after_dash) {
            self.text.push(' ');
        }
        write(&mut self.text);
    }

    fn begin(&mut self, open: Open, length: usize, empty: &str) {
        if length == 0 {
            self.scalar(|text| text.push_str(empty));
            self.open.push(Open::Empty);
        } else {
            self.begin_entry();
            self.open.push(open);
        }
    }
}

impl Writer for Yaml {
    fn begin_map(&mut self, length: usize) {
        self.begin(Open::Map, length, "{}");
    }

    fn key(&mut self, key: &str) {
        self.begin_line();
        push_scalar(key, &mut self.text);
        self.text.push(':');
    }

    fn end_map(&mut self) {
        self.open.pop();
    }

    fn begin_list(&mut self, length: usize) {
        self.begin(Open::List, length, "[]");
    }

    fn end_list(&mut self) {
        self.open.pop();
    }

    fn string(&mut self, text: &str) {
        self.scalar(|to| push_scalar(text, to));
    }

    fn literal(&mut self, text: &str) {
        self.scalar(|to| to.push_str(text));
    }

    fn text(&mut self) -> &mut String {
        &mut self.text
    }

    fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

/// Text that could be taken for anything else is quoted; JSON strings are YAML strings too.
fn push_scalar(text: &str, to: &mut String) {
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '/' | '.' | '-');
    let is_plain = text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/')
        && text.chars().all(|it| is_word(it) || it == ':')
        && !text.ends_with(':');
    let is_keyword = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
        .iter()
        .any(|keyword| text.eq_ignore_ascii_case(keyword));
    match is_plain && !is_keyword {
        true => to.push_str(text),
        false => push_quoted(text, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_written() {
        let mut yaml = Yaml::new();
        yaml.begin_map(3);
        yaml.key("a");
        yaml.begin_list(2);
        yaml.begin_map(2);
        yaml.key("b");
        yaml.literal("1");
        yaml.key("c::d");
        yaml.string("no");
        yaml.end_map();
        yaml.begin_list(1);
        yaml.string("x y");
        yaml.end_list();
        yaml.end_list();
        yaml.key("e");
        yaml.begin_list(0);
        yaml.end_list();
        yaml.key("f");
        yaml.begin_map(1);
        yaml.key("g");
        yaml.string("/h");
        yaml.end_map();
        yaml.end_map();
        let expected = "---\na:\n  - b: 1\n    c::d: \"no\"\n  - - \"x y\"\ne: []\nf:\n  g: /h\n";
        assert_eq!(yaml.finish(), expected);
    }
}
