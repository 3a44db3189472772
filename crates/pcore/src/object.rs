//! Instances of object types.

use std::fmt;
use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;

use crate::data_types::object::ERROR;
use crate::data_types::{AttributeKind, ObjectType};
use crate::extent::{Extent, Known};
use crate::hash::Hash;
use crate::value::Value;

/// An instance of an object type: its attributes never change.
#[derive(Clone, Debug)]
pub struct Object {
    object_type: Arc<ObjectType>,
    values: Vec<Value>,
    known: Known,
}

impl Object {
    /// An instance with the values of [`ObjectType::parameters`] in order.
    pub(crate) fn new(object_type: Arc<ObjectType>, values: Vec<Value>) -> Object {
        Object { object_type, values, known: Known::default() }
    }

    /// An `Error` of a function of the language itself, whose details may be of any type.
    pub fn error(message: &str, kind: &str, details: Value, issue_code: &str) -> Object {
        Object::new(ERROR.clone(), vec![message.into(), kind.into(), details, issue_code.into()])
    }

    /// The type of the object.
    pub fn object_type(&self) -> &Arc<ObjectType> {
        &self.object_type
    }

    /// How large the object is.
    pub(crate) fn extent(&self) -> Extent {
        self.known.get_or(|| self.values.iter().fold(Extent::COLLECTION, |extent, value| extent.with(value)))
    }

    /// The value of an attribute, a constant, or a function without parameters that the language itself provides.
    pub fn get(&self, name: &str) -> Option<Value> {
        // `Error` has one function, and it is another name of an attribute.
        let name = if name == "message" && self.object_type.function(name).is_some() { "msg" } else { name };
        let attribute = self.object_type.attribute(name)?;
        if attribute.kind == Some(AttributeKind::Constant) {
            return attribute.value.clone();
        }
        let parameters = self.object_type.parameters();
        let position = parameters.iter().position(|parameter| parameter.name == name)?;
        self.values.get(position).cloned()
    }

    /// The hash that an equal object can be made of: what differs from the default values.
    pub fn initializer(&self) -> Hash {
        let given = self.object_type.parameters().into_iter().zip(&self.values);
        let special =
            given.filter(|(parameter, value)| !(parameter.is_optional() && parameter.default_value() == **value));
        special.map(|(parameter, value)| (Value::String(parameter.name.clone()), value.clone())).collect()
    }

    fn equality_values(&self) -> Vec<Value> {
        let attributes = self.object_type.equality_attributes();
        attributes.into_iter().map(|attribute| self.get(&attribute.name).unwrap_or_default()).collect()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        let includes_type = self.object_type.definition().equality_includes_type;
        (!includes_type || self.object_type == other.object_type) && self.equality_values() == other.equality_values()
    }
}

impl Eq for Object {}

impl StdHash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.equality_values().hash(state);
    }
}

impl fmt::Display for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&crate::text::value_text(&Value::Object(Arc::new(self.clone()))))
    }
}
