//! Which requests are signed without anybody looking: a list of names, a program that decides, all, or none.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use bunraku::World;
use bunraku::world::Command;

/// The setting `autosign`.
#[derive(Debug, Clone)]
pub(crate) enum Autosign {
    All,
    Nothing,
    /// A file, looked at for every request: a list, or a program if it can be executed.
    File(String),
}

/// What was decided about a request, and what should be logged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) signs: bool,
    pub(crate) remarks: Vec<String>,
}

impl Autosign {
    pub(crate) fn read(setting: &str) -> Autosign {
        match setting {
            "true" => Autosign::All,
            "false" | "" => Autosign::Nothing,
            path => Autosign::File(path.to_owned()),
        }
    }

    /// Whether the request of a node is to be signed.
    pub(crate) fn decide(&self, name: &str, request: &str, world: &dyn World) -> Decision {
        let decided = |signs| Decision { signs, remarks: Vec::new() };
        let path = match self {
            Autosign::All => return decided(true),
            Autosign::Nothing => return decided(false),
            Autosign::File(path) => path,
        };
        let Ok(found) = std::fs::metadata(Path::new(path)) else { return decided(false) };
        if found.permissions().mode() & 0o111 != 0 {
            return by_program(path, name, request, world);
        }
        match world.read_text(path) {
            Ok(list) => by_list(&list, name),
            Err(error) => Decision { signs: false, remarks: vec![format!("{path}: {error}")] },
        }
    }
}

fn by_program(program: &str, name: &str, request: &str, world: &dyn World) -> Decision {
    let command = Command { program, arguments: &[name], input: request.as_bytes(), ..Command::default() };
    match world.run(&command) {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
            let remark = |said| format!("Autosign command '{program} {name}' wrote to standard error: {said}");
            let remarks = Some(said).filter(|said| !said.is_empty()).map(remark).into_iter().collect();
            Decision { signs: output.code == Some(0), remarks }
        }
        Err(error) => Decision { signs: false, remarks: vec![format!("Autosign command '{program}': {error}")] },
    }
}

/// A list has names, `*`, and `*.` with a domain. Other patterns match nothing, which is worth a remark: the reference is
/// silent about it.
fn by_list(list: &str, name: &str) -> Decision {
    let mut decision = Decision { signs: false, remarks: Vec::new() };
    let name = name.to_lowercase();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.contains(['#', ' ', '\t']) {
            decision.remarks.push(format!("Invalid pattern '{line}' in the list of names to be signed"));
            continue;
        }
        let entry = line.to_lowercase();
        decision.signs |= match entry.strip_prefix("*.") {
            _ if entry == "*" => true,
            Some(domain) => name == domain || name.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
            None => name == entry,
        };
        if entry.strip_prefix('*').unwrap_or(&entry).contains('*') {
            decision.remarks.push(format!(
                "'{line}' in the list of names to be signed matches nothing: only `*.` at the start is a pattern"
            ));
        }
    }
    decision
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_names_and_domains() {
        let check =
            |list: &str, name: &str, expected: bool| assert_eq!(by_list(list, name).signs, expected, "{list} {name}");
        check("# all\n*\n", "web1", true);
        check("web1.example.com\n", "web1.example.com", true);
        check("WEB1.example.com\n", "web1.example.com", true);
        check("*.example.com\n", "web1.example.com", true);
        check("*.example.com\n", "example.com", true);
        check("*.example.com\n", "badexample.com", false);
        check("web*.example.com\n", "web1.example.com", false);
        check("a # b\n", "a", false);
        check("", "a", false);
        assert_eq!(by_list("web*.example.com", "a").remarks.len(), 1);
    }
}
