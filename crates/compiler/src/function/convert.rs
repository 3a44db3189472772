//! From values to the Rust types of a function's body and back.

use ecow::EcoString;

use bunraku_pcore::{Hash, Type, Value};
use bunraku_syntax::Issue;

use crate::issues;
use crate::unwind::{Outcome, Unwind};

/// The arguments of a call, taken one after the other.
#[derive(Debug)]
pub struct Arguments<'c> {
    values: &'c [Value],
}

impl<'c> Arguments<'c> {
    /// The arguments of a call.
    pub fn new(values: &'c [Value]) -> Arguments<'c> {
        Arguments { values }
    }

    /// The next argument as the type the body asks for.
    #[expect(clippy::should_implement_trait, reason = "the type of what is next differs from call to call")]
    pub fn next<T: FromValue<'c>>(&mut self) -> Result<T, Issue> {
        let (first, rest) = match self.values.split_first() {
            Some((first, rest)) => (Some(first), rest),
            None => (None, self.values),
        };
        self.values = rest;
        T::from_value(first).ok_or_else(|| {
            let kind = std::any::type_name::<T>();
            issues::runtime(format!("an argument that its signature accepts is not a {kind}"))
        })
    }

    /// All arguments that are left.
    pub fn rest(&mut self) -> &'c [Value] {
        std::mem::take(&mut self.values)
    }
}

/// A Rust type that an argument arrives as.
pub trait FromValue<'c>: Sized {
    /// The argument as this type; the argument is `None` where an optional one was left out.
    fn from_value(value: Option<&'c Value>) -> Option<Self>;
}

impl<'c> FromValue<'c> for &'c Value {
    fn from_value(value: Option<&'c Value>) -> Option<&'c Value> {
        value
    }
}

impl<'c> FromValue<'c> for &'c str {
    fn from_value(value: Option<&'c Value>) -> Option<&'c str> {
        value?.as_str()
    }
}

impl<'c> FromValue<'c> for &'c EcoString {
    fn from_value(value: Option<&'c Value>) -> Option<&'c EcoString> {
        match value? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl FromValue<'_> for i64 {
    fn from_value(value: Option<&Value>) -> Option<i64> {
        match value? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue<'_> for f64 {
    fn from_value(value: Option<&Value>) -> Option<f64> {
        match value? {
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue<'_> for bool {
    fn from_value(value: Option<&Value>) -> Option<bool> {
        match value? {
            Value::Boolean(boolean) => Some(*boolean),
            _ => None,
        }
    }
}

impl<'c> FromValue<'c> for &'c [Value] {
    fn from_value(value: Option<&'c Value>) -> Option<&'c [Value]> {
        match value? {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }
}

impl<'c> FromValue<'c> for &'c Hash {
    fn from_value(value: Option<&'c Value>) -> Option<&'c Hash> {
        match value? {
            Value::Hash(hash) => Some(hash),
            _ => None,
        }
    }
}

impl<'c> FromValue<'c> for &'c Type {
    fn from_value(value: Option<&'c Value>) -> Option<&'c Type> {
        match value? {
            Value::Type(data_type) => Some(data_type),
            _ => None,
        }
    }
}

impl<'c, T: FromValue<'c>> FromValue<'c> for Option<T> {
    fn from_value(value: Option<&'c Value>) -> Option<Option<T>> {
        match value {
            None | Some(Value::Undef) => Some(None),
            given => T::from_value(given).map(Some),
        }
    }
}

/// What the body of a function may return.
pub trait IntoOutcome {
    /// The result of the call.
    fn into_outcome(self) -> Outcome;
}

impl IntoOutcome for () {
    fn into_outcome(self) -> Outcome {
        Ok(Value::Undef)
    }
}

impl<T: IntoOutcome> IntoOutcome for Result<T, Issue> {
    fn into_outcome(self) -> Outcome {
        self?.into_outcome()
    }
}

impl<T: IntoOutcome> IntoOutcome for Result<T, Unwind> {
    fn into_outcome(self) -> Outcome {
        self?.into_outcome()
    }
}

macro_rules! into_outcome {
    ($($type:ty),*) => {$(
        impl IntoOutcome for $type {
            fn into_outcome(self) -> Outcome {
                Ok(Value::from(self))
            }
        }
    )*};
}

into_outcome!(Value, bool, i64, f64, String, &str, EcoString, Vec<Value>, Hash, Type, Option<Value>);
