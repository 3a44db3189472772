//! Facts of common systems, from the facterdb project of Vox Pupuli (Apache License 2.0): one machine of each, so that code
//! can be tried for a system that nobody has at hand.

use std::io::Read;

use bunraku_diagnostic::nearest;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;
use flate2::read::GzDecoder;

use crate::json;

/// A line for each system: `{"os": NAME, "facts": {…}}`.
const SETS: &[u8] = include_bytes!("fact_sets.jsonl.gz");

/// The architecture that most machines have; names may leave it out.
const USUAL: &str = "-x86_64";

/// The facts of a system by its name, with or without the architecture: `debian-12`, `ubuntu-24.04-aarch64`.
pub fn fact_set(name: &str) -> Result<Hash, Issue> {
    let wanted = name.to_ascii_lowercase();
    let sets = read()?;
    let find = |wanted: &str| sets.iter().find(|(known, _)| known == wanted);
    let found = find(&wanted).or_else(|| find(&format!("{wanted}{USUAL}")));
    let Some((_, line)) = found else { return Err(unknown(name, &sets)) };
    match json::read(line)?.get("facts") {
        Some(Value::Hash(facts)) => Ok((**facts).clone()),
        _ => Err(unknown(name, &sets)),
    }
}

/// The names of the systems, without the usual architecture.
pub fn fact_set_names() -> Result<Vec<String>, Issue> {
    Ok(read()?.into_iter().map(|(name, _)| short(&name).to_owned()).collect())
}

fn short(name: &str) -> &str {
    name.strip_suffix(USUAL).unwrap_or(name)
}

/// The lines by their names. The name is the first thing in a line, so that only one line has to be read as JSON.
fn read() -> Result<Vec<(String, String)>, Issue> {
    let mut text = String::new();
    let broken = |error: std::io::Error| Issue::new("", format!("the facts of systems cannot be read: {error}"));
    GzDecoder::new(SETS).read_to_string(&mut text).map_err(broken)?;
    let named = |line: &str| Some((line.strip_prefix("{\"os\":\"")?.split('"').next()?.to_owned(), line.to_owned()));
    Ok(text.lines().filter_map(named).collect())
}

fn unknown(name: &str, sets: &[(String, String)]) -> Issue {
    let names: Vec<&str> = sets.iter().map(|(name, _)| short(name)).collect();
    let meant = nearest(name, &names).map(|meant| format!(" Did you mean 'os:{meant}'?")).unwrap_or_default();
    let names = names.join(", ");
    Issue::new("", format!("There are no facts of a system '{name}'.{meant} There are those of {names}"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn systems_are_found_by_name() {
        let check = |name: &str, expected: &str| {
            let facts = fact_set(name).unwrap();
            let os = facts.get_str("os").unwrap();
            let release = os.get("release").and_then(|release| release.get("major")).unwrap();
            assert_eq!(format!("{} {release} {}", os.get("name").unwrap(), os.get("hardware").unwrap()), expected);
        };
        check("debian-12", "Debian 12 x86_64");
        check("Debian-12-i386", "Debian 12 i386");
        check("ubuntu-24.04-aarch64", "Ubuntu 24.04 aarch64");
        for name in fact_set_names().unwrap() {
            assert!(fact_set(&name).unwrap().get_str("kernel").is_some(), "{name}");
        }
    }

    #[test]
    fn an_unknown_system_is_told_of_the_others() {
        let message = fact_set("debain-12").unwrap_err().to_string();
        let start = "There are no facts of a system 'debain-12'. Did you mean 'os:debian-12'? There are those of almalinux-10, ";
        assert!(message.starts_with(start), "{message}");
    }
}
