//! Compares lookups, and the account they give of themselves, with recorded ones.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

mod common;

use std::sync::Arc;

use bunraku_environment::{Memory, Strict};
use bunraku_hiera::{Error, Explain, Hiera, Layout, Request, Session, not_found};
use bunraku_pcore::Value;
use ecow::EcoString;
use serde_json::Value as Json;

use common::Variables;

#[test]
fn lookups_explain_themselves_as_the_reference_does() {
    let mut failures = Vec::new();
    for line in include_str!("explain.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let expect = &case["expect"];
        let (text, data) = match run(&case) {
            Ok((text, data)) => (text, data),
            Err(error) => (error.message.to_string(), Json::Null),
        };
        let expected = expect["text"].as_str().or(expect["error"]["message"].as_str()).unwrap();
        if text != expected {
            failures.push(format!("=== {}\n--- expected\n{expected}\n--- got\n{text}", case["id"]));
        } else if expect.get("data").is_some_and(|expected| *expected != data) {
            failures.push(format!("=== {}\n--- expected\n{}\n--- got\n{data}", case["id"], expect["data"]));
        }
    }
    assert!(failures.is_empty(), "{} lookups differ:\n{}", failures.len(), failures.join("\n"));
}

fn run(case: &Json) -> Result<(String, Json), Error> {
    let world = Memory::default();
    for (path, text) in case["files"].as_object().unwrap() {
        world.write(&format!("/production/{path}"), text.as_str().unwrap());
    }
    let modules = case["files"].as_object().unwrap().keys().filter_map(|path| {
        let name = path.strip_prefix("modules/")?.split('/').next()?;
        Some((EcoString::from(name), format!("/production/modules/{name}")))
    });
    let layout = Layout {
        global_config: format!("/production/{}", case["global"].as_str().unwrap_or("none/hiera.yaml")),
        codedir: "/etc/puppet/code".to_owned(),
        environment: "production".into(),
        environment_root: Some("/production".to_owned()),
        modules: modules.collect(),
        ..Layout::default()
    };
    let strict = match case["strict"].as_str() {
        Some("off") => Strict::Off,
        Some("warning") => Strict::Warning,
        _ => Strict::Error,
    };
    let session = Session::new(Arc::new(Hiera::new(layout, strict)), &world);
    let names: Vec<EcoString> =
        case["keys"].as_array().unwrap().iter().map(|key| key.as_str().unwrap().into()).collect();
    let merge = case.get("merge").map(value);
    let covers = if case["explain"] == "options" { Explain::OnlyOptions } else { Explain::Data };
    let request = Request { names: &names, merge: merge.as_ref(), ..Request::default() };
    let scope = Scope::new(case);
    let mut context = Variables(|name: &str| scope.variable(name));
    let (found, mut explanation) = session.explain(&request, covers, &mut context)?;
    if found.is_none() && case.get("default").is_none() && !explanation.has_failed() {
        explanation.fail(&not_found(&names));
    }
    Ok((explanation.to_string(), json(&explanation.to_value())))
}

/// The variables of the recorded node.
struct Scope {
    facts: Value,
}

impl Scope {
    fn new(case: &Json) -> Scope {
        let mut facts: Json = serde_json::from_str(
            r#"{"hostname": "test", "domain": "example.com", "fqdn": "test.example.com", "certname": "test.example.com",
                "clientcert": "test.example.com", "kernel": "Linux", "osfamily": "Debian", "operatingsystem": "Debian",
                "os": {"name": "Debian", "family": "Debian", "release": {"full": "12.1", "major": "12", "minor": "1"}},
                "networking": {"hostname": "test", "domain": "example.com", "fqdn": "test.example.com"},
                "processors": {"count": 4}, "is_virtual": false}"#,
        )
        .unwrap();
        for (name, fact) in case["facts"].as_object().into_iter().flatten() {
            facts[name] = fact.clone();
        }
        Scope { facts: value(&facts) }
    }

    fn variable(&self, name: &str) -> Result<Value, EcoString> {
        let trusted = r#"{"authenticated": "local", "certname": "test.example.com", "extensions": {},
            "hostname": "test", "domain": "example.com", "external": {}}"#;
        match name.trim_start_matches("::") {
            "facts" => Ok(self.facts.clone()),
            "trusted" => Ok(value(&serde_json::from_str(trusted).unwrap())),
            "environment" => Ok("production".into()),
            "module_name" => Ok("".into()),
            name => match self.facts.get(name) {
                Some(value) => Ok(value.clone()),
                None => match name.rsplit_once("::") {
                    Some((class, _)) => Err(ecow::eco_format!("class {class} could not be found")),
                    None => Err(EcoString::new()),
                },
            },
        }
    }
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(boolean) => Value::Boolean(*boolean),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Integer(integer),
            None => Value::Float(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(elements) => Value::array(elements.iter().map(value)),
        Json::Object(object) => Value::hash(object.iter().map(|(key, json)| (Value::from(key.as_str()), value(json)))),
    }
}

fn json(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(boolean) => Json::Bool(*boolean),
        Value::Integer(integer) => Json::from(*integer),
        Value::Float(float) => Json::from(*float),
        Value::Array(elements) => elements.iter().map(json).collect(),
        Value::Hash(hash) => Json::Object(hash.iter().map(|(key, value)| (key.to_string(), json(value))).collect()),
        other => Json::String(other.to_string()),
    }
}
