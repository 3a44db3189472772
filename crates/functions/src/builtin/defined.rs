//! `defined`: asks whether something is declared or can be declared.

use bunraku_compiler::function::Call;
use bunraku_compiler::{Frame, Outcome, function};
use bunraku_pcore::{Type, Value, label};
use bunraku_syntax::Issue;

use crate::number;

function! {
    /// Whether any of the things exists: a class or resource type by its name, a variable by its name with `$`, or a
    /// declared class or resource by its reference.
    ///
    /// ```puppet
    /// unless defined(Package['git']) { package { 'git': } }
    /// ```
    "defined" {
        "(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] +$vals)" as ">> Boolean" => defined(call, *vals),
    }
}

fn defined(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome<bool> {
    for value in values {
        if is_defined(value, &mut call.frame)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_defined(value: &Value, frame: &mut Frame<'_, '_>) -> Outcome<bool> {
    match value {
        Value::String(text) => match text.strip_prefix('$') {
            Some(name) if !name.is_empty() => frame.has_variable(name),
            _ if text.is_empty() => Ok(false),
            _ if text == "main" => Ok(true),
            _ => Ok(frame.compilation.is_resource_type(&text.to_lowercase())? || frame.compilation.is_class(text)?),
        },
        Value::Type(Type::Type(meta)) => match &meta.contained {
            Some(inner @ Type::Resource(_)) => is_defined(&Value::Type(inner.clone()), frame),
            Some(Type::Class(class)) => match &class.class_name {
                Some(name) => frame.compilation.is_class(name),
                None => all_classes(),
            },
            _ => Ok(false),
        },
        Value::Type(Type::Resource(resource)) => match (&resource.type_name, &resource.title) {
            (None, _) => Ok(number::fail("The given resource type is a reference to all kind of types")?),
            (Some(type_name), None) => frame.compilation.is_resource_type(&type_name.to_lowercase()),
            (Some(type_name), Some(title)) => frame.compilation.is_declared(type_name, title),
        },
        Value::Type(Type::Class(class)) => match &class.class_name {
            Some(name) => Ok(frame.compilation.is_class_declared(name)),
            None => all_classes(),
        },
        other => {
            let class = label::host_class(other);
            Ok(number::fail(format!("Invalid argument of type '{class}' to 'defined'"))?)
        }
    }
}

fn all_classes() -> Outcome<bool> {
    let refused: Result<bool, Issue> = number::fail("The given class type is a reference to all classes");
    Ok(refused?)
}
