//! Turns the text of a template into Ruby source, as ERB does with the trim mode `-` that Puppet uses.
//!
//! Code between tags stands in the source as it was written, with the line breaks ERB gives it, so that a comment or a
//! here document ends where it does in Ruby. Texts are numbered and referred to by their numbers.

use std::fmt::Write;

use ecow::EcoString;

/// The name by which the source refers to a text.
pub(super) const TEXT: &str = "__bunraku_text";

/// A template as Ruby source and the texts between its tags.
pub(super) struct Scanned {
    pub(super) source: String,
    pub(super) texts: Vec<EcoString>,
}

/// Reads a template; nothing where a comment at its start could change how Ruby reads the source.
pub(super) fn scan(template: &str) -> Option<Scanned> {
    if template.contains(TEXT) || has_magic_comment(template) {
        return None;
    }
    let mut writer = Writer::default();
    let mut rest = template;
    let mut content = String::new();
    let mut open: Option<Tag> = None;
    while !rest.is_empty() {
        match open {
            None => {
                let (before, tag, after) = next_opening(rest);
                content.push_str(before);
                rest = after;
                match tag {
                    Some(Opening::Escaped) => content.push_str("<%"),
                    Some(Opening::Tag(tag)) => {
                        writer.text(&mut content);
                        open = Some(tag);
                    }
                    None => {}
                }
            }
            Some(tag) => {
                let (before, closing, after) = next_closing(rest);
                content.push_str(before);
                rest = after;
                match closing {
                    Some(Closing::Escaped) => content.push_str("%>"),
                    Some(Closing::Plain) => {
                        writer.code(tag, &mut content);
                        open = None;
                    }
                    Some(Closing::Trim) => {
                        writer.code(tag, &mut content);
                        open = None;
                        let trimmed = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"));
                        if trimmed.is_some() || rest.is_empty() {
                            writer.end_line();
                        }
                        rest = trimmed.unwrap_or(rest);
                    }
                    None => {}
                }
            }
        }
    }
    // Compatibility: what follows a tag that is never closed is text.
    writer.text(&mut content);
    Some(writer.finish())
}

/// Whether ERB finds a magic comment in the comment tags at the very start.
fn has_magic_comment(template: &str) -> bool {
    let first_line = template.lines().next().unwrap_or_default();
    first_line.starts_with("<%#") && (first_line.contains("coding") || first_line.contains("frozen"))
}

#[derive(Clone, Copy)]
enum Tag {
    Statement,
    Expression,
    Comment,
}

enum Opening {
    Escaped,
    Tag(Tag),
}

enum Closing {
    Escaped,
    Plain,
    Trim,
}

/// The text before the next opening tag, the tag, and what follows. A tag `<%-` takes the blanks before it on its line
/// along.
///
/// Compatibility: to ERB a line begins after every tag, too.
fn next_opening(text: &str) -> (&str, Option<Opening>, &str) {
    let Some((before, after)) = text.split_once("<%") else {
        return (text, None, "");
    };
    let (opening, after) = match after.as_bytes().first() {
        Some(b'%') => (Opening::Escaped, after.get(1..).unwrap_or_default()),
        Some(b'=') => (Opening::Tag(Tag::Expression), after.get(1..).unwrap_or_default()),
        Some(b'#') => (Opening::Tag(Tag::Comment), after.get(1..).unwrap_or_default()),
        Some(b'-') => {
            let kept = before.trim_end_matches([' ', '\t']);
            let begins_line = kept.is_empty() || kept.ends_with('\n');
            let before = if begins_line { kept } else { before };
            return (before, Some(Opening::Tag(Tag::Statement)), after.get(1..).unwrap_or_default());
        }
        _ => (Opening::Tag(Tag::Statement), after),
    };
    (before, Some(opening), after)
}

/// The code before the next closing tag, the tag, and what follows.
fn next_closing(text: &str) -> (&str, Option<Closing>, &str) {
    let mut searched = 0;
    while let Some(found) = text.get(searched..).and_then(|rest| rest.find(['-', '%'])) {
        let start = searched + found;
        let rest = text.get(start..).unwrap_or_default();
        let closing = [("-%>", Closing::Trim), ("%%>", Closing::Escaped), ("%>", Closing::Plain)]
            .into_iter()
            .find_map(|(tag, closing)| Some((closing, rest.strip_prefix(tag)?)));
        if let Some((closing, after)) = closing {
            return (text.get(..start).unwrap_or_default(), Some(closing), after);
        }
        searched = start + 1;
    }
    (text, None, "")
}

/// Writes the source; statements of a line are joined, as ERB joins them.
#[derive(Default)]
struct Writer {
    source: String,
    line_has_statement: bool,
    texts: Vec<EcoString>,
}

impl Writer {
    fn statement(&mut self, statement: &str) {
        if self.line_has_statement {
            self.source.push_str("; ");
        }
        self.source.push_str(statement);
        self.line_has_statement = true;
    }

    fn text(&mut self, content: &mut String) {
        if content.is_empty() {
            return;
        }
        let mut statement = String::new();
        // Writing to a string does not fail.
        let _ = write!(statement, "_erbout.<< {TEXT}({})", self.texts.len());
        statement.extend(content.chars().filter(|letter| *letter == '\n'));
        self.statement(&statement);
        self.texts.push(content.as_str().into());
        content.clear();
    }

    fn code(&mut self, tag: Tag, content: &mut String) {
        match tag {
            Tag::Statement => match content.strip_suffix('\n') {
                Some(code) => {
                    self.statement(code);
                    self.end_line();
                }
                None => self.statement(content),
            },
            Tag::Expression => self.statement(&format!("_erbout.<<(({content}).to_s)")),
            Tag::Comment => {}
        }
        content.clear();
    }

    fn end_line(&mut self) {
        self.source.push('\n');
        self.line_has_statement = false;
    }

    fn finish(self) -> Scanned {
        Scanned { source: self.source, texts: self.texts }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    /// The source with the texts in their places.
    fn check(template: &str, expected: &str) {
        let scanned = scan(template).unwrap();
        let mut source = scanned.source;
        for (number, text) in scanned.texts.iter().enumerate().rev() {
            source = source.replace(&format!("_erbout.<< {TEXT}({number})"), &format!("{text:?}"));
        }
        assert_eq!(source, expected, "{template:?}");
    }

    #[test]
    fn tags_are_read_as_erb_reads_them() {
        check("", "");
        check("a\nb", "\"a\\nb\"\n");
        check("a<%= 1 %>b", "\"a\"; _erbout.<<(( 1 ).to_s); \"b\"");
        check("<%= 1 -%>\nb", "_erbout.<<(( 1 ).to_s)\n\"b\"");
        check("<%= 1 -%>b", "_erbout.<<(( 1 ).to_s); \"b\"");
        check(" \t<%- x -%>\r\ny", " x \n\"y\"");
        check("a <%- x %>", "\"a \";  x ");
        check("a\n <%- x %>", "\"a\\n\"\n;  x ");
        check("<% x %> <%- y %>", " x ;  y ");
        check("<% # c\n%>x", " # c\n\"x\"");
        check("<%# c %>x<%% y %%> %>", "\"x<% y %%> %>\"");
        check("<%= '%%>' %>", "_erbout.<<(( '%>' ).to_s)");
        check("<% x = 5 - %w[a].size %>", " x = 5 - %w[a].size ");
        check("a<% open", "\"a\"; \" open\"");
    }

    #[test]
    fn a_magic_comment_is_left_to_ruby() {
        assert!(scan("<%# coding: latin1 %>x").is_none());
        assert!(scan("<%# frozen-string-literal: true %>x").is_none());
        assert!(scan("<%# plain %>\n<%# coding: x %>").is_some());
    }
}
