//! What an object type consists of, read from the hash that defines it. The order of checks and their words are the
//! reference's.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use super::ObjectType;
use super::initializer::{ATTRIBUTE, FUNCTION, INITIALIZER};
use crate::data_type::Type;
use crate::guard::Guard;
use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::mismatch::assert_instance;
use crate::value::Value;

/// The parts of an object type, without those it inherits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name in the hash.
    pub name: Option<EcoString>,
    /// The type it inherits from.
    pub parent: Option<Type>,
    /// The parameters of the type itself.
    pub type_parameters: Vec<Attribute>,
    /// The attributes, constants among them.
    pub attributes: Vec<Attribute>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The attributes that make instances equal, if not all of them.
    pub equality: Option<Vec<EcoString>>,
    /// Whether instances of different types can be equal.
    pub equality_includes_type: bool,
    /// Checks, which have no meaning yet.
    pub checks: Option<Value>,
    /// What the instances of annotations are made of that the type has from the beginning.
    pub annotations: Option<Value>,
}

/// An attribute, a constant, or a parameter of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: EcoString,
    /// The type.
    pub data_type: Type,
    /// What kind it is, if not a plain one.
    pub kind: Option<AttributeKind>,
    /// The value when none is given.
    pub value: Option<Value>,
    /// Whether it cannot be overridden.
    pub is_final: bool,
    /// Whether it overrides an inherited one.
    pub is_override: bool,
}

/// The kinds of attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the language")]
pub enum AttributeKind {
    Constant,
    Derived,
    GivenOrDerived,
    Reference,
}

impl AttributeKind {
    /// The name in the language.
    pub fn as_str(self) -> &'static str {
        match self {
            AttributeKind::Constant => "constant",
            AttributeKind::Derived => "derived",
            AttributeKind::GivenOrDerived => "given_or_derived",
            AttributeKind::Reference => "reference",
        }
    }

    fn from_name(name: &str) -> Option<AttributeKind> {
        let kinds =
            [AttributeKind::Constant, AttributeKind::Derived, AttributeKind::GivenOrDerived, AttributeKind::Reference];
        kinds.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A function of an object type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: EcoString,
    /// The signature.
    pub data_type: Type,
    /// Whether it cannot be overridden.
    pub is_final: bool,
    /// Whether it overrides an inherited one.
    pub is_override: bool,
}

impl Attribute {
    /// A plain attribute.
    pub(crate) fn plain(name: &str, data_type: Type, value: Option<Value>) -> Attribute {
        Attribute { name: name.into(), data_type, kind: None, value, is_final: false, is_override: false }
    }

    /// Whether it is given when an instance is made.
    pub fn is_given(&self) -> bool {
        !matches!(self.kind, Some(AttributeKind::Constant | AttributeKind::Derived))
    }

    /// Whether it may be left out when an instance is made.
    pub fn is_optional(&self) -> bool {
        self.is_optional_within(&mut Guard::default())
    }

    /// The same within a question that is being answered: the data type may lead back to the object type.
    pub(super) fn is_optional_within(&self, guard: &mut Guard) -> bool {
        self.value.is_some() || self.data_type.accepts(&Type::Undef, guard)
    }

    /// The value when none is given.
    pub fn default_value(&self) -> Value {
        self.value.clone().unwrap_or_default()
    }

    fn read(owner: &str, name: &EcoString, spec: &Value) -> Result<Attribute, Issue> {
        let label = label(owner, "attribute", name);
        if let Value::Type(data_type) = spec {
            // What may be `undef` need not be given.
            let value = matches!(data_type, Type::Optional(_)).then_some(Value::Undef);
            return Ok(Attribute::plain(name, data_type.clone(), value));
        }
        let Value::Hash(spec) = spec else {
            assert_instance(&label, &Type::type_of(None), spec)?;
            return Ok(Attribute::plain(name, Type::Any, None));
        };
        assert_instance(&format!("initializer for {label}"), &ATTRIBUTE, &Value::Hash(spec.clone()))?;
        if name == "__ptype" || name == "__pvalue" {
            return Err(failure(eco_format!("The attribute '{name}' is reserved and cannot be used")));
        }
        let kind = spec.get_str("kind").and_then(Value::as_str).and_then(AttributeKind::from_name);
        let data_type = type_entry(spec);
        if kind == Some(AttributeKind::Constant) && matches!(spec.get_str("final"), Some(Value::Boolean(false))) {
            return Err(failure(eco_format!("{label} of kind 'constant' cannot be combined with final => false")));
        }
        let value = spec.get_str("value");
        if let (Some(_), Some(kind @ (AttributeKind::Derived | AttributeKind::GivenOrDerived))) = (value, kind) {
            let kind = kind.as_str();
            return Err(failure(eco_format!("{label} of kind '{kind}' cannot be combined with an attribute value")));
        }
        match value {
            Some(Value::Default) => {}
            Some(value) => assert_instance(&format!("{label} value"), &data_type, value)?,
            None if kind == Some(AttributeKind::Constant) => {
                return Err(failure(eco_format!("{label} of kind 'constant' requires a value")));
            }
            None => {}
        }
        Ok(Attribute {
            name: name.clone(),
            data_type,
            kind,
            value: value.cloned(),
            is_final: kind == Some(AttributeKind::Constant) || flag(spec, "final"),
            is_override: flag(spec, "override"),
        })
    }
}

impl Function {
    fn read(owner: &str, name: &EcoString, spec: &Value) -> Result<Function, Issue> {
        let function =
            |data_type, is_final, is_override| Function { name: name.clone(), data_type, is_final, is_override };
        match spec {
            Value::Hash(spec) => {
                let subject = format!("initializer for function '{name}'");
                assert_instance(&subject, &FUNCTION, &Value::Hash(spec.clone()))?;
                Ok(function(type_entry(spec), flag(spec, "final"), flag(spec, "override")))
            }
            spec => {
                let expected = Type::type_of(Type::by_name("Callable"));
                assert_instance(&label(owner, "function", name), &expected, spec)?;
                let data_type = if let Value::Type(data_type) = spec { data_type.clone() } else { Type::Any };
                Ok(function(data_type, false, false))
            }
        }
    }
}

impl Definition {
    pub(super) const EMPTY: Definition = Definition {
        name: None,
        parent: None,
        type_parameters: Vec::new(),
        attributes: Vec::new(),
        functions: Vec::new(),
        equality: None,
        equality_includes_type: true,
        checks: None,
        annotations: None,
    };

    pub(super) fn from_hash(
        declared_name: Option<&EcoString>,
        object_type: &Arc<ObjectType>,
        hash: &Arc<Hash>,
    ) -> Result<Definition, Issue> {
        assert_instance("object initializer", &INITIALIZER, &Value::Hash(hash.clone()))?;
        let name: Option<EcoString> = hash.get_str("name").and_then(Value::as_str).map(EcoString::from);
        let owner = declared_name.or(name.as_ref()).map_or("Object", EcoString::as_str).to_owned();
        let parent = match hash.get_str("parent") {
            Some(Value::Type(parent)) => Some(parent.clone()),
            _ => None,
        };
        let inherited = inherited(&owner, object_type, parent.as_ref())?;
        let mut definition = Definition { name, parent: parent.clone(), ..Definition::EMPTY };
        definition.read_type_parameters(&owner, hash)?;
        definition.read_attributes(&owner, inherited, hash)?;
        definition.read_functions(&owner, inherited, hash)?;
        definition.read_equality(&owner, inherited, hash)?;
        definition.checks = hash.get_str("checks").filter(|checks| !checks.is_undef()).cloned();
        definition.annotations = hash.get_str("annotations").filter(|annotations| !annotations.is_undef()).cloned();
        Ok(definition)
    }

    fn read_type_parameters(&mut self, owner: &str, hash: &Hash) -> Result<(), Issue> {
        for (name, spec) in entries(hash, "type_parameters") {
            let (data_type, value) = match spec {
                Value::Hash(spec) => (type_entry(spec), spec.get_str("value").cloned()),
                Value::Type(data_type) => (data_type.clone(), None),
                other => {
                    assert_instance(&label(owner, "type_parameter", &name), &Type::type_of(None), other)?;
                    continue;
                }
            };
            let data_type = if matches!(data_type, Type::Optional(_)) { data_type } else { Type::optional(data_type) };
            self.type_parameters.push(Attribute::plain(&name, data_type, value));
        }
        Ok(())
    }

    fn read_attributes(&mut self, owner: &str, inherited: Option<&ObjectType>, hash: &Hash) -> Result<(), Issue> {
        let constants: Vec<_> = entries(hash, "constants").collect();
        for (name, spec) in entries(hash, "attributes") {
            if constants.iter().any(|(constant, _)| *constant == name) {
                let both = eco_format!("attribute {owner}[{name}] is defined as both a constant and an attribute");
                return Err(failure(both));
            }
            self.attributes.push(Attribute::read(owner, &name, spec)?);
        }
        for (name, value) in constants {
            self.attributes.push(Attribute {
                is_override: inherited.is_some_and(|parent| parent.attribute(&name).is_some()),
                name,
                data_type: Type::infer_generalized(value),
                kind: Some(AttributeKind::Constant),
                value: Some(value.clone()),
                is_final: true,
            });
        }
        for attribute in &self.attributes {
            let overridden = inherited.and_then(|parent| {
                let constant = |kind| kind == Some(AttributeKind::Constant);
                parent.attribute(&attribute.name).map(|known| Overridden {
                    data_type: &known.data_type,
                    // One constant may take the place of another.
                    is_final: known.is_final && !(constant(known.kind) && constant(attribute.kind)),
                    label: label(parent.label(), "attribute", &known.name),
                })
            });
            let is_function = inherited.is_some_and(|parent| parent.function(&attribute.name).is_some());
            let mine = label(owner, "attribute", &attribute.name);
            check_override("attribute", &mine, attribute.is_override, &attribute.data_type, overridden, is_function)?;
        }
        Ok(())
    }

    fn read_functions(&mut self, owner: &str, inherited: Option<&ObjectType>, hash: &Hash) -> Result<(), Issue> {
        for (name, spec) in entries(hash, "functions") {
            let function = Function::read(owner, &name, spec)?;
            let mine = label(owner, "function", &name);
            if self.attributes.iter().any(|attribute| attribute.name == name) {
                return Err(failure(eco_format!("{mine} conflicts with attribute with the same name")));
            }
            let overridden = inherited.and_then(|parent| {
                parent.function(&name).map(|known| Overridden {
                    data_type: &known.data_type,
                    is_final: known.is_final,
                    label: label(parent.label(), "function", &known.name),
                })
            });
            let is_attribute = inherited.is_some_and(|parent| parent.attribute(&name).is_some());
            check_override("function", &mine, function.is_override, &function.data_type, overridden, is_attribute)?;
            self.functions.push(function);
        }
        Ok(())
    }

    fn read_equality(&mut self, owner: &str, inherited: Option<&ObjectType>, hash: &Hash) -> Result<(), Issue> {
        self.equality_includes_type = !matches!(hash.get_str("equality_include_type"), Some(Value::Boolean(false)));
        let names: Vec<EcoString> = match hash.get_str("equality") {
            Some(Value::String(name)) => vec![name.clone()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(EcoString::from).collect(),
            _ => return Ok(()),
        };
        if !names.is_empty() && !self.equality_includes_type {
            let message = "equality_include_type = false cannot be combined with non empty equality specification";
            return Err(failure(message));
        }
        for name in &names {
            self.check_equality(owner, inherited, name)?;
        }
        self.equality = Some(names);
        Ok(())
    }

    fn check_equality(&self, owner: &str, inherited: Option<&ObjectType>, name: &EcoString) -> Result<(), Issue> {
        if let Some(parent) = inherited
            && parent.equality_attributes().iter().any(|attribute| attribute.name == *name)
        {
            let (attribute, parent) = (label(parent.label(), "attribute", name), parent.label());
            return Err(failure(eco_format!(
                "{owner} equality is referencing {attribute} which is included in equality of {parent}"
            )));
        }
        let own = self.attributes.iter().find(|attribute| attribute.name == *name);
        match own.or_else(|| inherited.and_then(|parent| parent.attribute(name))) {
            Some(attribute) if attribute.kind == Some(AttributeKind::Constant) => Err(failure(eco_format!(
                "{owner} equality is referencing constant {}. Reference to constant is not allowed in equality",
                label(owner, "attribute", name)
            ))),
            Some(_) => Ok(()),
            None if self.functions.iter().any(|function| function.name == *name) => Err(failure(eco_format!(
                "{owner} equality is referencing {}. Only attribute references are allowed",
                label(owner, "function", name)
            ))),
            None => Err(failure(eco_format!("{owner} equality is referencing non existent attribute '{name}'"))),
        }
    }
}

/// The object type that is inherited from, if the parent is one.
fn inherited<'p>(
    owner: &str,
    object_type: &Arc<ObjectType>,
    parent: Option<&'p Type>,
) -> Result<Option<&'p ObjectType>, Issue> {
    match parent.map(Type::resolved) {
        Some(Type::Reference(reference)) => {
            Err(failure(eco_format!("reference to unresolved type '{}'", reference.text)))
        }
        Some(Type::Object(parent)) => {
            if parent.lineage().into_iter().any(|ancestor| std::ptr::eq(ancestor, &**object_type)) {
                return Err(failure(eco_format!("The Object type '{owner}' inherits from itself")));
            }
            Ok(Some(parent))
        }
        _ => Ok(None),
    }
}

/// An inherited member that a member of the same name stands for.
struct Overridden<'t> {
    data_type: &'t Type,
    is_final: bool,
    label: EcoString,
}

fn check_override(
    kind: &str,
    mine: &str,
    is_override: bool,
    data_type: &Type,
    overridden: Option<Overridden<'_>>,
    is_other_kind: bool,
) -> Result<(), Issue> {
    let Some(overridden) = overridden else {
        if is_other_kind {
            return Err(failure(eco_format!("{mine} attempts to override a member of another kind")));
        }
        if is_override {
            return Err(failure(eco_format!(
                "expected {mine} to override an inherited {kind}, but no such {kind} was found"
            )));
        }
        return Ok(());
    };
    let theirs = &overridden.label;
    if overridden.is_final {
        return Err(failure(eco_format!("{mine} attempts to override final {theirs}")));
    }
    if !is_override {
        return Err(failure(eco_format!("{mine} attempts to override {theirs} without having override => true")));
    }
    if !overridden.data_type.is_assignable(data_type) {
        return Err(failure(eco_format!("{mine} attempts to override {theirs} with a type that does not match")));
    }
    Ok(())
}

fn failure(message: impl Into<EcoString>) -> Issue {
    issues::runtime_error(message)
}

/// What messages call a member: `attribute Car[wheels]`.
fn label(owner: &str, kind: &str, name: &str) -> EcoString {
    eco_format!("{kind} {owner}[{name}]")
}

fn flag(spec: &Hash, name: &str) -> bool {
    matches!(spec.get_str(name), Some(Value::Boolean(true)))
}

fn type_entry(spec: &Hash) -> Type {
    match spec.get_str("type") {
        Some(Value::Type(data_type)) => data_type.clone(),
        _ => Type::Any,
    }
}

/// The entries of a hash within the hash, which have been checked to have text as keys.
fn entries<'h>(hash: &'h Hash, key: &str) -> impl Iterator<Item = (EcoString, &'h Value)> {
    let inner = match hash.get_str(key) {
        Some(Value::Hash(inner)) => Some(inner),
        _ => None,
    };
    let entries = inner.into_iter().flat_map(|inner| inner.iter());
    entries.filter_map(|(name, value)| Some((EcoString::from(name.as_str()?), value)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use crate::parse::data_type;

    fn check(hash: &str, expected: &str) {
        let text = format!("Object[{hash}]");
        let actual = data_type(&text).map_or_else(|issue| issue.message().to_owned(), |found| found.to_string());
        assert_eq!(actual, expected);
    }

    #[test]
    fn definitions_are_checked() {
        let car = "Object[{name => 'Car', attributes => {'wheels' => {type => Integer, value => 4}}}]";
        check("{name => 'Car', attributes => {wheels => {type => Integer, value => 4}}}", car);
        check("{foo => 1}", "object initializer has wrong type, unrecognized key 'foo'");
        check("{attributes => {a => 1}}", "attribute Object[a] has wrong type, expects a Type value, got Integer");
        check(
            "{attributes => {a => {type => Integer, value => x}}}",
            "attribute Object[a] value has wrong type, expects an Integer value, got String",
        );
        check(
            "{attributes => {a => Integer}, functions => {a => Callable}}",
            "function Object[a] conflicts with attribute with the same name",
        );
        check(
            "{attributes => {a => {type => Integer, override => true}}}",
            "expected attribute Object[a] to override an inherited attribute, but no such attribute was found",
        );
        check("{equality => [b]}", "Object equality is referencing non existent attribute 'b'");
    }

    #[test]
    fn every_instance_has_its_defaults() {
        let car =
            data_type("Object[{name => 'Car', attributes => {a => Integer, b => {type => Integer, value => 4}}}]");
        let crate::Type::Object(car) = car.unwrap() else { return };
        let made = car.new_instance(&[1.into()]).unwrap();
        assert_eq!(made.to_string(), "Car({'a' => 1})");
        let message = car.new_instance(&["x".into()]).unwrap_err();
        assert!(message.message().starts_with("The function 'new_Car' was called with arguments"), "{message}");
    }
}
