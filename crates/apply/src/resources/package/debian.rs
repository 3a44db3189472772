//! Packages of Debian, through `apt-get` and `dpkg`. All packages are looked at once, with one `dpkg-query`.

use bunraku_pcore::Value;
use rustc_hash::FxHashMap;

use super::{ABSENT, Installed, Listing, PURGED, Packages, Request, Tool, is_missing, run, versions};
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};

/// `apt-get`, or `dpkg` alone.
pub(super) struct Debian {
    is_dpkg: bool,
    is_held: bool,
}

/// A range of versions, if it is one: comparisons that all have to hold.
fn range(text: &str) -> Option<Vec<(String, String)>> {
    let comparison = |word: &str| {
        let operator = ["<=", ">=", "<", ">"].into_iter().find(|operator| word.starts_with(operator))?;
        let version = word.strip_prefix(operator)?.trim();
        (!version.is_empty()).then(|| (operator.to_owned(), version.to_owned()))
    };
    let spaced = text.replace("> ", ">").replace("< ", "<").replace("= ", "=");
    spaced.split_whitespace().map(comparison).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

/// Whether one version of Debian stands to another as an operator says.
fn compares(first: &str, operator: &str, second: &str) -> bool {
    let operator = match operator {
        "<" => "lt",
        "<=" => "le",
        ">" => "gt",
        _ => "ge",
    };
    let arguments = ["--compare-versions", first, operator, second].map(str::to_owned);
    let run = Execution::provider("dpkg", &arguments).map(|command| command.run());
    matches!(run, Ok(Ok(output)) if output.code == Some(0))
}

/// Whether a version is in a range.
fn is_in(version: &str, range: &[(String, String)]) -> bool {
    range.iter().all(|(operator, other)| compares(version, operator, other))
}

/// Looks at all packages.
pub(super) fn list() -> Outcome<Listing> {
    listed(&[])
}

/// Looks at packages of these names, or at all.
fn listed(names: &[&str]) -> Outcome<Listing> {
    let arguments = ["-W", "--showformat", "${Status} ${Package} ${Version}\\n"];
    let arguments: Vec<&str> = arguments.iter().chain(names).copied().collect();
    let text = run("dpkg-query", &arguments)?;
    let package = |line: &str| {
        let mut words = line.split(' ');
        let (desired, _, status) = (words.next()?, words.next()?, words.next()?);
        let (name, version) = (words.next()?, words.next().unwrap_or_default());
        let state = match status {
            "installed" => version,
            "not-installed" => PURGED,
            _ => ABSENT,
        };
        Some((name.to_owned(), Installed { state: state.into(), is_held: desired == "hold" }))
    };
    Ok(text.lines().filter_map(package).collect())
}

/// How many packages are asked for at once.
const MOST: usize = 500;

/// The versions of packages that would be installed.
fn candidates(names: &[&str]) -> Outcome<FxHashMap<String, String>> {
    let arguments: Vec<&str> = ["policy"].iter().chain(names).copied().collect();
    let text = run("apt-cache", &arguments)?;
    let (mut found, mut name) = (FxHashMap::default(), "");
    for line in text.lines() {
        if let Some(package) = line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
            name = package;
        } else if let Some(version) = line.trim().strip_prefix("Candidate:").map(str::trim)
            && version != "(none)"
        {
            found.insert(name.to_owned(), version.to_owned());
        }
    }
    Ok(found)
}

impl Debian {
    pub(super) fn new(is_dpkg: bool) -> Self {
        Debian { is_dpkg, is_held: false }
    }

    fn hold(&self, name: &str, selection: &str) -> Outcome {
        let line = format!("{name} {selection}\n");
        Execution::provider("dpkg", &["--set-selections".to_owned()])?.input(line).succeed().map(drop)
    }

    /// The newest version in a range that can be installed.
    fn newest_in(&self, name: &str, range: &[(String, String)]) -> Outcome<Option<String>> {
        let table = run("apt-cache", &["madison", name])?;
        let versions = table.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim);
        let mut newest: Option<&str> = None;
        for version in versions.filter(|version| is_in(version, range)) {
            if newest.is_none_or(|known| compares(version, ">", known)) {
                newest = Some(version);
            }
        }
        Ok(newest.map(str::to_owned))
    }
}

impl Tool for Debian {
    fn name(&self) -> &'static str {
        if self.is_dpkg { "dpkg" } else { "apt" }
    }

    fn can(&self, feature: &str) -> bool {
        matches!(feature, "purgeable" | "holdable") || (feature == "versionable" && !self.is_dpkg)
    }

    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
        let name = &request.name;
        // Who names an architecture, too, is told of the package by that name.
        let found = match name.contains(':') {
            true => listed(&[name.as_str()]).unwrap_or_default().into_values().next(),
            false => packages.of("apt", list)?.get(name).cloned(),
        };
        self.is_held = found.as_ref().is_some_and(|it| it.is_held);
        Ok(found)
    }

    fn latest(&mut self, request: &Request, _: &Value) -> Outcome<Option<String>> {
        if let (Some(source), true) = (&request.source, self.is_dpkg) {
            let shown = run("dpkg-deb", &["--show", source])?;
            return Ok(shown.split_whitespace().nth(1).map(str::to_owned));
        }
        Ok(candidates(&[&request.name])?.into_values().next())
    }

    fn newest(&self, names: &[&str]) -> FxHashMap<String, String> {
        if self.is_dpkg {
            return FxHashMap::default();
        }
        // What cannot be told of all is asked for one by one, and complained about there.
        names.chunks(MOST).flat_map(|names| candidates(names).unwrap_or_default()).collect()
    }

    fn suits(&self, request: &Request, current: &Value) -> bool {
        let range = range(&request.ensure);
        range.is_some_and(|range| versions(current).iter().any(|version| is_in(version, &range)))
    }

    fn install(&mut self, request: &Request, current: &Value) -> Outcome {
        if self.is_held && request.mark.is_none() {
            self.hold(&request.name, "install")?;
        }
        let configuration = if request.replaces_configuration { "--force-confnew" } else { "--force-confold" };
        if self.is_dpkg {
            let missing = || Fault::raw("You cannot install dpkg packages without a source");
            let source = request.source.as_deref().ok_or_else(missing)?;
            return run("dpkg", &[configuration, "-i", source]).map(drop);
        }
        if let Some(responses) = &request.responses {
            run("debconf-set-selections", &[responses])?;
        }
        let version = match range(&request.ensure) {
            Some(range) => Some(self.newest_in(&request.name, &range)?.unwrap_or_else(|| request.ensure.clone())),
            None => request.version().map(str::to_owned),
        };
        let what = match (&request.source, &version) {
            (Some(source), _) => source.clone(),
            (None, Some(version)) => format!("{}={version}", request.name),
            (None, None) => request.name.clone(),
        };
        let configuration = format!("DPkg::Options::={configuration}");
        let mut arguments = vec!["-q", "-y", "-o", &configuration];
        arguments.extend(version.is_some().then_some("--force-yes"));
        arguments.extend(request.install_options.iter().map(String::as_str));
        arguments.extend(["install", &what]);
        run("apt-get", &arguments)?;
        if request.mark.as_deref() == Some("hold") {
            self.hold(&request.name, "hold")?;
        }
        if is_missing(current) {
            run("apt-mark", &["manual", &request.name])?;
        }
        Ok(())
    }

    fn remove(&mut self, request: &Request, _: &Value) -> Outcome {
        if self.is_held {
            self.hold(&request.name, "install")?;
        }
        match self.is_dpkg {
            true => run("dpkg", &["-r", &request.name]).map(drop),
            false => run("apt-get", &["-y", "-q", "remove", &request.name]).map(drop),
        }
    }

    fn purge(&mut self, request: &Request, _: &Value) -> Outcome {
        if self.is_held {
            self.hold(&request.name, "install")?;
        }
        if !self.is_dpkg {
            run("apt-get", &["-y", "-q", "remove", "--purge", &request.name])?;
        }
        run("dpkg", &["--purge", &request.name]).map(drop)
    }

    fn mark(&mut self, request: &Request, is_held: bool) -> Outcome {
        self.hold(&request.name, if is_held { "hold" } else { "install" })
    }
}
