//! `Hash`: a map with one type for all keys and one for all values.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Hash[key, value, from, to]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HashType {
    /// The type of every key.
    pub key: Type,
    /// The type of every value.
    pub value: Type,
    /// How many entries there may be.
    pub size: Option<IntegerType>,
}

impl HashType {
    /// The type of hashes with the given entries and size; the entries of a hash without any do not matter.
    pub fn new(key: Type, value: Type, size: Option<IntegerType>) -> HashType {
        let (key, value) =
            if size.is_some_and(|size| size.is_zero()) { (Type::Unit, Type::Unit) } else { (key, value) };
        HashType { key, value, size: size.map(IntegerType::to_size) }
    }

    /// Whether this is plain `Hash`.
    pub fn is_default(&self) -> bool {
        self.size.is_none() && self.key == Type::Any && self.value == Type::Any
    }

    /// Whether this is the type of the empty hash.
    pub fn is_empty(&self) -> bool {
        self.size.is_some_and(|size| size.is_zero())
    }
}

impl DataType for HashType {
    fn name(&self) -> &str {
        "Hash"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::Hash(hash) = value else { return false };
        self.size.is_none_or(|size| size.contains_size(hash.len()))
            && hash.iter().all(|(key, value)| self.key.is_instance(key) && self.value.is_instance(value))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        match other {
            Type::Hash(other) => {
                if other.is_empty() && self.size.is_none_or(|size| size.from == Some(0)) {
                    return true;
                }
                self.key.accepts(&other.key, guard)
                    && self.value.accepts(&other.value, guard)
                    && self.size.unwrap_or(IntegerType::SIZE).covers(&other.size.unwrap_or(IntegerType::SIZE))
            }
            Type::Struct(other) => {
                self.size.is_none_or(|size| size.contains_size(other.members.len()))
                    && other.members.iter().all(|member| {
                        self.key.is_instance(&Value::String(member.name.clone()))
                            && self.value.accepts(&member.value, guard)
                    })
            }
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Hash")?;
        if self.is_empty() {
            list.item("0, 0")?;
        } else if !self.is_default() {
            list.data_type(&self.key)?;
            list.data_type(&self.value)?;
            list.range(self.size.as_ref())?;
        }
        list.end()
    }
}
