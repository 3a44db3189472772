//! Attributes: evaluating `name => value`, `name +> value` and `* => hash` into parameters.

use std::num::NonZeroU32;

use ecow::{EcoString, eco_format};

use bunraku_catalog::Reference;
use bunraku_pcore::data_types::{ResourceType, capitalize_segments};
use bunraku_pcore::{Hash, Type, Value, inspect, lowercase};
use bunraku_syntax::ast::{AttributeOperation, AttributeOperator};
use bunraku_syntax::{Issue, Span, deep};

use super::location::evaluation_error;
use super::resource::{Attribute, Definition, Parameter};
use crate::compilation::Compilation;
use crate::eval::eval;
use crate::frame::{Frame, error_at};
use crate::unwind::{Outcome, Unwind};
use crate::{issues, label};

/// The parameters that attributes give, in order.
pub(super) type Evaluated = Vec<(EcoString, Parameter)>;

/// Evaluates the attributes of a body, a default or an override.
pub(super) fn evaluate(operations: &[AttributeOperation], frame: &mut Frame<'_, '_>) -> Outcome<Evaluated> {
    let mut evaluated = Evaluated::with_capacity(operations.len());
    for operation in operations {
        match operation {
            AttributeOperation::Attribute { name, operator, value, span } => {
                let value = eval(value, frame)?;
                let is_appended = *operator == AttributeOperator::Append;
                let parameter = parameter(name, value, *span, is_appended, frame)
                    .map_err(|unwind| while_evaluating(unwind, operator.as_str(), *span))?;
                evaluated.push((name.name.clone(), parameter));
            }
            AttributeOperation::Unfold { value, span } => {
                let hash = match eval(value, frame)? {
                    Value::Hash(hash) => hash,
                    other => {
                        let actual = Type::infer(&other).generalize();
                        return evaluation_error(issues::type_mismatch("Hash", actual), value.reported());
                    }
                };
                unfold(&hash, *span, frame, &mut evaluated)?;
            }
        }
    }
    Ok(evaluated)
}

fn unfold(hash: &Hash, span: Span, frame: &mut Frame<'_, '_>, evaluated: &mut Evaluated) -> Outcome<()> {
    for (key, value) in hash.iter() {
        let Value::String(name) = key else {
            let detail = eco_format!("Error while evaluating an Object, '{key}' is not the name of an attribute");
            return evaluation_error(issues::runtime(detail), span);
        };
        evaluated.push((name.clone(), parameter(name, value.clone(), span, false, frame)?));
    }
    Ok(())
}

fn parameter(name: &str, value: Value, span: Span, is_appended: bool, frame: &mut Frame<'_, '_>) -> Outcome<Parameter> {
    let compilation = &mut *frame.compilation;
    let value = compilation.attribute_value(value)?;
    let list = match (name, &value) {
        ("before" | "notify", Value::Array(_)) => {
            compilation.build.lists += 1;
            NonZeroU32::new(compilation.build.lists)
        }
        _ => None,
    };
    let source = compilation.build.body_at(frame.scope);
    Ok(Parameter { value, source, attribute: Some(Attribute { span, is_appended }), list })
}

/// An error of the attribute itself, not of its value.
fn while_evaluating(unwind: Unwind, operator: &str, span: Span) -> Unwind {
    match unwind {
        Unwind::Issue(issue) => {
            let detail = eco_format!("Error while evaluating a '{operator}' expression, {}", issue.message());
            error_at(issues::runtime(detail), span)
        }
        other => other,
    }
}

impl Compilation<'_> {
    /// A value as a resource holds it: references are resolved, what is lazy is refused.
    pub(super) fn attribute_value(&mut self, value: Value) -> Outcome<Value> {
        deep(|| match value {
            Value::Iterator(_) => Err(issues::runtime("Use of an Iterator is not supported here").into()),
            Value::Array(ref elements) if elements.iter().any(needs_conversion) => {
                let converted = elements.iter().map(|element| self.attribute_value(element.clone()));
                Ok(Value::array(converted.collect::<Outcome<Vec<_>>>()?))
            }
            Value::Hash(ref hash)
                if hash.iter().any(|(key, value)| needs_conversion(key) || needs_conversion(value)) =>
            {
                let mut converted = Hash::with_capacity(hash.len());
                for (key, value) in hash.iter() {
                    converted.insert(self.attribute_value(key.clone())?, self.attribute_value(value.clone())?);
                }
                Ok(Value::from(converted))
            }
            Value::Type(data_type) => self.held(data_type).map(Value::Type),
            other => Ok(other),
        })
    }

    /// A reference to a class or resource as resources and 3.x functions hold it; other types stay.
    pub(crate) fn held(&mut self, data_type: Type) -> Outcome<Type> {
        match data_type {
            Type::Resource(resource) if resource.is_held() => Ok(Type::Resource(resource)),
            Type::Resource(resource) if resource.type_name.is_none() => {
                Err(issues::runtime("undefined method `include?' for nil:NilClass").into())
            }
            Type::Resource(resource) => {
                let reference = self.reference_of(&resource)?;
                let native = self.native_resource_type(&lowercase(&reference.type_name));
                let namevar = native.map_or("name", |native| native.namevar());
                Ok(ResourceType::held(reference.type_name, reference.title, namevar).into())
            }
            Type::Class(class) => match &class.class_name {
                Some(name) => Ok(ResourceType::held("Class", capitalize_segments(name), "name").into()),
                None => Err(no_title("class").into()),
            },
            Type::CatalogEntry => Err(cannot_split(&data_type).into()),
            other => Ok(other),
        }
    }

    /// What a reference to a resource refers to. Its type is loaded if need be.
    ///
    /// Compatibility: a reference to an unknown type becomes one to a class.
    pub(super) fn reference_of(&mut self, resource: &ResourceType) -> Outcome<Reference> {
        let type_name = resource.type_name.clone().unwrap_or_default();
        let title = resource.title.as_deref().unwrap_or_default();
        if type_name.eq_ignore_ascii_case("class") {
            let title = title.strip_prefix("::").unwrap_or(title);
            return Ok(Reference::new("Class", title));
        }
        let canonical = lowercase(&type_name);
        if canonical == "node" {
            return Ok(Reference::new(&type_name, title));
        }
        match self.find_resource_type(&canonical)? {
            Some(_) => Ok(Reference::new(&type_name, title)),
            None => Ok(Reference::new("Class", title)),
        }
    }
}

fn needs_conversion(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_) | Value::Type(_) | Value::Iterator(_))
}

/// A type that stands for entries of the catalog but refers to none.
pub(super) fn cannot_split(data_type: &Type) -> Issue {
    let class = label::host_class(&Value::Type(data_type.clone()));
    let message = "it represents neither a PClassType, nor a PResourceType.";
    issues::runtime(eco_format!("Cannot split the type {class}, {message}"))
}

/// A resource of a type without a title; the reference shows its own name of the type.
pub(super) fn untitled(definition: Definition<'_>, type_name: &str) -> Issue {
    let type_name = type_name.to_lowercase();
    let shown = match definition {
        Definition::Native(_) => eco_format!(":{type_name}"),
        Definition::Body(_) => inspect::inspect_text(&type_name).into(),
    };
    issues::runtime(eco_format!("No title provided and {shown} is not a valid resource reference"))
}

/// A reference without a title.
pub(super) fn no_title(text: &str) -> Issue {
    let shown = inspect::inspect_text(text);
    issues::runtime(eco_format!("No title provided and {shown} is not a valid resource reference"))
}
