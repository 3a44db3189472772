//! Packages of RPM, through `rpm` alone. All packages are looked at once; what is not among them may be provided by one.

use bunraku_pcore::Value;

use super::version::{compare_wanted, machine};
use super::{ABSENT, Installed, LATEST, Listing, PURGED, Packages, Request, Tool, is_missing, run};
use crate::fault::{Fault, Outcome};
use crate::property::text_of;

/// How `rpm` tells of a package.
const FORMAT: &str = "%{NAME} %|EPOCH?{%{EPOCH}}:{0}| %{VERSION} %{RELEASE} %{ARCH}\\n";

/// What stands between versions that are installed side by side.
const SEPARATOR: &str = "; ";

/// The command `rpm`.
pub(super) struct Rpm;

/// A package as `rpm` tells of it.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    name: String,
    version: String,
    release: String,
    machine: String,
    /// What its state is called.
    state: String,
}

fn told(line: &str) -> Option<Told> {
    let mut words = line.trim().trim_start_matches('\'').split_whitespace().map(str::to_owned);
    let (name, epoch, version) = (words.next()?, words.next()?, words.next()?);
    let (release, machine) = (words.next()?, words.next()?);
    let epoch = if epoch == "0" { String::new() } else { format!("{epoch}:") };
    let state = format!("{epoch}{version}-{release}");
    words.next().is_none().then_some(Told { name, version, release, machine, state })
}

/// The packages of a listing: of one that is there in several versions, all are told.
fn parse(text: &str) -> Listing {
    let mut listing = Listing::default();
    for told in text.lines().filter_map(told) {
        let state = match listing.get(&told.name).map(|known| text_of(&known.state)) {
            Some(known) if known.contains(&told.state) => known,
            Some(known) => format!("{known}{SEPARATOR}{}", told.state),
            None => told.state,
        };
        listing.insert(told.name, Installed::new(state));
    }
    listing
}

/// All packages that are installed.
pub(super) fn list() -> Outcome<Listing> {
    let text = run("rpm", &["-qa", "--nosignature", "--nodigest", "--qf", FORMAT]);
    let text = text.map_err(|_| Fault::new("Failed to list packages"))?;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    Ok(parse(&lines.join("\n")))
}

/// What `rpm` tells of the package of a name, or of what provides the name.
fn ask(request: &Request) -> Option<String> {
    let mut arguments = vec!["-q", request.name.as_str(), "--nosignature", "--nodigest", "--qf", FORMAT];
    if let Ok(text) = run("rpm", &arguments) {
        return Some(text);
    }
    arguments.push("--whatprovides");
    run("rpm", &arguments).ok().filter(|_| request.allows_virtual)
}

/// What is installed of a package.
pub(super) fn find(request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
    if let Some(known) = packages.of("rpm", list)?.get(&request.name) {
        return Ok(Some(known.clone()));
    }
    Ok(query(request))
}

/// The same, asked anew.
pub(super) fn query(request: &Request) -> Option<Installed> {
    parse(&ask(request)?).into_iter().next().map(|(_, installed)| installed)
}

/// The versions of a state.
pub(super) fn installed(state: &Value) -> Vec<String> {
    text_of(state).split(SEPARATOR).map(str::to_owned).collect()
}

/// Whether an installed version is the one that is wanted, to the detail that is given.
pub(super) fn suits(request: &Request, current: &Value) -> bool {
    let installed = installed(current);
    if installed.len() > 1 && !request.is_install_only {
        return false;
    }
    installed.iter().any(|version| compare_wanted(&request.ensure, version).is_eq())
}

/// Removes a package: the version and the machine that its name may name, or all.
pub(super) fn remove(request: &Request, current: &Value) -> Outcome {
    let text = ask(request).unwrap_or_default();
    let Some(told) = text.lines().find_map(told) else { return Ok(()) };
    let exact = format!("{}-{}", told.name, told.version);
    let released = format!("{exact}-{}", told.release);
    let mut names = match &request.name {
        name if name.starts_with(&released) => vec![released],
        name if name.starts_with(&exact) => vec![exact],
        _ if request.is_install_only => {
            installed(current).iter().map(|version| format!("{}-{version}", told.name)).collect()
        }
        _ => vec![told.name],
    };
    let machine = format!(".{}", told.machine);
    if request.name.ends_with(&machine) {
        names.iter_mut().for_each(|name| name.push_str(&machine));
    }
    let mut arguments = vec!["-e"];
    arguments.extend(request.uninstall_options.iter().map(String::as_str));
    arguments.extend(names.iter().map(String::as_str));
    run("rpm", &arguments).map(drop)
}

/// A name with a version, before the machine that the name may end in.
pub(super) fn versioned(name: &str, version: &str) -> String {
    match machine(name).map(|machine| format!(".{machine}")) {
        Some(machine) => format!("{}-{version}{machine}", name.replacen(&machine, "", 1)),
        None => format!("{name}-{version}"),
    }
}

impl Rpm {
    fn source<'r>(&self, request: &'r Request) -> Outcome<&'r str> {
        request.source.as_deref().ok_or_else(|| Fault::new("RPMs must specify a package source"))
    }

    /// The version in the file that is named.
    fn offered(&self, request: &Request) -> Outcome<Option<String>> {
        let text = run("rpm", &["-q", "--qf", FORMAT, "-p", self.source(request)?])?;
        Ok(text.lines().find_map(told).map(|told| told.state))
    }
}

impl Tool for Rpm {
    fn name(&self) -> &'static str {
        "rpm"
    }

    fn can(&self, feature: &str) -> bool {
        feature == "versionable"
    }

    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
        find(request, packages)
    }

    fn latest(&mut self, request: &Request, _: &Value) -> Outcome<Option<String>> {
        self.offered(request)
    }

    fn suits(&self, request: &Request, current: &Value) -> bool {
        suits(request, current)
    }

    fn install(&mut self, request: &Request, current: &Value) -> Outcome {
        let source = self.source(request)?;
        let current = text_of(current);
        if request.ensure == current || (request.ensure == LATEST && self.offered(request)?.as_ref() == Some(&current))
        {
            return Ok(());
        }
        let is_there = !matches!(current.as_str(), "" | ABSENT | PURGED);
        let mut arguments = if is_there { vec!["-U", "--oldpackage"] } else { vec!["-i"] };
        arguments.extend(request.install_options.iter().map(String::as_str));
        arguments.push(source);
        run("rpm", &arguments).map(drop)
    }

    fn remove(&mut self, request: &Request, current: &Value) -> Outcome {
        if is_missing(current) {
            return Ok(());
        }
        remove(request, current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_may_be_there_in_several_versions() {
        let listing =
            parse("bash 0 5.1.8 6.el9 x86_64\nkernel 0 5.14 1 x86_64\nkernel 0 5.14 2 x86_64\nnss 1 3 4 noarch");
        let state = |name: &str| listing.get(name).map(|it| text_of(&it.state)).unwrap_or_default();
        assert_eq!(state("bash"), "5.1.8-6.el9");
        assert_eq!(state("kernel"), "5.14-1; 5.14-2");
        assert_eq!(state("nss"), "1:3-4");
        assert_eq!(versioned("glibc.i686", "2.34"), "glibc-2.34.i686");
        assert_eq!(versioned("glibc", "2.34"), "glibc-2.34");
    }
}
