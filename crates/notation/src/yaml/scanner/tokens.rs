//! The scanner: makes words of characters, and the words of block collections of indentation.
//!
//! A key is known as such only at the colon behind it. Until then its place is remembered (`SimpleKey`), and no word
//! from there on is handed out, so that the word for a key, and the beginning of a mapping, can be put before it.

use std::collections::VecDeque;

use super::input::Input;
use super::token::{Token, TokenData};
use super::{Mark, Problem, Result};

/// How far behind a key its colon may stand.
const LONGEST_KEY: usize = 1024;

/// A place where a key may have begun.
#[derive(Clone, Copy, Default)]
struct SimpleKey {
    is_possible: bool,
    /// Nothing but a key can stand there.
    is_required: bool,
    /// The number of its first word, counted from the beginning of the text.
    token: usize,
    mark: Mark,
}

/// A text that is being made into words.
pub(super) struct Scanner<'t> {
    pub(super) input: Input<'t>,
    is_started: bool,
    /// How many `[` and `{` are open.
    pub(super) flow_level: usize,
    tokens: VecDeque<Token>,
    /// Whether the first of them can be handed out.
    is_ready: bool,
    /// How many words were handed out.
    taken: usize,
    indents: Vec<i64>,
    pub(super) indent: i64,
    pub(super) is_key_allowed: bool,
    /// The last key of the block, and of each flow collection that is open.
    keys: Vec<SimpleKey>,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Scanner<'t> {
        Scanner {
            input: Input::new(text),
            is_started: false,
            flow_level: 0,
            tokens: VecDeque::new(),
            is_ready: false,
            taken: 0,
            indents: Vec::new(),
            indent: -1,
            is_key_allowed: true,
            keys: vec![SimpleKey::default()],
        }
    }

    /// The next word. After the end of the text there are only further ends.
    pub(super) fn peek(&mut self) -> Result<&mut Token> {
        if !self.is_ready {
            while self.needs_more()? {
                self.fetch()?;
            }
            self.is_ready = true;
        }
        match self.tokens.front_mut() {
            Some(token) => Ok(token),
            None => Problem::of_reader("no more tokens"),
        }
    }

    /// Hands the next word out.
    pub(super) fn skip(&mut self) {
        if self.tokens.pop_front().is_some() {
            self.taken += 1;
        }
        self.is_ready = false;
    }

    fn needs_more(&mut self) -> Result<bool> {
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.forget_stale_keys()?;
        Ok(self.keys.iter().any(|key| key.is_possible && key.token == self.taken))
    }

    pub(super) fn problem<T>(&self, context: &'static str, mark: Mark, problem: &'static str) -> Result<T> {
        let mark = if context.is_empty() { self.input.mark } else { mark };
        Err(Problem { problem, context, mark: Some(mark) })
    }

    fn push(&mut self, data: TokenData, start: Mark) {
        self.tokens.push_back(Token { data, start, end: self.input.mark });
    }

    fn fetch(&mut self) -> Result<()> {
        self.input.fill(1)?;
        if !self.is_started {
            self.is_started = true;
            self.push(TokenData::StreamStart, self.input.mark);
            return Ok(());
        }
        self.skip_to_next_token()?;
        self.forget_stale_keys()?;
        self.unroll_indent(self.input.column());
        self.input.fill(4)?;
        let Some(first) = self.input.peek(0) else { return self.fetch_stream_end() };
        if self.input.mark.column == 0 && first == '%' {
            return self.fetch_directive();
        }
        if self.input.is_document_indicator('-') {
            return self.fetch_document_indicator(TokenData::DocumentStart);
        }
        if self.input.is_document_indicator('.') {
            return self.fetch_document_indicator(TokenData::DocumentEnd);
        }
        let in_flow = self.flow_level != 0;
        let stands_alone = self.input.is_space(1);
        match first {
            '[' => self.fetch_flow_start(TokenData::FlowSequenceStart),
            '{' => self.fetch_flow_start(TokenData::FlowMappingStart),
            ']' => self.fetch_flow_end(TokenData::FlowSequenceEnd),
            '}' => self.fetch_flow_end(TokenData::FlowMappingEnd),
            ',' => {
                self.remove_key()?;
                self.is_key_allowed = true;
                self.fetch_indicator(TokenData::FlowEntry, 1);
                Ok(())
            }
            '-' if stands_alone => self.fetch_block_entry(),
            '?' if in_flow || stands_alone => self.fetch_key(),
            ':' if in_flow || stands_alone => self.fetch_value(),
            '*' | '&' => self.fetch_node_part(Scanner::scan_anchor),
            '!' => self.fetch_node_part(Scanner::scan_tag),
            '|' | '>' if !in_flow => {
                self.remove_key()?;
                self.is_key_allowed = true;
                let token = self.scan_block_scalar()?;
                self.tokens.push_back(token);
                Ok(())
            }
            '\'' | '"' => self.fetch_node_part(Scanner::scan_flow_scalar),
            '#' | '|' | '>' | '%' | '@' | '`' => self.no_token(),
            _ if self.input.is_space(0) => self.no_token(),
            _ => self.fetch_node_part(Scanner::scan_plain_scalar),
        }
    }

    fn no_token(&self) -> Result<()> {
        let problem = "found character that cannot start any token";
        self.problem("while scanning for the next token", self.input.mark, problem)
    }

    fn skip_to_next_token(&mut self) -> Result<()> {
        loop {
            self.input.fill(1)?;
            if self.input.mark.column == 0 && self.input.is('\u{feff}') {
                self.input.skip();
                self.input.fill(1)?;
            }
            // Where a key may begin, a tab would be indentation.
            let is_tab_allowed = self.flow_level != 0 || !self.is_key_allowed;
            while self.input.is(' ') || is_tab_allowed && self.input.is('\t') {
                self.input.skip();
                self.input.fill(1)?;
            }
            self.input.skip_comment()?;
            if !self.input.is_break() {
                return Ok(());
            }
            self.input.fill(2)?;
            self.input.skip_line_break();
            if self.flow_level == 0 {
                self.is_key_allowed = true;
            }
        }
    }

    /// Keys end with their line, and within some length.
    fn forget_stale_keys(&mut self) -> Result<()> {
        let now = self.input.mark;
        for key in self.keys.iter_mut().filter(|key| key.is_possible) {
            if key.mark.line < now.line || key.mark.index + LONGEST_KEY < now.index {
                if key.is_required {
                    let mark = key.mark;
                    return self.problem("while scanning a simple key", mark, "could not find expected ':'");
                }
                key.is_possible = false;
            }
        }
        Ok(())
    }

    fn save_key(&mut self) -> Result<()> {
        if self.is_key_allowed {
            let is_required = self.flow_level == 0 && self.indent == self.input.column();
            let token = self.taken + self.tokens.len();
            self.remove_key()?;
            if let Some(key) = self.keys.last_mut() {
                *key = SimpleKey { is_possible: true, is_required, token, mark: self.input.mark };
            }
        }
        Ok(())
    }

    fn remove_key(&mut self) -> Result<()> {
        let Some(key) = self.keys.last_mut() else { return Ok(()) };
        if key.is_possible && key.is_required {
            let mark = key.mark;
            return self.problem("while scanning a simple key", mark, "could not find expected ':'");
        }
        key.is_possible = false;
        Ok(())
    }

    /// Begins a block collection at a column, if it is further to the right; before a word, if one is named.
    fn roll_indent(&mut self, data: TokenData, mark: Mark, before: Option<usize>) {
        let column = i64::try_from(mark.column).unwrap_or(i64::MAX);
        if self.flow_level == 0 && self.indent < column {
            self.indents.push(self.indent);
            self.indent = column;
            self.insert(Token { data, start: mark, end: mark }, before);
        }
    }

    fn insert(&mut self, token: Token, before: Option<usize>) {
        let last = self.tokens.len();
        let position = before.map_or(last, |number| number.saturating_sub(self.taken).min(last));
        self.tokens.insert(position, token);
    }

    /// Ends the block collections that stand further to the right.
    fn unroll_indent(&mut self, column: i64) {
        while self.flow_level == 0 && self.indent > column {
            self.push(TokenData::BlockEnd, self.input.mark);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn fetch_stream_end(&mut self) -> Result<()> {
        if self.input.mark.column != 0 {
            self.input.mark.column = 0;
            self.input.mark.line += 1;
        }
        self.end_block()?;
        self.push(TokenData::StreamEnd, self.input.mark);
        Ok(())
    }

    fn end_block(&mut self) -> Result<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.is_key_allowed = false;
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<()> {
        self.end_block()?;
        let token = self.scan_directive()?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_document_indicator(&mut self, data: TokenData) -> Result<()> {
        self.end_block()?;
        self.fetch_indicator(data, 3);
        Ok(())
    }

    fn fetch_indicator(&mut self, data: TokenData, width: usize) {
        let start = self.input.mark;
        (0..width).for_each(|_| self.input.skip());
        self.push(data, start);
    }

    fn fetch_flow_start(&mut self, data: TokenData) -> Result<()> {
        self.save_key()?;
        self.keys.push(SimpleKey::default());
        self.flow_level += 1;
        self.is_key_allowed = true;
        self.fetch_indicator(data, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, data: TokenData) -> Result<()> {
        self.remove_key()?;
        if self.flow_level != 0 {
            self.flow_level -= 1;
            self.keys.pop();
        }
        self.is_key_allowed = false;
        self.fetch_indicator(data, 1);
        Ok(())
    }

    /// Begins a block collection, which may be only where a key may be.
    fn begin_block(&mut self, data: TokenData, problem: &'static str) -> Result<()> {
        if self.flow_level == 0 {
            if !self.is_key_allowed {
                return self.problem("", self.input.mark, problem);
            }
            self.roll_indent(data, self.input.mark, None);
        }
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<()> {
        let problem = "block sequence entries are not allowed in this context";
        self.begin_block(TokenData::BlockSequenceStart, problem)?;
        self.remove_key()?;
        self.is_key_allowed = true;
        self.fetch_indicator(TokenData::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<()> {
        self.begin_block(TokenData::BlockMappingStart, "mapping keys are not allowed in this context")?;
        self.remove_key()?;
        self.is_key_allowed = self.flow_level == 0;
        self.fetch_indicator(TokenData::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<()> {
        match self.keys.last_mut().filter(|key| key.is_possible) {
            Some(key) => {
                key.is_possible = false;
                let (mark, number) = (key.mark, key.token);
                self.insert(Token { data: TokenData::Key, start: mark, end: mark }, Some(number));
                self.roll_indent(TokenData::BlockMappingStart, mark, Some(number));
                self.is_key_allowed = false;
            }
            None => {
                self.begin_block(TokenData::BlockMappingStart, "mapping values are not allowed in this context")?;
                self.is_key_allowed = self.flow_level == 0;
            }
        }
        self.fetch_indicator(TokenData::Value, 1);
        Ok(())
    }

    /// An anchor, alias, tag or scalar of one line: all may begin a key.
    fn fetch_node_part(&mut self, scan: fn(&mut Self) -> Result<Token>) -> Result<()> {
        self.save_key()?;
        self.is_key_allowed = false;
        let token = scan(self)?;
        self.tokens.push_back(token);
        Ok(())
    }
}
