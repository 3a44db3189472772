//! The words of a YAML text.

use super::Mark;

/// A word and where it stands.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) data: TokenData,
    pub(super) start: Mark,
    pub(super) end: Mark,
}

/// What a word is. The collections of block style have no words of their own; the scanner makes them of indentation.
#[derive(Debug)]
pub(super) enum TokenData {
    StreamStart,
    StreamEnd,
    VersionDirective { major: u32, minor: u32 },
    TagDirective { handle: String, prefix: String },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    Tag { handle: String, suffix: String },
    Scalar { value: String, is_plain: bool },
}
