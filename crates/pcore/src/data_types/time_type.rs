//! `Timespan` and `Timestamp` as data types: times in a range.

use std::fmt::{self, Display};

use crate::data_type::{DataType, Type};
use crate::data_types::{Timespan, Timestamp};
use crate::guard::Guard;
use crate::issues::{self, Issue};
use crate::text::TypeWriter;
use crate::value::Value;

/// `Timespan[from, to]` or `Timestamp[from, to]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeType<T> {
    /// The earliest or shortest, or `None` for no limit.
    pub from: Option<T>,
    /// The latest or longest, or `None` for no limit.
    pub to: Option<T>,
}

/// `Timespan[from, to]`.
pub type TimespanType = TimeType<Timespan>;

/// `Timestamp[from, to]`.
pub type TimestampType = TimeType<Timestamp>;

/// A kind of time.
pub(crate) trait Time: Copy + Ord + Display + 'static {
    /// The name of the data type.
    const NAME: &'static str;

    /// The time in a value.
    fn of_value(value: &Value) -> Option<Self>;

    /// The range in a type.
    fn of_type(data_type: &Type) -> Option<&TimeType<Self>>;
}

impl Time for Timespan {
    const NAME: &'static str = "Timespan";

    fn of_value(value: &Value) -> Option<Timespan> {
        match value {
            Value::Timespan(timespan) => Some(**timespan),
            _ => None,
        }
    }

    fn of_type(data_type: &Type) -> Option<&TimespanType> {
        match data_type {
            Type::Timespan(range) => Some(range),
            _ => None,
        }
    }
}

impl Time for Timestamp {
    const NAME: &'static str = "Timestamp";

    fn of_value(value: &Value) -> Option<Timestamp> {
        match value {
            Value::Timestamp(timestamp) => Some(**timestamp),
            _ => None,
        }
    }

    fn of_type(data_type: &Type) -> Option<&TimestampType> {
        match data_type {
            Type::Timestamp(range) => Some(range),
            _ => None,
        }
    }
}

impl<T> TimeType<T> {
    /// All times.
    pub const ANY: TimeType<T> = TimeType { from: None, to: None };
}

#[expect(private_bounds, reason = "there are only two kinds of time")]
impl<T: Time> TimeType<T> {
    /// The range from one time to another.
    pub fn new(from: Option<T>, to: Option<T>) -> Result<TimeType<T>, Issue> {
        match (from, to) {
            (Some(from), Some(to)) if from > to => Err(issues::descending_range(&from, &to)),
            _ => Ok(TimeType { from, to }),
        }
    }

    /// The one range that both make together, if they overlap.
    pub(crate) fn merge(&self, other: &TimeType<T>) -> Option<TimeType<T>> {
        let reaches = |to: Option<T>, from: Option<T>| to.zip(from).is_none_or(|(to, from)| to >= from);
        (reaches(self.to, other.from) && reaches(other.to, self.from)).then(|| TimeType {
            from: self.from.zip(other.from).map(|(a, b)| a.min(b)),
            to: self.to.zip(other.to).map(|(a, b)| a.max(b)),
        })
    }
}

impl<T: Time> DataType for TimeType<T> {
    fn name(&self) -> &str {
        T::NAME
    }

    fn is_instance(&self, value: &Value) -> bool {
        T::of_value(value)
            .is_some_and(|time| self.from.is_none_or(|from| from <= time) && self.to.is_none_or(|to| time <= to))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        T::of_type(other).is_some_and(|other| {
            self.from.is_none_or(|from| other.from.is_some_and(|other| from <= other))
                && self.to.is_none_or(|to| other.to.is_some_and(|other| other <= to))
        })
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list(T::NAME)?;
        match self.from {
            Some(from) => list.item(format_args!("'{from}'"))?,
            None if self.to.is_some() => list.item("default")?,
            None => {}
        }
        // Compatibility: a range of one time looks like a range without end.
        if let Some(to) = self.to
            && self.from != Some(to)
        {
            list.item(format_args!("'{to}'"))?;
        }
        list.end()
    }
}
