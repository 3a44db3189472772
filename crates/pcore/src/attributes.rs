//! What objects and data types are made of, by the names of their attributes. Only the attributes that a type adds to
//! those of its parent count.

use ecow::EcoString;

use crate::data_type::Type;
use crate::data_types::{AttributeKind, IntegerType, StringType, TimeType};
use crate::issues::{self, Issue};
use crate::member::call_member;
use crate::object::Object;
use crate::value::Value;

impl Value {
    /// The attributes of an object or a data type; `None` if there can be none. Attributes that refer to other objects are
    /// left out unless they are asked for.
    pub fn attributes(&self, with_references: bool) -> Result<Option<Vec<(EcoString, Value)>>, Issue> {
        Ok(match self {
            Value::Object(object) => Some(of_object(object, self, with_references)?),
            // The reference would never come to an end.
            Value::Type(Type::Alias(alias)) if alias.is_recursive() => {
                return Err(issues::runtime_error(format!("The type '{}' contains itself", alias.alias_name())));
            }
            Value::Type(data_type) => {
                Some(of_type(data_type).into_iter().map(|(name, value)| (name.into(), value)).collect())
            }
            _ => None,
        })
    }
}

fn of_object(object: &Object, value: &Value, with_references: bool) -> Result<Vec<(EcoString, Value)>, Issue> {
    let own = object.object_type().definition().attributes.iter();
    let wanted = own.filter(|attribute| with_references || attribute.kind != Some(AttributeKind::Reference));
    let get = |name: &EcoString| call_member(value, name, &[]).unwrap_or(Ok(Value::Undef));
    wanted.map(|attribute| Ok((attribute.name.clone(), get(&attribute.name)?))).collect()
}

fn of_type(data_type: &Type) -> Vec<(&'static str, Value)> {
    let size = |size: &Option<IntegerType>| (*size).map(Type::integer).map_or(Value::Undef, Value::Type);
    let optional = |contained: &Option<Type>| contained.clone().map_or(Value::Undef, Value::Type);
    let text = |text: &Option<EcoString>| text.clone().map_or(Value::Undef, Value::String);
    let types = |types: &[Type]| Value::array(types.iter().cloned().map(Value::Type));
    match data_type {
        Type::Array(array) => vec![("element_type", array.element.clone().into())],
        Type::Hash(hash) => vec![("key_type", hash.key.clone().into()), ("value_type", hash.value.clone().into())],
        Type::Collection(collection) => vec![("size_type", size(&collection.size))],
        Type::Tuple(tuple) => vec![("types", types(&tuple.types)), ("size_type", size(&tuple.size))],
        Type::String(string) => vec![(
            "size_type_or_value",
            match &**string {
                StringType::Value(value) => value.clone().into(),
                StringType::Size(range) => Type::integer(*range).into(),
                StringType::Any => Value::Undef,
            },
        )],
        Type::Enum(choice) => vec![
            ("values", Value::array(choice.values.iter().cloned().map(Value::String))),
            ("case_insensitive", choice.case_insensitive.into()),
        ],
        Type::Pattern(pattern) => {
            let patterns = pattern.patterns.iter().map(|regexp| Type::regexp(Some(regexp.clone())).into());
            vec![("patterns", Value::array(patterns))]
        }
        Type::Regexp(regexp) => {
            let source = regexp.pattern.as_ref().map(|pattern| EcoString::from(pattern.source()));
            vec![("pattern", text(&source))]
        }
        Type::Optional(inner) => vec![("type", optional(&inner.contained))],
        Type::NotUndef(inner) => vec![("type", optional(&inner.contained))],
        Type::Type(inner) => vec![("type", optional(&inner.contained))],
        Type::Iterable(inner) => vec![("type", optional(&inner.element))],
        Type::Iterator(inner) => vec![("type", optional(&inner.element))],
        Type::Variant(variant) => vec![("types", types(&variant.types))],
        Type::Callable(callable) => vec![
            ("param_types", callable.parameters.clone().map_or(Value::Undef, |tuple| Type::Tuple(tuple.into()).into())),
            ("block_type", optional(&callable.block)),
            ("return_type", optional(&callable.returned)),
        ],
        Type::Init(init) => {
            vec![("type", optional(&init.contained)), ("init_args", Value::array(init.args.iter().cloned()))]
        }
        Type::Timespan(range) => limits(range),
        Type::Timestamp(range) => limits(range),
        Type::SemVer(versions) => {
            vec![("ranges", Value::array(versions.ranges.iter().cloned().map(Value::from)))]
        }
        Type::Class(class) => vec![("class_name", text(&class.class_name))],
        Type::Resource(resource) => vec![("type_name", text(&resource.type_name)), ("title", text(&resource.title))],
        Type::Runtime(runtime) => {
            vec![("runtime", text(&runtime.runtime)), ("name_or_pattern", text(&runtime.type_name))]
        }
        Type::Uri(uri) => vec![("parameters", uri.parameters.clone().map_or(Value::Undef, Value::Hash))],
        Type::Alias(alias) => vec![
            ("name", alias.alias_name().clone().into()),
            ("type_expr", Value::Undef),
            ("resolved_type", alias.resolved().clone().into()),
        ],
        _ => Vec::new(),
    }
}

fn limits<T: Clone + Into<Value>>(range: &TimeType<T>) -> Vec<(&'static str, Value)> {
    let limit = |limit: &Option<T>| limit.clone().map_or(Value::Undef, Into::into);
    vec![("from", limit(&range.from)), ("to", limit(&range.to))]
}
