//! Expectations of a section of the suite: written into it from what was found.
//!
//! Errors and warnings stand as comments on their lines, `# error: 8 [CODE] "message"` with the column, or in a block
//! `error` if the section has one or shows a terminal, or if the line is not in a block of Puppet code. What else was said is in the block `log`.

use std::collections::VecDeque;

use bunraku_tests::markdown::{Block, Part, Section};
use serde_json::Value as Json;

/// The comments that are expectations.
const MARKS: [&str; 2] = ["# error: ", "# warning: "];

/// Blocks that are always complete: they appear where something was found for them.
const COMPLETE: [&str; 2] = ["error", "log"];

/// What came of a section.
pub struct Found {
    /// Errors and warnings that have a line.
    located: Vec<Located>,
    /// The contents of blocks by their kinds.
    blocks: Vec<(&'static str, String)>,
}

struct Located {
    level: &'static str,
    file: Option<String>,
    line: u64,
    /// The column, code and message.
    text: String,
}

impl Found {
    /// What a result in the shape of the corpus says.
    pub fn new(result: &Json) -> Found {
        let mut found = Found { located: Vec::new(), blocks: Vec::new() };
        let (mut errors, mut log) = (Vec::new(), Vec::new());
        let records = |key: &str| result[key].as_array().into_iter().flatten();
        let all = result.get("error").into_iter().map(|error| ("error", error));
        let all = all.chain(records("errors").map(|error| ("error", error)));
        let all = all.chain(records("warnings").map(|warning| ("warning", warning)));
        for (level, record) in all {
            found.add_located(level, record).unwrap_or_else(|text| errors.push(text));
        }
        for record in records("logs") {
            let level = record["level"].as_str().unwrap_or_default();
            let known = match level {
                "err" => Some("error"),
                "warning" => Some("warning"),
                _ => None,
            };
            let located = known.map(|known| found.add_located(known, record));
            if !matches!(located, Some(Ok(()))) {
                let source = record["source"].as_str().map(|source| format!("{source}: ")).unwrap_or_default();
                log.push(format!("{level}: {source}{}", record["message"].as_str().unwrap_or_default()));
            }
        }
        found.add("error", errors.join("\n"));
        found.add("log", log.join("\n"));
        if let Some(value) = result["value"]["repr"].as_str().or(result["text"].as_str()) {
            found.add("value", value.to_owned());
        }
        found.add("catalog", resources(&result["catalog"]));
        found
    }

    /// Has something that belongs into a block of a kind.
    pub fn add(&mut self, kind: &'static str, text: String) {
        self.blocks.push((kind, text));
    }

    /// Has an error or warning; gives its text if it has no line.
    fn add_located(&mut self, level: &'static str, record: &Json) -> Result<(), String> {
        let code = record["issue"].as_str().map(|code| format!("[{code}] ")).unwrap_or_default();
        let message = &record["message"];
        let Some(line) = record["line"].as_u64() else {
            return Err(format!("{code}{}", message.as_str().unwrap_or_default()));
        };
        let column = record["column"].as_u64().map(|column| format!("{column} ")).unwrap_or_default();
        let file = record["file"].as_str().map(|file| file.trim_start_matches("/production/").to_owned());
        self.located.push(Located { level, file, line, text: format!("{column}{code}{message}") });
        Ok(())
    }
}

/// The resources of a catalog, each with its parameters below it.
fn resources(catalog: &Json) -> String {
    let mut lines = Vec::new();
    for resource in catalog["resources"].as_array().into_iter().flatten() {
        let (type_name, title) = (resource["type"].as_str().unwrap_or_default(), resource["title"].as_str());
        let reference = format!("{type_name}[{}]", title.unwrap_or_default());
        if ["Stage[main]", "Class[main]"].contains(&reference.as_str()) {
            continue;
        }
        let form = match (&resource["exported"], &resource["virtual"]) {
            (Json::Bool(true), _) => "@@",
            (_, Json::Bool(true)) => "@",
            _ => "",
        };
        lines.push(format!("{form}{reference}"));
        for (name, value) in resource["parameters"].as_object().into_iter().flatten() {
            lines.push(format!("  {name} => {value}"));
        }
        for name in resource["sensitive_parameters"].as_array().into_iter().flatten() {
            lines.push(format!("  sensitive: {}", name.as_str().unwrap_or_default()));
        }
    }
    lines.join("\n")
}

/// Writes what was found into a section.
pub fn update(section: &mut Section, found: &Found) {
    // What a person is shown must not show what is expected.
    let is_listed = section.block("error").or(section.block("terminal")).is_some();
    let mut unplaced: VecDeque<&Located> = found.located.iter().collect();
    for part in &mut section.parts {
        let Part::Block(block) = part else { continue };
        if block.kind == "puppet" {
            let is_here = |it: &&Located| !is_listed && it.file == block.path;
            let here: Vec<&Located> = unplaced.iter().copied().filter(is_here).collect();
            unplaced.retain(|it| is_listed || it.file != block.path);
            annotate(block, &here);
        }
    }
    let listed: Vec<String> = unplaced
        .iter()
        .map(|it| {
            let file = it.file.as_ref().map(|file| format!("{file}:")).unwrap_or_default();
            format!("{file}{}:{}", it.line, it.text)
        })
        .collect();
    for (kind, text) in &found.blocks {
        let listed = listed.iter().filter(|_| *kind == "error");
        let lines = listed.chain(Some(text).filter(|text| !text.is_empty()));
        let body = lines.map(|line| format!("{line}\n")).collect();
        set(section, kind, body);
    }
}

/// Puts the content of a block into a section; a new block only for what must be told.
fn set(section: &mut Section, kind: &str, body: String) {
    let blocks = section.parts.iter_mut().filter_map(|part| match part {
        Part::Block(block) => Some(block),
        Part::Line(_) => None,
    });
    match blocks.into_iter().find(|block| block.kind == kind) {
        Some(block) => block.body = body,
        None if COMPLETE.contains(&kind) && !body.is_empty() => {
            let last = section.parts.iter().rposition(|part| matches!(part, Part::Block(_))).unwrap_or_default();
            let block = Block { kind: kind.to_owned(), path: None, body };
            section.parts.splice(last + 1..last + 1, [Part::Line(String::new()), Part::Block(block)]);
        }
        None => {}
    }
}

/// Replaces the comments in code that are expectations.
fn annotate(block: &mut Block, found: &[&Located]) {
    let mut body = String::new();
    for (number, line) in (1..).zip(block.body.lines()) {
        let end = MARKS.iter().filter_map(|mark| line.find(mark)).min();
        body.push_str(end.map_or(line, |end| line[..end].trim_end()));
        for it in found.iter().filter(|it| it.line == number) {
            body.push_str(&format!("   # {}: {}", it.level, it.text));
        }
        body.push('\n');
    }
    block.body = body;
}
