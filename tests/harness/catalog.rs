//! A catalog in the shape of the recorded corpus: sorted, without the class `settings`.

use std::collections::{BTreeMap, BTreeSet};

use bunraku::{Catalog, wire};
use serde_json::{Value as Json, json};

/// The resources, edges and classes.
pub(super) fn record(catalog: &Catalog, with_tags: bool) -> Json {
    let options = wire::Options { is_reproducible: true, ..wire::Options::default() };
    let written = match wire::to_json(catalog, options) {
        Ok(written) => serde_json::from_str(&written).unwrap_or(Json::Null),
        Err(issue) => json!({"error": issue.message()}),
    };
    let list = |name: &str| written.get(name).and_then(Json::as_array).cloned().unwrap_or_default();
    let mut resources: Vec<Json> = Vec::new();
    for (resource, data) in catalog.resources().zip(list("resources")) {
        if resource.reference.to_string() == "Class[Settings]" {
            continue;
        }
        let parameters = data.get("parameters").cloned().unwrap_or_else(|| json!({}));
        let mut record =
            json!({"type": data.get("type"), "title": data.get("title"), "parameters": sorted(parameters)});
        if let Json::Object(record) = &mut record {
            if resource.is_exported() {
                record.insert("exported".to_owned(), json!(true));
            }
            if resource.is_virtual {
                record.insert("virtual".to_owned(), json!(true));
            }
            if let Some(names) = data.get("sensitive_parameters") {
                record.insert("sensitive_parameters".to_owned(), sorted_list(names));
            }
            if with_tags && let Some(tags) = data.get("tags") {
                record.insert("tags".to_owned(), sorted_list(tags));
            }
        }
        resources.push(record);
    }
    let text = |record: &Json, key: &str| record.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    resources.sort_by_key(|record| (text(record, "type"), text(record, "title")));
    let edges: BTreeSet<(String, String)> = catalog
        .edges
        .iter()
        .map(|edge| (edge.source.to_string(), edge.target.to_string()))
        .filter(|(source, target)| source != "Class[Settings]" && target != "Class[Settings]")
        .collect();
    let mut classes: Vec<&str> =
        catalog.classes.iter().map(|class| class.as_str()).filter(|class| *class != "settings").collect();
    classes.sort_unstable();
    json!({"resources": resources, "edges": edges, "classes": classes})
}

fn sorted(parameters: Json) -> Json {
    match parameters {
        Json::Object(parameters) => json!(parameters.into_iter().collect::<BTreeMap<String, Json>>()),
        other => other,
    }
}

fn sorted_list(names: &Json) -> Json {
    let mut names: Vec<&str> = names.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    names.sort_unstable();
    json!(names)
}
