//! `Float`: floating point numbers in a range.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::data_type::{DataType, Type};
use crate::float_text::float_text;
use crate::guard::Guard;
use crate::issues::{self, Issue};
use crate::text::TypeWriter;
use crate::value::Value;

/// `Float[from, to]`; a side without limit is infinite.
#[derive(Clone, Copy, Debug)]
pub struct FloatType {
    /// The lowest value.
    pub from: f64,
    /// The highest value.
    pub to: f64,
}

impl FloatType {
    /// All floats.
    pub const ANY: FloatType = FloatType { from: f64::NEG_INFINITY, to: f64::INFINITY };

    /// The range from one number to another.
    pub fn new(from: f64, to: f64) -> Result<FloatType, Issue> {
        if from > to {
            return Err(issues::descending_range(&float_text(from), &float_text(to)));
        }
        Ok(FloatType { from, to })
    }

    /// The smallest range that holds both.
    pub fn span(&self, other: &FloatType) -> FloatType {
        FloatType { from: self.from.min(other.from), to: self.to.max(other.to) }
    }

    /// The one range that both make together, if they overlap.
    pub(crate) fn merge(&self, other: &FloatType) -> Option<FloatType> {
        (self.to >= other.from && other.to >= self.from).then(|| self.span(other))
    }
}

impl PartialEq for FloatType {
    fn eq(&self, other: &FloatType) -> bool {
        self.from == other.from && self.to == other.to
    }
}

impl Eq for FloatType {}

impl Hash for FloatType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Adding zero makes the two zeros one.
        (self.from + 0.0).to_bits().hash(state);
        (self.to + 0.0).to_bits().hash(state);
    }
}

impl DataType for FloatType {
    fn name(&self) -> &str {
        "Float"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Float(number) if self.from <= *number && *number <= self.to)
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Float(other) if self.from <= other.from && other.to <= self.to)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Float")?;
        if *self != FloatType::ANY {
            if self.from == f64::NEG_INFINITY {
                list.item("default")?;
            } else {
                list.item(float_text(self.from))?;
            }
            if self.to != f64::INFINITY {
                list.item(float_text(self.to))?;
            }
        }
        list.end()
    }
}
