//! Object types with parameters: `Error['kind']`.

use std::fmt;
use std::sync::Arc;

use ecow::eco_format;

use super::ObjectType;
use crate::data_type::{DataType, Type};
use crate::data_types::uri_type::{covers, matches};
use crate::guard::Guard;
use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::mismatch::assert_instance;
use crate::object::Object;
use crate::text::TypeWriter;
use crate::value::Value;

/// An object type whose instances have attributes that match the parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectExtension {
    /// The object type.
    pub base: Arc<ObjectType>,
    /// The parameters by name.
    pub parameters: Arc<Hash>,
}

impl ObjectExtension {
    /// The type with parameters in order, or in a hash by name.
    pub fn new(base: &Arc<ObjectType>, keys: &[Value]) -> Result<ObjectExtension, Issue> {
        let known = base.type_parameters();
        let label = base.label();
        let failure = |message| Err(issues::runtime_error(message));
        let Some(first) = known.first() else {
            return failure(eco_format!("The {label}-Type cannot be parameterized using []"));
        };
        let mut parameters = Hash::new();
        let mut add = |parameter: &super::Attribute, value: &Value| {
            if !matches!(value, Value::Default) {
                let subject = format!("type_parameter {label}[{}]", parameter.name);
                assert_instance(&subject, &parameter.data_type, value)?;
                parameters.insert(Value::String(parameter.name.clone()), value.clone());
            }
            Ok(())
        };
        match keys {
            [given @ Value::Hash(hash)] if !first.data_type.is_instance(given) => {
                for (name, value) in hash.iter() {
                    match known.iter().find(|parameter| name.as_str() == Some(&parameter.name)) {
                        Some(parameter) => add(parameter, value)?,
                        None => return failure(eco_format!("'{name}' is not a known type parameter for {label}-Type")),
                    }
                }
            }
            keys => {
                for (parameter, value) in known.iter().zip(keys) {
                    add(parameter, value)?;
                }
            }
        }
        if parameters.is_empty() {
            return failure(eco_format!("The {label}-Type cannot be parameterized using an empty parameter list"));
        }
        Ok(ObjectExtension { base: base.clone(), parameters: Arc::new(parameters) })
    }

    /// The narrowest type of an object whose type has parameters.
    pub(crate) fn of(object: &Object) -> ObjectExtension {
        let base = object.object_type();
        let parameter = |name: &ecow::EcoString| (Value::String(name.clone()), object.get(name).unwrap_or_default());
        let parameters = base.type_parameters().into_iter().map(|attribute| parameter(&attribute.name));
        ObjectExtension { parameters: Arc::new(parameters.collect()), base: base.clone() }
    }
}

impl DataType for ObjectExtension {
    fn name(&self) -> &str {
        self.base.label()
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::Object(object) = value else { return false };
        self.base.is_instance(value)
            && self.parameters.iter().all(|(name, parameter)| {
                let attribute = name.as_str().and_then(|name| object.get(name));
                attribute.is_some_and(|attribute| matches(&attribute, parameter))
            })
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        let Type::ObjectExtension(other) = other else { return false };
        self.base.is_assignable(&Type::Object(other.base.clone()), guard)
            && self
                .parameters
                .iter()
                .all(|(name, parameter)| other.parameters.get(name).is_some_and(|other| covers(parameter, other)))
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let known = self.base.type_parameters();
        writer.type_name(self.base.label())?;
        let mut list = writer.list("")?;
        if known.len() > 2 {
            list.value(&Value::Hash(self.parameters.clone()))?;
            return list.end();
        }
        let value = |name: &str| self.parameters.get_str(name).unwrap_or(&Value::Default);
        let mut values: Vec<&Value> = known.iter().map(|parameter| value(&parameter.name)).collect();
        while matches!(values.last(), Some(Value::Default)) {
            values.pop();
        }
        for value in values {
            list.value(value)?;
        }
        list.end()
    }
}
