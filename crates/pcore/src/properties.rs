//! What holds for all types and values: the laws of assignability, inference and text.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use ecow::EcoString;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::convert::Context;
use crate::data_type::Type;
use crate::data_types::{CallableType, FloatType, IntegerType, Member, StructType, Timestamp, TupleType, TypeAlias};
use crate::issues::Issue;
use crate::parse;
use crate::regexp::Regexp;
use crate::serialize;
use crate::value::Value;

fn name() -> impl Strategy<Value = EcoString> {
    prop_oneof![Just("a"), Just("b"), Just("it's"), Just("x\ny"), Just("long name")].prop_map(EcoString::from)
}

fn range() -> impl Strategy<Value = IntegerType> {
    (proptest::option::of(-3_i64..4), proptest::option::of(0_i64..5))
        .prop_map(|(from, length)| IntegerType { from, to: length.map(|length| from.unwrap_or(0) + length) })
}

fn size() -> impl Strategy<Value = Option<IntegerType>> {
    proptest::option::of(range().prop_map(IntegerType::to_size))
}

fn scalar_type() -> impl Strategy<Value = Type> {
    prop_oneof![
        Just(Type::Any),
        Just(Type::Default),
        Just(Type::Scalar),
        Just(Type::ScalarData),
        Just(Type::Numeric),
        Just(Type::data()),
        Just(Type::rich_data()),
        Just(Type::Binary),
        Just(Type::SemVerRange),
        Just(Type::BOOLEAN),
        Just(Type::string()),
        Just(Type::regexp(None)),
        Just(Type::resource("File", None)),
        Just(Type::resource("File", Some("x".into()))),
        Just(Type::class("foo")),
        range().prop_map(Type::integer),
        (-2.0..3.0, 0.0..3.0).prop_map(|(from, length)| Type::float(FloatType { from, to: from + length })),
        range().prop_map(Type::string_of_size),
        vec(name(), 1..3).prop_map(Type::enumeration),
        Just(Type::pattern(Regexp::new("a|b").ok().map(Arc::new))),
    ]
}

fn data_type() -> impl Strategy<Value = Type> {
    scalar_type().prop_recursive(3, 20, 3, |inner| {
        prop_oneof![
            (inner.clone(), size()).prop_map(|(element, size)| Type::array(element, size)),
            (inner.clone(), inner.clone(), size()).prop_map(|(key, value, size)| Type::hash(key, value, size)),
            (vec(inner.clone(), 1..3), size()).prop_map(|(types, size)| Type::tuple(types, size)),
            vec((name(), any::<bool>(), inner.clone()), 1..3).prop_map(structure),
            vec(inner.clone(), 2..4).prop_map(Type::variant),
            inner.clone().prop_map(Type::optional),
            inner.clone().prop_map(|contained| Type::type_of(Some(contained))),
            inner.clone().prop_map(|contained| Type::sensitive(&contained.generalize())),
            (vec(inner.clone(), 1..3), proptest::option::of(inner)).prop_map(|(mut types, returned)| {
                // A callable at the end would be read as the block.
                types.retain(|parameter| !parameter.is_kind_of_callable());
                types.push(Type::Numeric);
                let parameters = Some(TupleType::new(types, None));
                let returned = returned.filter(|returned| *returned != Type::Any);
                Type::Callable(Arc::new(CallableType { parameters, block: None, returned }))
            }),
        ]
    })
}

fn structure(members: Vec<(EcoString, bool, Type)>) -> Type {
    let mut unique: Vec<Member> = Vec::new();
    for (name, optional, value) in members {
        if unique.iter().all(|member| member.name != name) {
            unique.push(Member { name, optional, value });
        }
    }
    Type::Struct(Arc::new(StructType { members: unique }))
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Undef),
        Just(Value::Default),
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        (-1e9..1e9).prop_map(Value::Float),
        name().prop_map(Value::String),
        Just(Value::from("")),
        range().prop_map(|range| Value::Type(Type::array(Type::integer(range), None))),
        vec(name(), 1..3).prop_map(|names| Value::Type(Type::optional(Type::enumeration(names)))),
        name().prop_map(|name| Value::Sensitive(Arc::new(Value::String(name)))),
    ];
    scalar.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::array),
            vec((inner.clone(), inner), 0..4).prop_map(Value::hash),
        ]
    })
}

fn read(text: &str) -> Result<Type, Issue> {
    parse::parse_type(text, &mut |name| Ok((name == "File").then(|| Type::resource("File", None))))
}

/// No other types, and the start of time.
struct Nothing;

impl Context for Nothing {
    fn now(&self) -> Timestamp {
        Timestamp::from_nanoseconds(0)
    }

    fn utc_offset(&self) -> i32 {
        0
    }

    fn resolve(&mut self, _name: &str) -> Result<Option<Type>, Issue> {
        Ok(None)
    }
}

fn hash_of(data_type: &Type) -> u64 {
    let mut hasher = DefaultHasher::new();
    data_type.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_variant_holds_what_one_of_its_types_holds(
        types in vec(scalar_type(), 1..4),
        other in scalar_type(),
        value in value(),
    ) {
        let alias = TypeAlias::new("Tree");
        let tree = Type::Alias(alias.clone());
        let branches = Type::array(tree.clone(), None);
        alias.define(&Type::variant(types.iter().cloned().chain([branches]))).map_err(|_| TestCaseError::reject("no type"))?;
        let variant = Type::variant(types.clone());
        let held = types.iter().any(|option| option.is_instance(&value));
        prop_assert_eq!(variant.is_instance(&value), held);
        prop_assert!(tree.is_instance(&value) == held || matches!(value, Value::Array(_)));
        let accepted = types.iter().any(|option| option.is_assignable(&other));
        let stands_for_others = matches!(other, Type::Alias(_));
        prop_assert!(stands_for_others || variant.is_assignable(&other) == accepted);
        prop_assert!(stands_for_others || tree.is_assignable(&other) == accepted);
    }

    #[test]
    fn assignability_is_reflexive(data_type in data_type()) {
        prop_assert!(data_type.is_assignable(&data_type));
        if let Ok(same) = read(&data_type.to_string()) {
            prop_assert!(data_type.is_assignable(&same), "{}", data_type);
        }
    }

    #[test]
    fn assignability_is_transitive(wide in data_type(), middle in data_type(), narrow in data_type()) {
        let chain = [&wide, &middle, &narrow];
        // Compatibility: structs accept types of hashes that have instances which are no instances of the struct.
        let has_struct = chain.iter().any(|data_type| data_type.to_string().contains("Struct"));
        if !has_struct && wide.is_assignable(&middle) && middle.is_assignable(&narrow) {
            prop_assert!(wide.is_assignable(&narrow), "{} {} {}", wide, middle, narrow);
        }
    }

    #[test]
    fn a_general_type_accepts_the_special_one(data_type in data_type()) {
        // What accepts more general arguments is more special.
        prop_assume!(!data_type.to_string().contains("Callable"));
        prop_assert!(data_type.generalize().is_assignable(&data_type), "{}", data_type);
        prop_assert!(data_type.normalize().is_assignable(&data_type), "{} {}", data_type.normalize(), data_type);
    }

    #[test]
    fn a_common_type_accepts_both(one in data_type(), other in data_type()) {
        let common = Type::common(&one, &other);
        prop_assert!(common.is_assignable(&one) && common.is_assignable(&other), "{} {} {}", common, one, other);
    }

    #[test]
    fn equal_types_have_equal_hashes(one in data_type(), other in data_type()) {
        if one == other {
            prop_assert_eq!(hash_of(&one), hash_of(&other));
        }
    }

    #[test]
    fn text_leads_back_to_the_type(data_type in data_type()) {
        let text = data_type.to_string();
        // The language has no name for `Unit`.
        prop_assume!(!text.contains("Unit"));
        prop_assert_eq!(read(&text).ok(), Some(data_type), "{}", text);
    }

    #[test]
    fn a_value_is_an_instance_of_its_types(value in value()) {
        // `undef` among other values does not count in the reduced type.
        prop_assert!(Type::infer_detailed(&value).is_instance(&value), "{}", Type::infer_detailed(&value));
        prop_assert!(Type::infer_detailed(&value).generalize().is_instance(&value));
    }

    #[test]
    fn data_leads_back_to_the_value(value in value()) {
        let data = serialize::to_data(&value);
        let back = data.and_then(|data| serialize::from_data(&data, &mut Nothing));
        prop_assert_eq!(back.ok(), Some(value));
    }

    #[test]
    fn what_is_assignable_shares_its_instances(wide in data_type(), value in value()) {
        // Compatibility: a `Struct` accepts the type of hashes of the right size, whatever their keys are.
        prop_assume!(!wide.to_string().contains("Struct"));
        let narrow = Type::infer_detailed(&value);
        if wide.is_assignable(&narrow) {
            prop_assert!(wide.is_instance(&value), "{} {}", wide, narrow);
        }
    }
}
