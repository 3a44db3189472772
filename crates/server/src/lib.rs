//! What agents get over HTTPS: certificates, files, catalogs; what they send: facts, reports, backups.
//!
//! [`Server::answer`] answers one request and knows nothing of connections; [`serve`] is the network around it.

mod authorization;
pub mod ca;
mod client;
mod code_store;
mod code_tree;
mod compile;
mod configuration;
mod endpoints;
mod files;
mod format;
mod journal;
mod metrics;
mod network;
mod node;
mod oids;
mod reports;
mod request;
mod response;
mod schema;
mod static_catalog;
mod tls;
mod unknown;
mod versioned_code;

use std::sync::Arc;

use bunraku::{Directory, Disk, Project, Settings, World};

use authorization::Authorization;
use ca::CertificateAuthority;
use code_store::CodeStore;
use code_tree::Trees;
use files::{Checksums, Mounts};
use metrics::Metrics;
use oids::Oids;

pub use authorization::DEFAULT_RULES;
pub use bunraku_pki as pki;
pub use client::Client;
pub use configuration::{Configuration, duration};
pub use journal::{Form, Journal};
pub use network::{Service, serve};
pub use request::Request;
pub use response::{IssueKind, Refusal, Response};
pub use versioned_code::VersionedCode;

/// The extension of a certificate that lets its holder operate the authority.
pub fn server_extension() -> bunraku_pki::Extension {
    bunraku_pki::Extension::of_string(client::PP_CLI_AUTH, "true")
}

/// A server for agents.
pub struct Server {
    configuration: Configuration,
    world: Arc<dyn World>,
    project: Project,
    authority: Option<CertificateAuthority>,
    authorization: Authorization,
    oids: Oids,
    mounts: Mounts,
    checksums: Checksums,
    trees: Trees,
    code: CodeStore,
    journal: Journal,
    metrics: Arc<Metrics>,
}

impl Server {
    /// The server that the configuration describes. What is wrong with it is said now, not to the first client.
    pub fn open(configuration: Configuration, journal: Journal) -> Result<Server, String> {
        let world: Arc<dyn World> = Arc::new(Disk);
        let settings = &configuration.settings;
        let text = |name: &str| settings.text(name).map_err(|issue| issue.to_string());
        let authority = CertificateAuthority::open(&world, settings, configuration.policy.clone())?;
        let authorization = match &configuration.authorization {
            Some((path, rules)) => Authorization::read(rules).map_err(|error| format!("{path}: {error}"))?,
            None => Authorization::default_rules()?,
        };
        let oids = Oids::read(&*world, &text("trusted_oid_mapping_file")?)?;
        let data = text("server_datadir")?;
        let exported = format!("{data}/exported_resources");
        let project = Project::new(world.clone(), settings.clone()).with_store(Arc::new(Directory::new(&exported)));
        let mounts = Mounts::new(text("fileserverconfig")?);
        let checksums = Checksums::default();
        Ok(Server {
            configuration,
            world,
            project,
            authority,
            authorization,
            oids,
            mounts,
            checksums,
            trees: Trees::default(),
            code: CodeStore::new(format!("{data}/code")),
            journal,
            metrics: Arc::default(),
        })
    }

    /// The server that another configuration describes, which goes on counting where this one is.
    pub fn successor(&self, configuration: Configuration) -> Result<Server, String> {
        let server = Server::open(configuration, self.journal)?;
        Ok(Server { metrics: Arc::clone(&self.metrics), ..server })
    }

    /// The settings of the server.
    pub fn settings(&self) -> &Settings {
        &self.configuration.settings
    }

    /// Answers a request.
    pub fn answer(&self, request: &Request) -> Response {
        let response = self.answered(request);
        self.metrics.answered(response.status);
        response
    }

    fn answered(&self, request: &Request) -> Response {
        if request.path.split('/').any(|part| part == "." || part == "..") {
            let body = format!("Invalid relative path (.. or .) in: {}", request.path);
            return Response { body: body.into_bytes(), ..Response::empty(400) };
        }
        if request.path.contains('\0') {
            let body = "<h1>Bad Message 400</h1><pre>reason: Bad Request</pre>";
            return Response::new(400, "text/html;charset=iso-8859-1", body);
        }
        if !endpoints::is_authorized(request) {
            return unknown::page(request);
        }
        if let Err(denied) = self.authorization.check(request, &self.oids) {
            self.journal.error(&denied.log(request));
            return self.labelled(request, denied.refusal(request).into());
        }
        match endpoints::answer(self, request) {
            Ok(response) => self.labelled(request, response),
            Err(Refusal::Bare(response)) => response,
            Err(Refusal::Unknown) => unknown::page(request),
            Err(refusal) => self.labelled(request, refusal.into()),
        }
    }

    /// Who has sent a request. Where somebody else ends TLS before this server, and is trusted, their headers tell.
    pub(crate) fn identify(&self, request: &mut Request) {
        if !self.authorization.trusts_headers {
            return;
        }
        let is_verified = request.header("x-client-verify") == Some("SUCCESS");
        let certificate = request.header("x-client-cert").map(request::decode);
        let certificates = certificate.map(|text| bunraku_pki::Certificate::all_from_pem(&text)).unwrap_or_default();
        let told = Client::told(request.header("x-client-dn"), certificates.into_iter().next());
        request.client = told.filter(|_| is_verified).map(Arc::new);
    }

    /// What is done once a day: lists of revoked certificates that are about to end are made anew.
    pub(crate) fn daily(&self) {
        match self.authority.as_ref().map(CertificateAuthority::renew_lists) {
            Some(Ok(true)) => self.journal.info("The list of revoked certificates was about to end and was made anew"),
            Some(Err(refused)) => self.journal.error(&format!("The list of revoked certificates stays: {refused}")),
            Some(Ok(false)) | None => {}
        }
    }

    /// Agents look at the release of the server.
    fn labelled(&self, request: &Request, response: Response) -> Response {
        let is_puppet = request.path.starts_with("/puppet/") || request.path.starts_with("/puppet-ca/");
        if is_puppet { response.with_header("X-Puppet-Version", bunraku::PUPPET_VERSION) } else { response }
    }

    fn setting(&self, name: &str) -> Result<String, Refusal> {
        Ok(self.settings().text(name)?)
    }
}
