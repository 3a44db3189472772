//! What a YAML text says, step by step.

use super::Mark;

/// A step and where it begins.
#[derive(Debug)]
pub(in crate::yaml) struct Event {
    pub(in crate::yaml) data: EventData,
    pub(in crate::yaml) start_mark: Mark,
}

/// What a step is.
#[derive(Debug)]
pub(in crate::yaml) enum EventData {
    StreamStart,
    StreamEnd,
    DocumentStart,
    DocumentEnd,
    Alias {
        anchor: String,
    },
    Scalar {
        anchor: Option<String>,
        tag: Option<String>,
        value: String,
        /// Whether the style alone says that it is a string.
        is_quoted: bool,
    },
    SequenceStart {
        anchor: Option<String>,
        tag: Option<String>,
    },
    SequenceEnd,
    MappingStart {
        anchor: Option<String>,
        tag: Option<String>,
    },
    MappingEnd,
}
