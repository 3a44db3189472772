//! The rules of this house, checked on the files themselves: see ARCHITECTURE.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The longest a file may be, tests at its foot not counted.
const LONGEST: usize = 600;

/// What each crate may use of the others. The arrows are invariants.
const ARROWS: &[(&str, &[&str])] = &[
    ("diagnostic", &[]),
    ("syntax", &["diagnostic"]),
    ("pcore", &["diagnostic", "syntax"]),
    ("environment", &["diagnostic", "syntax"]),
    ("catalog", &["diagnostic", "syntax", "pcore"]),
    ("notation", &["diagnostic", "pcore"]),
    ("pki", &[]),
    ("index", &["diagnostic", "syntax"]),
    ("lint", &["diagnostic", "syntax", "notation"]),
    ("format", &["syntax"]),
    ("hiera", &["diagnostic", "syntax", "pcore", "notation", "pki", "environment"]),
    ("compiler", &["diagnostic", "syntax", "pcore", "environment", "catalog", "hiera"]),
    ("functions", &["diagnostic", "syntax", "pcore", "notation", "pki", "environment", "catalog", "hiera", "compiler"]),
    ("ruby", &["diagnostic", "syntax", "pcore", "notation", "pki", "environment", "catalog", "hiera", "compiler"]),
    ("facts", &["pcore", "notation", "environment"]),
    ("apply", &["syntax", "pcore", "notation", "catalog"]),
    (
        "bunraku",
        &[
            "apply",
            "facts",
            "diagnostic",
            "syntax",
            "pcore",
            "notation",
            "environment",
            "catalog",
            "hiera",
            "compiler",
            "functions",
            "ruby",
            "format",
            "index",
            "lint",
        ],
    ),
    // What they need of the others, the library hands on.
    ("web", &["bunraku", "pki"]),
    ("server", &["bunraku", "pki", "web"]),
    ("agent", &["bunraku", "pki", "web"]),
    ("cli", &["agent", "bunraku", "format", "lint", "server", "web"]),
    ("../tests", &["bunraku", "format", "lint", "ruby"]),
    ("../benches", &["bunraku", "syntax", "pki"]),
];

/// Who may name what reaches beyond the program: below `crates/`, directories and files, tests aside. Everybody else is
/// handed it, by `World` or as a value.
const OUTSIDE: &[(&str, &[&str])] = &[
    (
        "serde_json",
        &[
            "pcore/src/serialize.rs",
            "environment/src/module.rs",
            "catalog/src/wire",
            "hiera/src/backends/json.rs",
            "ruby/src/bridge/function.rs",
            "ruby/src/sidecar",
            "bunraku/src/facts.rs",
            "bunraku/src/json.rs",
            "diagnostic/src/render",
            "server/src",
            "agent/src",
            "cli/src",
        ],
    ),
    (
        "std::fs",
        &[
            "apply/src",
            "environment/src/world",
            "bunraku/src/store",
            "bunraku/src/whole_file.rs",
            "server/src",
            "agent/src",
            "cli/src",
        ],
    ),
    ("std::env", &["apply/src", "environment/src/world", "ruby/src/sidecar.rs", "cli/src"]),
    (
        "std::process",
        &["agent/src/lock.rs", "apply/src", "environment/src/world", "ruby/src/sidecar/process.rs", "cli/src"],
    ),
    (
        "SystemTime",
        &[
            "agent/src/bootstrap.rs",
            "apply/src",
            "environment/src/world",
            "pki/src/authority.rs",
            "server/src/ca",
            "server/src/endpoints",
            "server/src/tls.rs",
        ],
    ),
    (
        "Instant",
        &[
            "agent/src",
            "cli/src/agent",
            "cli/src/agent.rs",
            "apply/src",
            "cli/src/apply.rs",
            "cli/src/catalog/compile.rs",
            "environment/src/world",
            "compiler/src/limits.rs",
            "compiler/src/profile.rs",
            "pcore/src/regexp.rs",
            "ruby/src/sidecar/process.rs",
            "bunraku/src/project.rs",
            "server/src/code_tree.rs",
            "server/src/compile.rs",
            "server/src/endpoints/catalog.rs",
            "server/src/network.rs",
            "web/src",
        ],
    ),
    (
        "TimeZone::system",
        &["apply/src", "cli/src/filebucket.rs", "environment/src/world", "server/src/files/checksum.rs"],
    ),
];

/// Directories in which every file stands in a table.
const SHELVES: &[&str] = &[
    "catalog/src/resource_types",
    "facts/src/core",
    "functions/src/builtin",
    "functions/src/modules",
    "functions/src/stdlib",
    "hiera/src/backends",
    "lint/src/rules",
    "pcore/src/data_types",
    "server/src/endpoints",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(directory: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("target") {
                rust_files(&path, into);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

fn sources() -> BTreeMap<PathBuf, String> {
    let mut files = Vec::new();
    for directory in ["crates", "tests", "benches"] {
        rust_files(&root().join(directory), &mut files);
    }
    assert!(files.len() > 50, "the crates were not found");
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(&path).unwrap())).collect()
}

fn complain(rule: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{rule}:\n  {}", offenders.join("\n  "));
}

/// The part of a file that counts: without the tests at its foot.
fn body(text: &str) -> &str {
    text.split("\n#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn a_file_says_what_it_is_for() {
    let offenders: Vec<_> = sources()
        .iter()
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(path, _)| path.display().to_string())
        .collect();
    complain("every file starts with `//!`", &offenders);
}

#[test]
fn a_file_stays_short() {
    let offenders: Vec<_> = sources()
        .iter()
        .map(|(path, text)| (path, body(text).lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(path, lines)| format!("{} has {lines} lines", path.display()))
        .collect();
    complain("a file tells one story in at most 600 lines", &offenders);
}

#[test]
fn nothing_is_left_unfinished() {
    // Spelled in pieces, so that this file does not accuse itself.
    let words = [["to", "do!("], ["unimple", "mented!("], ["FIX", "ME"], ["#[ig", "nore"], ["#[should_", "panic"]];
    let mut offenders = Vec::new();
    for (path, text) in sources() {
        for word in words.map(|halves| halves.concat()) {
            if text.contains(&word) {
                offenders.push(format!("{} contains {word}", path.display()));
            }
        }
    }
    complain("nothing is left unfinished", &offenders);
}

#[test]
fn the_arrows_point_one_way() {
    let mut offenders = Vec::new();
    for name in crates() {
        if !ARROWS.iter().any(|(listed, _)| *listed == name) {
            offenders.push(format!("{name} is not in the table"));
        }
    }
    for (name, allowed) in ARROWS {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("bunraku")) {
            let used = line.trim_start_matches("bunraku-").split(['.', ' ']).next().unwrap_or_default();
            if !allowed.contains(&used) {
                offenders.push(format!("{name} uses {used}"));
            }
        }
    }
    complain("a crate uses only what stands before it", &offenders);
}

/// The names of the crates.
fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn builds_are_plain() {
    let mut offenders = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        if entry.path().join("build.rs").exists() {
            offenders.push(format!("{} has a build script", entry.path().display()));
        }
    }
    for (file, words) in [("Cargo.toml", ["link-arg", "opt-level = \"s\""]), (".cargo/config.toml", ["flags", "FLAGS"])]
    {
        let text = fs::read_to_string(root().join(file)).unwrap_or_default();
        offenders
            .extend(words.iter().filter(|word| text.contains(**word)).map(|word| format!("{file} contains {word}")));
    }
    complain("the program is built as `cargo install` builds it: no build scripts, no flags", &offenders);
}

#[test]
fn few_reach_beyond_the_program() {
    let crates = root().join("crates");
    let mut offenders = Vec::new();
    for (path, text) in sources() {
        let Ok(path) = path.strip_prefix(&crates) else { continue };
        let apart = ["tests", "tests.rs", "examples", "benches"];
        let is_test = path.components().any(|part| apart.iter().any(|it| part.as_os_str() == *it));
        for (word, allowed) in OUTSIDE.iter().filter(|_| !is_test) {
            if names(body(&text), word)
                && !allowed.iter().any(|place| path.with_extension("").starts_with(place.trim_end_matches(".rs")))
            {
                offenders.push(format!("{} names {word}", path.display()));
            }
        }
    }
    for (word, allowed) in OUTSIDE {
        for place in *allowed {
            if !crates.join(place).exists() {
                offenders.push(format!("{place}, which may name {word}, is not there"));
            }
        }
    }
    complain("only some files know the world outside", &offenders);
}

/// Whether code names something, not as a part of another word and not in a comment.
fn names(code: &str, word: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).any(|line| {
        line.match_indices(word).any(|(start, _)| {
            !is_part(line[..start].chars().next_back()) && !is_part(line[start + word.len()..].chars().next())
        })
    })
}

#[test]
fn shelves_and_tables_agree() {
    let mut offenders = Vec::new();
    for shelf in SHELVES {
        let directory = root().join("crates").join(shelf);
        let inside = fs::read_to_string(directory.join("mod.rs"));
        let table = inside.or_else(|_| fs::read_to_string(directory.with_extension("rs"))).unwrap();
        let mut names: Vec<_> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            // A directory without a file of its own belongs to the file of the same name.
            .filter(|path| path.is_file() || path.join("mod.rs").exists())
            .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
            .filter(|name| name != "mod")
            .collect();
        names.sort();
        let listed = listed(&table);
        if names != listed {
            let missing: Vec<_> = names.iter().filter(|name| !listed.contains(name)).collect();
            offenders.push(format!("{shelf}: the table is not the sorted list of files (not listed: {missing:?})"));
        }
    }
    complain("a shelf's table lists its files in order", &offenders);
}

/// The modules that a table declares: by lines with `mod`, or as the words given to a macro that makes such lines.
fn listed(table: &str) -> Vec<String> {
    if let Some((_, words)) = table.split_once("\nbuiltin! {") {
        let words = words.split('}').next().unwrap_or_default();
        return words.split_whitespace().map(str::to_owned).collect();
    }
    let declared = body(table).lines().filter_map(|line| {
        let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.trim_start_matches("r#").to_owned())
    });
    declared.collect()
}

#[test]
fn the_map_shows_every_crate() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let tree = map.split("```").nth(1).unwrap_or_default();
    let shown: Vec<_> = tree
        .lines()
        .skip_while(|line| *line != "crates/")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| Some(line.trim_start().split_once('/')?.0.to_owned()))
        .collect();
    let offenders: Vec<_> = crates().into_iter().filter(|name| !shown.contains(name)).collect();
    complain("ARCHITECTURE.md shows every crate", &offenders);
    let offenders: Vec<_> = shown.into_iter().filter(|name| !crates().contains(name)).collect();
    complain("ARCHITECTURE.md shows no other crate", &offenders);
}

/// A package of a crate has what is below `src` alone, and its dependencies by version.
#[test]
fn every_crate_can_be_published() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let version = workspace.lines().find_map(|line| line.strip_prefix("version = ")).unwrap();
    let (mut offenders, sources) = (Vec::new(), sources());
    for line in workspace.lines().filter(|line| line.contains("{ path = \"crates/")) {
        if !line.contains(&format!("version = {version}")) {
            offenders.push(format!("Cargo.toml: the version is not {version}: {line}"));
        }
    }
    for name in crates() {
        let directory = root().join("crates").join(&name);
        let manifest = fs::read_to_string(directory.join("Cargo.toml")).unwrap();
        for part in ["description = ", "version.workspace", "license", "keywords.workspace", "include.workspace"] {
            if !manifest.lines().any(|line| line.starts_with(part)) {
                offenders.push(format!("{name}: no {part}"));
            }
        }
        let published = manifest.split("dev-dependencies]").next().unwrap_or_default();
        if published.contains("path = \"../") {
            offenders.push(format!("{name}: a dependency without a version"));
        }
        // What is included by the program has to be in the package as well.
        for (path, text) in sources.iter().filter(|(path, _)| path.starts_with(directory.join("src"))) {
            let depth = path.strip_prefix(directory.join("src")).unwrap().components().count();
            let above = format!("include_str!(\"{}", "../".repeat(depth));
            if body(text).contains(&above) && !text.contains("#[cfg(doctest)]") {
                offenders.push(format!("{} includes what is not in the package", path.display()));
            }
        }
    }
    complain("every crate can be published", &offenders);
}

#[test]
fn no_machine_is_named() {
    let words = [["/wo", "rk/"], ["/ro", "ot/"]];
    let mut offenders = Vec::new();
    for (path, text) in sources() {
        for word in words.map(|halves| halves.concat()) {
            if text.contains(&word) {
                offenders.push(format!("{} contains {word}", path.display()));
            }
        }
    }
    complain("the repository speaks of the project alone", &offenders);
}
