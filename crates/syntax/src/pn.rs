//! PN, the notation in which syntax trees are compared: lists, maps, calls and literals as S-expressions.
//! The reference prints the same text with `parser dump --format pn`.

mod transform;

use std::fmt::Write as _;

use ecow::EcoString;

use crate::float_text::float_text;

pub use transform::{expr, program};

/// A tree in PN.
#[derive(Debug, Clone, PartialEq)]
pub enum Pn {
    /// `nil`
    Nil,
    /// `true`
    Boolean(bool),
    /// `12`
    Integer(i64),
    /// An integer beyond 64 bits, in decimal digits.
    BigInteger(EcoString),
    /// `1.5`
    Float(f64),
    /// `"text"`
    String(EcoString),
    /// `[a b]`
    List(Vec<Pn>),
    /// `{:key value}`
    Map(Vec<(EcoString, Pn)>),
    /// `(name a b)`
    Call(&'static str, Vec<Pn>),
}

impl Pn {
    /// The text on one line.
    pub fn to_compact(&self) -> String {
        let mut text = String::new();
        self.write(None, &mut text);
        text
    }

    /// The text with each element on a line of its own.
    pub fn to_pretty(&self) -> String {
        let mut text = String::new();
        self.write(Some(0), &mut text);
        text
    }

    /// Whether the notation can express the tree: the keys of its maps, which may be any parameter's name, must be words.
    pub fn is_expressible(&self) -> bool {
        match self {
            Pn::List(elements) | Pn::Call(_, elements) => elements.iter().all(Pn::is_expressible),
            Pn::Map(entries) => entries.iter().all(|(key, value)| is_key(key) && value.is_expressible()),
            _ => true,
        }
    }

    /// Writes the text; with an indentation, each element of a collection gets a line of its own.
    fn write(&self, indent: Option<usize>, text: &mut String) {
        match self {
            Pn::Nil => text.push_str("nil"),
            Pn::Boolean(value) => text.push_str(if *value { "true" } else { "false" }),
            Pn::Integer(value) => {
                let _ = write!(text, "{value}");
            }
            Pn::BigInteger(digits) => text.push_str(digits),
            Pn::Float(value) => text.push_str(&float_text(*value)),
            Pn::String(value) => write_quoted(value, text),
            Pn::List(elements) => {
                text.push('[');
                write_elements(elements, indent, text);
                text.push(']');
            }
            Pn::Call(name, elements) => {
                text.push('(');
                text.push_str(name);
                if indent.is_none() && !elements.is_empty() {
                    text.push(' ');
                }
                write_elements(elements, indent, text);
                text.push(')');
            }
            Pn::Map(entries) => {
                text.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    separate(index, indent, text);
                    let _ = write!(text, ":{key} ");
                    value.write(indent.map(|indent| indent + 1), text);
                }
                text.push('}');
            }
        }
    }

    /// The tree as JSON: a call is `{"^": [name, …]}`, a map `{"#": [key, value, …]}`.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        self.write_json(None, &mut text);
        text
    }

    /// The same with each element on a line of its own.
    pub fn to_pretty_json(&self) -> String {
        let mut text = String::new();
        self.write_json(Some(0), &mut text);
        text
    }

    fn write_json(&self, indent: Option<usize>, text: &mut String) {
        match self {
            Pn::Nil => text.push_str("null"),
            Pn::String(value) => write_json_string(value, text),
            Pn::List(elements) => write_json_array(elements.iter().map(Item::Tree), indent, text),
            Pn::Call(name, elements) => {
                let items = std::iter::once(Item::Name(name)).chain(elements.iter().map(Item::Tree));
                write_json_object("^", items, indent, text);
            }
            Pn::Map(entries) => {
                let items = entries.iter().flat_map(|(key, value)| [Item::Name(key), Item::Tree(value)]);
                write_json_object("#", items, indent, text);
            }
            Pn::Boolean(_) | Pn::Integer(_) | Pn::BigInteger(_) | Pn::Float(_) => self.write(None, text),
        }
    }
}

fn is_key(key: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !key.is_empty() && !key.starts_with(|first: char| first.is_ascii_digit()) && key.bytes().all(is_part)
}

fn write_elements(elements: &[Pn], indent: Option<usize>, text: &mut String) {
    for (index, element) in elements.iter().enumerate() {
        separate(index, indent, text);
        element.write(indent.map(|indent| indent + 1), text);
    }
}

fn separate(index: usize, indent: Option<usize>, text: &mut String) {
    match indent {
        Some(indent) => new_line(indent + 1, text),
        None if index > 0 => text.push(' '),
        None => {}
    }
}

fn new_line(indent: usize, text: &mut String) {
    text.push('\n');
    for _ in 0..indent {
        text.push_str("  ");
    }
}

fn write_quoted(value: &str, text: &mut String) {
    text.push('"');
    for character in value.chars() {
        match character {
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            control if control < ' ' => {
                let _ = write!(text, "\\o{:03o}", u32::from(control));
            }
            other => text.push(other),
        }
    }
    text.push('"');
}

/// An element of a JSON array.
enum Item<'p> {
    Name(&'p str),
    Tree(&'p Pn),
}

fn write_json_object<'p>(key: &str, items: impl Iterator<Item = Item<'p>>, indent: Option<usize>, text: &mut String) {
    text.push('{');
    let inner = indent.map(|indent| indent + 1);
    if let Some(inner) = inner {
        new_line(inner, text);
    }
    text.push('"');
    text.push_str(key);
    text.push_str(if indent.is_some() { "\": " } else { "\":" });
    write_json_array(items, inner, text);
    if let Some(indent) = indent {
        new_line(indent, text);
    }
    text.push('}');
}

fn write_json_array<'p>(items: impl Iterator<Item = Item<'p>>, indent: Option<usize>, text: &mut String) {
    text.push('[');
    let inner = indent.map(|indent| indent + 1);
    let mut is_empty = true;
    for item in items {
        if !is_empty {
            text.push(',');
        }
        is_empty = false;
        if let Some(inner) = inner {
            new_line(inner, text);
        }
        match item {
            Item::Name(name) => write_json_string(name, text),
            Item::Tree(tree) => tree.write_json(inner, text),
        }
    }
    if let (Some(indent), false) = (indent, is_empty) {
        new_line(indent, text);
    }
    text.push(']');
}

fn write_json_string(value: &str, text: &mut String) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            control if control < ' ' || control == '\u{7f}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(control));
            }
            other => text.push(other),
        }
    }
    text.push('"');
}
