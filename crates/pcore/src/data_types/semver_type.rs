//! `SemVer` as a data type: versions in ranges; and `SemVerRange`, which has no parameters.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::data_types::SemVerRange;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `SemVer[ranges]`; without ranges all versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemVerType {
    /// The ranges; those that overlap or touch are merged.
    pub ranges: Vec<SemVerRange>,
}

impl SemVerType {
    /// The versions in any of the ranges.
    pub fn new(mut ranges: Vec<SemVerRange>) -> SemVerType {
        if ranges.len() < 2 {
            return SemVerType { ranges };
        }
        let mut merged = Vec::new();
        while let Some(mut range) = ranges.pop() {
            ranges.retain(|other| match range.merge(other) {
                Some(wider) => {
                    range = wider;
                    false
                }
                None => true,
            });
            merged.push(range);
        }
        merged.reverse();
        SemVerType { ranges: merged }
    }
}

impl DataType for SemVerType {
    fn name(&self) -> &str {
        "SemVer"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::SemVer(version) = value else { return false };
        self.ranges.is_empty() || self.ranges.iter().any(|range| range.includes(version))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        let Type::SemVer(other) = other else { return false };
        self.ranges.is_empty()
            || (!other.ranges.is_empty()
                && other.ranges.iter().all(|other| self.ranges.iter().any(|range| range.covers(other))))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("SemVer")?;
        for range in &self.ranges {
            list.item(format_args!("'{range}'"))?;
        }
        list.end()
    }
}

pub(crate) struct SemVerRangeType;

impl DataType for SemVerRangeType {
    fn name(&self) -> &str {
        "SemVerRange"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::SemVerRange(_))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::SemVerRange)
    }
}
