//! `Callable`: what can be called with given arguments. Parameters are contravariant: a callable that accepts more is
//! assignable to one that accepts less.

use std::fmt;

use crate::data_type::{DataType, Type};
use crate::data_types::TupleType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Callable[[parameters, block], returned]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallableType {
    /// The types of the parameters; `None` for any.
    pub parameters: Option<TupleType>,
    /// The type of the block: a `Callable`, or an `Optional` or `Variant` of callables.
    pub block: Option<Type>,
    /// The type of what is returned; `None` for `Any`.
    pub returned: Option<Type>,
}

impl CallableType {
    /// Whether a call with these arguments and a block of this type is accepted.
    pub fn is_callable_with(&self, args: &[Value], block: Option<&Type>) -> bool {
        self.parameters.as_ref().is_none_or(|parameters| parameters.contains(args)) && self.accepts_block(block)
    }

    /// Whether a block of this type, or none, is accepted.
    pub fn accepts_block(&self, block: Option<&Type>) -> bool {
        match (&self.block, block) {
            (None, None) => true,
            // Without parameter types nothing is known about the block either.
            (None, Some(_)) => self.parameters.is_none(),
            (Some(expected), None) => expected.accepts_undef(),
            (Some(expected), Some(block)) => expected.is_assignable(block),
        }
    }
}

impl Type {
    /// Whether this is a callable, an optional callable, or a choice of them: the type of a block.
    pub fn is_kind_of_callable(&self) -> bool {
        match self {
            Type::Callable(_) => true,
            Type::Optional(optional) => optional.contained.as_ref().is_some_and(Type::is_kind_of_callable),
            Type::Variant(variant) => variant.types.iter().all(Type::is_kind_of_callable),
            Type::Alias(alias) if !alias.is_recursive() => alias.resolved().is_kind_of_callable(),
            _ => false,
        }
    }
}

impl DataType for CallableType {
    fn name(&self) -> &str {
        "Callable"
    }

    // Blocks are not values, and functions have no value.
    fn is_instance(&self, _value: &Value) -> bool {
        false
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        let Type::Callable(other) = other else { return false };
        if let Some(returned) = &self.returned
            && !returned.accepts(other.returned.as_ref().unwrap_or(&Type::Any), guard)
        {
            return false;
        }
        let Some(parameters) = &self.parameters else { return true };
        let block = self.block.as_ref().unwrap_or(&Type::Undef);
        other.parameters.as_ref().is_some_and(|other| other.accepts(parameters, guard))
            && other.block.as_ref().unwrap_or(&Type::Undef).accepts(block, guard)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        match (&self.returned, &self.parameters) {
            (None, None) => writer.text("Callable"),
            (None, Some(parameters)) => self.write_parameters("Callable", parameters, writer),
            (Some(returned), parameters) => {
                writer.text("Callable[")?;
                match parameters {
                    Some(parameters) => self.write_parameters("", parameters, writer)?,
                    None => writer.text("[]")?,
                }
                writer.text(", ")?;
                writer.data_type(returned)?;
                writer.text("]")
            }
        }
    }
}

impl CallableType {
    fn write_parameters(&self, name: &str, parameters: &TupleType, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list(name)?;
        for parameter in parameters.types.iter().filter(|parameter| **parameter != Type::Unit) {
            list.data_type(parameter)?;
        }
        if parameters.types.is_empty() {
            list.item("0, 0")?;
        } else {
            list.range(parameters.size.as_ref())?;
        }
        if let Some(block) = &self.block {
            list.data_type(block)?;
        }
        list.end()
    }
}
