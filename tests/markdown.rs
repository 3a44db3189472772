//! Markdown as the suite and the documents use it: sections with fenced blocks.

/// A part of a document under a title of the second level, or what stands before the first.
#[derive(Debug, Default)]
pub struct Section {
    /// The title.
    pub title: String,
    /// Its parts, in their order.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Debug, Clone)]
pub enum Part {
    /// A line between blocks, titles included.
    Line(String),
    /// A fenced block.
    Block(Block),
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The word behind the fence.
    pub kind: String,
    /// The path before it: `` `modules/web/manifests/init.pp`: ``.
    pub path: Option<String>,
    /// What is in it, with line breaks.
    pub body: String,
}

impl Section {
    /// Its blocks.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.parts.iter().filter_map(|part| match part {
            Part::Block(block) => Some(block),
            Part::Line(_) => None,
        })
    }

    /// What its first block of a kind has.
    pub fn block(&self, kind: &str) -> Option<&str> {
        self.blocks().find(|block| block.kind == kind).map(|block| block.body.as_str())
    }
}

/// The sections of a document, that before the first title included.
pub fn read(text: &str) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { title: title.to_owned(), parts: Vec::new() });
        }
        let Some(section) = sections.last_mut() else { break };
        let fence = line.bytes().take_while(|byte| *byte == b'`').count();
        let part = match line.split_at(fence) {
            (fence, kind) if fence.len() >= 3 && !kind.is_empty() => {
                let body = lines.by_ref().take_while(|line| *line != fence).map(|line| format!("{line}\n")).collect();
                Part::Block(Block { kind: kind.to_owned(), path: path_before(&section.parts), body })
            }
            _ => Part::Line(line.to_owned()),
        };
        section.parts.push(part);
    }
    sections
}

/// The path that the last line is, blank lines aside.
fn path_before(parts: &[Part]) -> Option<String> {
    let last = parts.iter().rev().find(|part| !matches!(part, Part::Line(line) if line.is_empty()))?;
    let Part::Line(line) = last else { return None };
    let path = line.strip_prefix('`')?.strip_suffix("`:")?;
    Some(path.to_owned())
}

/// The document again.
pub fn write(sections: &[Section]) -> String {
    let mut text = String::new();
    for part in sections.iter().flat_map(|section| &section.parts) {
        match part {
            Part::Line(line) => text.push_str(line),
            Part::Block(block) => {
                let fence = if block.body.contains("```") { "````" } else { "```" };
                text.push_str(&format!("{fence}{}\n{}{fence}", block.kind, block.body));
            }
        }
        text.push('\n');
    }
    text
}
