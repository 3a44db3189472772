//! `bunraku node clean`: forgets a node.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bunraku::{Node, Settings};
use bunraku_server::ca::CertificateAuthority;
use clap::Args;

use crate::output::print;
use crate::report::log;
use crate::server::{authority, configuration};
use crate::settings::SettingFlags;

/// Revoke the certificates of nodes, and remove what a server keeps of them: facts and reports.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku node clean web1.example.com")]
pub(super) struct Clean {
    /// The certificate names of the nodes
    #[arg(value_name = "NODE", required = true)]
    names: Vec<String>,
    #[command(flatten)]
    settings: SettingFlags,
}

impl Clean {
    /// Runs the command.
    pub(super) fn run(&self) -> Result<ExitCode, String> {
        let configuration = configuration(&self.settings)?;
        let authority = authority(&configuration)?;
        for name in &self.names {
            let name = name.to_lowercase();
            // The name becomes part of paths.
            Node::check_name(&name).map_err(|issue| issue.to_string())?;
            match &authority {
                Some(authority) => clean_certificate(authority, &name)?,
                None => print(format_args!("Not managing {name} certs as this host is not a CA\n"))?,
            }
            for path in kept(&configuration.settings, &name)? {
                remove(&path)?;
            }
            print(format_args!("What was kept of {name} is removed: facts and reports\n"))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn clean_certificate(authority: &CertificateAuthority, name: &str) -> Result<(), String> {
    let names = [name.to_owned()];
    match authority.clean(&names).map_err(|refused| refused.message)?.is_empty() {
        true => print(format_args!("Certificate for {name} has been revoked and removed\n")),
        false => {
            log("Warning", &format!("{name} has no certificate"));
            Ok(())
        }
    }
}

/// Where something of a node may be kept.
fn kept(settings: &Settings, name: &str) -> Result<Vec<PathBuf>, String> {
    let directory = |setting: &str| settings.text(setting).map(PathBuf::from).map_err(|issue| issue.to_string());
    let yaml = directory("yamldir")?;
    let json = directory("server_datadir")?;
    Ok(vec![
        yaml.join("facts").join(format!("{name}.yaml")),
        yaml.join("node").join(format!("{name}.yaml")),
        json.join("facts").join(format!("{name}.json")),
        json.join("node").join(format!("{name}.json")),
        directory("reportdir")?.join(name),
    ])
}

fn remove(path: &Path) -> Result<(), String> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(format!("{}: {}", path.display(), bunraku::reason(&error)))
        }
        _ => Ok(()),
    }
}
