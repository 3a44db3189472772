//! Going through the types that a type is made of.

use crate::data_type::Type;
use crate::data_types::{CallableType, TupleType};

impl Type {
    /// Shows each type that this one is directly made of. An alias is made of the type it stands for.
    pub(crate) fn children(&self, visit: &mut dyn FnMut(&Type)) {
        match self {
            Type::Array(array) => visit(&array.element),
            Type::Hash(hash) => {
                visit(&hash.key);
                visit(&hash.value);
            }
            Type::Tuple(tuple) => tuple.types.iter().for_each(visit),
            Type::Struct(members) => members.members.iter().for_each(|member| visit(&member.value)),
            Type::Variant(variant) => variant.types.iter().for_each(visit),
            Type::Optional(optional) => optional.contained.iter().for_each(visit),
            Type::NotUndef(not_undef) => not_undef.contained.iter().for_each(visit),
            Type::Iterable(iterable) => iterable.element.iter().for_each(visit),
            Type::Iterator(iterator) => iterator.element.iter().for_each(visit),
            Type::Type(meta) => meta.contained.iter().for_each(visit),
            Type::Init(init) => init.contained.iter().for_each(visit),
            Type::Sensitive(sensitive) => visit(&sensitive.contained),
            Type::Callable(callable) => {
                let CallableType { parameters, block, returned } = &**callable;
                if let Some(TupleType { types, .. }) = parameters {
                    types.iter().for_each(&mut *visit);
                }
                block.iter().for_each(&mut *visit);
                returned.iter().for_each(visit);
            }
            Type::Alias(alias) => visit(alias.resolved()),
            _ => {}
        }
    }
}
