//! Members of values: what `$value.name` gives for objects and URIs before a function of that name is looked for.

use ecow::eco_format;

use crate::data_types::{AttributeKind, CallableType, IntegerType, TupleType, uri_type};
use crate::issues::{self, Issue};
use crate::mismatch::{Signature, describe_signatures};
use crate::object::Object;
use crate::value::Value;

/// The member of a value that is called with arguments; `None` if the value has no such member.
pub fn call_member(receiver: &Value, name: &str, args: &[Value]) -> Option<Result<Value, Issue>> {
    match receiver {
        Value::Object(object) => call_object(object, name, args),
        Value::Uri(uri) => uri_type::PARTS.contains(&name).then(|| Ok(uri_type::member(uri, name))),
        _ => None,
    }
}

fn call_object(object: &Object, name: &str, args: &[Value]) -> Option<Result<Value, Issue>> {
    let object_type = object.object_type();
    let kind = match object_type.attribute(name) {
        Some(attribute) if attribute.kind == Some(AttributeKind::Derived) => "derived attribute",
        Some(_) => "attribute",
        None => object_type.function(name).map(|_| "function")?,
    };
    let label = eco_format!("{kind} {}[{name}]", object_type.label());
    Some(match object.get(name) {
        Some(value) if args.is_empty() => Ok(value),
        Some(_) => Err(unexpected_arguments(&label, args)),
        None => Err(issues::runtime_error(eco_format!("no method is implemented for {label}"))),
    })
}

fn unexpected_arguments(label: &str, args: &[Value]) -> Issue {
    let none = TupleType::new(Vec::new(), Some(IntegerType::exactly(0)));
    let callable = CallableType { parameters: Some(none), block: None, returned: None };
    let signature = Signature { callable: &callable, names: &[], block_name: "block" };
    issues::runtime_error(describe_signatures(label, &[signature], args, None))
}
