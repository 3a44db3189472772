//! `Integer`: whole numbers in a range. The same range says how long text, arrays and hashes may be.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::issues::{self, Issue};
use crate::text::TypeWriter;
use crate::value::Value;

/// `Integer[from, to]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerType {
    /// The lowest value, or `None` for no limit.
    pub from: Option<i64>,
    /// The highest value, or `None` for no limit.
    pub to: Option<i64>,
}

impl IntegerType {
    /// All integers.
    pub const ANY: IntegerType = IntegerType { from: None, to: None };
    /// All sizes.
    pub const SIZE: IntegerType = IntegerType::at_least(0);

    /// The range from one number to another.
    pub fn new(from: Option<i64>, to: Option<i64>) -> Result<IntegerType, Issue> {
        match (from, to) {
            (Some(from), Some(to)) if from > to => Err(issues::descending_range(&from, &to)),
            _ => Ok(IntegerType { from, to }),
        }
    }

    /// The range of one number.
    pub const fn exactly(number: i64) -> IntegerType {
        IntegerType { from: Some(number), to: Some(number) }
    }

    /// The range that starts at a number.
    pub const fn at_least(number: i64) -> IntegerType {
        IntegerType { from: Some(number), to: None }
    }

    /// The range of one size.
    pub fn size(size: usize) -> IntegerType {
        IntegerType::exactly(size.try_into().unwrap_or(i64::MAX))
    }

    /// The range from one size to another; the order does not matter.
    pub fn sizes(from: usize, to: usize) -> IntegerType {
        IntegerType {
            from: Some(from.min(to).try_into().unwrap_or(i64::MAX)),
            to: Some(from.max(to).try_into().unwrap_or(i64::MAX)),
        }
    }

    /// Whether all integers are in the range.
    pub fn is_unbounded(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Whether the range has a start and an end.
    pub fn is_finite(&self) -> bool {
        self.from.is_some() && self.to.is_some()
    }

    /// Whether a number is in the range.
    pub fn contains(&self, number: i64) -> bool {
        self.from.is_none_or(|from| from <= number) && self.to.is_none_or(|to| number <= to)
    }

    /// Whether a size is in the range.
    pub fn contains_size(&self, size: usize) -> bool {
        self.contains(size.try_into().unwrap_or(i64::MAX))
    }

    /// Whether all of another range is in this one.
    pub fn covers(&self, other: &IntegerType) -> bool {
        self.from.is_none_or(|from| other.from.is_some_and(|other| from <= other))
            && self.to.is_none_or(|to| other.to.is_some_and(|other| other <= to))
    }

    /// Only the sizes of this range: nothing is less than zero.
    pub fn to_size(self) -> IntegerType {
        if self.from.is_some_and(|from| from >= 0) {
            self
        } else {
            IntegerType { from: Some(0), to: self.to.map(|to| to.max(0)) }
        }
    }

    /// Whether the only size is zero.
    pub fn is_zero(&self) -> bool {
        self.from == Some(0) && self.to == Some(0)
    }

    /// The smallest range that holds both.
    pub fn span(&self, other: &IntegerType) -> IntegerType {
        IntegerType {
            from: self.from.zip(other.from).map(|(a, b)| a.min(b)),
            to: self.to.zip(other.to).map(|(a, b)| a.max(b)),
        }
    }

    /// The one range that both make together, if they overlap or touch.
    pub(crate) fn merge(&self, other: &IntegerType) -> Option<IntegerType> {
        let reaches = |to: Option<i64>, from: Option<i64>| match (to, from) {
            (Some(to), Some(from)) => to.saturating_add(1) >= from,
            _ => true,
        };
        (reaches(self.to, other.from) && reaches(other.to, self.from)).then(|| self.span(other))
    }
}

impl DataType for IntegerType {
    fn name(&self) -> &str {
        "Integer"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Integer(number) if self.contains(*number))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Integer(other) if self.covers(other))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Integer")?;
        list.range(Some(self))?;
        list.end()
    }
}
