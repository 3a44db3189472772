//! Packages of RPM from repositories, through `dnf` or `yum`.

use bunraku_pcore::Value;
use rustc_hash::FxHashMap;

use super::version::{RPM, Range, compare_wanted};
use super::{Installed, LATEST, Packages, Request, Tool, command, is_missing, rpm, run};
use crate::execution::Failure;
use crate::fault::{Fault, Outcome};
use crate::property::text_of;

/// `dnf` or `yum`.
pub(super) struct Yum {
    command: &'static str,
}

impl Yum {
    pub(super) fn new(command: &'static str) -> Self {
        Yum { command }
    }

    fn upgrade(&self) -> &'static str {
        if self.command == "dnf" { "upgrade" } else { "update" }
    }

    /// The newer versions there are, by the names of packages with and without their machine.
    fn updates(&self, request: &Request) -> Outcome<FxHashMap<String, String>> {
        let arguments = [vec!["-y".to_owned(), "check-update".to_owned()], repositories(request)].concat();
        let output = match command(self.command, &arguments)?.drop_errors().run() {
            Ok(output) => output,
            Err(Failure::NotStarted(fault)) => return Err(fault),
            Err(Failure::TimedOut) => return Err(Fault::new(format!("{} takes too long", self.command))),
        };
        // It says with its exit code whether there are any.
        Ok(if output.code == Some(100) { parse(&output.text) } else { FxHashMap::default() })
    }

    /// The newest version of a range that can be installed.
    fn newest_in(&self, request: &Request, range: &Range) -> Outcome<Option<String>> {
        let list = ["list", request.name.as_str(), "--showduplicates"].map(str::to_owned);
        let text = run(self.command, &[&list, repositories(request).as_slice()].concat()).unwrap_or_default();
        let lines = text.lines().skip_while(|line| !line.contains("Available Packages")).skip(1);
        let versions =
            lines.filter_map(|line| line.split_whitespace().nth(1)).filter(|version| range.includes(version));
        let newest = RPM.newest(versions);
        Ok(newest.map(|version| match version.split_once(':') {
            Some((epoch, rest)) if epoch.chars().all(|it| it.is_ascii_digit()) => rest.to_owned(),
            _ => version.to_owned(),
        }))
    }

    /// The version that is asked of the command.
    fn best(&self, request: &Request, wanted: &str) -> Outcome<String> {
        match RPM.range(wanted).filter(|range| !range.is_exact()) {
            Some(range) => Ok(self.newest_in(request, &range)?.unwrap_or_else(|| wanted.to_owned())),
            None => Ok(wanted.to_owned()),
        }
    }

    fn operation(&self, request: &Request, version: Option<&str>, current: &Value) -> &'static str {
        if is_missing(current) {
            return "install";
        }
        match version {
            None if request.ensure == LATEST => self.upgrade(),
            None => "install",
            Some(_) if request.is_install_only => self.upgrade(),
            Some(version) => match compare_wanted(version, &text_of(current)) {
                std::cmp::Ordering::Less => "downgrade",
                std::cmp::Ordering::Greater => self.upgrade(),
                std::cmp::Ordering::Equal => "install",
            },
        }
    }
}

/// The options that decide where packages come from.
fn repositories(request: &Request) -> Vec<String> {
    let mut options = Vec::new();
    for name in ["--disablerepo", "--enablerepo", "--disableexcludes"] {
        for value in request.option(name) {
            let option = format!("{name}={value}");
            if !options.contains(&option) {
                options.push(option);
            }
        }
    }
    options
}

/// The newer versions of a listing, in which a line may be broken anywhere.
fn parse(text: &str) -> FxHashMap<String, String> {
    let is_end = |line: &&str| ["Obsoleting", "Security:", "Update"].iter().any(|word| line.starts_with(word));
    let lines: Vec<&str> = text.lines().take_while(|line| !is_end(line)).collect();
    let mut updates = FxHashMap::default();
    for paragraph in lines.split(|line| line.trim().is_empty()) {
        let words: Vec<&str> = paragraph.iter().flat_map(|line| line.split_whitespace()).collect();
        for entry in words.chunks(3) {
            let [package, version, ..] = entry else { continue };
            let Some((name, _)) = package.rsplit_once('.').filter(|_| version.contains('-')) else { continue };
            let version = if version.contains(':') { (*version).to_owned() } else { format!("0:{version}") };
            for name in [name, package] {
                updates.entry(name.to_owned()).or_insert_with(|| version.clone());
            }
        }
    }
    updates
}

impl Tool for Yum {
    fn name(&self) -> &'static str {
        self.command
    }

    fn can(&self, feature: &str) -> bool {
        matches!(feature, "purgeable" | "versionable")
    }

    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
        rpm::find(request, packages)
    }

    fn latest(&mut self, request: &Request, current: &Value) -> Outcome<Option<String>> {
        let newest = self.updates(request)?.remove(&request.name);
        Ok(newest.or_else(|| Some(text_of(current))))
    }

    fn suits(&self, request: &Request, current: &Value) -> bool {
        let installed = rpm::installed(current);
        match RPM.range(&request.ensure).filter(|range| !range.is_exact()) {
            Some(_) if installed.len() > 1 && !request.is_install_only => false,
            Some(range) => installed.iter().any(|version| range.includes(version)),
            None => rpm::suits(request, current),
        }
    }

    fn install(&mut self, request: &Request, current: &Value) -> Outcome {
        let options = || request.install_options.iter().cloned();
        let say = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        if !request.allows_virtual {
            let arguments: Vec<String> =
                say(&["-y"]).into_iter().chain(options()).chain(say(&["list", &request.name])).collect();
            run(self.command, &arguments)?;
        }
        let version = match (request.version(), &request.source) {
            (Some(wanted), Some(_)) => Some(wanted.to_owned()),
            (Some(wanted), None) => Some(self.best(request, wanted)?),
            (None, _) => None,
        };
        let wanted = match (&request.source, &version) {
            (Some(source), _) if request.ensure != LATEST => source.clone(),
            (_, Some(version)) => rpm::versioned(&request.name, version),
            _ => request.name.clone(),
        };
        let operation = self.operation(request, version.as_deref(), current);
        let arguments: Vec<String> =
            say(&["-y"]).into_iter().chain(options()).chain(say(&[operation, &wanted])).collect();
        let output = run(self.command, &arguments)?;
        if output.lines().any(|line| line == format!("No package {wanted} available.")) {
            return Err(Fault::new(format!("Could not find package {wanted}")));
        }
        // It succeeds even if it does something else.
        let Some(version) = version else { return Ok(()) };
        let missing = || Fault::new(format!("Could not find package {}", request.name));
        let found = rpm::query(request).ok_or_else(missing)?;
        if !self.suits(request, &found.state) {
            let found = text_of(&found.state);
            return Err(Fault::new(format!("Failed to update to version {version}, got version {found} instead")));
        }
        Ok(())
    }

    fn remove(&mut self, request: &Request, current: &Value) -> Outcome {
        rpm::remove(request, current)
    }

    fn purge(&mut self, request: &Request, _: &Value) -> Outcome {
        run(self.command, &["-y", "remove", &request.name]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_updates_may_be_broken() {
        let text = "Last metadata expiration check: 0:01 ago\n\nbash.x86_64   5.2-1  baseos\na-long-name.noarch\n    \
                    1:2.0-3  appstream\nObsoleting Packages\nold.noarch 9-9 baseos\n";
        let updates = parse(text);
        assert_eq!(updates.get("bash").map(String::as_str), Some("0:5.2-1"));
        assert_eq!(updates.get("a-long-name.noarch").map(String::as_str), Some("1:2.0-3"));
        assert_eq!(updates.get("old"), None);
    }
}
