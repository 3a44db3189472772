//! `node`: what a node needs to know about itself before its first run, above all its environment.

use std::sync::Arc;

use bunraku::{Hash, Value, json};

use super::Answer;
use crate::format::Format;
use crate::{Request, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    let requested = request.environment()?;
    let compiler = server.compiler(requested)?;
    let classification = server.classification(name)?;
    let environment = classification.environment.clone().unwrap_or_else(|| requested.to_owned());
    let classes: Vec<Value> = classification.classes.iter().map(|(class, _)| Value::from(class.as_str())).collect();
    let mut parameters: Hash =
        classification.parameters.iter().map(|(name, value)| (name.as_str().into(), value.clone())).collect();
    let facts = server.kept_facts(name)?;
    if !facts.is_empty() {
        let node = server.prepared(name, &facts, request.client.as_deref(), classification, &compiler)?;
        for (fact, value) in facts.iter() {
            if parameters.get(fact).is_none() {
                parameters.insert(fact.clone(), value.clone());
            }
        }
        parameters.insert("trusted".into(), Value::Hash(Arc::clone(&node.trusted)));
    }
    let mut told = Hash::from_iter([
        (Value::from("name"), Value::from(name)),
        ("environment".into(), environment.as_str().into()),
    ]);
    if !classes.is_empty() {
        told.insert("classes".into(), Value::array(classes));
    }
    if !parameters.is_empty() {
        told.insert("parameters".into(), Value::from(parameters));
    }
    Format::accepted(request, Format::DATA)?.response(json::write(&Value::from(told))?)
}
