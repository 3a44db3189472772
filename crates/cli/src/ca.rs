//! `bunraku ca`: the certificate authority of this machine, as `puppetserver ca` operates it.

mod import;
mod maintenance;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bunraku::{Disk, Settings, whole_file};
use bunraku_server::ca::{CertificateAuthority, Refused, Setup, State, Status};
use bunraku_server::pki::Extension;
use bunraku_server::{Configuration, duration, server_extension};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

use crate::output::print;
use crate::report::log;
use crate::server::{authority, configuration};
use crate::settings::SettingFlags;
use import::ImportCommand;
use maintenance::{PruneCommand, ReinventoryCommand, RenewCommand};

/// What `puppetserver ca` answers when some of several names failed.
const PARTLY: u8 = 24;

/// Operate the certificate authority of this machine.
///
/// Works on the files of the authority, whether a server runs or not.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku ca setup --certname puppet.example.com\n  \
    bunraku ca list --all\n  \
    bunraku ca sign --certname web1.example.com")]
pub(crate) struct CaCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Setup(SetupCommand),
    List(ListCommand),
    Sign(SignCommand),
    Revoke(NamesCommand),
    Clean(CleanCommand),
    Generate(GenerateCommand),
    Import(ImportCommand),
    Prune(PruneCommand),
    Reinventory(ReinventoryCommand),
    Renew(RenewCommand),
}

/// What the certificate of this server says.
#[derive(Debug, Args)]
struct Host {
    /// Further names of this server, separated by commas
    #[arg(long = "subject-alt-names", value_name = "NAMES")]
    subject_alt_names: Option<String>,
}

impl Host {
    fn applied(&self, mut settings: Settings) -> Settings {
        if let Some(names) = &self.subject_alt_names {
            settings.set("dns_alt_names", names);
        }
        settings
    }
}

/// Whom a command is about.
#[derive(Debug, Args)]
struct Names {
    /// The names, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    certname: Vec<String>,
}

fn validity(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| format!("'{text}' is no time such as 90d, 12h or 5y"))
}

fn refused(refused: Refused) -> String {
    refused.message
}

/// Make a root, a signing authority, and the certificate of this server.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku ca setup --certname puppet.example.com")]
struct SetupCommand {
    #[command(flatten)]
    host: Host,
    /// The name of the authority that signs
    #[arg(long = "ca-name", value_name = "NAME")]
    ca_name: Option<String>,
    #[command(flatten)]
    settings: SettingFlags,
}

/// List requests for certificates, and certificates.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku ca list\n  bunraku ca list --all --format json")]
struct ListCommand {
    /// List certificates too
    #[arg(long, conflicts_with = "certname")]
    all: bool,
    /// Only these names, separated by commas, whatever their state
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    certname: Vec<String>,
    /// The form of the list: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    format: String,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Sign requests for certificates.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bunraku ca sign --certname web1.example.com,web2.example.com\n  bunraku ca sign --all"
)]
struct SignCommand {
    /// The names, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required_unless_present = "all", conflicts_with = "all")]
    certname: Vec<String>,
    /// Sign all requests
    #[arg(long)]
    all: bool,
    /// How long the certificates are valid, such as 90d or 5y
    #[arg(long, value_name = "TIME", value_parser = validity)]
    ttl: Option<Duration>,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Revoke certificates.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku ca revoke --certname web1.example.com")]
struct NamesCommand {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Revoke certificates and remove their files, so that the nodes can ask again.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku ca clean --certname web1.example.com")]
struct CleanCommand {
    #[command(flatten)]
    names: NamesCommand,
}

/// Make a key and a certificate on this machine.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku ca generate --certname tool.example.com --ca-client")]
struct GenerateCommand {
    #[command(flatten)]
    names: NamesCommand,
    /// The holder may operate the authority over HTTPS
    #[arg(long = "ca-client")]
    ca_client: bool,
    /// Further names that the certificates are for, separated by commas
    #[arg(long = "subject-alt-names", value_name = "NAMES", value_delimiter = ',')]
    subject_alt_names: Vec<String>,
    /// How long the certificates are valid, such as 90d or 5y
    #[arg(long, value_name = "TIME", value_parser = validity)]
    ttl: Option<Duration>,
}

impl CaCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let done = match &self.action {
            Action::Setup(command) => command.run(),
            Action::List(command) => command.run(),
            Action::Sign(command) => command.run(),
            Action::Revoke(command) => command.revoke(),
            Action::Clean(command) => command.run(),
            Action::Generate(command) => command.run(),
            Action::Import(command) => command.run(),
            Action::Prune(command) => command.run(),
            Action::Reinventory(command) => command.run(),
            Action::Renew(command) => command.run(),
        };
        done.unwrap_or_else(|message| {
            log("Error", &message);
            ExitCode::FAILURE
        })
    }
}

/// The authority, which must be there.
fn opened(flags: &SettingFlags) -> Result<(Configuration, CertificateAuthority), String> {
    let configuration = configuration(flags)?;
    let authority = authority(&configuration)?.ok_or_else(|| {
        let directory = configuration.settings.text("cadir").unwrap_or_default();
        format!("there is no certificate authority in {directory}: make one with `bunraku ca setup`")
    })?;
    Ok((configuration, authority))
}

/// How many of several failed, as an exit code.
fn exit_code(failed: usize, total: usize) -> ExitCode {
    match failed {
        0 => ExitCode::SUCCESS,
        failed if failed < total => ExitCode::from(PARTLY),
        _ => ExitCode::FAILURE,
    }
}

impl SetupCommand {
    fn run(&self) -> Result<ExitCode, String> {
        let mut settings = self.host.applied(configuration(&self.settings)?.settings);
        if let Some(name) = &self.ca_name {
            settings.set("ca_name", name);
        }
        Setup { settings: &settings, world: &Disk }.run()?;
        let (_, authority) = opened(&self.settings)?;
        authority.equip_server(&settings)?;
        print("Generation succeeded. Find your files in ")?;
        print(format_args!("{}\n", settings.text("cadir").map_err(|issue| issue.to_string())?))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl ListCommand {
    fn run(&self) -> Result<ExitCode, String> {
        let (_, authority) = opened(&self.settings)?;
        let mut all = authority.statuses(None).map_err(refused)?;
        if !self.certname.is_empty() {
            all.retain(|status| self.certname.contains(&status.name));
        }
        let is_known = |name: &&String| all.iter().any(|status| status.name == **name);
        let missing: Vec<&String> = self.certname.iter().filter(|name| !is_known(name)).collect();
        let code = if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        let shows_all = self.all || !self.certname.is_empty();
        let sections = [(State::Requested, "Requested"), (State::Signed, "Signed"), (State::Revoked, "Revoked")];
        let sections = sections.into_iter().filter(|(state, _)| shows_all || *state == State::Requested);
        let of = |state: State| all.iter().filter(move |status| status.state == state);
        if self.format == "json" {
            let told = |(state, _): (State, &str)| {
                (state.name().to_owned(), Json::Array(of(state).map(Status::to_json).collect()))
            };
            let mut map: serde_json::Map<String, Json> = sections.map(told).collect();
            if !self.certname.is_empty() {
                map.insert("missing".to_owned(), json!(missing));
            }
            print(format_args!("{}\n", Json::Object(map)))?;
            return Ok(code);
        }
        let mut text = String::new();
        for (state, title) in sections {
            let found: Vec<&Status> = of(state).collect();
            if !found.is_empty() {
                text.push_str(&format!("{title} Certificates:\n"));
            }
            for status in found {
                let mut names = status.alternative_names.clone();
                names.sort();
                let shown = if names.is_empty() { String::new() } else { format!("\talt names: {}", json!(names)) };
                text.push_str(&format!("    {}       (SHA256)  {}{shown}\n", status.name, status.fingerprint));
            }
        }
        if !missing.is_empty() {
            text.push_str("Missing Certificates:\n");
            text.extend(missing.iter().map(|name| format!("    {name}\n")));
        }
        if text.is_empty() {
            text.push_str("No certificates to list\n");
        }
        print(text)?;
        Ok(code)
    }
}

impl SignCommand {
    fn run(&self) -> Result<ExitCode, String> {
        let (_, authority) = opened(&self.settings)?;
        let names = (!self.all).then_some(self.certname.as_slice());
        let result = authority.sign_all(names, self.ttl).map_err(refused)?;
        for name in &result.signed {
            print(format_args!("Successfully signed certificate request for {name}\n"))?;
        }
        for name in &result.without_request {
            log("Error", &format!("Could not find certificate request for {name}"));
        }
        for (name, reason) in &result.refused {
            log("Error", &format!("the request of {name} cannot be signed: {reason}"));
        }
        let failed = result.without_request.len() + result.refused.len();
        if self.all && failed == 0 && result.signed.is_empty() {
            print("No waiting certificate requests to sign\n")?;
        }
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

impl NamesCommand {
    fn revoke(&self) -> Result<ExitCode, String> {
        let (_, authority) = opened(&self.settings)?;
        let mut failed = 0;
        for name in &self.names.certname {
            match authority.revoke(name) {
                Ok(()) => print(format_args!("Certificate for {name} has been revoked\n"))?,
                Err(refused) => {
                    failed += 1;
                    log("Error", &refused.message);
                }
            }
        }
        Ok(exit_code(failed, self.names.certname.len()))
    }
}

impl CleanCommand {
    fn run(&self) -> Result<ExitCode, String> {
        let (_, authority) = opened(&self.names.settings)?;
        let mut failed = 0;
        for name in &self.names.names.certname {
            let is_known = authority.status(name).map_err(refused)?.is_some();
            let unknown = authority.clean(std::slice::from_ref(name)).map_err(refused)?;
            if unknown.is_empty() {
                print(format_args!("Certificate for {name} has been revoked\n"))?;
            }
            if is_known || unknown.is_empty() {
                print(format_args!("Cleaned files related to {name}\n"))?;
            } else {
                failed += 1;
                log("Error", &format!("Could not find files to clean for {name}"));
            }
        }
        Ok(exit_code(failed, self.names.names.certname.len()))
    }
}

impl GenerateCommand {
    fn run(&self) -> Result<ExitCode, String> {
        let (configuration, authority) = opened(&self.names.settings)?;
        let directory = |name: &str| configuration.settings.text(name).map_err(|issue| issue.to_string());
        let further = self.subject_alt_names.iter();
        let further: Vec<String> =
            further.map(|name| if name.contains(':') { name.clone() } else { format!("DNS:{name}") }).collect();
        let mut extensions = if self.ca_client { vec![server_extension()] } else { Vec::new() };
        if !further.is_empty() {
            extensions.push(Extension::of_names(further.iter().map(String::as_str)));
        }
        let mut failed = 0;
        for name in &self.names.names.certname {
            let (key, certificate) = match authority.generate(name, &extensions, self.ttl) {
                Ok(made) => made,
                Err(refused) => {
                    failed += 1;
                    log("Error", &refused.message);
                    continue;
                }
            };
            let files = [
                ("private key", directory("privatekeydir")?, key.to_pem()),
                ("public key", directory("publickeydir")?, key.to_public_pem()?),
                ("certificate", directory("certdir")?, certificate.to_pem()),
            ];
            for (what, directory, content) in files {
                let path = format!("{directory}/{name}.pem");
                let written =
                    std::fs::create_dir_all(&directory).and_then(|()| whole_file::write(Path::new(&path), &content));
                written.map_err(|error| format!("{path}: {}", bunraku::reason(&error)))?;
                print(format_args!("Successfully saved {what} for {name} to {path}\n"))?;
            }
        }
        Ok(exit_code(failed, self.names.names.certname.len()))
    }
}
