//! Collections that are made by indentation.

use super::{Event, EventData, Parser, Result, State, TokenData};

impl Parser<'_> {
    pub(super) fn parse_block_sequence_entry(&mut self, is_first: bool) -> Result<Event> {
        if is_first {
            self.begin_collection()?;
        }
        let token = self.scanner.peek()?;
        let mark = token.end;
        match token.data {
            TokenData::BlockEntry => {
                self.scanner.skip();
                match self.scanner.peek()?.data {
                    TokenData::BlockEntry | TokenData::BlockEnd => self.no_node_before(State::BlockSequenceEntry, mark),
                    _ => self.parse_node_before(State::BlockSequenceEntry, true, false),
                }
            }
            TokenData::BlockEnd => self.end_collection(EventData::SequenceEnd),
            _ => self.broken_collection("while parsing a block collection", "did not find expected '-' indicator"),
        }
    }

    /// A sequence that is the value of a key and stands no further to the right; no word ends it.
    pub(super) fn parse_indentless_sequence_entry(&mut self) -> Result<Event> {
        let token = self.scanner.peek()?;
        let (start_mark, mark) = (token.start, token.end);
        if !matches!(token.data, TokenData::BlockEntry) {
            self.leave();
            return Ok(Event { data: EventData::SequenceEnd, start_mark });
        }
        self.scanner.skip();
        match self.scanner.peek()?.data {
            TokenData::BlockEntry | TokenData::Key | TokenData::Value | TokenData::BlockEnd => {
                self.no_node_before(State::IndentlessSequenceEntry, mark)
            }
            _ => self.parse_node_before(State::IndentlessSequenceEntry, true, false),
        }
    }

    pub(super) fn parse_block_mapping_key(&mut self, is_first: bool) -> Result<Event> {
        if is_first {
            self.begin_collection()?;
        }
        match self.scanner.peek()?.data {
            TokenData::Key => self.parse_block_mapping_node(State::BlockMappingValue),
            TokenData::BlockEnd => self.end_collection(EventData::MappingEnd),
            _ => self.broken_collection("while parsing a block mapping", "did not find expected key"),
        }
    }

    pub(super) fn parse_block_mapping_value(&mut self) -> Result<Event> {
        let token = self.scanner.peek()?;
        let mark = token.start;
        match token.data {
            TokenData::Value => self.parse_block_mapping_node(State::BlockMappingKey),
            _ => self.no_node_before(State::BlockMappingKey, mark),
        }
    }

    /// What stands behind the indicator of a key or a value.
    fn parse_block_mapping_node(&mut self, next: State) -> Result<Event> {
        let mark = self.scanner.peek()?.end;
        self.scanner.skip();
        match self.scanner.peek()?.data {
            TokenData::Key | TokenData::Value | TokenData::BlockEnd => self.no_node_before(next, mark),
            _ => self.parse_node_before(next, true, true),
        }
    }
}
