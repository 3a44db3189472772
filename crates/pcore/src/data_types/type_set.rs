//! `TypeSet`: types that are defined and versioned together.

use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, OnceLock};

use ecow::{EcoString, eco_format};

use crate::data_type::{DataType, Type};
use crate::data_types::object::TYPE_SET;
use crate::data_types::{SemVer, SemVerRange};
use crate::guard::Guard;
use crate::hash::Hash as ValueHash;
use crate::issues::{self, Issue};
use crate::mismatch::assert_instance;
use crate::quote::quote;
use crate::text::TypeWriter;
use crate::value::Value;

/// The authority for names that programs define.
const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

/// `TypeSet[{…}]`. A named one can be referred to before it is defined.
#[derive(Default)]
pub struct TypeSetType {
    declared_name: Option<EcoString>,
    definition: OnceLock<Arc<Definition>>,
}

/// The parts of a type set.
#[derive(Debug, Default)]
pub(crate) struct Definition {
    /// All entries but the types.
    entries: ValueHash,
    /// The types by their names in the set.
    types: Vec<(EcoString, Type)>,
    references: Vec<TypeSetReference>,
}

/// Another type set that the types of a set may use.
#[derive(Debug)]
pub struct TypeSetReference {
    /// What the set calls it.
    pub alias: EcoString,
    /// Its name.
    pub name: EcoString,
    range: SemVerRange,
    type_set: OnceLock<Arc<TypeSetType>>,
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
    let definition = Definition { entries, ..Definition::default() };
    Arc::new(TypeSetType { declared_name: None, definition: OnceLock::from(Arc::new(definition)) })
});

impl TypeSetType {
    /// A set with a name that is still to be defined.
    pub fn declared(name: impl Into<EcoString>) -> Arc<TypeSetType> {
        Arc::new(TypeSetType { declared_name: Some(name.into()), definition: OnceLock::new() })
    }

    /// A set with a name and nothing else.
    pub fn named(name: &str) -> Arc<TypeSetType> {
        let entries = ValueHash::from_iter([("pcore_version".into(), "".into()), ("name".into(), name.into())]);
        let definition = Definition { entries, ..Definition::default() };
        Arc::new(TypeSetType { declared_name: None, definition: OnceLock::from(Arc::new(definition)) })
    }

    /// A set without a name of its own.
    pub fn from_hash(hash: &ValueHash) -> Result<Arc<TypeSetType>, Issue> {
        let mut entries = hash.clone();
        let member = |(name, data_type): (&Value, &Value)| match data_type {
            Value::Type(data_type) => Some((name.as_str()?.into(), data_type.clone())),
            _ => None,
        };
        let types = match entries.remove(&Value::from("types")) {
            Some(Value::Hash(types)) => Some(types.iter().filter_map(member).collect()),
            _ => None,
        };
        let type_set = Arc::new(TypeSetType::default());
        type_set.define(entries, types)?;
        Ok(type_set)
    }

    /// Says what a declared set is: its types, if there is such an entry, and all other entries. Only the first
    /// definition counts.
    pub fn define(&self, entries: ValueHash, types: Option<Vec<(EcoString, Type)>>) -> Result<(), Issue> {
        let mut initializer = entries.clone();
        if let Some(types) = &types {
            let entry = |(name, data_type): &(EcoString, Type)| (name.clone().into(), data_type.clone().into());
            initializer.insert("types".into(), Value::hash(types.iter().map(entry)));
        }
        assert_instance("TypeSet initializer", &TYPE_SET, &initializer.into())?;
        let text = |key: &str| entries.get_str(key).map(Value::to_string);
        let name = self.declared_name.clone().or(text("name").map(EcoString::from)).unwrap_or_default();
        let version = text("pcore_version").unwrap_or_default();
        if !SemVerRange::parse("1.x")?.includes(&SemVer::parse(&version)?) {
            return Err(issues::runtime_error(eco_format!(
                "The pcore version for TypeSet '{name}' is not understood by this runtime. Expected range 1.x, got {version}"
            )));
        }
        if let Some(version) = text("version") {
            SemVer::parse(&version)?;
        }
        let types = types.unwrap_or_default();
        let references = references(&name, &entries, &types)?;
        self.definition.get_or_init(|| Arc::new(Definition { entries, types, references }));
        Ok(())
    }

    /// The type sets that the types of this one may use.
    pub fn references(&self) -> &[TypeSetReference] {
        self.definition.get().map_or(&[], |definition| &definition.references)
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

    /// A type of the set, or of a set that it refers to, by its name in the set; upper and lower case do not matter.
    pub fn get(&self, name: &str) -> Option<Type> {
        let types = &self.definition.get()?.types;
        if let Some((_, data_type)) = types.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            return Some(data_type.clone());
        }
        let (alias, rest) = name.split_once("::").map_or((name, None), |(alias, rest)| (alias, Some(rest)));
        let reference = self.references().iter().find(|reference| reference.alias.eq_ignore_ascii_case(alias))?;
        let type_set = reference.type_set.get()?;
        rest.map_or_else(|| Some(Type::TypeSet(type_set.clone())), |rest| type_set.get(rest))
    }

    fn identity(&self) -> [Option<&Value>; 2] {
        [self.entries().get_str("name_authority"), self.entries().get_str("version")]
    }
}

impl Definition {
    /// What the set calls a type that it defines itself.
    pub(crate) fn own_name(&self, full_name: &str) -> Option<&EcoString> {
        let is_named = |data_type: &Type| match data_type {
            Type::Alias(alias) => alias.alias_name() == full_name,
            Type::Object(object) => object.type_name().is_some_and(|name| name == full_name),
            _ => false,
        };
        self.types.iter().find(|(_, data_type)| is_named(data_type)).map(|(name, _)| name)
    }

    /// What the set calls a type that it or a set it refers to defines.
    pub(crate) fn local_name(&self, full_name: &str) -> Option<EcoString> {
        let of_reference = |reference: &TypeSetReference| {
            let name = reference.type_set.get()?.definition.get()?.local_name(full_name)?;
            Some(eco_format!("{}::{name}", reference.alias))
        };
        self.own_name(full_name).cloned().or_else(|| self.references.iter().find_map(of_reference))
    }
}

impl TypeSetReference {
    /// Takes what the name of the reference stands for, which must be a type set of the wanted version.
    pub fn resolve(&self, owner: &TypeSetType, found: Option<Type>) -> Result<(), Issue> {
        let reference = eco_format!("TypeSet '{}' reference to TypeSet named '{}'", owner.set_name(), self.name);
        let refuse = |reason: EcoString| Err(issues::runtime_error(eco_format!("{reference} {reason}")));
        let type_set = match found {
            Some(Type::TypeSet(type_set)) => type_set,
            Some(other) => return refuse(eco_format!("resolves to a {}", other.name())),
            None => return refuse("cannot be resolved".into()),
        };
        let version = type_set.entries().get_str("version").map(Value::to_string).unwrap_or_default();
        if !SemVer::parse(&version).is_ok_and(|version| self.range.includes(&version)) {
            let range = &self.range;
            return refuse(eco_format!("resolves to an incompatible version. Expected {range}, got {version}"));
        }
        self.type_set.get_or_init(|| type_set);
        Ok(())
    }
}

/// The references that a set with a name has among its entries.
fn references(
    set_name: &str,
    entries: &ValueHash,
    types: &[(EcoString, Type)],
) -> Result<Vec<TypeSetReference>, Issue> {
    let mut references: Vec<TypeSetReference> = Vec::new();
    let Some(Value::Hash(given)) = entries.get_str("references") else { return Ok(references) };
    let authority = entries.get_str("name_authority").map_or_else(|| RUNTIME_AUTHORITY.into(), Value::to_string);
    for (alias, reference) in given.iter() {
        let text = |key: &str| reference.get(key).map(Value::to_string).unwrap_or_default();
        let (alias, name, range) = (eco_format!("{alias}"), text("name"), SemVerRange::parse(&text("version_range"))?);
        let overlaps = |other: &TypeSetReference| other.name == name && !other.range.intersection(&range).is_empty();
        if references.iter().any(overlaps) {
            return Err(issues::runtime_error(eco_format!(
                "TypeSet '{set_name}' references TypeSet '{authority}/{name}' more than once using overlapping version ranges"
            )));
        }
        if types.iter().any(|(known, _)| *known == alias) {
            return Err(issues::runtime_error(eco_format!(
                "TypeSet '{set_name}' references a TypeSet using alias '{alias}'. The alias collides with the name of a declared type"
            )));
        }
        references.push(TypeSetReference { alias, name: name.into(), range, type_set: OnceLock::new() });
    }
    Ok(references)
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
            let is_declared = self.declared_name.is_some();
            let authority = (key == "name_authority" && is_declared).then(|| RUNTIME_AUTHORITY.to_owned());
            let given = self.entries().get_str(key).map(Value::to_string);
            if let Some(text) = declared.or(given).or(authority) {
                write!(writer, "{separator}{key} => {}", quote(&text))?;
                separator = ", ";
            }
        }
        if let Some(definition) = self.definition.get().filter(|definition| !definition.types.is_empty()) {
            writer.text(", types => {")?;
            writer.with_type_set(definition, |writer| {
                for (index, (name, data_type)) in definition.types.iter().enumerate() {
                    write!(writer, "{}{name} => ", if index > 0 { ", " } else { "" })?;
                    writer.data_type(data_type)?;
                }
                Ok(())
            })?;
            writer.text("}")?;
        }
        if !self.references().is_empty() {
            writer.text(", references => {")?;
            for (index, TypeSetReference { alias, name, range, .. }) in self.references().iter().enumerate() {
                let separator = if index > 0 { ", " } else { "" };
                let (name, range) = (quote(name), quote(&range.to_string()));
                write!(writer, "{separator}{alias} => {{'name' => {name}, 'version_range' => {range}}}")?;
            }
            writer.text("}")?;
        }
        writer.text("}]")
    }
}
