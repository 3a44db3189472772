//! The names of the data types that every program knows.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::data_type::Type;
use crate::data_types::object::{ANNOTATION, DEFERRED, ERROR, LOOKUP_CONTEXT, PCORE, RESOURCE_PARAM, RESOURCE_TYPE};
use crate::data_types::type_alias::{LOOKUP_ALIASES, NAME_ALIASES};
use crate::data_types::{
    CallableType, ClassType, EnumType, FloatType, InitType, IntegerType, OptionalType, ResourceType, RuntimeType,
    TimeType, type_set,
};

impl Type {
    /// The data type with a name, such as `Integer`; upper and lower case do not matter. Aliases of programs, resource
    /// types and the like are not among them.
    pub fn by_name(name: &str) -> Option<Type> {
        static NAMED: LazyLock<FxHashMap<String, Type>> = LazyLock::new(|| {
            let type_set = ("TypeSet".to_owned(), Type::TypeSet(type_set::DEFAULT.clone()));
            let aliases = LOOKUP_ALIASES.iter().chain(NAME_ALIASES.iter()).cloned();
            let all = all().into_iter().chain(aliases);
            let named = all.map(|data_type| (data_type.name().to_owned(), data_type)).chain([type_set]);
            // As they are written nearly always, and in lower case for every other spelling.
            named
                .flat_map(|(name, data_type)| [(name.to_ascii_lowercase(), data_type.clone()), (name, data_type)])
                .collect()
        });
        if let Some(found) = NAMED.get(name) {
            return Some(found.clone());
        }
        NAMED.get(&name.to_ascii_lowercase()).cloned()
    }
}

impl Type {
    /// The names of the data types that every program knows.
    pub fn names() -> Vec<String> {
        all().iter().map(|data_type| data_type.name().to_owned()).collect()
    }
}

fn all() -> Vec<Type> {
    vec![
        Type::Any,
        Type::array(Type::Any, None),
        Type::Binary,
        Type::BOOLEAN,
        Type::Callable(Arc::new(CallableType::default())),
        Type::CatalogEntry,
        Type::Class(Arc::new(ClassType { class_name: None })),
        Type::collection(None),
        Type::data(),
        Type::Default,
        Type::Enum(Arc::new(EnumType::new([], false))),
        Type::float(FloatType::ANY),
        Type::hash(Type::Any, Type::Any, None),
        Type::Init(Arc::new(InitType::default())),
        Type::integer(IntegerType::ANY),
        Type::iterable(None),
        Type::iterator(None),
        Type::not_undef(None),
        Type::Numeric,
        Type::Object(Arc::default()),
        Type::Optional(Arc::new(OptionalType { contained: None })),
        Type::pattern([]),
        Type::regexp(None),
        Type::Resource(Arc::new(ResourceType::default())),
        Type::rich_data(),
        Type::rich_data_key(),
        Type::Runtime(Arc::new(RuntimeType { runtime: None, type_name: None })),
        Type::Scalar,
        Type::ScalarData,
        Type::semver(Vec::new()),
        Type::SemVerRange,
        Type::sensitive(&Type::Any),
        Type::string(),
        Type::Struct(Arc::default()),
        Type::timespan(TimeType::ANY),
        Type::timestamp(TimeType::ANY),
        Type::tuple(Vec::new(), None),
        Type::type_of(None),
        Type::reference("UnresolvedReference"),
        Type::Undef,
        Type::Uri(Arc::default()),
        Type::Object(ANNOTATION.clone()),
        Type::Object(DEFERRED.clone()),
        Type::Object(ERROR.clone()),
        Type::Object(LOOKUP_CONTEXT.clone()),
        Type::Object(PCORE.clone()),
        Type::Object(RESOURCE_PARAM.clone()),
        Type::Object(RESOURCE_TYPE.clone()),
        Type::Variant(Arc::default()),
    ]
}
