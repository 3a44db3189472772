//! What clients send to the server, and the rules of who may do what.

use std::sync::{Arc, LazyLock};

use bunraku::{Disk, RunMode, Settings};
use bunraku_notation::hocon;
use bunraku_server::pki::{Certificate, CertificateRequest, RevocationList, SigningKey};
use bunraku_server::{Client, Configuration, Form, Journal, Request, Server};
use bunraku_web::{Response, Url};

const NODE: &str = "web01.example.test";
const CERTIFICATE: &str = include_str!("../../../tests/wire/certificates/web01.example.test.pem");

/// A server without an authority, in a directory of its own.
static SERVER: LazyLock<Option<Server>> = LazyLock::new(|| open(None));

fn open(rules: Option<bunraku::Value>) -> Option<Server> {
    let directory = std::env::temp_dir().join(format!("bunraku-fuzz-server-{}", std::process::id()));
    let manifests = directory.join("code/environments/production/manifests");
    std::fs::create_dir_all(&manifests).ok()?;
    std::fs::write(manifests.join("site.pp"), "notify { \"${facts} ${trusted}\": }").ok()?;
    let below = |part: &str| directory.join(part).display().to_string();
    let layer = [("confdir", below("conf")), ("vardir", below("var")), ("codedir", below("code"))];
    let layer = layer.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let settings = Settings::load(&Disk, RunMode::Server, layer).ok()?;
    let mut configuration = Configuration::load(settings, &Disk).ok()?;
    configuration.authorization = rules.map(|rules| ("auth.conf".to_owned(), rules));
    Server::open(configuration, Journal { form: Form::Silent, ..Journal::default() }).ok()
}

fn request(method: &str, target: &str, kind: &str, body: &[u8]) -> Request {
    let mut request = Request::new(method, target);
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    request.headers =
        vec![header("accept", "application/json, application/octet-stream"), header("content-type", kind)];
    request.body = body.to_vec();
    let certificate = Certificate::from_pem(CERTIFICATE).ok();
    request.client =
        certificate.map(|certificate| Arc::new(Client { name: NODE.to_owned(), certificate: Some(certificate) }));
    request
}

fn answer(method: &str, target: &str, kind: &str, body: &[u8]) {
    if let Some(server) = &*SERVER {
        server.answer(&request(method, target, kind, body));
    }
}

/// The form that asks for a catalog, with facts in it.
pub(crate) fn catalog_form(bytes: &[u8]) {
    let target = format!("/puppet/v3/catalog/{NODE}?environment=production");
    answer("POST", &target, "application/x-www-form-urlencoded", bytes);
}

/// A report, and facts, in JSON.
pub(crate) fn sent_json(bytes: &[u8]) {
    for route in ["report", "facts"] {
        let target = format!("/puppet/v3/{route}/{NODE}?environment=production");
        answer("PUT", &target, "application/json", bytes);
    }
    answer("POST", "/puppet/v4/catalog", "application/json", bytes);
}

/// The same packed.
pub(crate) fn sent_msgpack(bytes: &[u8]) {
    for route in ["report", "facts"] {
        let target = format!("/puppet/v3/{route}/{NODE}?environment=production");
        answer("PUT", &target, "application/x-msgpack", bytes);
    }
}

/// What is asked for: paths and queries.
pub(crate) fn request_target(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        for method in ["GET", "HEAD"] {
            answer(method, text, "text/plain", b"");
            answer(method, &format!("/puppet/v3/{text}"), "text/plain", b"");
        }
    });
}

/// Requests for certificates, certificates, revocation lists and keys.
pub(crate) fn certificate(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        if let Ok(request) = CertificateRequest::from_pem(text) {
            let _ = (request.name(), request.extensions(), request.alternative_names(), request.public_key_info());
            let _ = (request.attribute("1.2.840.113549.1.9.7"), request.is_signed_with_own_key());
        }
        for certificate in Certificate::all_from_pem(text) {
            let _ = (certificate.name(), certificate.extensions(), certificate.alternative_names());
            let _ = (certificate.validity(), certificate.to_text(), Client::new(certificate.clone()));
        }
        for list in RevocationList::all_from_pem(text) {
            let _ = (list.issuer(), list.number(), list.next_update(), list.serials());
        }
        let _ = SigningKey::from_pem(text).map(|key| (key.to_pem(), key.to_public_pem()));
    });
}

/// What web servers answer, and addresses, which may be where an answer leads to.
pub(crate) fn web_answer(bytes: &[u8]) {
    for has_body in [true, false] {
        let _ = Response::read(&mut &*bytes, has_body);
    }
    super::on_two_texts(bytes, |first, second| {
        let url = Url::parse(first);
        let joined = url.as_ref().and_then(|url| url.joined(second.lines().next().unwrap_or_default()));
        let _ = (url.map(|url| url.to_string()), joined.map(|url| url.to_string()));
    });
}

/// `auth.conf`, and what it says about a request.
pub(crate) fn auth_conf(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        if let Some(server) = hocon::value(text).ok().and_then(|rules| open(Some(rules))) {
            server.answer(&request("GET", "/puppet/v3/environments", "text/plain", b""));
            server.answer(&request("GET", "/puppet/v3/catalog/a.b?environment=x", "text/plain", b""));
        }
    });
}
