//! The parser: makes events of words.

mod block;
mod flow;

use std::mem::take;

use super::event::{Event, EventData};
use super::token::TokenData;
use super::tokens::Scanner;
use super::{Mark, Problem, Result};

/// The handle and the prefix of tags that need no directive.
const DEFAULT_TAGS: [(&str, &str); 2] = [("!", "!"), ("!!", "tag:yaml.org,2002:")];

/// What comes next.
#[derive(Debug, Clone, Copy)]
enum State {
    StreamStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceFirstEntry,
    BlockSequenceEntry,
    IndentlessSequenceEntry,
    BlockMappingFirstKey,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirstEntry,
    FlowSequenceEntry,
    FlowSequencePairKey,
    FlowSequencePairValue,
    FlowSequencePairEnd,
    FlowMappingFirstKey,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingEmptyValue,
    End,
}

/// A text that is being made into events.
pub(in crate::yaml) struct Parser<'t> {
    scanner: Scanner<'t>,
    state: State,
    /// What comes after the collections that are open.
    states: Vec<State>,
    /// Where the collections that are open began.
    marks: Vec<Mark>,
    tags: Vec<(String, String)>,
}

impl<'t> Parser<'t> {
    /// Begins with a text.
    pub(in crate::yaml) fn new(text: &'t [u8]) -> Parser<'t> {
        Parser {
            scanner: Scanner::new(text),
            state: State::StreamStart,
            states: Vec::new(),
            marks: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// The next event; after the end of the first document there are only ends of the stream.
    pub(in crate::yaml) fn parse(&mut self) -> Result<Event> {
        match self.state {
            State::StreamStart => self.parse_stream_start(),
            State::DocumentStart => self.parse_document_start(),
            State::DocumentContent => self.parse_document_content(),
            State::DocumentEnd => self.parse_document_end(),
            State::BlockNode => self.parse_node(true, false),
            State::BlockSequenceFirstEntry => self.parse_block_sequence_entry(true),
            State::BlockSequenceEntry => self.parse_block_sequence_entry(false),
            State::IndentlessSequenceEntry => self.parse_indentless_sequence_entry(),
            State::BlockMappingFirstKey => self.parse_block_mapping_key(true),
            State::BlockMappingKey => self.parse_block_mapping_key(false),
            State::BlockMappingValue => self.parse_block_mapping_value(),
            State::FlowSequenceFirstEntry => self.parse_flow_sequence_entry(true),
            State::FlowSequenceEntry => self.parse_flow_sequence_entry(false),
            State::FlowSequencePairKey => self.parse_flow_sequence_pair_key(),
            State::FlowSequencePairValue => self.parse_flow_sequence_pair_value(),
            State::FlowSequencePairEnd => self.parse_flow_sequence_pair_end(),
            State::FlowMappingFirstKey => self.parse_flow_mapping_key(true),
            State::FlowMappingKey => self.parse_flow_mapping_key(false),
            State::FlowMappingValue => self.parse_flow_mapping_value(false),
            State::FlowMappingEmptyValue => self.parse_flow_mapping_value(true),
            State::End => Ok(Event { data: EventData::StreamEnd, start_mark: self.scanner.input.mark }),
        }
    }

    /// Goes on with the document after the one that has ended; false if there is none.
    pub(in crate::yaml) fn goes_on(&mut self) -> Result<bool> {
        self.tags.clear();
        loop {
            let token = self.scanner.peek()?;
            let mark = token.start;
            match token.data {
                TokenData::DocumentEnd => self.scanner.skip(),
                TokenData::StreamEnd => return Ok(false),
                TokenData::VersionDirective { .. } | TokenData::TagDirective { .. } | TokenData::DocumentStart => {
                    self.state = State::DocumentStart;
                    return Ok(true);
                }
                _ => return Problem::of_parser("", mark, "did not find expected <document start>"),
            }
        }
    }

    fn parse_stream_start(&mut self) -> Result<Event> {
        let start_mark = self.scanner.peek()?.start;
        self.scanner.skip();
        self.state = State::DocumentStart;
        Ok(Event { data: EventData::StreamStart, start_mark })
    }

    fn parse_document_start(&mut self) -> Result<Event> {
        let token = self.scanner.peek()?;
        let start_mark = token.start;
        match token.data {
            TokenData::StreamEnd => {
                self.state = State::End;
                return Ok(Event { data: EventData::StreamEnd, start_mark });
            }
            TokenData::VersionDirective { .. } | TokenData::TagDirective { .. } | TokenData::DocumentStart => {
                self.parse_directives()?;
                if !matches!(self.scanner.peek()?.data, TokenData::DocumentStart) {
                    return Problem::of_parser("", start_mark, "did not find expected <document start>");
                }
                self.scanner.skip();
                self.state = State::DocumentContent;
            }
            _ => self.state = State::BlockNode,
        }
        for (handle, prefix) in DEFAULT_TAGS {
            if !self.tags.iter().any(|(known, _)| known == handle) {
                self.tags.push((handle.to_owned(), prefix.to_owned()));
            }
        }
        self.states.push(State::DocumentEnd);
        Ok(Event { data: EventData::DocumentStart, start_mark })
    }

    fn parse_directives(&mut self) -> Result<()> {
        let mut has_version = false;
        loop {
            let token = self.scanner.peek()?;
            let mark = token.start;
            match &mut token.data {
                TokenData::VersionDirective { .. } if has_version => {
                    return Problem::of_parser("", mark, "found duplicate %YAML directive");
                }
                TokenData::VersionDirective { major: 1, minor: 1 | 2 } => has_version = true,
                TokenData::VersionDirective { .. } => {
                    return Problem::of_parser("", mark, "found incompatible YAML document");
                }
                TokenData::TagDirective { handle, .. } if self.tags.iter().any(|(known, _)| known == handle) => {
                    return Problem::of_parser("", mark, "found duplicate %TAG directive");
                }
                TokenData::TagDirective { handle, prefix } => self.tags.push((take(handle), take(prefix))),
                _ => return Ok(()),
            }
            self.scanner.skip();
        }
    }

    fn parse_document_content(&mut self) -> Result<Event> {
        let token = self.scanner.peek()?;
        let mark = token.start;
        match token.data {
            TokenData::VersionDirective { .. }
            | TokenData::TagDirective { .. }
            | TokenData::DocumentStart
            | TokenData::DocumentEnd
            | TokenData::StreamEnd => {
                self.leave();
                Ok(empty_scalar(mark))
            }
            _ => self.parse_node(true, false),
        }
    }

    fn parse_document_end(&mut self) -> Result<Event> {
        let start_mark = self.scanner.peek()?.start;
        self.state = State::End;
        Ok(Event { data: EventData::DocumentEnd, start_mark })
    }

    /// Goes on with what is around the node that has ended.
    fn leave(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    /// The event of the word at hand, which is passed over, and which ends a collection.
    fn end_collection(&mut self, data: EventData) -> Result<Event> {
        let start_mark = self.scanner.peek()?.start;
        self.scanner.skip();
        self.leave();
        self.marks.pop();
        Ok(Event { data, start_mark })
    }

    /// Remembers where a collection began, and passes over the word that begins it.
    fn begin_collection(&mut self) -> Result<()> {
        let mark = self.scanner.peek()?.start;
        self.marks.push(mark);
        self.scanner.skip();
        Ok(())
    }

    /// A collection that does not go on as it must.
    fn broken_collection(&mut self, context: &'static str, problem: &'static str) -> Result<Event> {
        let mark = self.marks.pop().unwrap_or_default();
        Problem::of_parser(context, mark, problem)
    }

    /// A node of a collection that goes on with a state.
    fn parse_node_before(&mut self, next: State, is_block: bool, is_indentless: bool) -> Result<Event> {
        self.states.push(next);
        self.parse_node(is_block, is_indentless)
    }

    /// Nothing, where a collection that goes on with a state has a node.
    fn no_node_before(&mut self, next: State, mark: Mark) -> Result<Event> {
        self.state = next;
        Ok(empty_scalar(mark))
    }

    fn parse_node(&mut self, is_block: bool, is_indentless: bool) -> Result<Event> {
        let token = self.scanner.peek()?;
        let start_mark = token.start;
        if let TokenData::Alias(anchor) = &mut token.data {
            let anchor = take(anchor);
            self.scanner.skip();
            self.leave();
            return Ok(Event { data: EventData::Alias { anchor }, start_mark });
        }
        let (anchor, tag) = self.parse_properties()?;
        let token = self.scanner.peek()?;
        let data = match &mut token.data {
            TokenData::BlockEntry if is_indentless => {
                self.state = State::IndentlessSequenceEntry;
                EventData::SequenceStart { anchor, tag }
            }
            TokenData::Scalar { value, is_plain } => {
                let (value, is_quoted) = (take(value), tag.is_none() && !*is_plain);
                self.scanner.skip();
                self.leave();
                EventData::Scalar { anchor, tag, value, is_quoted }
            }
            TokenData::FlowSequenceStart => {
                self.state = State::FlowSequenceFirstEntry;
                EventData::SequenceStart { anchor, tag }
            }
            TokenData::FlowMappingStart => {
                self.state = State::FlowMappingFirstKey;
                EventData::MappingStart { anchor, tag }
            }
            TokenData::BlockSequenceStart if is_block => {
                self.state = State::BlockSequenceFirstEntry;
                EventData::SequenceStart { anchor, tag }
            }
            TokenData::BlockMappingStart if is_block => {
                self.state = State::BlockMappingFirstKey;
                EventData::MappingStart { anchor, tag }
            }
            _ if anchor.is_some() || tag.is_some() => {
                self.leave();
                EventData::Scalar { anchor, tag, value: String::new(), is_quoted: false }
            }
            _ => {
                let context = if is_block { "while parsing a block node" } else { "while parsing a flow node" };
                return Problem::of_parser(context, start_mark, "did not find expected node content");
            }
        };
        Ok(Event { data, start_mark })
    }

    /// The anchor and the tag of a node, in either order.
    fn parse_properties(&mut self) -> Result<(Option<String>, Option<String>)> {
        let start = self.scanner.peek()?.start;
        let (mut anchor, mut tag) = (None, None);
        loop {
            match &mut self.scanner.peek()?.data {
                TokenData::Anchor(name) if anchor.is_none() => anchor = Some(take(name)),
                TokenData::Tag { handle, suffix } if tag.is_none() => tag = Some((take(handle), take(suffix))),
                _ => break,
            }
            self.scanner.skip();
        }
        let tag = match tag {
            Some((handle, suffix)) if handle.is_empty() => Some(suffix),
            Some((handle, suffix)) => match self.tags.iter().find(|(known, _)| *known == handle) {
                Some((_, prefix)) => Some(format!("{prefix}{suffix}")),
                None => return Problem::of_parser("while parsing a node", start, "found undefined tag handle"),
            },
            None => None,
        };
        Ok((anchor, tag))
    }
}

fn empty_scalar(mark: Mark) -> Event {
    let data = EventData::Scalar { anchor: None, tag: None, value: String::new(), is_quoted: false };
    Event { data, start_mark: mark }
}
