//! The nodes of a YAML text as they are written: for readers that give them a meaning of their own, and for writers of what
//! is no value of the language.

use super::emit;
use super::error::Error;
use super::scanner::{Event, EventData, Parser};
use super::writer::{Part, Scalar as Written, Style, Writer};
use super::{MAXIMUM_DEPTH, emit::plain};

/// How many nodes a text may have.
const MOST_NODES: usize = 4_000_000;

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The name by which aliases call it.
    pub anchor: Option<String>,
    /// The tag, with its handle resolved.
    pub tag: Option<String>,
    /// What it says.
    pub content: Content,
}

/// What a node says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The node of an anchor once more.
    Alias(String),
    /// A scalar.
    Scalar(String, Form),
    /// A sequence.
    Sequence(Vec<Node>),
    /// A mapping, in the order of the text.
    Mapping(Vec<(Node, Node)>),
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Without quotes: its text or its tag says what it means.
    Plain,
    /// As a string, in the style that Psych would choose.
    Text,
    /// As a string in single quotes.
    Quoted,
    /// As a block that keeps line breaks.
    Literal,
}

/// How nodes are laid out.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// How far inner collections are moved to the right, from 2 to 9.
    pub indentation: usize,
    /// The column after which lines are broken at spaces.
    pub width: usize,
    /// Whether the document says which YAML it is.
    pub has_version: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { indentation: 2, width: 80, has_version: false }
    }
}

impl Node {
    /// A node without anchor and tag.
    pub fn new(content: Content) -> Node {
        Node { anchor: None, tag: None, content }
    }
}

/// The nodes at the top of the documents of a text; of the first one only, if no more are wanted.
pub fn nodes(text: &[u8], file: &str, all: bool) -> Result<Vec<Node>, Error> {
    let mut reader = Reader { parser: Parser::new(text), file, count: 0 };
    let mut found = Vec::new();
    loop {
        match reader.next()?.data {
            EventData::StreamEnd => return Ok(found),
            EventData::DocumentStart => {
                let event = reader.next()?;
                found.push(reader.node(event, 0)?);
                reader.next()?;
                if !all || !reader.parser.goes_on().map_err(|error| Error::syntax(file, &error))? {
                    return Ok(found);
                }
            }
            _ => {}
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t>,
    file: &'t str,
    count: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<Event, Error> {
        self.parser.parse().map_err(|error| Error::syntax(self.file, &error))
    }

    fn node(&mut self, event: Event, depth: usize) -> Result<Node, Error> {
        self.count = self.count.saturating_add(1);
        if depth > MAXIMUM_DEPTH || self.count > MOST_NODES {
            let mark = event.start_mark;
            let problem = if depth > MAXIMUM_DEPTH { "collections are nested too deeply" } else { "too many nodes" };
            return Err(Error::limit(self.file, problem, mark.line.saturating_add(1), mark.column.saturating_add(1)));
        }
        let inner = depth.saturating_add(1);
        Ok(match event.data {
            EventData::Alias { anchor } => Node::new(Content::Alias(anchor)),
            EventData::Scalar { anchor, tag, value, is_quoted } => {
                let form = if is_quoted { Form::Text } else { Form::Plain };
                Node { anchor, tag, content: Content::Scalar(value, form) }
            }
            EventData::SequenceStart { anchor, tag } => {
                let mut items = Vec::new();
                while let Some(event) = self.unless(|data| matches!(data, EventData::SequenceEnd))? {
                    items.push(self.node(event, inner)?);
                }
                Node { anchor, tag, content: Content::Sequence(items) }
            }
            EventData::MappingStart { anchor, tag } => {
                let mut pairs = Vec::new();
                while let Some(event) = self.unless(|data| matches!(data, EventData::MappingEnd))? {
                    let key = self.node(event, inner)?;
                    let event = self.next()?;
                    pairs.push((key, self.node(event, inner)?));
                }
                Node { anchor, tag, content: Content::Mapping(pairs) }
            }
            _ => Node::new(Content::Scalar(String::new(), Form::Plain)),
        })
    }

    /// The next event, unless it is the end of the collection.
    fn unless(&mut self, is_end: fn(&EventData) -> bool) -> Result<Option<Event>, Error> {
        let event = self.next()?;
        Ok((!is_end(&event.data)).then_some(event))
    }
}

/// The YAML document of a node.
pub fn emit_node(node: &Node, layout: &Layout) -> String {
    let mut writer = Writer::new(layout.indentation);
    writer.width = layout.width;
    write(node, None, &mut writer);
    let text = writer.finish();
    if layout.has_version { format!("%YAML 1.1\n{text}") } else { text }
}

fn write(node: &Node, part: Option<Part>, writer: &mut Writer) {
    if let Some(anchor) = &node.anchor {
        writer.tag(&format!("&{anchor}"));
    }
    let tag = node.tag.as_deref().map(shown);
    let is_key = part == Some(Part::SimpleKey);
    match &node.content {
        Content::Scalar(text, form) => writer.scalar(scalar(text, *form, tag.as_deref()), is_key),
        Content::Alias(name) => {
            writer.tag(&format!("*{name}"));
            if is_key {
                writer.tag("");
            }
        }
        collection => {
            if let Some(tag) = &tag {
                writer.tag(tag);
            }
            bunraku_pcore::deep(|| match collection {
                Content::Sequence(items) if items.is_empty() => writer.empty_collection("[]"),
                Content::Sequence(items) => {
                    writer.sequence(items, part.is_some(), |writer, item| write(item, None, writer));
                }
                Content::Mapping(pairs) if pairs.is_empty() => writer.empty_collection("{}"),
                Content::Mapping(pairs) => writer.mapping(
                    pairs,
                    |(key, _)| is_simple(key),
                    |writer, (key, value), part| {
                        write(if part == Part::Value { value } else { key }, Some(part), writer);
                    },
                ),
                Content::Scalar(..) | Content::Alias(_) => {}
            });
        }
    }
}

fn scalar<'t>(text: &'t str, form: Form, tag: Option<&'t str>) -> Written<'t> {
    match form {
        Form::Plain => Written { tag, ..plain(text) },
        Form::Text => {
            let chosen = emit::string(text);
            Written { tag: tag.or(chosen.tag), ..chosen }
        }
        Form::Quoted => Written { text, tag, style: Style::SingleQuoted, may_be_quoted: true },
        Form::Literal => Written { text, tag, style: Style::Literal, may_be_quoted: true },
    }
}

/// Whether a key can stand before its value on the same line.
fn is_simple(key: &Node) -> bool {
    match &key.content {
        Content::Alias(_) => true,
        Content::Scalar(text, form) => scalar(text, *form, key.tag.as_deref()).is_simple_key(),
        Content::Sequence(items) => items.is_empty(),
        Content::Mapping(pairs) => pairs.is_empty(),
    }
}

/// A tag as it is written: those of YAML itself have a short form.
fn shown(tag: &str) -> String {
    match tag.strip_prefix("tag:yaml.org,2002:") {
        Some(name) => format!("!!{name}"),
        None => tag.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_written_as_they_were_read() {
        for text in [
            "---\na: &1\n- 1\n- :b\nc: *1\n",
            "---\n- !ruby/range\n  begin: 1\n  end: 3\n",
            "--- !ruby/object {}\n",
            "---\n? - 1\n: 2\n",
        ] {
            let found = nodes(text.as_bytes(), "<unknown>", true).unwrap_or_default();
            let written: String = found.iter().map(|node| emit_node(node, &Layout::default())).collect();
            assert_eq!(written, text);
        }
    }

    #[test]
    fn documents_are_read_one_by_one() {
        let count = |text: &str, all| nodes(text.as_bytes(), "<unknown>", all).map(|found| found.len()).ok();
        assert_eq!(count("--- 1\n--- 2\n", true), Some(2));
        assert_eq!(count("--- 1\n--- [\n", false), Some(1));
        assert_eq!(count("", false), Some(0));
    }
}
