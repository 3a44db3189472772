//! `Iterable`: what can be iterated over, and what the elements of each type are.

use std::fmt;

use bunraku_syntax::deep;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Iterable[element]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IterableType {
    /// The type of the elements.
    pub element: Option<Type>,
}

/// How deep chains of aliases and parents are followed.
const DEPTH: u32 = 100;

impl Type {
    /// Whether all instances can be iterated over.
    pub fn is_iterable(&self) -> bool {
        self.is_iterable_at(DEPTH)
    }

    fn is_iterable_at(&self, depth: u32) -> bool {
        deep(|| match self {
            Type::Type(meta) => match &meta.contained {
                Some(Type::Enum(_)) => true,
                Some(Type::Integer(range)) => range.is_finite(),
                _ => false,
            },
            Type::Enum(_)
            | Type::Integer(_)
            | Type::String(_)
            | Type::Collection(_)
            | Type::Array(_)
            | Type::Hash(_)
            | Type::Struct(_)
            | Type::Tuple(_)
            | Type::Iterable(_)
            | Type::Iterator(_) => true,
            Type::Object(object_type) => {
                depth > 0
                    && object_type.definition().parent.as_ref().is_some_and(|parent| parent.is_iterable_at(depth - 1))
            }
            Type::Runtime(runtime) => runtime.is_iterable(),
            Type::Alias(alias) => depth > 0 && alias.resolved().is_iterable_at(depth - 1),
            _ => false,
        })
    }

    /// The type of the elements when an instance is iterated over, where one is known.
    pub fn element_type(&self) -> Option<Type> {
        self.element_type_at(DEPTH)
    }

    fn element_type_at(&self, depth: u32) -> Option<Type> {
        let pair = |key, value| Some(Type::tuple(vec![key, value], Some(IntegerType::exactly(2))));
        match self {
            Type::Type(meta) => match &meta.contained {
                Some(contained @ Type::Enum(_)) => Some(contained.clone()),
                Some(contained @ Type::Integer(range)) if range.is_finite() => Some(contained.clone()),
                _ => None,
            },
            Type::Integer(_) => Some(Type::integer(IntegerType::ANY)),
            Type::Enum(_) | Type::String(_) => Some(Type::string_of_size(IntegerType::exactly(1))),
            Type::Iterable(iterable) => iterable.element.clone(),
            Type::Iterator(iterator) => iterator.element.clone(),
            Type::Array(array) => (array.element != Type::Any).then(|| array.element.clone()),
            Type::Tuple(tuple) => Some(Type::variant(tuple.types.iter().cloned())),
            Type::Hash(hash) if hash.is_default() || hash.is_empty() => pair(Type::Unit, Type::Unit),
            Type::Hash(hash) => pair(hash.key.clone(), hash.value.clone()),
            Type::Struct(members) if members.members.is_empty() => pair(Type::Unit, Type::Unit),
            Type::Struct(members) => pair(
                Type::variant(members.members.iter().map(|member| member.key_type())),
                Type::variant(members.members.iter().map(|member| member.value.clone())),
            ),
            Type::Runtime(runtime) if runtime.is_iterable() => Some(self.clone()),
            Type::Alias(alias) if depth > 0 => alias.resolved().element_type_at(depth - 1),
            _ => None,
        }
    }
}

impl DataType for IterableType {
    fn name(&self) -> &str {
        "Iterable"
    }

    fn is_instance(&self, value: &Value) -> bool {
        if self.element.as_ref().is_some_and(|element| !element.is_assignable(&Type::Any)) {
            return self.is_assignable(&Type::infer(value), &mut Guard::default());
        }
        match value {
            Value::Iterator(_) | Value::String(_) | Value::Hash(_) | Value::Array(_) => true,
            Value::Integer(count) => *count >= 0,
            Value::Type(data_type) => match data_type.resolved() {
                Type::Enum(_) => true,
                Type::Integer(range) => range.is_finite(),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        match &self.element {
            Some(element) if !element.accepts(&Type::Any, guard) => {
                other.element_type().is_some_and(|other| element.accepts(&other, guard))
            }
            _ => other.is_iterable(),
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Iterable")?;
        if let Some(element) = &self.element {
            list.data_type(element)?;
        }
        list.end()
    }
}
