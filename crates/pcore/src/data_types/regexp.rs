//! `Regexp`: all regular expressions, or one of them.

use std::fmt;
use std::sync::Arc;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::regexp::Regexp;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Regexp[pattern]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegexpType {
    /// The only regular expression, if there is only one.
    pub pattern: Option<Arc<Regexp>>,
}

impl DataType for RegexpType {
    fn name(&self) -> &str {
        "Regexp"
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Regexp(regexp) if self.pattern.as_ref().is_none_or(|pattern| pattern == regexp))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::Regexp(other) if self.pattern.is_none() || self.pattern == other.pattern)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Regexp")?;
        if let Some(pattern) = &self.pattern {
            list.item(pattern.to_text())?;
        }
        list.end()
    }
}
