//! `type { title: attribute => value }`: declaring resources.

use ecow::EcoString;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use bunraku_catalog::{Kind, Reference};
use bunraku_pcore::{Type, Value, inspect};
use bunraku_syntax::ast::{self, Expr, ExprKind, ResourceForm};
use bunraku_syntax::{Span, deep};

use super::attribute::{self, Evaluated, untitled};
use super::issues as build_issues;
use super::location::{at_place, evaluation_error};
use super::resource::{Definition, Parameter, Parameters, Place, Resource, add_tags};
use crate::compilation::Compilation;
use crate::eval::eval;
use crate::frame::Frame;
use crate::issues;
use crate::scope::ScopeId;
use crate::unwind::Outcome;

/// Resources to be declared with the same attributes.
#[derive(Debug)]
pub struct Declaration<'a> {
    /// The name of the resource type, or `class`.
    pub type_name: &'a str,
    /// The titles; those that are no text stay what they are for `$title`.
    pub titles: Vec<Value>,
    /// The attributes.
    pub attributes: Vec<(EcoString, Value)>,
    /// Whether they are realized.
    pub form: ResourceForm,
    /// Where they are declared.
    pub span: Span,
}

/// The titles of a body, of which most have one.
type Titles = SmallVec<[Value; 1]>;

/// Evaluates a resource expression; gives references to the resources.
pub(super) fn evaluate(expr: &Expr, resource: &ast::Resource, frame: &mut Frame<'_, '_>) -> Outcome {
    let type_name = type_name(&resource.type_name, frame)?;
    if resource.form == ResourceForm::Exported && frame.compilation.exported.is_none() {
        frame.warn(build_issues::no_storeconfigs_export(), expr.reported());
    }
    let mut bodies: SmallVec<[_; 1]> = SmallVec::with_capacity(resource.bodies.len());
    let mut used: FxHashSet<EcoString> = FxHashSet::default();
    let mut defaults = None;
    for body in &resource.bodies {
        let mut titles = Titles::new();
        let mut is_default = false;
        let given = titles_of(&body.title, frame)?;
        let is_alone = resource.bodies.len() == 1 && given.len() == 1;
        for title in given {
            match title {
                Value::String(title) if is_alone || used.insert(title.clone()) => titles.push(Value::String(title)),
                Value::String(title) => return evaluation_error(build_issues::duplicate_title(title), expr.reported()),
                _ if is_default || defaults.is_some() => {
                    return evaluation_error(build_issues::duplicate_title("default"), expr.reported());
                }
                _ => is_default = true,
            }
        }
        let attributes = attributes_of(attribute::evaluate(&body.operations, frame)?, expr)?;
        if is_default {
            defaults = Some(attributes.clone());
        }
        bodies.push((titles, attributes));
    }
    let place = Place::of(expr.reported());
    let mut references = Vec::with_capacity(bodies.len());
    for (titles, attributes) in bodies {
        let attributes = match &defaults {
            Some(defaults) => merged(defaults, attributes),
            None => attributes,
        };
        declare(&type_name, titles.into_iter(), attributes, resource.form, place, frame, &mut references)?;
    }
    Ok(Value::from(references))
}

/// The name of the resource type that stands before the brace.
fn type_name(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<EcoString> {
    let is_acceptable = match &expr.kind {
        ExprKind::Name(name) => return Ok(name.clone()),
        ExprKind::TypeName(_) => true,
        ExprKind::Access(access) => matches!(access.left.kind, ExprKind::TypeName(_)),
        _ => false,
    };
    let value = eval(expr, frame)?;
    match &value {
        Value::Type(Type::Class(class)) if is_acceptable && class.class_name.is_none() => Ok("class".into()),
        Value::Type(Type::Resource(resource)) if is_acceptable && resource.title.is_none() => {
            Ok(resource.type_name.clone().unwrap_or_default().to_lowercase())
        }
        Value::Type(data_type @ (Type::Class(_) | Type::Resource(_))) if is_acceptable => {
            evaluation_error(build_issues::illegal_resource_type(data_type), expr.reported())
        }
        other => {
            evaluation_error(build_issues::illegal_resource_type(Type::infer(other).generalize()), expr.reported())
        }
    }
}

/// The titles of a body, checked: texts and `default`.
fn titles_of(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<Titles> {
    let mut titles = Titles::new();
    match eval(expr, frame)? {
        Value::Undef => return evaluation_error(build_issues::missing_title(), expr.reported()),
        value => flatten(value, &mut titles),
    }
    for (index, title) in titles.iter().enumerate() {
        let issue = match title {
            Value::Undef => build_issues::missing_title_at(index),
            Value::String(title) if title.is_empty() => build_issues::empty_string_title_at(index),
            Value::String(_) | Value::Default => continue,
            other => build_issues::illegal_title_type_at(index, Type::infer(other).generalize()),
        };
        return evaluation_error(issue, expr.reported());
    }
    Ok(titles)
}

/// The elements of a value at any depth.
pub(super) fn flatten(value: Value, into: &mut impl Extend<Value>) {
    deep(|| match value {
        Value::Array(elements) => elements.iter().for_each(|element| flatten(element.clone(), into)),
        other => into.extend([other]),
    })
}

fn attributes_of(evaluated: Evaluated, expr: &Expr) -> Outcome<Parameters> {
    match Parameters::from_entries(evaluated) {
        Ok(attributes) => Ok(attributes),
        Err((name, _)) => evaluation_error(build_issues::duplicate_attribute(name), expr.reported()),
    }
}

/// The attributes of the `default` body come first; a body's own value takes the place of the default.
fn merged(defaults: &Parameters, own: Parameters) -> Parameters {
    let mut all = defaults.clone();
    all.extend(own);
    all
}

/// Declares one resource for each title. A class is evaluated at once.
fn declare(
    type_name: &str,
    titles: impl ExactSizeIterator<Item = Value>,
    mut attributes: Parameters,
    form: ResourceForm,
    place: Place,
    frame: &mut Frame<'_, '_>,
    references: &mut Vec<Value>,
) -> Outcome<()> {
    let scope = frame.scope;
    let is_class = type_name.eq_ignore_ascii_case("class");
    let definition = match is_class {
        true => None,
        false => match frame.compilation.find_named_type(type_name)? {
            Some(found) => Some(found),
            None => return Err(frame.compilation.unknown_type(type_name, place.span).into()),
        },
    };
    let last = titles.len().saturating_sub(1);
    references.reserve(titles.len());
    for (index, title) in titles.enumerate() {
        let (text, title) = match title {
            Value::String(text) => (text, None),
            Value::Undef | Value::Boolean(false) if let Some((found, name)) = &definition => {
                return Err(untitled(*found, name).into());
            }
            other => (inspect::to_s(&other).into(), Some(other)),
        };
        let attributes = if index == last { std::mem::take(&mut attributes) } else { attributes.clone() };
        let declared = Declared { text, title, attributes, form, place, scope };
        references.push(match &definition {
            Some((definition, name)) => frame.compilation.declare_resource(*definition, name, declared)?,
            None => frame.compilation.declare_class(declared, frame.layer)?,
        });
    }
    Ok(())
}

/// One resource to be declared.
pub(super) struct Declared {
    pub(super) text: EcoString,
    /// The title if it is no text.
    pub(super) title: Option<Value>,
    pub(super) attributes: Parameters,
    pub(super) form: ResourceForm,
    pub(super) place: Place,
    pub(super) scope: ScopeId,
}

impl Frame<'_, '_> {
    /// Declares resources as a function does it; gives references to them.
    pub fn create_resources(&mut self, declaration: Declaration<'_>) -> Outcome<Vec<Value>> {
        let Declaration { type_name, titles, attributes, form, span } = declaration;
        if type_name == "class" && form != ResourceForm::Regular {
            let issue = build_issues::class_not_virtualizable();
            return Err(super::location::at_line(issue.after(issues::EVALUATION), span));
        }
        let source = self.compilation.build.body_at(self.scope);
        let parameters = attributes.into_iter().map(|(name, value)| {
            let value = self.compilation.attribute_value(value)?;
            Ok((name, Parameter::new(value, source)))
        });
        let attributes: Parameters = parameters.collect::<Outcome<_>>()?;
        let place = Place { span, is_from_stack: true };
        let mut references = Vec::new();
        declare(type_name, titles.into_iter(), attributes, form, place, self, &mut references)?;
        Ok(references)
    }
}

impl<'e> Compilation<'e> {
    fn declare_resource(
        &mut self,
        definition: Definition<'e>,
        type_name: &EcoString,
        mut declared: Declared,
    ) -> Outcome<Value> {
        let reference = Reference { type_name: type_name.clone(), title: std::mem::take(&mut declared.text) };
        let scope = declared.scope;
        let mut resource = self.new_resource(reference, definition, declared)?;
        if matches!(definition, Definition::Body(_)) {
            resource.kind = Kind::DefinedType;
        }
        let reference = Type::resource(resource.reference.type_name.clone(), Some(resource.reference.title.clone()));
        self.add_resource(scope, resource)?;
        Ok(Value::Type(reference))
    }

    /// A resource with the given attributes, and the defaults of its scope where nothing is given.
    pub(super) fn new_resource(
        &mut self,
        reference: Reference,
        definition: Definition<'e>,
        declared: Declared,
    ) -> Outcome<Resource<'e>> {
        let source = self.build.body_at(declared.scope);
        let mut resource = Resource::new(reference, definition, declared.scope, source);
        resource.place = Some(declared.place);
        if let Some(title) = declared.title {
            resource.set_non_string_title(title);
        }
        resource.is_exported = declared.form == ResourceForm::Exported;
        resource.is_virtual = declared.form != ResourceForm::Regular;
        resource.parameters = declared.attributes;
        if let Some(tag) = resource.parameters.get("tag") {
            add_tags(&mut resource.tags, &tag.value)
                .map_err(|tag| at_place(build_issues::invalid_tag(tag), resource.place))?;
        }
        resource.add_own_tags();
        self.add_defaults(&mut resource)?;
        Ok(resource)
    }
}
