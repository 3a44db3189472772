//! `new` of `String`, `Regexp`, `Binary`, `URI`, `Type` and `Sensitive`.

use std::sync::Arc;

use bunraku_syntax::Issue;
use ecow::EcoString;

use super::Context;
use super::constructor::constructor;
use crate::data_types::uri::bracketed;
use crate::data_types::{Binary, Uri};
use crate::format;
use crate::hash::Hash;
use crate::issues;
use crate::parse::parse_type;
use crate::regexp::{self, Regexp};
use crate::value::Value;

constructor!(
    string,
    "new_string",
    [
        ("Format", r"Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]"),
        (
            "ContainerFormat",
            "Struct[{Optional[format] => Format, Optional[separator] => String, Optional[separator2] => String, \
             Optional[string_formats] => Hash[Type, Format]}]"
        ),
        ("TypeMap", "Hash[Type, Variant[Format, ContainerFormat]]"),
        ("Convertible", "Any"),
        ("Formats", "Variant[Default, String[1], TypeMap]"),
    ],
    [[("Convertible", "from"), ("Formats", "string_formats?")]]
);

// Compatibility: the reference gives this function, and that of `URI`, the name of another one.
constructor!(regexp, "new_float", [], [[("String", "pattern"), ("Boolean", "escape?")]]);

constructor!(
    binary,
    "new_Binary",
    [
        ("ByteInteger", "Integer[0,255]"),
        ("Base64Format", r#"Enum["%b", "%u", "%B", "%s", "%r"]"#),
        ("StringHash", r#"Struct[{value => String, "format" => Optional[Base64Format]}]"#),
        ("ArrayHash", "Struct[{value => Array[ByteInteger]}]"),
        ("BinaryArgsHash", "Variant[StringHash, ArrayHash]"),
    ],
    [
        [("String", "str"), ("Base64Format", "format?")],
        [("Array[ByteInteger]", "byte_array")],
        [("BinaryArgsHash", "hash_args")],
    ]
);

constructor!(
    uri,
    "new_error",
    [],
    [
        [("String[1]", "uri")],
        [(
            "Struct[{Optional[scheme] => String[1], Optional[userinfo] => String[1], Optional[host] => String[1], \
             Optional[port] => Integer[0], Optional[path] => String[1], Optional[query] => String[1], \
             Optional[fragment] => String[1], Optional[opaque] => String[1]}]",
            "hash"
        )],
    ]
);

constructor!(data_type, "new_type", [], [[("String[1]", "type_string")]]);
constructor!(sensitive, "new_Sensitive", [], [[("Sensitive", "value")], [("Any", "value")]]);
constructor!(unit, "new_unit", [], [[("Any", "from")]]);

pub(super) fn new_string(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = string()?;
    match (constructor.accepting(args), args) {
        (Some(_), [from]) => format::convert(from, &Value::Default).map(Value::from),
        (Some(_), [from, formats]) => format::convert(from, formats).map(Value::from),
        _ => Err(constructor.mismatch(args)),
    }
}

pub(super) fn new_regexp(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = regexp()?;
    match (constructor.accepting(args), args) {
        (Some(_), [Value::String(pattern), Value::Boolean(true)]) => {
            Regexp::new(&regexp::escape(pattern)).map(Value::from)
        }
        (Some(_), [Value::String(pattern), ..]) => Regexp::new(pattern).map(Value::from),
        _ => Err(constructor.mismatch(args)),
    }
}

pub(super) fn new_binary(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = binary()?;
    let (value, format) = match (constructor.accepting(args), args) {
        (Some(0), [text, rest @ ..]) => (text, rest.first()),
        (Some(1), [bytes]) => (bytes, None),
        (Some(_), [hash]) => (hash.get("value").unwrap_or(&Value::Undef), hash.get("format")),
        _ => return Err(constructor.mismatch(args)),
    };
    let made = match value {
        Value::String(text) => match format.and_then(Value::as_str).unwrap_or("%B") {
            "%b" => Binary::from_base64(text),
            "%u" => Binary::from_base64_url_safe(text)?,
            "%B" => Binary::from_base64_strict(text)?,
            _ => Binary::new(text.as_bytes()),
        },
        Value::Array(bytes) => {
            let byte = |byte: &Value| match byte {
                Value::Integer(number) => u8::try_from(*number).ok(),
                _ => None,
            };
            Binary::new(bytes.iter().filter_map(byte).collect::<Vec<u8>>())
        }
        _ => return Err(constructor.mismatch(args)),
    };
    Ok(made.into())
}

pub(super) fn new_uri(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = uri()?;
    match (constructor.accepting(args), args) {
        (Some(_), [Value::String(text)]) => Uri::parse(text).map(Value::from),
        (Some(_), [Value::Hash(parts)]) => uri_of_parts(parts).map(Value::from),
        _ => Err(constructor.mismatch(args)),
    }
}

fn uri_of_parts(parts: &Hash) -> Result<Uri, Issue> {
    let part = |name: &str| -> Option<EcoString> { parts.get_str(name).and_then(Value::as_str).map(Into::into) };
    let mut uri = Uri {
        scheme: part("scheme"),
        userinfo: part("userinfo"),
        host: part("host").map(|host| bracketed(&host)),
        port: match parts.get_str("port") {
            Some(Value::Integer(port)) => u32::try_from(*port).ok(),
            _ => None,
        },
        path: part("path").unwrap_or_default(),
        query: part("query"),
        fragment: part("fragment"),
        opaque: part("opaque"),
    };
    if let Some((name, expected)) = uri.invalid_part() {
        let value = match &uri.host {
            Some(host) if name == "host" => host.clone(),
            _ => part(name).unwrap_or_default(),
        };
        return Err(issues::runtime_error(format!("bad component(expected {expected} component): {value}")));
    }
    if uri.scheme.is_some() && !uri.path.is_empty() && !uri.path.starts_with('/') {
        let path = &uri.path;
        return Err(issues::runtime_error(format!("bad component(expected absolute path component): {path}")));
    }
    let has_hierarchy = uri.host.is_some() || uri.port.is_some() || uri.userinfo.is_some() || !uri.path.is_empty();
    if uri.opaque.is_some() && has_hierarchy {
        return Err(issues::runtime_error("can not set opaque with host, port, userinfo or path"));
    }
    uri = uri.with_escaped_query()?;
    if uri.port.is_none() && uri.opaque.is_none() {
        uri.port = uri.scheme.as_deref().and_then(Uri::default_port);
    }
    Ok(uri)
}

pub(super) fn new_type(args: &[Value], context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = data_type()?;
    match (constructor.accepting(args), args) {
        (Some(_), [Value::String(text)]) => parse_type(text, &mut |name| context.resolve(name)).map(Value::Type),
        _ => Err(constructor.mismatch(args)),
    }
}

pub(super) fn new_sensitive(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = sensitive()?;
    match (constructor.accepting(args), args) {
        (Some(0), [value]) => Ok(value.clone()),
        (Some(_), [value]) => Ok(Value::Sensitive(Arc::new(value.clone()))),
        _ => Err(constructor.mismatch(args)),
    }
}

pub(super) fn new_unit(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = unit()?;
    match (constructor.accepting(args), args) {
        (Some(_), [from]) => Ok(from.clone()),
        _ => Err(constructor.mismatch(args)),
    }
}
