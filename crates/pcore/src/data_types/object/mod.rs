//! `Object`: types with attributes, constants and functions that programs define, and their parameterized forms.

mod builtin;
mod definition;
mod extension;
mod initializer;
pub(crate) use initializer::TYPE_SET;
mod text;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use ecow::{EcoString, eco_format};

pub(crate) use builtin::{ANNOTATION, DEFERRED, ERROR, LOOKUP_CONTEXT, PCORE, RESOURCE_PARAM, RESOURCE_TYPE};
pub use definition::{Attribute, AttributeKind, Definition, Function};
pub use extension::ObjectExtension;

use crate::data_type::{DataType, Type};
use crate::data_types::{CallableType, IntegerType, Member, StructType, TupleType};
use crate::guard::Guard;
use crate::hash::Hash as ValueHash;
use crate::issues::Issue;
use crate::mismatch::{Signature, describe_signatures};
use crate::object::Object;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Object[{…}]`. A named one can be referred to before it is defined, so that types can refer to each other.
#[derive(Default)]
pub struct ObjectType {
    declared_name: Option<EcoString>,
    definition: OnceLock<Definition>,
}

/// How many parents an object type may have.
const DEPTH: usize = 100;

impl ObjectType {
    /// A type with a name that is still to be defined.
    pub fn declared(name: impl Into<EcoString>) -> Arc<ObjectType> {
        Arc::new(ObjectType { declared_name: Some(name.into()), definition: OnceLock::new() })
    }

    /// A type defined by its initialization hash.
    pub fn from_hash(hash: &Arc<ValueHash>) -> Result<Arc<ObjectType>, Issue> {
        let object_type = Arc::new(ObjectType::default());
        object_type.define(hash)?;
        Ok(object_type)
    }

    /// Says what a declared type is. Only the first definition counts.
    pub fn define(self: &Arc<ObjectType>, hash: &Arc<ValueHash>) -> Result<(), Issue> {
        let definition = Definition::from_hash(self.declared_name.as_ref(), self, hash)?;
        self.definition.get_or_init(|| definition);
        Ok(())
    }

    /// What the type consists of; nothing as long as it is not defined.
    pub fn definition(&self) -> &Definition {
        static UNDEFINED: Definition = Definition::EMPTY;
        self.definition.get().unwrap_or(&UNDEFINED)
    }

    /// The name, if there is one.
    pub fn type_name(&self) -> Option<&EcoString> {
        self.declared_name.as_ref().or(self.definition().name.as_ref())
    }

    /// What messages call the type.
    pub(crate) fn label(&self) -> &str {
        self.type_name().map_or("Object", EcoString::as_str)
    }

    /// Whether this is plain `Object`.
    pub fn is_default(&self) -> bool {
        self.type_name().is_none() && *self.definition() == Definition::EMPTY
    }

    /// The object type this one inherits from.
    pub fn parent(&self) -> Option<&Arc<ObjectType>> {
        match self.definition().parent.as_ref()?.resolved() {
            Type::Object(parent) => Some(parent),
            _ => None,
        }
    }

    /// This type and its parents, the outermost parent first.
    fn lineage(&self) -> Vec<&ObjectType> {
        let mut lineage = vec![self];
        let mut parent = self.parent();
        while let Some(next) = parent.filter(|_| lineage.len() < DEPTH) {
            lineage.push(next);
            parent = next.parent();
        }
        lineage.reverse();
        lineage
    }

    /// All attributes; those of parents come first, and an override stands where the overridden one stood.
    pub fn attributes(&self) -> Vec<&Attribute> {
        inherited(&self.lineage(), |definition| &definition.attributes)
    }

    /// All parameters of the type itself, such as the `kind` of `Error['kind']`.
    pub fn type_parameters(&self) -> Vec<&Attribute> {
        inherited(&self.lineage(), |definition| &definition.type_parameters)
    }

    /// An attribute by name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.lineage()
            .into_iter()
            .rev()
            .find_map(|object_type| object_type.definition().attributes.iter().find(|attribute| attribute.name == name))
    }

    /// A function by name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.lineage()
            .into_iter()
            .rev()
            .find_map(|object_type| object_type.definition().functions.iter().find(|function| function.name == name))
    }

    /// The attributes that are given when an instance is made: first those that must be given.
    pub fn parameters(&self) -> Vec<&Attribute> {
        let (required, optional): (Vec<_>, Vec<_>) = self
            .attributes()
            .into_iter()
            .filter(|attribute| attribute.is_given())
            .partition(|attribute| !attribute.is_optional());
        required.into_iter().chain(optional).collect()
    }

    /// The attributes that make two instances equal.
    pub(crate) fn equality_attributes(&self) -> Vec<&Attribute> {
        let mut all = Vec::new();
        for object_type in self.lineage() {
            let definition = object_type.definition();
            let counts = |attribute: &&Attribute| match &definition.equality {
                Some(names) => names.contains(&attribute.name),
                None => attribute.kind != Some(AttributeKind::Constant),
            };
            all.extend(definition.attributes.iter().filter(counts));
        }
        all
    }

    /// The type of the hash an instance can be made of.
    pub fn initializer_type(&self) -> StructType {
        self.initializer_within(&mut Guard::default())
    }

    /// The same within a question that is being answered: an attribute may be an `Init` of this type.
    fn initializer_within(&self, guard: &mut Guard) -> StructType {
        let member = |attribute: &Attribute| Member {
            name: attribute.name.clone(),
            optional: attribute.is_optional_within(guard),
            value: attribute.data_type.clone(),
        };
        let given = self.attributes().into_iter().filter(|attribute| attribute.is_given());
        StructType { members: given.map(member).collect() }
    }

    /// Makes an instance of a hash, or of the attributes in order.
    pub fn new_instance(self: &Arc<ObjectType>, args: &[Value]) -> Result<Value, Issue> {
        let parameters = self.parameters();
        let [from_hash, create] = self.constructor_parameters(&mut Guard::default());
        if let [Value::Hash(given)] = args
            && from_hash.contains(args)
        {
            let values = parameters
                .iter()
                .map(|parameter| given.get_str(&parameter.name).cloned().unwrap_or_else(|| parameter.default_value()));
            return Ok(Value::Object(Arc::new(Object::new(self.clone(), values.collect()))));
        }
        if create.contains(args) {
            let defaults = parameters.iter().skip(args.len()).map(|parameter| parameter.default_value());
            let values = args.iter().cloned().chain(defaults).collect();
            return Ok(Value::Object(Arc::new(Object::new(self.clone(), values))));
        }
        Err(self.refused(args, [from_hash, create], &parameters))
    }

    /// What `new` takes: a hash of all attributes, or their values one after the other.
    pub(crate) fn constructor_parameters(&self, guard: &mut Guard) -> [TupleType; 2] {
        let initializer = self.initializer_within(guard);
        let (optional, required): (Vec<_>, Vec<_>) = initializer.members.iter().partition(|member| member.optional);
        let size = IntegerType::sizes(required.len(), initializer.members.len());
        let types = required.into_iter().chain(optional).map(|member| member.value.clone()).collect();
        [
            TupleType::new(vec![Type::Struct(Arc::new(initializer))], Some(IntegerType::exactly(1))),
            TupleType::new(types, Some(size)),
        ]
    }

    fn refused(&self, args: &[Value], signatures: [TupleType; 2], parameters: &[&Attribute]) -> Issue {
        let callable = |parameters| CallableType { parameters: Some(parameters), block: None, returned: None };
        let [from_hash, create] = signatures.map(callable);
        let names: Vec<EcoString> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let signatures = [
            Signature { callable: &from_hash, names: &["hash".into()], block_name: "block" },
            Signature { callable: &create, names: &names, block_name: "block" },
        ];
        let name = eco_format!("new_{}", self.type_name().map_or("", EcoString::as_str));
        crate::issues::runtime_error(describe_signatures(&name, &signatures, args, None))
    }

    /// Whether another type is this one or inherits from it.
    fn is_ancestor_of(&self, other: &ObjectType) -> bool {
        self.is_default() || other.lineage().contains(&self)
    }
}

/// The members of a lineage; a member of a child takes the place of the one with the same name.
fn inherited<'t>(lineage: &[&'t ObjectType], members: impl Fn(&Definition) -> &Vec<Attribute>) -> Vec<&'t Attribute> {
    let mut all: Vec<&Attribute> = Vec::new();
    for object_type in lineage {
        for member in members(object_type.definition()) {
            match all.iter_mut().find(|known| known.name == member.name) {
                Some(known) => *known = member,
                None => all.push(member),
            }
        }
    }
    all
}

impl fmt::Debug for ObjectType {
    // A definition may contain the type itself, so only the name is shown.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ObjectType").field(&self.label()).finish()
    }
}

impl PartialEq for ObjectType {
    // Attributes may lead back to the type, so that types with a name are compared by their members' names only.
    fn eq(&self, other: &ObjectType) -> bool {
        if std::ptr::eq(self, other) {
            return true;
        }
        match (self.type_name(), other.type_name()) {
            (Some(name), Some(other_name)) => {
                let names = |object_type: &ObjectType| -> Vec<EcoString> {
                    let definition = object_type.definition();
                    definition.attributes.iter().map(|attribute| attribute.name.clone()).collect()
                };
                name == other_name && names(self) == names(other)
            }
            (None, None) => self.definition() == other.definition(),
            _ => false,
        }
    }
}

impl Eq for ObjectType {}

impl Hash for ObjectType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_name().hash(state);
    }
}

impl DataType for ObjectType {
    fn name(&self) -> &str {
        self.label()
    }

    fn is_instance(&self, value: &Value) -> bool {
        match value {
            Value::Object(object) => self.is_ancestor_of(object.object_type()),
            // Types are objects of the type system.
            Value::Type(_) => self.is_default(),
            _ => false,
        }
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        match other {
            Type::Object(other) => self.is_ancestor_of(other),
            Type::ObjectExtension(other) => self.is_ancestor_of(&other.base),
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        if writer.is_expanded() { text::write_definition(self, writer) } else { writer.type_name(self.label()) }
    }
}
