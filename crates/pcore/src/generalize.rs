//! A type without what is special about one value: sizes, ranges and texts.

use bunraku_syntax::deep;
use std::sync::Arc;

use crate::data_type::Type;
use crate::data_types::{CallableType, FloatType, InitType, IntegerType, Member, StructType, TimeType, TupleType};

impl Type {
    /// The type without sizes, ranges and texts. Aliases stay as they are.
    pub fn generalize(&self) -> Type {
        deep(|| {
            match self {
                Type::Integer(_) => Type::integer(IntegerType::ANY),
                Type::Float(_) => Type::float(FloatType::ANY),
                Type::String(_) => Type::string(),
                Type::Boolean(_) => Type::BOOLEAN,
                Type::Timespan(_) => Type::timespan(TimeType::ANY),
                Type::Timestamp(_) => Type::timestamp(TimeType::ANY),
                Type::Uri(_) => Type::Uri(Arc::default()),
                Type::Enum(values) if values.values.is_empty() => Type::string(),
                Type::Enum(values) => Type::string_of_size(values.sizes()),
                Type::Collection(_) => Type::collection(None),
                Type::Array(array) => Type::array(array.element.generalize(), None),
                // The type of the empty hash keeps its size.
                Type::Hash(hash) if hash.is_empty() => self.clone(),
                Type::Hash(hash) => Type::hash(hash.key.generalize(), hash.value.generalize(), None),
                Type::Tuple(tuple) => Type::Tuple(Arc::new(generalize_tuple(tuple))),
                Type::Struct(members) => {
                    let generalize = |member: &Member| Member { value: member.value.generalize(), ..member.clone() };
                    Type::Struct(Arc::new(StructType { members: members.members.iter().map(generalize).collect() }))
                }
                Type::ObjectExtension(extension) => Type::Object(extension.base.clone()),
                Type::Variant(variant) => Type::variant(variant.types.iter().map(Type::generalize)),
                Type::Callable(callable) => Type::Callable(Arc::new(CallableType {
                    parameters: callable.parameters.as_ref().map(generalize_tuple),
                    block: callable.block.as_ref().map(Type::generalize),
                    returned: callable.returned.as_ref().map(Type::generalize),
                })),
                Type::Init(init) => Type::Init(Arc::new(InitType {
                    contained: init.contained.as_ref().map(Type::generalize),
                    args: init.args.clone(),
                })),
                _ => self.map_contained(&Type::generalize),
            }
        })
    }

    /// The same type around another one, for the types that contain exactly one.
    pub(crate) fn map_contained(&self, map: &dyn Fn(&Type) -> Type) -> Type {
        match self {
            Type::Type(meta) => Type::type_of(meta.contained.as_ref().map(map)),
            Type::Optional(optional) => optional.contained.as_ref().map_or(self.clone(), |it| Type::optional(map(it))),
            Type::NotUndef(not_undef) => Type::not_undef(not_undef.contained.as_ref().map(map)),
            Type::Iterable(iterable) => Type::iterable(iterable.element.as_ref().map(map)),
            Type::Iterator(iterator) => Type::iterator(iterator.element.as_ref().map(map)),
            Type::Sensitive(sensitive) => match map(&sensitive.contained) {
                // What is made anew is generalized anew, and may lose more.
                mapped if mapped == sensitive.contained => self.clone(),
                mapped => Type::sensitive(&mapped),
            },
            _ => self.clone(),
        }
    }
}

fn generalize_tuple(tuple: &TupleType) -> TupleType {
    TupleType { types: tuple.types.iter().map(Type::generalize).collect(), size: tuple.size }
}
