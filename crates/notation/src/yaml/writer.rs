//! Lays out YAML as libyaml does: indentation, line width, and which style a scalar can have.

use super::scanner::is_break;

/// The column after which a line is broken at the next space, unless another one is asked for.
const WIDTH: usize = 80;

/// How long a key may be to stand before its value on the same line.
const LONGEST_KEY: usize = 128;

/// How a scalar is written, if it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// A scalar to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scalar<'t> {
    pub(super) text: &'t str,
    pub(super) tag: Option<&'t str>,
    pub(super) style: Style,
    /// Whether it means the same in quotes; if not, and it needs them, a tag says that it is no string.
    pub(super) may_be_quoted: bool,
}

/// The document that is being written.
pub(super) struct Writer {
    output: String,
    step: usize,
    /// The column after which a line is broken at the next space.
    pub(super) width: usize,
    /// The column of the collection at hand; outside of all there is none.
    indent: Option<usize>,
    column: usize,
    /// Whether the last character was a blank, or nothing was written yet.
    after_blank: bool,
    /// Whether the line has nothing but blanks and indicators of block collections so far.
    only_indented: bool,
    /// Whether a scalar ended with line breaks that all count, so that the document needs an end.
    is_open: bool,
    /// Which scalars get double quotes, whatever else they would have.
    pub(super) needs_quotes: Option<fn(&str) -> bool>,
}

impl Writer {
    /// Begins a document whose inner collections stand so many columns to the right, from 2 to 9.
    pub(super) fn new(step: usize) -> Writer {
        let step = if (2..10).contains(&step) { step } else { 2 };
        let mut writer = Writer {
            output: String::new(),
            step,
            width: WIDTH,
            indent: None,
            column: 0,
            after_blank: true,
            only_indented: true,
            is_open: false,
            needs_quotes: None,
        };
        writer.indicator("---", true);
        writer
    }

    /// Ends the document.
    pub(super) fn finish(mut self) -> String {
        self.start_line();
        if self.is_open {
            self.indicator("...", true);
            self.start_line();
        }
        self.output
    }

    /// An empty collection, `[]` or `{}`.
    pub(super) fn empty_collection(&mut self, brackets: &str) {
        self.indicator(brackets, true);
    }

    /// The tag of the node that follows.
    pub(super) fn tag(&mut self, tag: &str) {
        self.indicator(tag, true);
    }

    /// A sequence: `item` writes each of its elements. One that is the value of a key stands no further to the right.
    pub(super) fn sequence<T>(
        &mut self,
        elements: impl IntoIterator<Item = T>,
        is_value: bool,
        mut item: impl FnMut(&mut Writer, T),
    ) {
        let outer = self.indent;
        self.increase_indent(0, is_value && !self.only_indented);
        for element in elements {
            self.start_line();
            self.block_indicator("-");
            item(self, element);
        }
        self.indent = outer;
    }

    /// A mapping: `key` and `value` write the parts of each of its entries. Keys that are not simple are marked.
    pub(super) fn mapping<T: Copy>(
        &mut self,
        entries: impl IntoIterator<Item = T>,
        is_simple: impl Fn(T) -> bool,
        mut part: impl FnMut(&mut Writer, T, Part),
    ) {
        let outer = self.indent;
        self.increase_indent(0, false);
        for entry in entries {
            self.start_line();
            if is_simple(entry) {
                part(self, entry, Part::SimpleKey);
                self.indicator(":", false);
            } else {
                self.block_indicator("?");
                part(self, entry, Part::Key);
                self.start_line();
                self.block_indicator(":");
            }
            part(self, entry, Part::Value);
        }
        self.indent = outer;
    }

    /// A scalar, which may be a simple key.
    pub(super) fn scalar(&mut self, scalar: Scalar<'_>, is_key: bool) {
        let text = scalar.text;
        let style = select_style(scalar, is_key);
        match scalar.tag {
            Some(tag) => self.tag(tag),
            None if !scalar.may_be_quoted && style != Style::Plain => self.tag("!"),
            None => {}
        }
        let outer = self.indent;
        self.increase_indent(self.step, false);
        match style {
            Style::Plain => self.plain(text, !is_key),
            Style::SingleQuoted => self.single_quoted(text, !is_key),
            Style::DoubleQuoted => self.double_quoted(text, !is_key),
            Style::Literal => self.literal(text),
        }
        self.indent = outer;
    }

    fn increase_indent(&mut self, first: usize, is_indentless: bool) {
        self.indent = Some(match self.indent {
            None => first,
            Some(indent) if is_indentless => indent,
            Some(indent) => indent + self.step,
        });
    }

    fn put(&mut self, character: char) {
        self.output.push(character);
        self.column += 1;
    }

    fn line_break(&mut self, character: char) {
        self.output.push(character);
        self.column = 0;
    }

    /// Begins a line at the indentation at hand, unless one has just begun.
    fn start_line(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.only_indented || self.column > indent || self.column == indent && !self.after_blank {
            self.line_break('\n');
        }
        while self.column < indent {
            self.put(' ');
        }
        self.after_blank = true;
        self.only_indented = true;
    }

    fn indicator(&mut self, indicator: &str, needs_blank: bool) {
        if needs_blank && !self.after_blank {
            self.put(' ');
        }
        self.output.push_str(indicator);
        self.column += indicator.chars().count();
        self.after_blank = false;
        self.only_indented = false;
    }

    /// An indicator after which the line still has nothing but indentation.
    fn block_indicator(&mut self, indicator: &str) {
        let only_indented = self.only_indented;
        self.indicator(indicator, true);
        self.only_indented = only_indented;
    }

    fn plain(&mut self, text: &str, may_break: bool) {
        if !self.after_blank && !text.is_empty() {
            self.put(' ');
        }
        self.words(text, may_break, false);
        self.after_blank = false;
        self.only_indented = false;
    }

    fn single_quoted(&mut self, text: &str, may_break: bool) {
        self.indicator("'", true);
        let ends_with_break = self.words(text, may_break, true);
        if ends_with_break {
            self.start_line();
        }
        self.indicator("'", false);
    }

    /// Writes text whose line breaks are doubled, and which may be broken at single spaces. Tells whether it ended with
    /// a line break.
    fn words(&mut self, text: &str, may_break: bool, is_quoted: bool) -> bool {
        let (mut after_space, mut after_break) = (false, false);
        let mut characters = text.char_indices().peekable();
        while let Some((position, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            if character == ' ' {
                let is_edge = position == 0 || next.is_none();
                let is_single = !after_space && next != Some(' ');
                if may_break && is_single && self.column > self.width && !(is_quoted && is_edge) {
                    self.start_line();
                } else {
                    self.put(character);
                }
                after_space = true;
            } else if is_break(character) {
                if !after_break && character == '\n' {
                    self.line_break('\n');
                }
                self.line_break(character);
                self.only_indented = true;
                after_break = true;
            } else {
                if after_break {
                    self.start_line();
                }
                if is_quoted && character == '\'' {
                    self.put('\'');
                }
                self.put(character);
                self.only_indented = false;
                (after_space, after_break) = (false, false);
            }
        }
        after_break
    }

    fn double_quoted(&mut self, text: &str, may_break: bool) {
        self.indicator("\"", true);
        let mut after_space = false;
        let mut characters = text.char_indices().peekable();
        while let Some((position, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            if !is_printable(character) || is_break(character) || matches!(character, '"' | '\\') {
                self.escape(character);
                after_space = false;
            } else if character == ' ' {
                if may_break && !after_space && self.column > self.width && position > 0 && next.is_some() {
                    self.start_line();
                    if next == Some(' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(character);
                }
                after_space = true;
            } else {
                self.put(character);
                after_space = false;
            }
        }
        self.indicator("\"", false);
    }

    fn escape(&mut self, character: char) {
        let short = match character {
            '\0' => '0',
            '\x07' => 'a',
            '\x08' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\x0b' => 'v',
            '\x0c' => 'f',
            '\r' => 'r',
            '\x1b' => 'e',
            '"' | '\\' => character,
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                let number = u32::from(character);
                let code = match number {
                    0..=0xff => format!("\\x{number:02X}"),
                    0x100..=0xffff => format!("\\u{number:04X}"),
                    _ => format!("\\U{number:08X}"),
                };
                return code.chars().for_each(|character| self.put(character));
            }
        };
        self.put('\\');
        self.put(short);
    }

    fn literal(&mut self, text: &str) {
        self.indicator("|", true);
        let mut hints = String::new();
        if text.starts_with(|first| first == ' ' || is_break(first)) {
            hints.push_str(&self.step.to_string());
        }
        let mut backwards = text.chars().rev();
        self.is_open = false;
        if !backwards.next().is_some_and(is_break) {
            hints.push('-');
        } else if backwards.next().is_none_or(is_break) {
            hints.push('+');
            self.is_open = true;
        }
        self.indicator(&hints, false);
        self.line_break('\n');
        self.only_indented = true;
        self.after_blank = true;
        let mut after_break = true;
        for character in text.chars() {
            if is_break(character) {
                self.line_break(character);
                self.only_indented = true;
                after_break = true;
            } else {
                if after_break {
                    self.start_line();
                }
                self.put(character);
                self.only_indented = false;
                after_break = false;
            }
        }
    }
}

/// What of an entry of a mapping is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    SimpleKey,
    Key,
    Value,
}

impl Scalar<'_> {
    /// Whether it can stand before its value on the same line.
    pub(super) fn is_simple_key(&self) -> bool {
        !self.text.contains(is_break) && self.tag.map_or(0, str::len) + self.text.len() <= LONGEST_KEY
    }
}

/// The style that is asked for, or the next one in which the text can be written.
fn select_style(scalar: Scalar<'_>, is_key: bool) -> Style {
    let allowed = Allowed::of(scalar.text);
    let mut style = scalar.style;
    if is_key && allowed.is_multiline {
        style = Style::DoubleQuoted;
    }
    if style == Style::Plain && (!allowed.plain || scalar.text.is_empty() && is_key) {
        style = Style::SingleQuoted;
    }
    if style == Style::SingleQuoted && !allowed.single_quoted || style == Style::Literal && (!allowed.block || is_key) {
        style = Style::DoubleQuoted;
    }
    style
}

/// The styles a text can have.
struct Allowed {
    is_multiline: bool,
    plain: bool,
    single_quoted: bool,
    block: bool,
}

impl Allowed {
    fn of(text: &str) -> Allowed {
        if text.is_empty() {
            return Allowed { is_multiline: false, plain: true, single_quoted: true, block: false };
        }
        let mut has_indicators = text.starts_with("---") || text.starts_with("...");
        let (mut has_breaks, mut has_special) = (false, false);
        let (mut has_break_space, mut has_space_break) = (false, false);
        let mut previous = None;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let is_before_space = characters.peek().is_none_or(|next| is_space(*next));
            has_indicators |= match character {
                ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => {
                    previous.is_none()
                }
                '?' | '-' => previous.is_none() && is_before_space,
                ':' => is_before_space,
                '#' => previous.is_none_or(is_space),
                _ => false,
            };
            has_special |= !is_printable(character);
            has_breaks |= is_break(character);
            has_break_space |= character == ' ' && previous.is_some_and(is_break);
            has_space_break |= is_break(character) && previous == Some(' ');
            previous = Some(character);
        }
        let is_edge = |character: char| character == ' ' || is_break(character);
        let has_edge = text.starts_with(is_edge) || text.ends_with(is_edge);
        let is_broken = has_space_break || has_special;
        Allowed {
            is_multiline: has_breaks,
            plain: !(has_indicators || has_breaks || has_edge || is_broken),
            single_quoted: !(has_break_space || is_broken),
            block: !(text.ends_with(' ') || is_broken),
        }
    }
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t') || is_break(character)
}

/// What needs no escape. Of Unicode only the first plane, as in libyaml.
fn is_printable(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && character != '\u{feff}'
}
