//! A resource in the making: unlike one of a finished catalog it knows who set each parameter, and where.

use bunraku_syntax::deep;
use std::num::NonZeroU32;

use ecow::{EcoString, EcoVec};
use smallvec::SmallVec;

use bunraku_catalog::{Kind, Reference, ResourceType, Tags};
use bunraku_pcore::{OrderMap, Value, inspect};
use bunraku_syntax::Span;

use super::body::BodyId;
use crate::scope::ScopeId;

/// A resource of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceId(pub(super) u32);

/// What a resource is an instance of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition<'e> {
    /// A native resource type.
    Native(&'e ResourceType),
    /// A class, defined type or node.
    Body(BodyId),
}

/// A place as the reference remembers it: a file and a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) span: Span,
    /// Compatibility: a function takes the place of its call from the stack, where code in no file is in the file
    /// `unknown`.
    pub(super) is_from_stack: bool,
}

impl Place {
    pub(super) fn of(span: Span) -> Place {
        Place { span, is_from_stack: false }
    }
}

/// A parameter of a resource.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) value: Value,
    /// The body that set it.
    pub(super) source: BodyId,
    /// The attribute that set it; nothing for data and defaults.
    pub(super) attribute: Option<Attribute>,
    /// Identifies the list that several resources share when one attribute sets it for all of them.
    pub(super) list: Option<NonZeroU32>,
}

// There is one for each attribute of each resource.
const _: () = assert!(size_of::<Parameter>() <= 48);

impl Parameter {
    /// A parameter that no attribute sets.
    pub(super) fn new(value: Value, source: BodyId) -> Parameter {
        Parameter { value, source, attribute: None, list: None }
    }

    /// Where it was set; nothing if no attribute did it.
    pub(super) fn place(&self) -> Option<Place> {
        self.attribute.map(|attribute| Place::of(attribute.span))
    }
}

/// An attribute that sets a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) span: Span,
    /// Whether it adds to the value that is there: `+>`.
    pub(super) is_appended: bool,
}

/// Parameters by name, in the order they were set.
pub(super) type Parameters = OrderMap<EcoString, Parameter>;

/// A resource in the making.
#[derive(Debug)]
pub(super) struct Resource<'e> {
    pub(super) reference: Reference,
    pub(super) definition: Definition<'e>,
    pub(super) parameters: Parameters,
    pub(super) tags: Tags,
    pub(super) kind: Kind,
    pub(super) is_virtual: bool,
    pub(super) is_exported: bool,
    /// Where it was declared; nothing for an included class.
    pub(super) place: Option<Place>,
    /// The scope it was declared in.
    pub(super) scope: ScopeId,
    /// The body that declared it, which may override it.
    pub(super) source: BodyId,
    pub(super) is_evaluated: bool,
    /// Whether the tags of the surrounding resource are already added.
    pub(super) has_scope_tags: bool,
    /// Whether the parameters have been checked and not changed since.
    pub(super) is_checked: bool,
    /// What contains it.
    pub(super) containers: SmallVec<[ResourceId; 1]>,
    /// What it contains.
    pub(super) contents: EcoVec<ResourceId>,
    rare_fields: Option<Box<RareFields>>,
}

// There are many.
const _: () = assert!(size_of::<Resource>() <= 192);

/// What few resources have.
#[derive(Debug, Default)]
struct RareFields {
    title: Option<Value>,
    sensitive_parameters: Vec<EcoString>,
}

impl<'e> Resource<'e> {
    pub(super) fn new(
        reference: Reference,
        definition: Definition<'e>,
        scope: ScopeId,
        source: BodyId,
    ) -> Resource<'e> {
        Resource {
            reference,
            definition,
            parameters: Parameters::default(),
            tags: Tags::default(),
            kind: match definition {
                Definition::Native(_) => Kind::CompilableType,
                Definition::Body(_) => Kind::Unknown,
            },
            is_virtual: false,
            is_exported: false,
            place: None,
            scope,
            source,
            is_evaluated: false,
            has_scope_tags: false,
            is_checked: false,
            containers: SmallVec::new(),
            contents: EcoVec::new(),
            rare_fields: None,
        }
    }

    /// The title if it is no text, as functions may give it.
    pub(super) fn non_string_title(&self) -> Option<&Value> {
        self.rare_fields.as_ref()?.title.as_ref()
    }

    pub(super) fn set_non_string_title(&mut self, title: Value) {
        self.rare_fields.get_or_insert_default().title = Some(title);
    }

    /// Names of the parameters whose value was sensitive.
    pub(super) fn sensitive_parameters(&self) -> &[EcoString] {
        self.rare_fields.as_ref().map_or(&[], |rare_fields| &rare_fields.sensitive_parameters)
    }

    /// A sensitive value is stored in the clear; that it is sensitive is noted.
    pub(super) fn unwrap_sensitive(&mut self) {
        for (name, parameter) in self.parameters.iter_mut() {
            if let Value::Sensitive(inner) = &parameter.value {
                parameter.value = Value::clone(inner);
                self.rare_fields.get_or_insert_default().sensitive_parameters.push(name.clone());
            }
        }
    }

    pub(super) fn add_sensitive_parameters(&mut self, names: impl IntoIterator<Item = EcoString>) {
        self.rare_fields.get_or_insert_default().sensitive_parameters.extend(names);
    }

    pub(super) fn take_sensitive_parameters(&mut self) -> Vec<EcoString> {
        self.rare_fields
            .as_mut()
            .map(|rare_fields| std::mem::take(&mut rare_fields.sensitive_parameters))
            .unwrap_or_default()
    }

    pub(super) fn is_class(&self) -> bool {
        self.reference.type_name == "Class"
    }

    /// Whether nobody realized the resource and no other node may want it.
    pub(super) fn is_left_out(&self) -> bool {
        self.is_virtual && !self.is_exported
    }

    pub(super) fn is_native(&self) -> bool {
        matches!(self.definition, Definition::Native(_))
    }

    /// The value of a parameter that is set and not `undef`.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name).map(|parameter| &parameter.value).filter(|value| !value.is_undef())
    }

    /// Sets a parameter that no attribute sets, on behalf of the one who declared the resource.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.parameters.insert(name.into(), Parameter::new(value, self.source));
    }

    /// The tags that come from type and title; only text becomes a tag.
    pub(super) fn add_own_tags(&mut self) {
        self.tags.add(&self.reference.type_name);
        if self.non_string_title().is_none() {
            self.tags.add(&self.reference.title);
        }
    }
}

/// Adds the value of a `tag` parameter to a set; gives the first that is not valid.
pub(super) fn add_tags(tags: &mut Tags, value: &Value) -> Result<(), EcoString> {
    match value {
        Value::Hash(entries) => entries.iter().try_for_each(|(key, value)| {
            add_listed_tags(tags, key)?;
            add_listed_tags(tags, value)
        }),
        // Compatibility: a reference stands for the list of its parameters, which is empty.
        Value::Type(data_type) if data_type.is_held() => Ok(()),
        value => add_listed_tags(tags, value),
    }
}

/// Adds tags that are given in a list: there, a hash or a reference is a tag, and never a valid one.
pub(super) fn add_listed_tags(tags: &mut Tags, value: &Value) -> Result<(), EcoString> {
    deep(|| match value {
        Value::Undef => Ok(()),
        Value::Array(elements) => elements.iter().try_for_each(|element| add_listed_tags(tags, element)),
        Value::String(name) => add_tag(tags, name),
        other => add_tag(tags, &inspect::to_s(other).as_ref().into()),
    })
}

fn add_tag(tags: &mut Tags, name: &EcoString) -> Result<(), EcoString> {
    if tags.add(name) { Ok(()) } else { Err(name.to_lowercase()) }
}
