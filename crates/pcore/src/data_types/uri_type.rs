//! `URI` as a data type: identifiers whose parts match what is given for them.

use std::fmt;
use std::sync::{Arc, LazyLock};

use ecow::EcoString;

use crate::compare::equals;
use crate::data_type::{DataType, Type};
use crate::data_types::uri::scheme;
use crate::data_types::{IntegerType, Member, StructType, Uri};
use crate::guard::Guard;
use crate::hash::Hash;
use crate::text::TypeWriter;
use crate::value::Value;

/// `URI[parameters]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct UriType {
    /// What the parts must match: text, regular expressions or types by the name of the part.
    pub parameters: Option<Arc<Hash>>,
}

/// The parts of an identifier by name.
pub(crate) const PARTS: [&str; 8] = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];

/// What a hash of parameters must look like.
pub(crate) static PARAMETERS: LazyLock<Type> = LazyLock::new(|| {
    let undef_or = |types: Vec<Type>| Type::optional(Type::variant(types));
    let types = |of: Type| Type::type_of(Some(of));
    let known = || [types(Type::not_undef(None)), types(Type::Undef)];
    let text = [Type::string_of_size(IntegerType::at_least(1)), Type::regexp(None)];
    let choices = [types(Type::pattern([])), types(Type::enumeration([]))];
    let text = undef_or(text.into_iter().chain(choices).chain(known()).collect());
    let port = undef_or([Type::integer(IntegerType::at_least(0))].into_iter().chain(known()).collect());
    let member = |name: &str| {
        let value = if name == "port" { port.clone() } else { text.clone() };
        Member { name: name.into(), optional: true, value }
    };
    Type::Struct(Arc::new(StructType { members: PARTS.map(member).into() }))
});

impl UriType {
    /// The type of one identifier. Ports that go without saying are left out.
    pub fn of(uri: &Uri) -> UriType {
        let parts = PARTS.iter().filter_map(|name| Some((Value::from(*name), part(uri, name, true)?)));
        let parameters: Hash = parts.collect();
        UriType { parameters: (!parameters.is_empty()).then(|| Arc::new(parameters)) }
    }
}

/// A part of an identifier as the language shows it.
pub(crate) fn member(uri: &Uri, name: &str) -> Value {
    match name {
        // A path is never missing, unless there is an opaque part in its place.
        "path" if uri.opaque.is_none() => Value::String(scheme::path(uri)),
        _ => part(uri, name, false).unwrap_or_default(),
    }
}

/// A part of an identifier. As the parameter of a type it is text, and in lower case where case does not matter.
fn part(uri: &Uri, name: &str, is_parameter: bool) -> Option<Value> {
    let text = |text: &Option<EcoString>| text.clone().map(Value::String);
    let lower = |text: &Option<EcoString>| {
        let text = text.as_ref()?;
        Some(Value::String(if is_parameter { text.to_lowercase() } else { text.clone() }))
    };
    match name {
        "scheme" => lower(&uri.scheme),
        "userinfo" => text(&uri.userinfo),
        "host" => lower(&uri.host).filter(|host| !is_parameter || host.as_str() != Some("")),
        "port" => {
            let port = uri.port?;
            if !is_parameter {
                return Some(Value::Integer(port.into()));
            }
            let implied = match uri.scheme.as_deref() {
                Some("http") => Some(80),
                Some("https") => Some(443),
                _ => None,
            };
            (Some(port) != implied).then(|| Value::from(port.to_string()))
        }
        "path" => (!uri.path.is_empty()).then(|| Value::String(scheme::path(uri))),
        "query" => text(&uri.query),
        "fragment" => text(&uri.fragment),
        "opaque" => text(&uri.opaque),
        _ => None,
    }
}

/// Whether a value matches a parameter: a type, a regular expression, or another value.
pub(crate) fn matches(value: &Value, parameter: &Value) -> bool {
    match (value, parameter) {
        (value, Value::Type(data_type)) => data_type.is_instance(value),
        (Value::String(text), Value::Regexp(regexp)) => regexp.is_match(text).unwrap_or(false),
        _ => equals(value, parameter),
    }
}

/// Whether what one type says of a part is covered by what another says.
pub(crate) fn covers(parameter: &Value, other: &Value) -> bool {
    matches(other, parameter)
        || matches!((parameter, other), (Value::Type(parameter), Value::Type(other)) if parameter.is_assignable(other))
}

impl DataType for UriType {
    fn name(&self) -> &str {
        "URI"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::Uri(uri) = value else { return false };
        let Some(parameters) = &self.parameters else { return true };
        parameters.iter().all(|(name, parameter)| {
            let part = name.as_str().and_then(|name| part(uri, name, false)).unwrap_or_default();
            matches(&part, parameter)
        })
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        let Type::Uri(other) = other else { return false };
        let Some(parameters) = &self.parameters else { return true };
        parameters.iter().all(|(name, parameter)| {
            let other = other.parameters.as_ref().and_then(|other| other.get(name));
            other.is_some_and(|other| covers(parameter, other))
        })
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("URI")?;
        if let Some(parameters) = &self.parameters {
            list.value(&Value::Hash(parameters.clone()))?;
        }
        list.end()
    }
}
