//! The object types that every program knows: `Error`, `Deferred`, `Puppet::LookupContext`, `Annotation`, `Pcore` and those
//! of generated resource types.

use std::sync::{Arc, LazyLock, OnceLock};

use super::{Attribute, AttributeKind, Definition, Function, ObjectType};
use crate::data_type::Type;
use crate::data_types::{CallableType, IntegerType, TupleType};
use crate::regexp::Regexp;
use crate::value::Value;

fn builtin(name: &str, definition: Definition) -> Arc<ObjectType> {
    Arc::new(ObjectType { declared_name: Some(name.into()), definition: OnceLock::from(definition) })
}

/// `Annotation`: what all types inherit from whose instances are attached to other values.
pub(crate) static ANNOTATION: LazyLock<Arc<ObjectType>> = LazyLock::new(|| builtin("Annotation", Definition::EMPTY));

/// `Pcore`: the type system itself.
pub(crate) static PCORE: LazyLock<Arc<ObjectType>> = LazyLock::new(|| builtin("Pcore", Definition::EMPTY));

/// `Deferred`: a call that is made when the catalog is applied.
pub(crate) static DEFERRED: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
    let name = Regexp::new(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z").ok().map(Arc::new);
    let arguments = Type::optional(Type::array(Type::Any, None));
    builtin(
        "Deferred",
        Definition {
            attributes: vec![
                Attribute::plain("name", Type::pattern(name), None),
                Attribute::plain("arguments", arguments, Some(Value::Undef)),
            ],
            ..Definition::EMPTY
        },
    )
});

/// `Error`: what went wrong in a function or a task.
pub(crate) static ERROR: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
    let text = || Type::string_of_size(IntegerType::at_least(1));
    let types = |of: Type| Type::type_of(Some(of));
    let parameter = || {
        Type::optional(Type::variant([
            Type::string(),
            Type::regexp(None),
            types(Type::enumeration([])),
            types(Type::pattern([])),
            types(Type::not_undef(None)),
            types(Type::Undef),
        ]))
    };
    let optional = |name, data_type| Attribute::plain(name, Type::optional(data_type), Some(Value::Undef));
    let message =
        CallableType { parameters: Some(TupleType::new(Vec::new(), None)), block: None, returned: Some(text()) };
    builtin(
        "Error",
        Definition {
            type_parameters: vec![
                Attribute::plain("kind", parameter(), None),
                Attribute::plain("issue_code", parameter(), None),
            ],
            attributes: vec![
                Attribute::plain("msg", text(), None),
                optional("kind", text()),
                optional("details", Type::hash(text(), Type::data(), None)),
                optional("issue_code", text()),
            ],
            functions: vec![Function {
                name: "message".into(),
                data_type: Type::Callable(Arc::new(message)),
                is_final: false,
                is_override: false,
            }],
            ..Definition::EMPTY
        },
    )
});

/// `Puppet::Resource::Param`: what a resource type that was generated for an environment says of a parameter.
pub(crate) static RESOURCE_PARAM: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
    let text = Type::string_of_size(IntegerType::at_least(1));
    builtin(
        "Puppet::Resource::Param",
        Definition {
            attributes: vec![
                Attribute::plain("type", Type::type_of(None), None),
                Attribute::plain("name", text, None),
                Attribute::plain("name_var", Type::BOOLEAN, Some(false.into())),
            ],
            equality: Some(vec!["name".into()]),
            ..Definition::EMPTY
        },
    )
});

/// `Puppet::Resource::ResourceType3`: a resource type that was generated for an environment.
pub(crate) static RESOURCE_TYPE: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
    let text = || Type::string_of_size(IntegerType::at_least(1));
    let parameters = || Type::array(Type::Object(RESOURCE_PARAM.clone()), None);
    let patterns = Type::hash(Type::regexp(None), Type::array(text(), None), None);
    builtin(
        "Puppet::Resource::ResourceType3",
        Definition {
            attributes: vec![
                Attribute::plain("name", text(), None),
                Attribute::plain("properties", parameters(), Some(Value::array([]))),
                Attribute::plain("parameters", parameters(), Some(Value::array([]))),
                Attribute::plain("title_patterns_hash", Type::optional(patterns), Some(Value::Undef)),
                Attribute::plain("isomorphic", Type::BOOLEAN, Some(true.into())),
                Attribute::plain("capability", Type::BOOLEAN, Some(false.into())),
            ],
            equality: Some(vec!["name".into()]),
            ..Definition::EMPTY
        },
    )
});

/// `Puppet::LookupContext`: what a function that provides data sees of the lookup. Its methods belong to the evaluation.
pub(crate) static LOOKUP_CONTEXT: LazyLock<Arc<ObjectType>> = LazyLock::new(|| {
    let text = || Type::string_of_size(IntegerType::at_least(1));
    let environment = Attribute::plain("environment_name", text(), None);
    builtin(
        "Puppet::LookupContext",
        Definition {
            parent: Some(Type::Any),
            attributes: vec![
                Attribute { kind: Some(AttributeKind::Derived), ..environment },
                Attribute::plain("module_name", Type::variant([text(), Type::Undef]), None),
            ],
            functions: lookup_context_methods(),
            ..Definition::EMPTY
        },
    )
});

fn lookup_context_methods() -> Vec<Function> {
    let key = || Type::optional(Type::Scalar);
    let count = |count| {
        let types = if count == 0 { Vec::new() } else { vec![Type::Unit] };
        TupleType::new(types, Some(IntegerType::exactly(count)))
    };
    let types = |types: Vec<Type>| TupleType::new(types, None);
    let callable = |parameters, block, returned| {
        Type::Callable(Arc::new(CallableType { parameters: Some(parameters), block, returned }))
    };
    let block = |parameters| callable(parameters, None, None);
    let pairs = Type::iterable(Some(Type::tuple(vec![key(), Type::Any], None)));
    let entries = Type::variant([
        callable(count(0), Some(block(count(1))), Some(Type::Undef)),
        callable(count(0), Some(block(count(2))), Some(Type::Undef)),
        callable(count(0), None, Some(pairs)),
    ]);
    // Compatibility: what was meant as the number of parameters of the block became the type of one.
    let file_block = Type::optional(block(types(vec![Type::array(Type::integer(IntegerType::ANY), None)])));
    let methods = [
        ("not_found", callable(count(0), None, Some(Type::Undef))),
        ("explain", callable(count(0), Some(block(count(0))), Some(Type::Undef))),
        ("interpolate", callable(count(1), None, None)),
        ("cache", callable(types(vec![key(), Type::Any]), None, None)),
        ("cache_all", callable(types(vec![Type::hash(key(), Type::Any, None)]), None, Some(Type::Undef))),
        ("cache_has_key", callable(types(vec![key()]), None, Some(Type::BOOLEAN))),
        ("cached_value", callable(types(vec![key()]), None, None)),
        ("cached_entries", entries),
        ("cached_file_data", callable(types(vec![Type::string()]), Some(file_block), None)),
    ];
    let method = |(name, data_type): (&str, Type)| Function {
        name: name.into(),
        data_type,
        is_final: false,
        is_override: false,
    };
    methods.into_iter().map(method).collect()
}
