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

use std::sync::Arc;

use bunraku::Compiler;

use crate::request::is_environment_name;
use crate::{Refusal, Request, Response, Server};

type Answer = Result<Response, Refusal>;

/// What answers a path: the server, the request, and the path after the name of the route.
type Endpoint = fn(&Server, &Request, &str) -> Answer;

/// A route: its name, what follows the name, the methods that it knows, and what answers it.
type Route = (&'static str, Rest, &'static [&'static str], Endpoint);

/// What may follow the name of a route.
#[derive(Clone, Copy)]
enum Rest {
    /// Nothing.
    Nothing,
    /// A slash, and anything behind it.
    Path,
    /// A slash and one name without a slash.
    Name,
    /// Two names, each behind a slash.
    Names,
    /// Nothing, or a slash and anything behind it.
    Any,
}

impl Rest {
    /// What follows the name of a route in a path, if that is how it may go on.
    fn of<'p>(self, path: &'p str, route: &str) -> Option<&'p str> {
        let rest = path.strip_prefix(route)?;
        let below = rest.strip_prefix('/');
        let is_name = |name: &str| !name.is_empty() && !name.contains('/');
        match self {
            Rest::Nothing => rest.is_empty().then_some(rest),
            Rest::Path => below,
            Rest::Name => below.filter(|name| is_name(name)),
            Rest::Names => {
                below.filter(|names| names.split_once('/').is_some_and(|(one, other)| is_name(one) && is_name(other)))
            }
            Rest::Any => {
                if rest.is_empty() {
                    Some(rest)
                } else {
                    below
                }
            }
        }
    }
}

const GET: &[&str] = &["GET"];
const PUT: &[&str] = &["PUT"];
const POST: &[&str] = &["POST"];
const DELETE: &[&str] = &["DELETE"];

/// Every route.
const ROUTES: &[Route] = &[
    ("/puppet/v3/catalog", Rest::Path, &["GET", "POST"], catalog::answer),
    ("/puppet/v3/environment_classes", Rest::Any, GET, environment_classes::answer),
    ("/puppet/v3/environment_modules", Rest::Any, GET, environment_modules::answer),
    ("/puppet/v3/environment_transports", Rest::Any, GET, environment_classes::transports),
    ("/puppet/v3/environments", Rest::Nothing, GET, environments::answer),
    ("/puppet/v3/facts", Rest::Path, PUT, facts::answer),
    ("/puppet/v3/file_bucket_file", Rest::Path, &["GET", "HEAD", "PUT"], file_bucket_file::answer),
    ("/puppet/v3/file_content", Rest::Path, GET, file_content::answer),
    ("/puppet/v3/file_metadata", Rest::Path, GET, file_metadata::answer),
    ("/puppet/v3/file_metadatas", Rest::Path, GET, file_metadatas::answer),
    ("/puppet/v3/node", Rest::Path, GET, node::answer),
    ("/puppet/v3/plans", Rest::Nothing, GET, plans::all),
    ("/puppet/v3/plans", Rest::Names, GET, plans::one),
    ("/puppet/v3/report", Rest::Path, PUT, report::answer),
    ("/puppet/v3/static_file_content", Rest::Path, GET, static_file_content::answer),
    ("/puppet/v3/tasks", Rest::Nothing, GET, tasks::all),
    ("/puppet/v3/tasks", Rest::Names, GET, tasks::one),
    ("/puppet/v4/catalog", Rest::Nothing, POST, catalog_v4::answer),
    ("/metrics", Rest::Nothing, GET, metrics::answer),
    ("/puppet-admin-api/v1/environment-cache", Rest::Nothing, DELETE, environment_cache::answer),
    ("/puppet-admin-api/v1/jruby-pool", Rest::Nothing, DELETE, environment_cache::answer),
    ("/puppet-ca/v1/certificate", Rest::Name, GET, certificate::answer),
    ("/puppet-ca/v1/certificate_renewal", Rest::Nothing, POST, certificate_renewal::answer),
    ("/puppet-ca/v1/certificate_request", Rest::Name, &["GET", "PUT", "DELETE"], certificate_request::answer),
    ("/puppet-ca/v1/certificate_revocation_list", Rest::Name, GET, certificate_revocation_list::answer),
    ("/puppet-ca/v1/certificate_revocation_list", Rest::Nothing, PUT, certificate_revocation_list::update),
    ("/puppet-ca/v1/certificate_status", Rest::Name, &["GET", "PUT", "DELETE"], certificate_status::answer),
    ("/puppet-ca/v1/certificate_statuses", Rest::Path, GET, certificate_status::answer_all),
    ("/puppet-ca/v1/clean", Rest::Nothing, PUT, clean::answer),
    ("/puppet-ca/v1/expirations", Rest::Nothing, GET, expirations::answer),
    ("/puppet-ca/v1/sign", Rest::Nothing, POST, sign::answer),
    ("/puppet-ca/v1/sign/all", Rest::Nothing, POST, sign::answer_all),
    ("/status/v1/services", Rest::Nothing, GET, status::services),
    ("/status/v1/services", Rest::Name, GET, status::services),
    ("/status/v1/simple", Rest::Nothing, GET, status::simple),
    ("/status/v1/simple", Rest::Name, GET, status::simple),
];

/// What answers a request, if there is a route for its path and its method, and what follows the name of the route.
fn route(request: &Request) -> Option<(Endpoint, &str)> {
    ROUTES.iter().find_map(|(name, rest, methods, endpoint)| {
        let rest = rest.of(&request.path, name)?;
        methods.contains(&request.method.as_str()).then_some((*endpoint, rest))
    })
}

/// Answers a request that may be answered.
pub(crate) fn answer(server: &Server, request: &Request) -> Answer {
    if let Some((endpoint, rest)) = route(request) {
        return endpoint(server, request, rest);
    }
    // The reference tells this apart only where clients change something.
    let resources = ["certificate_status", "certificate_statuses", "environment-cache", "jruby-pool"];
    let known = ROUTES.iter().filter(|(name, rest, ..)| rest.of(&request.path, name).is_some());
    let known = known.filter(|(name, ..)| name.rsplit('/').next().is_some_and(|last| resources.contains(&last)));
    let allowed: Vec<&str> = known.flat_map(|(_, _, methods, _)| methods.iter().copied()).collect();
    if !allowed.is_empty() {
        let refusal = Response::text(405, "Method not allowed.").with_header("Allow", allowed.join(", "));
        return Err(Refusal::Plain(refusal));
    }
    let is_plain = ["/puppet-ca/", "/puppet-admin-api/"].iter().any(|service| request.path.starts_with(service));
    Err(if is_plain { not_found() } else { Refusal::Unknown })
}

/// There is no such path below the authority or the administration.
fn not_found() -> Refusal {
    Refusal::Plain(Response::new(404, "text/html;charset=utf-8", "Not Found"))
}

/// Whether a request is one that rules decide about. What is no route of the agents' own, or of none of the services, is
/// not even a matter of authorization.
pub(crate) fn is_authorized(request: &Request) -> bool {
    let services = ["/puppet-ca/", "/puppet-admin-api/", "/status/", "/metrics/"];
    request.path == "/metrics"
        || services.iter().any(|service| request.path.starts_with(service))
        || route(request).is_some()
}

/// The environment that a request to one of the routes about code is about, which say what is wrong in plain text.
fn environment<'r>(server: &Server, request: &'r Request) -> Result<(&'r str, Arc<Compiler>), Refusal> {
    let wrong = |shown: &str| Refusal::text(400, format!("The environment must be purely alphanumeric, not '{shown}'"));
    let given: Vec<&str> = request.parameters("environment").collect();
    let name = match given.as_slice() {
        [] => return Err(Refusal::text(400, "An environment parameter must be specified")),
        [name] if is_environment_name(name) => *name,
        [name] => return Err(wrong(name)),
        several => {
            let shown: Vec<String> = several.iter().map(|name| format!("{name:?}")).collect();
            return Err(wrong(&format!("[{}]", shown.join(" "))));
        }
    };
    match server.project.compiler(name) {
        Ok(compiler) => Ok((name, compiler)),
        Err(_) => Err(missing(format!("Could not find environment '{name}'"))),
    }
}

/// There is no such thing, as the routes about code say it: without a kind of data.
fn missing(message: String) -> Refusal {
    Refusal::Plain(Response { body: message.into_bytes(), ..Response::empty(404) })
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
        false => Err(not_found()),
    }
}

/// What the authority refuses, as its routes tell it.
fn refused(refused: crate::ca::Refused) -> Refusal {
    Refusal::text(refused.status, refused.message)
}

/// What an operator has sent, which must be JSON.
fn sent_json(request: &Request) -> Result<serde_json::Value, Refusal> {
    let sent = serde_json::from_slice(&request.body).ok().filter(|sent: &serde_json::Value| !sent.is_null());
    sent.ok_or_else(|| Refusal::text(400, "Request body is not JSON."))
}

/// The names in what an operator has sent.
fn names(sent: &serde_json::Value, key: &str) -> Option<Vec<String>> {
    sent.get(key)?.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}
