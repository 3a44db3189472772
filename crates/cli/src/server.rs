//! `bunraku server`: answers agents.

use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bunraku::{Disk, RunMode, Settings, World};
use bunraku_server::ca::{CertificateAuthority, Setup};
use bunraku_server::{Configuration, Form, Journal, Server, Service, serve};
use clap::Args;

use crate::report::log;
use crate::settings::SettingFlags;

/// Answer agents over HTTPS: certificates, files, catalogs, facts and reports.
///
/// Reads puppet.conf and, where they are, Puppet Server's auth.conf, ca.conf, webserver.conf and puppetserver.conf. The
/// first start makes a certificate authority and the server's own certificate, unless they are there. Code and data are
/// read when they change, configuration on SIGHUP. SIGTERM ends the server after the requests that it is at.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku server\n  \
    bunraku server --confdir /etc/puppet --serverport 8141\n  \
    bunraku server --certname puppet.example.com --dns_alt_names puppet")]
pub(crate) struct ServerCommand {
    /// What lines of the log look like: text or json
    #[arg(long = "log-format", value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    log_format: String,
    /// How long the catalog of one node may take
    #[arg(long = "compile-timeout", value_name = "SECONDS", default_value_t = 600)]
    compile_timeout: u64,
    #[command(flatten)]
    settings: SettingFlags,
}

impl ServerCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        match self.serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                log("Error", &message);
                ExitCode::FAILURE
            }
        }
    }

    fn configuration(&self) -> Result<Configuration, String> {
        let mut configuration = configuration(&self.settings)?;
        configuration.compile_time = Duration::from_secs(self.compile_timeout);
        Ok(configuration)
    }

    fn serve(&self) -> Result<(), String> {
        let configuration = self.configuration()?;
        let settings = &configuration.settings;
        let is_verbose = settings.text("log_level").map_err(|issue| issue.to_string())? == "debug";
        let form = if self.log_format == "json" { Form::Json } else { Form::Text };
        let journal = Journal { is_verbose, form };
        if has_no_certificates(settings)? {
            journal.info("There is no certificate authority yet: making one");
            Setup { settings, world: &Disk }.run()?;
        }
        if let Some(authority) = authority(&configuration)? {
            authority.equip_server(settings)?;
        }
        let server = Arc::new(Server::open(configuration, journal)?);
        let ready = |address| {
            journal.info(&format!("Bunraku is ready on {address}"));
            tell_service_manager();
        };
        let reload = |server: &Server| server.successor(self.configuration()?);
        serve(server, Service { socket: passed_socket()?, ready: &ready, reload: &reload })
    }
}

/// The socket that a service manager has opened, if it has (`LISTEN_FDS`): it is the first descriptor after standard error.
#[cfg(target_os = "linux")]
fn passed_socket() -> Result<Option<TcpListener>, String> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    const FIRST: std::os::fd::RawFd = 3;
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    if number("LISTEN_PID") != Some(std::process::id()) {
        return Ok(None);
    }
    match number("LISTEN_FDS") {
        None | Some(0) => return Ok(None),
        Some(1) => {}
        Some(more) => return Err(format!("the service manager passes {more} sockets; one is enough")),
    }
    // A copy of the descriptor, by way of this process: nothing else proves that it is open.
    let own = pidfd_open(getpid(), PidfdFlags::empty());
    let socket = own.and_then(|own| pidfd_getfd(own, FIRST, PidfdGetfdFlags::empty()));
    let socket = socket.map_err(|error| {
        format!("the socket of the service manager cannot be used: {}", bunraku::reason(&error.into()))
    })?;
    Ok(Some(TcpListener::from(socket)))
}

#[cfg(not(target_os = "linux"))]
fn passed_socket() -> Result<Option<TcpListener>, String> {
    Ok(None)
}

/// The configuration of the server on this machine.
pub(crate) fn configuration(flags: &SettingFlags) -> Result<Configuration, String> {
    let settings = flags.load(RunMode::Server).map_err(|issue| issue.to_string())?;
    Configuration::load(settings, &Disk)
}

/// The authority of this machine, if it has one.
pub(crate) fn authority(configuration: &Configuration) -> Result<Option<CertificateAuthority>, String> {
    let world: Arc<dyn World> = Arc::new(Disk);
    CertificateAuthority::open(&world, &configuration.settings, configuration.policy.clone())
}

/// Whether nobody has set this machine up: neither an authority here, nor a certificate of one elsewhere.
fn has_no_certificates(settings: &Settings) -> Result<bool, String> {
    let exists = |name: &str| settings.text(name).map(|path| Path::new(&path).exists());
    let any = exists("cacert").and_then(|authority| Ok(authority || exists("hostcert")?));
    Ok(!any.map_err(|issue| issue.to_string())?)
}

/// Tells systemd that clients can connect, if it has started the process and wants to know.
fn tell_service_manager() {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else { return };
    let told = std::os::unix::net::UnixDatagram::unbound().and_then(|from| from.send_to(b"READY=1", &socket));
    if let Err(error) = told {
        log(
            "Warning",
            &format!("the service manager cannot be told that the server is ready: {}", bunraku::reason(&error)),
        );
    }
}
