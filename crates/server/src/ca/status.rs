//! What is known about the certificates of nodes, as the routes for operators tell it.

use bunraku_pki::{Certificate, CertificateRequest, Extension, RevocationList};
use serde_json::{Map, Value as Json, json};
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};

use super::policy::alternative_names;
use super::{CertificateAuthority, Refused};
use crate::oids::Oids;

/// How far a node has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has asked.
    Requested,
    /// It has a certificate.
    Signed,
    /// Its certificate is no longer valid.
    Revoked,
}

impl State {
    /// The reference's word.
    pub fn name(self) -> &'static str {
        match self {
            State::Requested => "requested",
            State::Signed => "signed",
            State::Revoked => "revoked",
        }
    }
}

/// What is known about one node.
#[derive(Debug, Clone)]
pub struct Status {
    /// The name.
    pub name: String,
    /// How far it has got.
    pub state: State,
    /// The hosts that the certificate is for.
    pub hosts: Vec<String>,
    /// The addresses that the certificate is for, and the hosts.
    pub alternative_names: Vec<String>,
    /// What the node may do, by short names.
    pub authorization: Vec<(String, String)>,
    /// The SHA-256 of the certificate or the request.
    pub fingerprint: String,
    /// The same by other algorithms.
    fingerprints: [(&'static str, String); 3],
    /// Serial, start and end of the certificate.
    pub certificate: Option<(String, i64, i64)>,
}

impl Status {
    /// As the reference tells it.
    pub fn to_json(&self) -> Json {
        let mut map = Map::new();
        map.insert("name".to_owned(), json!(self.name));
        map.insert("dns_alt_names".to_owned(), json!(self.hosts));
        map.insert("state".to_owned(), json!(self.state.name()));
        let authorization: Map<String, Json> =
            self.authorization.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        map.insert("authorization_extensions".to_owned(), Json::Object(authorization));
        map.insert("subject_alt_names".to_owned(), json!(self.alternative_names));
        let mut fingerprints: Map<String, Json> =
            self.fingerprints.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        fingerprints.insert("default".to_owned(), json!(self.fingerprint));
        if let Some((serial, since, until)) = &self.certificate {
            map.insert("not_before".to_owned(), json!(shown_time(*since)));
            map.insert("fingerprints".to_owned(), Json::Object(fingerprints));
            map.insert(
                "serial_number".to_owned(),
                json!(
                    u128::from_str_radix(serial, 16)
                        .ok()
                        .map(|it| it.to_string())
                        .and_then(|it| it.parse::<u64>().ok())
                ),
            );
            map.insert("not_after".to_owned(), json!(shown_time(*until)));
        } else {
            map.insert("fingerprints".to_owned(), Json::Object(fingerprints));
        }
        map.insert("fingerprint".to_owned(), json!(self.fingerprint));
        Json::Object(map)
    }
}

impl CertificateAuthority {
    /// What is known about a node.
    pub fn status(&self, name: &str) -> Result<Option<Status>, Refused> {
        let Some(state) = self.state_of(name)? else { return Ok(None) };
        let text = self.certificate(name)?;
        if let Some(certificate) = text.as_deref().and_then(|text| Certificate::all_from_pem(text).into_iter().next()) {
            let (since, until) = certificate.validity().unwrap_or_default();
            let serial = hexadecimal(&certificate.serial());
            let (names, extensions) = (certificate.alternative_names(), certificate.extensions());
            let mut status = described(name, state, names, &extensions, certificate.as_der());
            status.certificate = Some((serial, since, until));
            return Ok(Some(status));
        }
        let request = self.request(name)?.and_then(|text| CertificateRequest::from_pem(&text).ok());
        Ok(request.map(|request| {
            described(name, state, request.alternative_names(), &request.extensions(), request.as_der())
        }))
    }

    /// What is known about all nodes, or those in one state.
    pub fn statuses(&self, state: Option<State>) -> Result<Vec<Status>, Refused> {
        let mut names = self.directory.names("signed")?;
        names.extend(self.directory.names("requests")?);
        names.sort();
        names.dedup();
        let mut found = Vec::new();
        for name in names {
            let status = self.status(&name)?;
            found.extend(status.filter(|status| state.is_none_or(|state| status.state == state)));
        }
        Ok(found)
    }

    /// When the certificates of authorities end, and when their lists should be renewed.
    pub fn expirations(&self) -> Result<Json, Refused> {
        let certificates = Certificate::all_from_pem(&self.bundle()?);
        let certificates: Map<String, Json> =
            certificates.iter().filter_map(|it| Some((it.name()?, json!(shown_time(it.validity()?.1))))).collect();
        let lists = RevocationList::all_from_pem(&self.directory.read("ca_crl.pem")?);
        let lists: Map<String, Json> =
            lists.iter().filter_map(|it| Some((it.issuer()?, json!(shown_time(it.next_update()?))))).collect();
        Ok(json!({ "ca-certs": certificates, "crls": lists }))
    }
}

fn described(name: &str, state: State, names: Vec<String>, extensions: &[Extension], der: &[u8]) -> Status {
    let is_authorizing = |extension: &&Extension| extension.oid.starts_with("1.3.6.1.4.1.34380.1.3.");
    let authorization = extensions.iter().filter(is_authorizing);
    let sha256 = fingerprint(&Sha256::digest(der));
    let (addresses, hosts) = alternative_names(&names);
    Status {
        name: name.to_owned(),
        state,
        alternative_names: addresses.into_iter().chain(hosts.iter().cloned()).collect(),
        hosts,
        authorization: authorization.map(|it| (Oids::default().name(&it.oid), it.text())).collect(),
        fingerprints: [
            ("SHA1", fingerprint(&Sha1::digest(der))),
            ("SHA256", sha256.clone()),
            ("SHA512", fingerprint(&Sha512::digest(der))),
        ],
        fingerprint: sha256,
        certificate: None,
    }
}

fn fingerprint(digest: &[u8]) -> String {
    let bytes: Vec<String> = digest.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(":")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// A time as the files of an authority have it: `2026-11-17T01:12:21UTC`.
pub fn shown_time(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%SUTC").to_string()
}
