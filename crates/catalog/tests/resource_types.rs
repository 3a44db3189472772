//! The shelf of resource types says the same as the recorded description of the reference's types.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

use bunraku_catalog::resource_type::{Attribute, AttributeDefault, AttributeKind, METAPARAMETERS, Shape, Text};
use bunraku_catalog::resource_types;
use bunraku_catalog::title::Titles;
use serde_json::Value;

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(|it| it.as_str().unwrap()).collect()
}

fn check_attribute(attribute: &Attribute, recorded: &Value, place: &str) {
    let kind = match attribute.kind {
        AttributeKind::Property => "property",
        AttributeKind::Parameter => "parameter",
    };
    let plain = |list: &[Text]| list.iter().map(|it| it.to_string()).collect::<Vec<_>>();
    assert_eq!(attribute.name, recorded["name"].as_str().unwrap(), "{place}");
    assert_eq!(kind, recorded["kind"], "{place}");
    assert_eq!(plain(&attribute.values), texts(&recorded["values"]), "{place}");
    assert_eq!(plain(&attribute.features), texts(&recorded["required_features"]), "{place}");
    let patterns: Vec<String> = attribute.patterns.iter().map(|it| format!("/{it}/")).collect();
    assert_eq!(patterns, texts(&recorded["value_patterns"]), "{place}");
    assert_eq!(attribute.is_boolean, recorded["boolean"] == true, "{place}");
    for (spelling, value) in &attribute.aliases {
        assert!(texts(&recorded["value_aliases"][&**value]).contains(&&**spelling), "{place}");
    }
    match &attribute.default {
        AttributeDefault::Absent => assert!(recorded["default"].is_null(), "{place}"),
        AttributeDefault::Computed => assert_eq!(recorded["default_computed"], true, "{place}"),
        AttributeDefault::Literal(text) => match recorded["default"].as_str() {
            Some(recorded) => assert_eq!(text, recorded, "{place}"),
            None => assert_eq!(*text, recorded["default"].to_string(), "{place}"),
        },
    }
    let shape = match recorded {
        _ if recorded["list"] == true => Shape::List,
        _ if recorded["key_value"] == true => Shape::KeyValue,
        _ if recorded["array_matching"] == "all" => Shape::All,
        _ => Shape::First,
    };
    assert_eq!(attribute.shape, shape, "{place}");
}

#[test]
fn the_shelf_agrees_with_the_record() {
    let recorded: Value = serde_json::from_str(include_str!("data/resource_types.json")).unwrap();
    let metaparameters: Vec<&str> =
        recorded["metaparams"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(METAPARAMETERS.as_slice(), metaparameters);
    for (name, recorded) in recorded["types"].as_object().unwrap() {
        let resource_type = resource_types::builtin(name).unwrap();
        assert_eq!(&*resource_type.name, name.as_str());
        let attributes = recorded["attributes"].as_array().unwrap();
        assert_eq!(resource_type.attributes.len(), attributes.len(), "{name}");
        for (attribute, recorded) in resource_type.attributes.iter().zip(attributes) {
            check_attribute(attribute, recorded, &format!("{name} {}", attribute.name));
        }
        assert_eq!(resource_type.namevars, texts(&recorded["key_attributes"]), "{name}");
        assert_eq!(resource_type.is_isomorphic, recorded["isomorphic"] == true, "{name}");
        assert_eq!(resource_type.is_refreshable, recorded["refreshable"] == true, "{name}");
        assert_eq!(resource_type.features, texts(&recorded["features"]), "{name}");
        assert_eq!(resource_type.providers, texts(&recorded["providers"]), "{name}");
        assert_eq!(matches!(resource_type.titles, Titles::Whole), recorded["title_patterns"].is_null(), "{name}");
        let mut required: Vec<&str> = resource_type.autorequires.iter().map(|it| &*it.type_name).collect();
        required.dedup();
        assert_eq!(required, texts(&recorded["autorequire"]), "{name}");
    }
}
