//! The value: immutable, cheap to clone, shared between threads, and at most 24 bytes.

use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;

use bunraku_syntax::deep;
use ecow::EcoString;

use crate::array::Array;
use crate::data_type::Type;
use crate::data_types::{Binary, SemVer, SemVerRange, Timespan, Timestamp, Uri};
use crate::hash::Hash;
use crate::iterator::Iterator;
use crate::object::Object;
use crate::regexp::Regexp;

/// Any value of the Puppet language.
///
/// `==` in Rust is identity as a hash key sees it: `1` and `1.0` differ, and so do `'a'` and `'A'`.
/// The language's own `==` is [`Value::equals`].
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// `undef`.
    #[default]
    Undef,
    /// The `default` keyword.
    Default,
    /// `true` or `false`.
    Boolean(bool),
    /// A signed 64-bit integer.
    Integer(i64),
    /// A double precision float.
    Float(f64),
    /// Text.
    String(EcoString),
    /// A list of values.
    Array(Arc<Array>),
    /// An insertion ordered map with keys of any kind.
    Hash(Arc<Hash>),
    /// A data type, or a reference to a class or resource.
    Type(Type),
    /// A regular expression.
    Regexp(Arc<Regexp>),
    /// A version.
    SemVer(Arc<SemVer>),
    /// A range of versions.
    SemVerRange(Arc<SemVerRange>),
    /// A span of time.
    Timespan(Arc<Timespan>),
    /// A moment.
    Timestamp(Arc<Timestamp>),
    /// Bytes.
    Binary(Arc<Binary>),
    /// A uniform resource identifier.
    Uri(Arc<Uri>),
    /// A value that must never be shown.
    Sensitive(Arc<Value>),
    /// An instance of an object type.
    Object(Arc<Object>),
    /// A lazy sequence.
    Iterator(Arc<Iterator>),
    /// A symbol of Ruby, which only functions in Ruby make: a value of `Runtime[ruby, 'Symbol']`.
    Symbol(EcoString),
}

const _: () = assert!(size_of::<Value>() <= 24);

impl Value {
    /// A value of text.
    pub fn string(text: impl Into<EcoString>) -> Value {
        Value::String(text.into())
    }

    /// An array of the given elements.
    pub fn array(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::Array(Arc::new(elements.into_iter().collect()))
    }

    /// A hash of the given entries; a later entry replaces an earlier one with the same key.
    pub fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(Arc::new(entries.into_iter().collect()))
    }

    /// Whether the value counts as true in a condition: everything but `undef` and `false`.
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    /// Whether the value is `undef`.
    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    /// The text of a string value.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The entry of a hash with a text key; `None` for anything else.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Hash(hash) => hash.get_str(key),
            _ => None,
        }
    }
}

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            // Most keys are text.
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            _ => self.is_equal(other),
        }
    }
}

impl Value {
    #[inline(never)] // It would make the common cases slower.
    fn is_equal(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undef, Value::Undef) | (Value::Default, Value::Default) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            // Ruby's `eql?`: the two zeros are one key, NaN is a key of its own.
            (Value::Float(a), Value::Float(b)) => a == b || a.to_bits() == b.to_bits(),
            (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(a, b) || deep(|| a == b),
            (Value::Hash(a), Value::Hash(b)) => Arc::ptr_eq(a, b) || deep(|| a == b),
            (Value::Type(a), Value::Type(b)) => deep(|| a == b),
            (Value::Regexp(a), Value::Regexp(b)) => a == b,
            (Value::SemVer(a), Value::SemVer(b)) => a == b,
            (Value::SemVerRange(a), Value::SemVerRange(b)) => a == b,
            (Value::Timespan(a), Value::Timespan(b)) => a == b,
            (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
            (Value::Binary(a), Value::Binary(b)) => a == b,
            (Value::Uri(a), Value::Uri(b)) => a == b,
            (Value::Sensitive(a), Value::Sensitive(b)) => deep(|| a == b),
            (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b) || deep(|| a == b),
            (Value::Iterator(a), Value::Iterator(b)) => Arc::ptr_eq(a, b),
            (Value::Symbol(a), Value::Symbol(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl StdHash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Undef | Value::Default => {}
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => value.hash(state),
            Value::Float(value) => (if *value == 0.0 { 0.0 } else { *value }).to_bits().hash(state),
            Value::String(text) => text.hash(state),
            Value::Array(elements) => deep(|| elements.hash(state)),
            Value::Hash(hash) => hash.hash(state),
            Value::Type(data_type) => deep(|| data_type.hash(state)),
            Value::Regexp(regexp) => regexp.hash(state),
            Value::SemVer(version) => version.hash(state),
            Value::SemVerRange(range) => range.hash(state),
            Value::Timespan(timespan) => timespan.hash(state),
            Value::Timestamp(timestamp) => timestamp.hash(state),
            Value::Binary(binary) => binary.hash(state),
            Value::Uri(uri) => uri.hash(state),
            Value::Sensitive(value) => deep(|| value.hash(state)),
            Value::Object(object) => deep(|| object.hash(state)),
            Value::Iterator(iterator) => iterator.hash(state),
            Value::Symbol(name) => name.hash(state),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Boolean(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::String(text.into())
    }
}

impl From<EcoString> for Value {
    fn from(text: EcoString) -> Value {
        Value::String(text)
    }
}

impl From<Type> for Value {
    fn from(data_type: Type) -> Value {
        Value::Type(data_type)
    }
}

impl From<Vec<Value>> for Value {
    fn from(elements: Vec<Value>) -> Value {
        Value::Array(Arc::new(elements.into()))
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Value {
        Value::Array(Arc::new(array))
    }
}

impl From<Hash> for Value {
    fn from(hash: Hash) -> Value {
        Value::Hash(Arc::new(hash))
    }
}

impl From<Regexp> for Value {
    fn from(regexp: Regexp) -> Value {
        Value::Regexp(Arc::new(regexp))
    }
}

impl From<Binary> for Value {
    fn from(binary: Binary) -> Value {
        Value::Binary(Arc::new(binary))
    }
}

impl From<SemVer> for Value {
    fn from(version: SemVer) -> Value {
        Value::SemVer(Arc::new(version))
    }
}

impl From<SemVerRange> for Value {
    fn from(range: SemVerRange) -> Value {
        Value::SemVerRange(Arc::new(range))
    }
}

impl From<Timespan> for Value {
    fn from(timespan: Timespan) -> Value {
        Value::Timespan(Arc::new(timespan))
    }
}

impl From<Timestamp> for Value {
    fn from(timestamp: Timestamp) -> Value {
        Value::Timestamp(Arc::new(timestamp))
    }
}

impl From<Uri> for Value {
    fn from(uri: Uri) -> Value {
        Value::Uri(Arc::new(uri))
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Undef, Into::into)
    }
}
