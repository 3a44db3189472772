//! Routes: which file answers which path.

mod catalog;
mod catalog_v4;
mod certificate;
mod certificate_renewal;
mod certificate_request;
mod certificate_revocation_list;
mod certificate_status;
mod clean;
mod environment_cache;
mod environment_classes;
mod environment_modules;
mod environments;
mod expirations;
mod facts;
mod file_bucket_file;
mod file_content;
mod file_metadata;
mod file_metadatas;
mod metrics;
mod node;
mod plans;
mod report;
mod sign;
mod static_file_content;
mod status;
mod tasks;

use crate::{Refusal, Request, Response, Server};

type Answer = Result<Response, Refusal>;

/// What answers a path: the server, the request, and the path after the name of the route.
type Endpoint = fn(&Server, &Request, &str) -> Answer;

/// Every route. A path belongs to a route if it continues with a slash or not at all.
const ROUTES: &[(&str, Endpoint)] = &[
    ("/puppet/v3/catalog", catalog::answer),
    ("/puppet/v3/environment_classes", environment_classes::answer),
    ("/puppet/v3/environment_modules", environment_modules::answer),
    ("/puppet/v3/environment_transports", environment_classes::transports),
    ("/puppet/v3/environments", environments::answer),
    ("/puppet/v3/facts", facts::answer),
    ("/puppet/v3/file_bucket_file", file_bucket_file::answer),
    ("/puppet/v3/file_content", file_content::answer),
    ("/puppet/v3/file_metadata", file_metadata::answer),
    ("/puppet/v3/file_metadatas", file_metadatas::answer),
    ("/puppet/v3/node", node::answer),
    ("/puppet/v3/plans", plans::answer),
    ("/puppet/v3/report", report::answer),
    ("/puppet/v3/static_file_content", static_file_content::answer),
    ("/puppet/v3/tasks", tasks::answer),
    ("/puppet/v4/catalog", catalog_v4::answer),
    ("/metrics", metrics::answer),
    ("/puppet-admin-api/v1/environment-cache", environment_cache::answer),
    ("/puppet-admin-api/v1/jruby-pool", environment_cache::answer),
    ("/puppet-ca/v1/certificate", certificate::answer),
    ("/puppet-ca/v1/certificate_renewal", certificate_renewal::answer),
    ("/puppet-ca/v1/certificate_request", certificate_request::answer),
    ("/puppet-ca/v1/certificate_revocation_list", certificate_revocation_list::answer),
    ("/puppet-ca/v1/certificate_status", certificate_status::answer),
    ("/puppet-ca/v1/certificate_statuses", certificate_status::answer_all),
    ("/puppet-ca/v1/clean", clean::answer),
    ("/puppet-ca/v1/expirations", expirations::answer),
    ("/puppet-ca/v1/sign", sign::answer),
    ("/status/v1/services", status::services),
    ("/status/v1/simple", status::simple),
];

/// Answers a request that may be answered.
pub(crate) fn answer(server: &Server, request: &Request) -> Answer {
    let continued = |route: &str| {
        let rest = request.path.strip_prefix(route)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    };
    match ROUTES.iter().find_map(|(route, endpoint)| Some((endpoint, continued(route)?))) {
        Some((endpoint, rest)) => endpoint(server, request, rest),
        None => Err(Refusal::Unknown),
    }
}

/// Whether a path belongs to any of the services; others are not even a matter of authorization.
pub(crate) fn is_service(path: &str) -> bool {
    let services = ["/puppet/", "/puppet-ca/", "/puppet-admin-api/", "/status/", "/metrics/"];
    path == "/metrics" || services.iter().any(|service| path.starts_with(service))
}

/// There is nothing at a path, or nothing for this method. The reference's web server answers this itself, and has no page
/// for methods that are not asked for pages.
pub(crate) fn unknown(request: &Request) -> Response {
    let body = serde_json::json!({ "message": "Not Found", "url": request.path, "status": "404" });
    let response = match request.method.as_str() {
        "GET" | "POST" => Response::new(404, "application/json", body.to_string()),
        "HEAD" => Response::empty(404),
        _ => return Response::empty(404),
    };
    response.with_header("Cache-Control", "must-revalidate,no-cache,no-store")
}

/// Refuses other methods.
fn only(request: &Request, methods: &[&str]) -> Result<(), Refusal> {
    if methods.contains(&request.method.as_str()) { Ok(()) } else { Err(Refusal::Unknown) }
}

/// The authority, where this server has one.
fn authority(server: &Server) -> Result<&crate::ca::CertificateAuthority, Refusal> {
    server.authority.as_ref().ok_or_else(|| Refusal::text(404, "Not Found"))
}

/// Refuses a name that cannot stand in a path of the authority: the reference has no such route then.
fn check_subject(name: &str) -> Result<(), Refusal> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    match name.bytes().all(is_letter) {
        true => Ok(()),
        false => Err(Refusal::Plain(Response::new(404, "text/html;charset=utf-8", "Not Found"))),
    }
}

/// What the authority refuses, as its routes tell it.
fn refused(refused: crate::ca::Refused) -> Refusal {
    Refusal::text(refused.status, refused.message)
}

/// What an operator has sent, which must be JSON.
fn sent_json(request: &Request) -> Result<serde_json::Value, Refusal> {
    serde_json::from_slice(&request.body).map_err(|_| Refusal::text(400, "Request body is not JSON."))
}

/// The names in what an operator has sent.
fn names(sent: &serde_json::Value, key: &str) -> Option<Vec<String>> {
    sent.get(key)?.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}
