//! `Variant`: any of several types.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::kinds::Kinds;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Variant[types]`.
#[derive(Clone, Debug, Default)]
pub struct VariantType {
    /// The types to choose from.
    pub types: Vec<Type>,
    /// What needs no closer look at the types.
    pub(crate) whole: Kinds,
}

impl Type {
    /// `Variant[types]` without duplicates and without variants in it; a single type stands for itself.
    pub fn variant(types: impl IntoIterator<Item = Type>) -> Type {
        let mut unique: IndexSet<Type, FxBuildHasher> = IndexSet::default();
        for option in types {
            match option {
                Type::Variant(inner) => unique.extend(inner.types.iter().cloned()),
                option => {
                    unique.insert(option);
                }
            }
        }
        let mut types: Vec<Type> = unique.into_iter().collect();
        match types.pop() {
            Some(only) if types.is_empty() => only,
            Some(last) => {
                types.push(last);
                Type::Variant(Arc::new(VariantType { whole: Kinds::held_by(&types), types }))
            }
            None => Type::Variant(Arc::default()),
        }
    }
}

impl VariantType {
    /// Whether one of the types is as wanted. Aliases are asked last, for they may lead far.
    pub(crate) fn has(&self, mut is_wanted: impl FnMut(&Type) -> bool) -> bool {
        let is_alias = |option: &Type| matches!(option, Type::Alias(_));
        self.types.iter().any(|option| !is_alias(option) && is_wanted(option))
            || self.types.iter().any(|option| is_alias(option) && is_wanted(option))
    }
}

impl PartialEq for VariantType {
    // The order of the types does not matter.
    fn eq(&self, other: &VariantType) -> bool {
        self.types.len() == other.types.len()
            && (self.types == other.types || self.types.iter().all(|option| other.types.contains(option)))
    }
}

impl Eq for VariantType {}

impl Hash for VariantType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.types.len().hash(state);
    }
}

impl DataType for VariantType {
    fn name(&self) -> &str {
        "Variant"
    }

    fn is_instance(&self, value: &Value) -> bool {
        self.has(|option| option.is_instance(value))
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        self.has(|option| option.accepts(other, guard))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Variant")?;
        for option in &self.types {
            list.data_type(option)?;
        }
        list.end()
    }
}
