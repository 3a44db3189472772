//! The Ruby source that `ERB` makes of a template, in all of its trim modes.
//!
//! The text is the one that Ruby's own library makes, line by line, so that messages name the same lines.

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;

/// What happens to line ends after tags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trim {
    /// They stay.
    No,
    /// `>`: none after `%>`.
    After,
    /// `<>`: none after `%>` on lines that begin with a tag.
    Around,
    /// `-`: none after `-%>`, nothing before `<%-`.
    Explicit,
}

pub(super) fn define(core: &Core) {
    let class = core.class_named("ERB", Kind::Class, Some(&core.object));
    let compiler = Class::new(Some("ERB::Compiler"), Kind::Class, Some(core.object.clone()));
    core.add_own(
        &compiler,
        &[
            Row("source", 3, 3, |vm, _, args| {
                let template = vm.to_str(args.at(0))?.bytes.borrow().clone();
                let (mode, variable) = (vm.to_s(args.at(1))?, vm.to_s(args.at(2))?);
                let source = source(&template, &mode, &variable);
                vm.count_made(source.len())?;
                Ok(Value::str(source))
            }),
            Row("place", 1, 1, |vm, _, args| {
                let mut names = Vec::new();
                for name in vm.items(args.at(0))? {
                    names.push(vm.name(&name)?);
                }
                match vm.top.clone() {
                    Some(top) => Ok(vm.binding_value(top.with_own(names))),
                    None => Ok(Value::Nil),
                }
            }),
        ],
    );
    class.constants.borrow_mut().insert(Sym::new("Compiler"), Value::Class(compiler));
}

/// The source of a template; its result is collected in a variable.
pub(crate) fn source(template: &[u8], mode: &str, variable: &str) -> Vec<u8> {
    let percent = mode.contains('%');
    let trim = match mode {
        _ if mode.contains('-') => Trim::Explicit,
        _ if mode.contains("<>") => Trim::Around,
        _ if mode.contains('>') => Trim::After,
        _ => Trim::No,
    };
    let mut writer = Writer { variable, lines: Vec::new(), script: Vec::new(), content: Vec::new(), open: None };
    writer.script.extend_from_slice(b"#coding:UTF-8\n");
    if let Some(frozen) = frozen_literals(template) {
        writer.script.extend_from_slice(format!("#frozen-string-literal:{frozen}\n").as_bytes());
    }
    writer.lines.push(format!("{variable} = +''").into_bytes());
    if percent {
        for line in template.split_inclusive(|byte| *byte == b'\n') {
            match line {
                [b'%', b'%', ..] if writer.open.is_none() => {
                    scan_part(line.get(1..).unwrap_or_default(), trim, &mut writer)
                }
                [b'%', rest @ ..] if writer.open.is_none() => {
                    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
                    writer.percent_line(rest.strip_suffix(b"\r").unwrap_or(rest));
                }
                line => scan_part(line, trim, &mut writer),
            }
        }
    } else {
        scan_part(template, trim, &mut writer);
    }
    writer.finish()
}

/// What a comment at the start says about literals.
fn frozen_literals(template: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(template);
    let mut rest = &*text;
    let mut found = None;
    while let Some((_, after)) = rest.split_once("<%#") {
        let (comment, after) = after.split_once("%>")?;
        for name in ["frozen_string_literal", "frozen-string-literal"] {
            if let Some((_, value)) = comment.split_once(name)
                && let Some(value) = value.trim_start().strip_prefix(':')
            {
                found = Some(value.trim().chars().take_while(|letter| letter.is_alphanumeric()).collect());
            }
        }
        rest = after;
    }
    found
}

/// Splits text at tags and gives the parts to the writer.
fn scan_part(text: &[u8], trim: Trim, writer: &mut Writer<'_>) {
    let mut rest = text;
    let mut is_line_start = true;
    // The first part of a line, for `<>`.
    let mut head_is_tag: Option<bool> = None;
    while !rest.is_empty() {
        let (before, token, after) = next_token(rest, trim, writer.open.is_some(), is_line_start);
        let before_ends_line = before.last() == Some(&b'\n');
        if !before.is_empty() {
            head_is_tag = head_is_tag.or(Some(false));
            writer.text(before);
        }
        if !token.is_empty() {
            head_is_tag = head_is_tag.or(Some(matches!(token, b"<%" | b"<%=" | b"<%#")));
        }
        match token {
            b"" => {}
            b"\n" => {
                writer.text(token);
                if trim != Trim::Explicit && trim != Trim::No {
                    writer.line_end();
                }
                head_is_tag = None;
            }
            b"%>\n" | b"%>\r\n" => {
                let keeps = trim == Trim::Around && head_is_tag != Some(true);
                writer.tag(b"%>");
                if keeps {
                    writer.whole_line_end()
                } else {
                    writer.cr()
                }
                head_is_tag = None;
            }
            b"-%>\n" | b"-%>\r\n" => {
                writer.tag(b"%>");
                writer.cr();
            }
            b"-%>" => {
                writer.tag(b"%>");
                if after.is_empty() {
                    writer.cr();
                }
            }
            token if trim == Trim::Explicit && token.ends_with(b"<%-") => writer.tag(b"<%"),
            token => writer.tag(token),
        }
        // Compatibility: for the trim mode `-` a line begins after every tag, too.
        let after_tag = trim == Trim::Explicit || token.last() == Some(&b'\n');
        is_line_start = if token.is_empty() { before_ends_line } else { after_tag };
        rest = after;
    }
}

/// The text up to the next token, the token and what follows.
fn next_token(text: &[u8], trim: Trim, is_open: bool, is_line_start: bool) -> (&[u8], &[u8], &[u8]) {
    for at in 0..text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let starts_line = if at == 0 { is_line_start } else { text.get(at - 1) == Some(&b'\n') };
        let length = token_length(rest, trim, is_open, starts_line);
        if length > 0 {
            let (token, after) = rest.split_at(length);
            return (text.get(..at).unwrap_or_default(), token, after);
        }
    }
    (text, b"", b"")
}

fn token_length(text: &[u8], trim: Trim, is_open: bool, starts_line: bool) -> usize {
    let with_line_end = |length: usize| match text.get(length..) {
        Some([b'\n', ..]) => length + 1,
        Some([b'\r', b'\n', ..]) => length + 2,
        _ => length,
    };
    let both = matches!(trim, Trim::After | Trim::Around);
    match text {
        [b' ' | b'\t', ..] if trim == Trim::Explicit && !is_open && starts_line => {
            let blank = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if text.get(blank..).is_some_and(|it| it.starts_with(b"<%-")) { blank + 3 } else { 0 }
        }
        [b'\n', ..] if both => 1,
        [b'<', b'%', b'-', ..] if trim == Trim::Explicit && !is_open => 3,
        [b'<', b'%', b'%' | b'=' | b'#', ..] if !is_open || both => 3,
        [b'<', b'%', ..] if !is_open || both => 2,
        [b'%', b'%', b'>', ..] if is_open || both => 3,
        [b'-', b'%', b'>', ..] if is_open && trim == Trim::Explicit => with_line_end(3),
        [b'%', b'>', ..] if both => with_line_end(2),
        [b'%', b'>', ..] if is_open => 2,
        _ => 0,
    }
}

struct Writer<'a> {
    variable: &'a str,
    lines: Vec<Vec<u8>>,
    script: Vec<u8>,
    content: Vec<u8>,
    /// The tag that is open.
    open: Option<Tag>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Code,
    Value,
    Comment,
}

impl Writer<'_> {
    fn text(&mut self, text: &[u8]) {
        self.content.extend_from_slice(text);
    }

    fn put(&mut self) {
        if self.content.is_empty() {
            return;
        }
        let content = std::mem::take(&mut self.content);
        let lines = content.iter().filter(|byte| **byte == b'\n').count();
        let mut command = format!("{}.<< ", self.variable).into_bytes();
        dump(&content, &mut command);
        command.extend_from_slice(b".freeze");
        command.extend(std::iter::repeat_n(b'\n', lines));
        self.lines.push(command);
    }

    /// Text that ends here is a command of its own.
    fn line_end(&mut self) {
        if self.open.is_none() {
            self.put();
        }
    }

    fn whole_line_end(&mut self) {
        self.text(b"\n");
        self.line_end();
    }

    fn cr(&mut self) {
        self.script.extend_from_slice(&self.lines.join(&b"; "[..]));
        self.lines.clear();
        self.script.push(b'\n');
    }

    fn percent_line(&mut self, line: &[u8]) {
        self.put();
        self.lines.push(line.to_vec());
        self.cr();
    }

    fn tag(&mut self, token: &[u8]) {
        let Some(open) = self.open else {
            match token {
                b"<%" | b"<%=" | b"<%#" => {
                    self.put();
                    self.open = Some(match token {
                        b"<%=" => Tag::Value,
                        b"<%#" => Tag::Comment,
                        _ => Tag::Code,
                    });
                }
                b"<%%" => self.text(b"<%"),
                other => self.text(other),
            }
            return;
        };
        match token {
            b"%>" => {
                let mut content = std::mem::take(&mut self.content);
                match open {
                    Tag::Code if content.last() == Some(&b'\n') => {
                        content.pop();
                        self.lines.push(content);
                        self.cr();
                    }
                    Tag::Code => self.lines.push(content),
                    Tag::Value => {
                        let mut command = format!("{}.<<((", self.variable).into_bytes();
                        command.extend_from_slice(&content);
                        command.extend_from_slice(b").to_s)");
                        self.lines.push(command);
                    }
                    Tag::Comment => {}
                }
                self.open = None;
            }
            b"%%>" => self.text(b"%>"),
            other => self.text(other),
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.put();
        self.lines.push(self.variable.as_bytes().to_vec());
        self.script.extend_from_slice(&self.lines.join(&b"; "[..]));
        self.script
    }
}

/// A string as `dump` writes its bytes.
fn dump(bytes: &[u8], into: &mut Vec<u8>) {
    into.push(b'"');
    for (index, byte) in bytes.iter().enumerate() {
        let next = bytes.get(index + 1);
        match byte {
            b'"' => into.extend_from_slice(b"\\\""),
            b'\\' => into.extend_from_slice(b"\\\\"),
            b'#' if matches!(next, Some(b'{' | b'$' | b'@')) => into.extend_from_slice(b"\\#"),
            b'\n' => into.extend_from_slice(b"\\n"),
            b'\r' => into.extend_from_slice(b"\\r"),
            b'\t' => into.extend_from_slice(b"\\t"),
            0x0c => into.extend_from_slice(b"\\f"),
            0x0b => into.extend_from_slice(b"\\v"),
            0x08 => into.extend_from_slice(b"\\b"),
            0x07 => into.extend_from_slice(b"\\a"),
            0x1b => into.extend_from_slice(b"\\e"),
            0x20..=0x7e => into.push(*byte),
            other => into.extend_from_slice(format!("\\x{other:02X}").as_bytes()),
        }
    }
    into.push(b'"');
}
