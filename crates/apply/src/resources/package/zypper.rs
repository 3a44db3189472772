//! Packages of SUSE, through `zypper`.

use bunraku_pcore::Value;

use super::version::RPM;
use super::{Installed, Packages, Request, Tool, command, rpm, run};
use crate::fault::{Fault, Outcome};
use crate::property::text_of;

/// The command `zypper`.
pub(super) struct Zypper;

/// Whether this machine is one of SUSE.
pub(super) fn is_system() -> bool {
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let identifier = text.lines().find_map(|line| line.strip_prefix("ID=")).unwrap_or_default();
    let identifier = identifier.trim_matches(['"', '\'']).to_lowercase();
    ["suse", "sles", "sled"].contains(&identifier.as_str()) || identifier.starts_with("opensuse")
}

/// The columns of a table.
fn columns(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

/// The version of the command: three numbers.
fn version() -> Outcome<(u64, u64, u64)> {
    let output = command("zypper", &["--version"])?.run().map(|output| output.text).unwrap_or_default();
    let mut numbers = output.split(|it: char| !it.is_ascii_digit()).filter_map(|word| word.parse::<u64>().ok());
    let mut next = || numbers.next().unwrap_or_default();
    Ok((next(), next(), next()))
}

/// The version that is asked of the command: the newest of a range.
fn best(request: &Request, wanted: &str) -> Outcome<String> {
    let Some(range) = RPM.range(wanted).filter(|range| !range.is_exact()) else { return Ok(wanted.to_owned()) };
    let arguments = ["search", "--match-exact", "--type", "package", "--uninstalled-only", "-s", &request.name];
    let table = run("zypper", &arguments)?;
    let version = |line| match columns(line).as_slice() {
        [_, name, _, version, ..] if *name == request.name => Some(*version),
        _ => None,
    };
    let versions = table.lines().filter_map(version).filter(|version| range.includes(version));
    Ok(RPM.newest(versions).unwrap_or(wanted).to_owned())
}

impl Tool for Zypper {
    fn name(&self) -> &'static str {
        "zypper"
    }

    fn can(&self, feature: &str) -> bool {
        feature == "versionable"
    }

    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
        rpm::find(request, packages)
    }

    fn latest(&mut self, request: &Request, current: &Value) -> Outcome<Option<String>> {
        let table = run("zypper", &["list-updates"])?;
        let newest = table.lines().find_map(|line| match columns(line).as_slice() {
            ["v", _, name, _, version, ..] if *name == request.name => Some((*version).to_owned()),
            _ => None,
        });
        Ok(newest.or_else(|| Some(text_of(current))))
    }

    fn suits(&self, request: &Request, current: &Value) -> bool {
        match RPM.range(&request.ensure).filter(|range| !range.is_exact()) {
            Some(range) => range.includes(&text_of(current)),
            None => rpm::suits(request, current),
        }
    }

    fn install(&mut self, request: &Request, _: &Value) -> Outcome {
        let version = request.version().map(|wanted| best(request, wanted)).transpose()?;
        let wanted = version.as_ref().map_or_else(|| request.name.clone(), |it| format!("{}-{it}", request.name));
        let (major, minor, patch) = self::version()?;
        let mut options: Vec<&str> = request.install_options.iter().map(String::as_str).collect();
        let mut arguments = vec![if major < 1 { "--terse" } else { "--quiet" }];
        // Some options stand before the command.
        for early in ["--no-gpg-check", "--no-gpg-checks"] {
            if options.contains(&early) {
                options.retain(|option| *option != early);
                arguments.push(early);
            }
        }
        arguments.push("install");
        if !(major < 1 && minor <= 6 && patch <= 13) {
            arguments.push("--auto-agree-with-licenses");
        }
        arguments.push("--no-confirm");
        arguments.extend(options);
        if !(major < 1 || request.allows_virtual || version.is_some()) {
            arguments.push("--name");
        }
        arguments.push(&wanted);
        run("zypper", &arguments)?;
        match rpm::query(request) {
            Some(_) => Ok(()),
            None => Err(Fault::new(format!("Could not find package {}", request.name))),
        }
    }

    fn remove(&mut self, request: &Request, current: &Value) -> Outcome {
        let (major, minor, _) = version()?;
        if major < 1 {
            return rpm::remove(request, current);
        }
        let mut arguments = vec!["remove", "--no-confirm"];
        if major == 1 && minor < 6 {
            arguments.push("--force-resolution");
        }
        arguments.push(&request.name);
        run("zypper", &arguments).map(drop)
    }
}
