//! Packages of Python, through `pip`.

use bunraku_pcore::Value;

use super::gem::missing;
use super::version::PYTHON;
use super::{Installed, LATEST, Listing, Packages, Request, Tool, run, versions};
use crate::execution::{Execution, Failure, which};
use crate::fault::{Fault, Outcome};

/// `pip` in one of its versions.
pub(super) struct Pip {
    provider: &'static str,
}

/// The command of a provider, if this machine has it.
pub(super) fn command_of(provider: &str) -> Option<String> {
    let commands: &[&str] = match provider {
        "pip3" => &["pip3"],
        "pip2" => &["pip2"],
        _ => &["pip", "pip-python", "pip2", "pip-2"],
    };
    commands.iter().find_map(|command| which(command, None))
}

/// The version of the command itself.
fn version(command: &str) -> Outcome<String> {
    let text = output(command, &["--version".to_owned()])?;
    let version = text.lines().find_map(|line| line.strip_prefix("pip ")?.split_whitespace().next());
    version.map(str::to_owned).ok_or_else(|| Fault::new("Cannot resolve pip version"))
}

/// What the command says, whether or not it succeeds.
fn output(command: &str, arguments: &[String]) -> Outcome<String> {
    let execution = Execution::new(&[&[command.to_owned()], arguments].concat());
    match execution.run() {
        Ok(output) => Ok(output.text),
        Err(Failure::NotStarted(fault)) => Err(fault),
        Err(Failure::TimedOut) => Err(Fault::new(format!("{command} takes too long"))),
    }
}

/// The packages of a listing: lines such as `name==1.0` or `name @ git+https://example.com/name@commit`.
fn parse(text: &str) -> Listing {
    let package = |line: &str| {
        let (name, version) = match line.split_once("==") {
            Some((name, version)) => (name, version.strip_prefix('=').unwrap_or(version)),
            None => {
                let (name, address) = line.split_once(" @ ")?;
                (name, address.split_once('@')?.1)
            }
        };
        let is_plain = |it: &str| !it.is_empty() && !it.contains('=');
        (is_plain(name) && is_plain(version)).then(|| (name.to_owned(), Installed::new(version)))
    };
    text.lines().filter_map(package).collect()
}

/// All packages that a command has installed.
pub(super) fn list(command: &str) -> Outcome<Listing> {
    let version = version(command)?;
    // Older versions know no such option, and do not tell of themselves.
    let knows_all = PYTHON.compare(&version, "8.1.0").is_ge();
    let mut listing = parse(&run(command, if knows_all { &["freeze", "--all"] } else { &["freeze"] })?);
    if !knows_all {
        let name = command.rsplit('/').next().unwrap_or(command);
        listing.insert(name.to_owned(), Installed::new(version));
    }
    Ok(listing)
}

impl Pip {
    pub(super) fn new(provider: &'static str) -> Self {
        Pip { provider }
    }

    /// The command, which must be there.
    fn command(&self, request: &Request) -> Outcome<String> {
        let provider = self.provider;
        request.command.clone().or_else(|| command_of(provider)).ok_or_else(|| missing(provider))
    }

    /// The versions that could be installed, oldest first: what is told when one is asked for that cannot be.
    fn available(&self, request: &Request) -> Outcome<Vec<String>> {
        let command = self.command(request)?;
        let mut arguments = vec!["install".to_owned(), format!("{}==9!0dev0+x", request.name)];
        let version = version(&command)?;
        if PYTHON.compare(&version, "20.2.4").is_gt() && PYTHON.compare(&version, "21.1").is_lt() {
            arguments.push("--use-deprecated=legacy-resolver".to_owned());
        }
        arguments.extend(request.install_options.iter().cloned());
        let text = output(&command, &arguments)?;
        let versions = text.lines().find_map(|line| line.split_once("from versions: ")?.1.rsplit_once(')'));
        let mut versions: Vec<String> =
            versions.map(|(versions, _)| versions.split(", ").map(str::to_owned).collect()).unwrap_or_default();
        versions.sort_by(|first, second| PYTHON.compare(first, second));
        Ok(versions)
    }

    /// What is to be installed.
    fn wanted(&self, request: &Request) -> Outcome<Vec<String>> {
        let name = &request.name;
        let version = request.version();
        if let Some(source) = &request.source {
            let at = version.map(|version| format!("@{version}")).unwrap_or_default();
            return Ok(vec![format!("{source}{at}#egg={name}")]);
        }
        if request.ensure == LATEST {
            return Ok(vec!["--upgrade".to_owned(), name.clone()]);
        }
        let Some(version) = version else { return Ok(vec![name.clone()]) };
        let Some(range) = PYTHON.range(version).filter(|range| !range.is_exact()) else {
            return Ok(vec![format!("{name}=={version}")]);
        };
        let available = self.available(request)?;
        let newest = available.iter().rev().find(|version| range.includes(version));
        Ok(vec![match newest {
            Some(newest) => format!("{name}=={newest}"),
            None => format!("{name} {}", range.joined(",")),
        }])
    }
}

impl Tool for Pip {
    fn name(&self) -> &'static str {
        self.provider
    }

    fn can(&self, feature: &str) -> bool {
        matches!(feature, "versionable" | "targetable")
    }

    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
        let command = self.command(request)?;
        let listing = packages.of(&command, || list(&command))?;
        let found = listing.iter().find(|(name, _)| name.eq_ignore_ascii_case(&request.name));
        Ok(found.map(|(_, installed)| installed.clone()))
    }

    fn latest(&mut self, request: &Request, _: &Value) -> Outcome<Option<String>> {
        Ok(self.available(request)?.pop())
    }

    fn suits(&self, request: &Request, current: &Value) -> bool {
        let range = PYTHON.range(&request.ensure);
        range.is_some_and(|range| versions(current).iter().any(|version| range.includes(version)))
    }

    fn install(&mut self, request: &Request, _: &Value) -> Outcome {
        let command = self.command(request)?;
        let mut arguments = vec!["install".to_owned(), "-q".to_owned()];
        arguments.extend(request.install_options.iter().cloned());
        arguments.extend(self.wanted(request)?);
        run(&command, &arguments).map(drop)
    }

    fn remove(&mut self, request: &Request, _: &Value) -> Outcome {
        run(&self.command(request)?, &["uninstall", "-y", "-q", &request.name]).map(drop)
    }
}
