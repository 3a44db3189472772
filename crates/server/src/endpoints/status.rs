//! `status`: whether the server works.

use serde_json::{Map, Value as Json, json};

use super::Answer;
use crate::response::JSON;
use crate::{Refusal, Request, Response, Server};

/// The services of Puppet Server, each of which has a part of this one in its place.
const SERVICES: [&str; 6] = ["puppet-profiler", "jruby-metrics", "ca", "master", "server", "status-service"];

/// `simple`: one word.
pub(super) fn simple(server: &Server, _: &Request, service: &str) -> Answer {
    match service.is_empty() || services_of(server).contains(&service) {
        true => Ok(Response::text(200, "running")),
        false => Err(Refusal::text(404, format!("not found: {service}"))),
    }
}

/// `services`: what each one says.
pub(super) fn services(server: &Server, request: &Request, service: &str) -> Answer {
    let level = request.parameter("level").unwrap_or("info");
    let version = request.parameter("service_status_version");
    let invalid = |kind: &str, message: String| {
        Refusal::Plain(Response::new(400, JSON, json!({ "kind": kind, "msg": message }).to_string()))
    };
    if let Some(version) = version.filter(|version| version.parse::<i64>().is_err()) {
        let message = format!("Invalid service_status_version. Should be an integer but was {version}");
        return Err(invalid("data-invalid", message));
    }
    if !matches!(level, "critical" | "info" | "debug") {
        return Err(invalid("data-invalid", format!("Invalid level: :{level}")));
    }
    let told = || {
        json!({
            "service_version": bunraku::PUPPET_VERSION, "service_status_version": 1, "detail_level": level,
            "state": "running", "status": {}, "active_alerts": [],
        })
    };
    let known = services_of(server);
    if service.is_empty() {
        let all: Map<String, Json> = known.into_iter().map(|name| (name.to_owned(), told())).collect();
        return Ok(Response::json(&Json::Object(all)));
    }
    if !known.contains(&service) {
        let message = format!("No status information found for service {service}");
        let body = json!({ "kind": "service-not-found", "msg": message });
        return Err(Refusal::Plain(Response::new(404, JSON, body.to_string())));
    }
    if let Some(version) = version.filter(|version| *version != "1") {
        let message = format!("No status function with version {version} found for service {service}");
        return Err(invalid("service-status-version-not-found", message));
    }
    let mut one = told();
    if let Json::Object(map) = &mut one {
        map.insert("service_name".to_owned(), json!(service));
    }
    Ok(Response::json(&one))
}

fn services_of(server: &Server) -> Vec<&'static str> {
    SERVICES.into_iter().filter(|name| *name != "ca" || server.authority.is_some()).collect()
}
