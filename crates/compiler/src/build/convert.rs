//! From the catalog in the making to the catalog: what is virtual is left out, values take their final form.

use bunraku_syntax::deep;
use ecow::{EcoString, eco_format};

use bunraku_catalog::graph::{Cause, Relation, Written};
use bunraku_catalog::resource_type::resolve;
use bunraku_catalog::{Catalog, Edge, Parameters, Reference, Tags, Version};
use bunraku_environment::Environment;
use bunraku_pcore::issues::{Issue, runtime_error};
use bunraku_pcore::{Hash, Type, Value};

use super::Build;
use super::byte_text::ByteTexts;
use super::relationship::RelationPlace;
use super::resource::{Definition, Parameter, Resource, ResourceId};
use crate::compilation::Compilation;
use crate::uuid::random_uuid;

impl Compilation<'_> {
    /// The finished catalog.
    pub(crate) fn into_catalog(self) -> Result<Catalog, Issue> {
        let version = self.version();
        // All else goes now: while the catalog is made, nothing but the resources is needed besides it.
        let Compilation { environment, node, build, settings, .. } = self;
        let Build { table, classes, tags: class_tags, byte_texts, places, .. } = build;
        let byte_texts = if settings.rich_data { byte_texts } else { ByteTexts::default() };
        let mut catalog = Catalog::new(node.name.clone(), environment.name.as_str());
        catalog.version = match version {
            Ok(Some(version)) => Version::Text(version.into()),
            _ => Version::Time(environment.world().epoch_seconds()),
        };
        let uuid = random_uuid(environment.world());
        catalog.catalog_uuid = Some(uuid.map_err(|error| runtime_error(eco_format!("No random numbers: {error}")))?);
        let resources = table.into_resources();
        catalog.reserve(resources.len());
        let positions = positions(&resources);
        let containments = containments(&resources, &positions);
        catalog.written = written(&places, &positions);
        drop(places);
        for resource in resources.into_iter().filter(|resource| !resource.is_left_out()) {
            let position = catalog.len();
            for (name, parameter) in &resource.parameters {
                if let Some(relation) = Relation::named(name)
                    && let Some(attribute) = parameter.attribute
                {
                    catalog.written.add(Cause::Metaparameter(relation), attribute.span, position, None);
                }
            }
            catalog.add_new(finished(*resource, environment, &byte_texts));
        }
        catalog.edges = edges(&containments, &catalog);
        let mut tags = Tags::default();
        for class in &classes {
            tags.add(class);
        }
        tags.merge(&class_tags);
        catalog.tags = tags;
        catalog.classes = classes;
        Ok(catalog)
    }
}

/// The positions that resources will have in the catalog.
struct Positions(Vec<Option<u32>>);

impl Positions {
    fn of(&self, id: ResourceId) -> Option<u32> {
        self.0.get(id.0 as usize).copied().flatten()
    }
}

fn positions(resources: &[Box<Resource<'_>>]) -> Positions {
    let mut position = 0;
    let next = resources.iter().map(|resource| {
        let is_there = !resource.is_left_out();
        position += u32::from(is_there);
        is_there.then(|| position - 1)
    });
    Positions(next.collect())
}

/// What contains what, in the order of the contents.
fn containments(resources: &[Box<Resource<'_>>], positions: &Positions) -> Vec<(u32, u32)> {
    let mut containments = Vec::with_capacity(resources.len());
    for (resource, content) in resources.iter().zip(&positions.0) {
        let containers = resource.containers.iter().filter_map(|container| positions.of(*container));
        containments.extend(containers.filter_map(|container| Some((container, (*content)?))));
    }
    containments
}

/// Where relationships are written that no attribute sets.
fn written(places: &[RelationPlace], positions: &Positions) -> Written {
    let mut written = Written::default();
    written.reserve(places.len());
    for RelationPlace { cause, span, says, about } in places {
        if let (Some(says), Some(about)) = (positions.of(*says), positions.of(*about)) {
            written.add(*cause, *span, says as usize, Some(about as usize));
        }
    }
    written
}

/// Only when there are no resources in the making any more: references are large.
fn edges(containments: &[(u32, u32)], catalog: &Catalog) -> Vec<Edge> {
    let reference = |position: u32| Some(catalog.at(position as usize)?.reference.clone());
    let edge =
        |&(container, content): &(u32, u32)| Some(Edge { source: reference(container)?, target: reference(content)? });
    let mut edges = Vec::with_capacity(containments.len());
    edges.extend(containments.iter().filter_map(edge));
    edges
}

fn finished(
    mut resource: Resource<'_>,
    environment: &Environment,
    byte_texts: &ByteTexts,
) -> bunraku_catalog::Resource {
    let parameters = parameters(&mut resource, byte_texts);
    let sensitive_parameters = resource.take_sensitive_parameters();
    let mut finished = bunraku_catalog::Resource::new(resource.reference, resource.kind);
    finished.parameters = parameters;
    finished.sensitive_parameters = sensitive_parameters;
    finished.tags = resource.tags;
    let is_from_stack = resource.place.is_some_and(|place| place.is_from_stack);
    finished.exported = (resource.is_exported || !is_from_stack).then_some(resource.is_exported);
    finished.is_virtual = resource.is_virtual;
    if let Some(place) = resource.place
        && let Some(code) = environment.code(place.span.file)
    {
        finished.line = Some(code.line_number(place.span.start));
        finished.file = match &code.path {
            None if place.is_from_stack => Some("unknown".into()),
            path => path.clone(),
        };
    }
    finished
}

fn parameters(resource: &mut Resource<'_>, byte_texts: &ByteTexts) -> Parameters {
    let native = match resource.definition {
        Definition::Native(native) => Some(native),
        Definition::Body(_) => None,
    };
    let given = std::mem::take(&mut resource.parameters).filter_map(|name, Parameter { value, .. }| {
        (!value.is_undef()).then(|| byte_texts.in_catalog(final_value(name, value)))
    });
    // The title was taken apart when the resource was added.
    let mut resolved = resolve(native, &resource.reference, given).unwrap_or_default();
    // Compatibility: a title that is no text is not seen to be repeated by the name.
    let namevar = native.and_then(|native| native.namevars.first()).map_or("name", |namevar| namevar);
    if resource.non_string_title().is_some() && !resolved.contains_key(namevar) {
        resolved.insert_before(0, namevar.into(), Value::String(resource.reference.title.clone()));
    }
    // Attributes of native types have no others.
    if native.is_some() { resolved } else { in_lower_case(resolved) }
}

/// Compatibility: whatever letters a class or defined type declares its parameters with, catalogs have small ones.
fn in_lower_case(parameters: Parameters) -> Parameters {
    if parameters.keys().all(|name| !name.bytes().any(|byte| byte.is_ascii_uppercase())) {
        return parameters;
    }
    parameters.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect()
}

pub(super) fn final_value(name: &str, value: Value) -> Value {
    let Value::Array(elements) = &value else {
        return if may_hold_references(&value) { with_reference_texts(&value) } else { value };
    };
    let is_relationship = bunraku_catalog::resource_type::is_relationship(name);
    let is_to_change = |element: &Value| may_hold_references(element) || (is_relationship && element.is_undef());
    if !elements.iter().any(is_to_change) {
        return value;
    }
    let mut flat = Vec::new();
    super::declare::flatten(value.clone(), &mut flat);
    if is_relationship {
        flat.retain(|element| !element.is_undef());
        return Value::array(flat.iter().map(with_reference_texts));
    }
    // A list with references in it is flat.
    if flat.iter().any(|element| held_reference_text(element).is_some()) {
        return Value::array(flat.iter().map(with_reference_texts));
    }
    Value::array(elements.iter().map(with_reference_texts))
}

/// A value with all references in it as text.
fn with_reference_texts(value: &Value) -> Value {
    deep(|| match value {
        Value::Array(elements) if elements.iter().any(may_hold_references) => {
            Value::array(elements.iter().map(with_reference_texts))
        }
        Value::Hash(hash) if hash.iter().any(|(key, value)| may_hold_references(key) || may_hold_references(value)) => {
            let entries = hash.iter().map(|(key, value)| (with_reference_texts(key), with_reference_texts(value)));
            Value::from(entries.collect::<Hash>())
        }
        other => held_reference_text(other).map_or_else(|| other.clone(), Value::String),
    })
}

/// The text of a reference as a resource holds it.
///
/// Compatibility: within a sensitive value references stay what they are, data types.
pub(super) fn held_reference_text(value: &Value) -> Option<EcoString> {
    held_reference(value).and_then(|_| reference_text(value))
}

/// The type and the title of a reference as a resource holds it.
pub(super) fn held_reference(value: &Value) -> Option<(&EcoString, &EcoString)> {
    match value {
        Value::Type(Type::Resource(resource)) if resource.is_held() => {
            Some((resource.type_name.as_ref()?, resource.title.as_ref()?))
        }
        _ => None,
    }
}

fn may_hold_references(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_) | Value::Type(_))
}

/// The text of a reference to a resource or class.
pub(super) fn reference_text(value: &Value) -> Option<EcoString> {
    let reference = match value {
        Value::Type(Type::Resource(resource)) => Reference::new(resource.type_name.as_ref()?, resource.title.as_ref()?),
        Value::Type(Type::Class(class)) => Reference::new("Class", class.class_name.as_ref()?),
        _ => return None,
    };
    Some(reference.to_text())
}
