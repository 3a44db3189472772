//! Plain data as data types: from the name of a type's own type and its parameters back to the type.

use std::sync::Arc;

use ecow::EcoString;

use crate::data_type::Type;
use crate::data_types::{
    CallableType, ClassType, EnumType, FloatType, InitType, IntegerType, Member, ObjectExtension, ObjectType,
    OptionalType, ResourceType, RuntimeType, SemVerRange, StructType, TimeType, TupleType, TypeAlias, UriType,
};
use crate::hash::Hash;
use crate::issues::Issue;
use crate::regexp::Regexp;
use crate::value::Value;

/// The type with a name such as `Pcore::IntegerType`, with parameters that have been read already. `None` if there is
/// no such type.
pub(super) fn read(name: &str, fields: &Hash) -> Option<Result<Value, Issue>> {
    let name = name.strip_prefix("Pcore::")?;
    if name == "StructElement" {
        return Some(Ok(Value::from(fields.clone())));
    }
    let name = name.strip_suffix("Type")?;
    let data_type = match name {
        "Object" => object(fields),
        "ObjectTypeExtension" | "ObjectExtension" => extension(fields)?,
        "TypeAlias" => alias(fields),
        "TypeReference" => Ok(Type::reference(text(fields, "type_string").unwrap_or_default())),
        "Unit" => Ok(Type::Unit),
        _ if fields.is_empty() => Ok(Type::by_name(name)?),
        "Regexp" => regexp(fields),
        _ => Ok(collection(name, fields).or_else(|| scalar(name, fields)).or_else(|| wrapper(name, fields))?),
    };
    Some(data_type.map(Value::Type))
}

fn data_type(fields: &Hash, name: &str) -> Option<Type> {
    match fields.get_str(name)? {
        Value::Type(data_type) => Some(data_type.clone()),
        _ => None,
    }
}

fn data_types(fields: &Hash, name: &str) -> Vec<Type> {
    let Some(Value::Array(elements)) = fields.get_str(name) else { return Vec::new() };
    let types = elements.iter().filter_map(|element| match element {
        Value::Type(data_type) => Some(data_type.clone()),
        _ => None,
    });
    types.collect()
}

fn text(fields: &Hash, name: &str) -> Option<EcoString> {
    fields.get_str(name).and_then(Value::as_str).map(EcoString::from)
}

fn integer(fields: &Hash, name: &str) -> Option<i64> {
    match fields.get_str(name)? {
        Value::Integer(number) => Some(*number),
        _ => None,
    }
}

fn size(fields: &Hash, name: &str) -> Option<IntegerType> {
    match data_type(fields, name)? {
        Type::Integer(range) => Some(*range),
        _ => None,
    }
}

fn scalar(name: &str, fields: &Hash) -> Option<Type> {
    Some(match name {
        "Integer" => Type::integer(IntegerType { from: integer(fields, "from"), to: integer(fields, "to") }),
        "Float" => {
            let limit = |name, open| match fields.get_str(name) {
                Some(Value::Float(number)) => *number,
                _ => open,
            };
            Type::float(FloatType { from: limit("from", f64::NEG_INFINITY), to: limit("to", f64::INFINITY) })
        }
        "String" => match fields.get_str("size_type_or_value") {
            Some(Value::String(text)) => Type::string_value(text.clone()),
            _ => Type::string_of_size(size(fields, "size_type_or_value")?),
        },
        "Enum" => {
            let Some(Value::Array(values)) = fields.get_str("values") else { return None };
            let values = values.iter().filter_map(Value::as_str).map(EcoString::from);
            let case_insensitive = fields.get_str("case_insensitive").is_some_and(Value::is_truthy);
            Type::Enum(Arc::new(EnumType::new(values, case_insensitive)))
        }
        "Pattern" => Type::pattern(data_types(fields, "patterns").into_iter().filter_map(|it| match it {
            Type::Regexp(regexp) => regexp.pattern.clone(),
            _ => None,
        })),
        "Timespan" => {
            let limit = |name| match fields.get_str(name) {
                Some(Value::Timespan(time)) => Some(**time),
                _ => None,
            };
            Type::timespan(TimeType { from: limit("from"), to: limit("to") })
        }
        "Timestamp" => {
            let limit = |name| match fields.get_str(name) {
                Some(Value::Timestamp(time)) => Some(**time),
                _ => None,
            };
            Type::timestamp(TimeType { from: limit("from"), to: limit("to") })
        }
        "SemVer" => {
            let Some(Value::Array(ranges)) = fields.get_str("ranges") else { return None };
            let ranges = ranges.iter().filter_map(|range| match range {
                Value::SemVerRange(range) => Some((**range).clone()),
                Value::String(text) => SemVerRange::parse(text).ok(),
                _ => None,
            });
            Type::semver(ranges.collect())
        }
        "URI" => {
            let Some(Value::Hash(parameters)) = fields.get_str("parameters") else { return None };
            Type::Uri(Arc::new(UriType { parameters: Some(parameters.clone()) }))
        }
        "Class" => Type::Class(Arc::new(ClassType { class_name: text(fields, "class_name") })),
        "Resource" => Type::Resource(Arc::new(ResourceType::new(text(fields, "type_name"), text(fields, "title")))),
        "Runtime" => Type::Runtime(Arc::new(RuntimeType {
            runtime: text(fields, "runtime"),
            type_name: text(fields, "name_or_pattern"),
        })),
        _ => return None,
    })
}

fn collection(name: &str, fields: &Hash) -> Option<Type> {
    let size = || size(fields, "size_type");
    let part = |name| data_type(fields, name).unwrap_or(Type::Any);
    Some(match name {
        "Collection" => Type::collection(size()),
        "Array" => Type::array(part("element_type"), size()),
        "Hash" => Type::hash(part("key_type"), part("value_type"), size()),
        "Tuple" => Type::tuple(data_types(fields, "types"), size()),
        "Struct" => {
            let Some(Value::Array(elements)) = fields.get_str("elements") else { return None };
            let members = elements.iter().filter_map(member).collect();
            Type::Struct(Arc::new(StructType { members }))
        }
        _ => return None,
    })
}

fn member(element: &Value) -> Option<Member> {
    let Value::Hash(fields) = element else { return None };
    let (key, optional) = match data_type(fields, "key_type")? {
        Type::Optional(optional) => (optional.contained.clone()?, true),
        key => (key, false),
    };
    let Type::String(key) = key else { return None };
    Some(Member { name: key.value()?.clone(), optional, value: data_type(fields, "value_type")? })
}

fn wrapper(name: &str, fields: &Hash) -> Option<Type> {
    let contained = || data_type(fields, "type");
    Some(match name {
        "Variant" => Type::variant(data_types(fields, "types")),
        "Optional" => Type::Optional(Arc::new(OptionalType { contained: contained() })),
        "NotUndef" => Type::not_undef(contained()),
        "Type" => Type::type_of(contained()),
        "Iterable" => Type::iterable(contained()),
        "Iterator" => Type::iterator(contained()),
        "Init" => {
            let args = match fields.get_str("init_args") {
                Some(Value::Array(args)) => args.to_vec(),
                _ => Vec::new(),
            };
            Type::Init(Arc::new(InitType { contained: contained(), args }))
        }
        "Callable" => {
            let parameters = match data_type(fields, "param_types") {
                Some(Type::Tuple(tuple)) => Some(TupleType::clone(&tuple)),
                _ => None,
            };
            let (block, returned) = (data_type(fields, "block_type"), data_type(fields, "return_type"));
            Type::Callable(Arc::new(CallableType { parameters, block, returned }))
        }
        _ => return None,
    })
}

fn regexp(fields: &Hash) -> Result<Type, Issue> {
    let source = text(fields, "pattern").unwrap_or_default();
    Ok(Type::regexp(Some(Arc::new(Regexp::new(&source)?))))
}

fn object(fields: &Hash) -> Result<Type, Issue> {
    match fields.get_str("_pcore_init_hash") {
        Some(Value::Hash(hash)) => Ok(Type::Object(ObjectType::from_hash(hash)?)),
        _ => Ok(Type::Object(Arc::default())),
    }
}

fn extension(fields: &Hash) -> Option<Result<Type, Issue>> {
    let Type::Object(base) = data_type(fields, "base_type")? else { return None };
    let parameters = fields.get_str("init_parameters")?;
    let keys = match parameters {
        Value::Array(keys) => keys.to_vec(),
        other => vec![other.clone()],
    };
    Some(ObjectExtension::new(&base, &keys).map(|extension| Type::ObjectExtension(Arc::new(extension))))
}

fn alias(fields: &Hash) -> Result<Type, Issue> {
    let name = text(fields, "name").unwrap_or_default();
    if let Some(known @ Type::Alias(_)) = Type::by_name(&name) {
        return Ok(known);
    }
    let alias = TypeAlias::new(name);
    alias.define(&data_type(fields, "resolved_type").unwrap_or(Type::Any))?;
    Ok(Type::Alias(alias))
}
