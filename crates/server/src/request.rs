//! A request as endpoints see it: decoded once, with the identity that TLS has proved.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use percent_encoding::percent_decode_str;

use crate::client::Client;
use crate::response::{IssueKind, Refusal};

/// What a client asks for.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `PUT` and so on.
    pub method: String,
    /// The path, decoded once, without the query and without empty parts: what is authorized is what is answered.
    pub path: String,
    /// The parameters of the query, decoded, in their order.
    pub query: Vec<(String, String)>,
    /// The names of headers in lowercase, and what they say.
    pub headers: Vec<(String, String)>,
    /// What was sent along.
    pub body: Vec<u8>,
    /// Who it is, if a certificate was shown.
    pub client: Option<Arc<Client>>,
    /// Where the connection comes from.
    pub address: Option<IpAddr>,
    /// Which one it is since the server has started, for the log.
    pub id: u64,
    /// Set when nobody waits for the answer any more.
    pub cancelled: Arc<AtomicBool>,
}

impl Request {
    /// A request without headers and body that nobody has signed.
    pub fn new(method: &str, target: &str) -> Request {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Request {
            method: method.to_owned(),
            path: merged(&decode(path)),
            query: form(query),
            headers: Vec::new(),
            body: Vec::new(),
            client: None,
            address: None,
            id: 0,
            cancelled: Arc::default(),
        }
    }

    /// What a header says, the first one of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All values of a parameter of the query.
    pub fn parameters<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r str> {
        self.query.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The kind of data that was sent along, without its character set.
    pub fn content_type(&self) -> Option<&str> {
        self.header("content-type").map(|header| header.split(';').next().unwrap_or_default().trim())
    }

    /// The environment that the request is about, which most routes insist on.
    pub fn environment(&self) -> Result<&str, Refusal> {
        let name = self.parameter("environment").ok_or_else(|| {
            Refusal::bad_request("An environment parameter must be specified", IssueKind::RuntimeError)
        })?;
        match is_environment_name(name) {
            true => Ok(name),
            false => {
                let message = format!("The environment must be purely alphanumeric, not '{name}'");
                Err(Refusal::bad_request(message, IssueKind::RuntimeError))
            }
        }
    }

    /// The name in the client's certificate; empty without one.
    pub fn client_name(&self) -> &str {
        self.client.as_ref().map_or("", |client| client.name.as_str())
    }
}

/// A path with one slash where there are several, as the reference's web server sees it: rules of authorization, routes and
/// files are about the same path.
fn merged(path: &str) -> String {
    let mut merged = String::with_capacity(path.len());
    for letter in path.chars() {
        if letter != '/' || !merged.ends_with('/') {
            merged.push(letter);
        }
    }
    merged
}

/// Whether this can be the name of an environment: letters, digits and underscores.
pub(crate) fn is_environment_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Decodes `%20` and the like. What is no UTF-8 then is replaced, so it matches no name.
pub(crate) fn decode(encoded: &str) -> String {
    percent_decode_str(encoded).decode_utf8_lossy().into_owned()
}

/// Decodes a form or a query: `a=1&b=x+y`.
pub(crate) fn form(encoded: &str) -> Vec<(String, String)> {
    let part = |part: &str| decode(&part.replace('+', " "));
    let pairs = encoded.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (part(name), part(value))
        })
        .collect()
}
