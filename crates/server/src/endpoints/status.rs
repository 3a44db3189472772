//! `status`: whether the server works.

use serde_json::{Map, Value as Json, json};

use super::{Answer, only};
use crate::response::JSON;
use crate::{Refusal, Request, Response, Server};

/// The services of Puppet Server, each of which has a part of this one in its place.
const SERVICES: [&str; 6] = ["puppet-profiler", "jruby-metrics", "ca", "master", "server", "status-service"];

/// `simple`: one word.
pub(super) fn simple(server: &Server, request: &Request, service: &str) -> Answer {
    only(request, &["GET"])?;
    match service.is_empty() || services_of(server).contains(&service) {
        true => Ok(Response::text(200, "running")),
        false => Err(Refusal::text(404, format!("not found: {service}"))),
    }
}

/// `services`: what each one says.
pub(super) fn services(server: &Server, request: &Request, service: &str) -> Answer {
    only(request, &["GET"])?;
    let level = request.parameter("level").unwrap_or("info");
    if !matches!(level, "critical" | "info" | "debug") {
        let body = json!({ "kind": "data-invalid", "msg": format!("Invalid level: :{level}") });
        return Err(Refusal::Plain(Response::new(400, JSON, body.to_string())));
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
    let mut one = told();
    if let Json::Object(map) = &mut one {
        map.insert("service_name".to_owned(), json!(service));
    }
    Ok(Response::json(&one))
}

fn services_of(server: &Server) -> Vec<&'static str> {
    SERVICES.into_iter().filter(|name| *name != "ca" || server.authority.is_some()).collect()
}
