//! Collections in brackets and braces.

use super::{Event, EventData, Parser, Result, State, TokenData};

impl Parser<'_> {
    pub(super) fn parse_flow_sequence_entry(&mut self, is_first: bool) -> Result<Event> {
        if is_first {
            self.begin_collection()?;
        } else {
            match self.scanner.peek()?.data {
                TokenData::FlowSequenceEnd => {}
                TokenData::FlowEntry => self.scanner.skip(),
                _ => {
                    let problem = "did not find expected ',' or ']'";
                    return self.broken_collection("while parsing a flow sequence", problem);
                }
            }
        }
        let token = self.scanner.peek()?;
        let start_mark = token.start;
        match token.data {
            TokenData::FlowSequenceEnd => self.end_collection(EventData::SequenceEnd),
            // A pair that stands for a mapping of its own.
            TokenData::Key => {
                self.scanner.skip();
                self.state = State::FlowSequencePairKey;
                Ok(Event { data: EventData::MappingStart { anchor: None, tag: None }, start_mark })
            }
            _ => self.parse_node_before(State::FlowSequenceEntry, false, false),
        }
    }

    pub(super) fn parse_flow_sequence_pair_key(&mut self) -> Result<Event> {
        let token = self.scanner.peek()?;
        let mark = token.end;
        match token.data {
            TokenData::Value | TokenData::FlowEntry | TokenData::FlowSequenceEnd => {
                // Compatibility: libyaml passes over the word, so that it takes `[? : a]` for a mistake.
                self.scanner.skip();
                self.no_node_before(State::FlowSequencePairValue, mark)
            }
            _ => self.parse_node_before(State::FlowSequencePairValue, false, false),
        }
    }

    pub(super) fn parse_flow_sequence_pair_value(&mut self) -> Result<Event> {
        if matches!(self.scanner.peek()?.data, TokenData::Value) {
            self.scanner.skip();
            if !matches!(self.scanner.peek()?.data, TokenData::FlowEntry | TokenData::FlowSequenceEnd) {
                return self.parse_node_before(State::FlowSequencePairEnd, false, false);
            }
        }
        let mark = self.scanner.peek()?.start;
        self.no_node_before(State::FlowSequencePairEnd, mark)
    }

    pub(super) fn parse_flow_sequence_pair_end(&mut self) -> Result<Event> {
        let start_mark = self.scanner.peek()?.start;
        self.state = State::FlowSequenceEntry;
        Ok(Event { data: EventData::MappingEnd, start_mark })
    }

    pub(super) fn parse_flow_mapping_key(&mut self, is_first: bool) -> Result<Event> {
        if is_first {
            self.begin_collection()?;
        } else {
            match self.scanner.peek()?.data {
                TokenData::FlowMappingEnd => {}
                TokenData::FlowEntry => self.scanner.skip(),
                _ => {
                    let problem = "did not find expected ',' or '}'";
                    return self.broken_collection("while parsing a flow mapping", problem);
                }
            }
        }
        match self.scanner.peek()?.data {
            TokenData::FlowMappingEnd => self.end_collection(EventData::MappingEnd),
            TokenData::Key => {
                self.scanner.skip();
                self.parse_flow_mapping_node(State::FlowMappingValue, true)
            }
            _ => self.parse_node_before(State::FlowMappingEmptyValue, false, false),
        }
    }

    pub(super) fn parse_flow_mapping_value(&mut self, is_empty: bool) -> Result<Event> {
        let token = self.scanner.peek()?;
        let mark = token.start;
        if !is_empty && matches!(token.data, TokenData::Value) {
            self.scanner.skip();
            return self.parse_flow_mapping_node(State::FlowMappingKey, false);
        }
        self.no_node_before(State::FlowMappingKey, mark)
    }

    /// What stands behind the indicator of a key or a value.
    fn parse_flow_mapping_node(&mut self, next: State, is_key: bool) -> Result<Event> {
        let token = self.scanner.peek()?;
        let mark = token.start;
        match token.data {
            TokenData::FlowEntry | TokenData::FlowMappingEnd => self.no_node_before(next, mark),
            TokenData::Value if is_key => self.no_node_before(next, mark),
            _ => self.parse_node_before(next, false, false),
        }
    }
}
