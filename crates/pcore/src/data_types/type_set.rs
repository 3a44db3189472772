//! `TypeSet`: types that are defined and versioned together.

use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, OnceLock};

use ecow::{EcoString, eco_format};

use crate::data_type::{DataType, Type};
use crate::data_types::{SemVer, SemVerRange};
use crate::guard::Guard;
use crate::hash::Hash as ValueHash;
use crate::issues::{self, Issue};
use crate::quote::quote;
use crate::text::TypeWriter;
use crate::value::Value;

/// The authority for names that programs define.
const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

/// `TypeSet[{…}]`. A named one can be referred to before it is defined.
#[derive(Default)]
pub struct TypeSetType {
    declared_name: Option<EcoString>,
    definition: OnceLock<TypeSetDefinition>,
}

/// The parts of a type set.
#[derive(Clone, Debug, Default)]
pub struct TypeSetDefinition {
    /// All entries but the types.
    pub entries: ValueHash,
    /// The types by their names in the set.
    pub types: Vec<(EcoString, Type)>,
}

/// Plain `TypeSet`.
pub(crate) static DEFAULT: LazyLock<Arc<TypeSetType>> = LazyLock::new(|| {
    let entry = |key: &str, value: &str| (Value::from(key), Value::from(value));
    let entries = ValueHash::from_iter([
        entry("pcore_uri", "http://puppet.com/2016.1/pcore"),
        entry("pcore_version", "1.0.0"),
        entry("name_authority", RUNTIME_AUTHORITY),
        entry("name", "DefaultTypeSet"),
        entry("version", "0.0.0"),
    ]);
    let definition = TypeSetDefinition { entries, types: Vec::new() };
    Arc::new(TypeSetType { declared_name: None, definition: OnceLock::from(definition) })
});

impl TypeSetType {
    /// A set with a name that is still to be defined.
    pub fn declared(name: impl Into<EcoString>) -> Arc<TypeSetType> {
        Arc::new(TypeSetType { declared_name: Some(name.into()), definition: OnceLock::new() })
    }

    /// A set without a name of its own.
    pub fn from_hash(hash: &ValueHash) -> Result<Arc<TypeSetType>, Issue> {
        let mut definition = TypeSetDefinition { entries: hash.clone(), types: Vec::new() };
        if let Some(Value::Hash(types)) = definition.entries.remove(&Value::from("types")) {
            for (name, data_type) in types.iter() {
                if let (Some(name), Value::Type(data_type)) = (name.as_str(), data_type) {
                    definition.types.push((name.into(), data_type.clone()));
                }
            }
        }
        let type_set = Arc::new(TypeSetType::default());
        type_set.define(definition)?;
        Ok(type_set)
    }

    /// Says what a declared set is. Only the first definition counts.
    pub fn define(&self, definition: TypeSetDefinition) -> Result<(), Issue> {
        let text = |key: &str| definition.entries.get_str(key).map(Value::to_string);
        let Some(version) = text("pcore_version") else {
            let message = "TypeSet initializer has wrong type, expects a value for key 'pcore_version'";
            return Err(issues::runtime_error(message));
        };
        let understood = SemVerRange::parse("1.x")?;
        if !understood.includes(&SemVer::parse(&version)?) {
            let name = self.declared_name.clone().or(text("name").map(EcoString::from)).unwrap_or_default();
            return Err(issues::runtime_error(eco_format!(
                "The pcore version for TypeSet '{name}' is not understood by this runtime. Expected range 1.x, got {version}"
            )));
        }
        self.definition.get_or_init(|| definition);
        Ok(())
    }

    fn entries(&self) -> &ValueHash {
        static EMPTY: LazyLock<ValueHash> = LazyLock::new(ValueHash::new);
        self.definition.get().map_or(&EMPTY, |definition| &definition.entries)
    }

    /// The name of the set.
    pub fn set_name(&self) -> &str {
        let given = || self.entries().get_str("name").and_then(Value::as_str);
        self.declared_name.as_deref().or_else(given).unwrap_or_default()
    }

    /// A type of the set by its name in the set; upper and lower case do not matter.
    pub fn get(&self, name: &str) -> Option<&Type> {
        let types = &self.definition.get()?.types;
        types.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, data_type)| data_type)
    }

    fn identity(&self) -> [Option<&Value>; 2] {
        [self.entries().get_str("name_authority"), self.entries().get_str("version")]
    }
}

impl fmt::Debug for TypeSetType {
    // The types may refer to the set, so only the name is shown.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TypeSetType").field(&self.set_name()).finish()
    }
}

impl PartialEq for TypeSetType {
    fn eq(&self, other: &TypeSetType) -> bool {
        self.set_name() == other.set_name() && self.identity() == other.identity()
    }
}

impl Eq for TypeSetType {}

impl Hash for TypeSetType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.set_name().hash(state);
    }
}

impl DataType for TypeSetType {
    fn name(&self) -> &str {
        self.set_name()
    }

    fn is_instance(&self, value: &Value) -> bool {
        matches!(value, Value::Type(Type::TypeSet(_)))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        matches!(other, Type::TypeSet(other) if *self == **DEFAULT || self == &**other)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        writer.text("TypeSet[{")?;
        let mut separator = "";
        for key in ["pcore_uri", "pcore_version", "name_authority", "name", "version"] {
            let declared = (key == "name").then(|| self.set_name().to_owned());
            let authority = (key == "name_authority").then(|| RUNTIME_AUTHORITY.to_owned());
            let given = self.entries().get_str(key).map(Value::to_string);
            if let Some(text) = declared.or(given).or(authority) {
                write!(writer, "{separator}{key} => {}", quote(&text))?;
                separator = ", ";
            }
        }
        let types = self.definition.get().map_or(&[][..], |definition| &definition.types);
        if !types.is_empty() {
            writer.text(", types => {")?;
            for (index, (name, data_type)) in types.iter().enumerate() {
                write!(writer, "{}{name} => ", if index > 0 { ", " } else { "" })?;
                match data_type {
                    Type::Alias(alias) => writer.data_type(alias.resolved())?,
                    other => writer.data_type(other)?,
                }
            }
            writer.text("}")?;
        }
        writer.text("}]")
    }
}
