//! The table of flags in `docs/commands.md` is what `--help` shows.

use std::collections::BTreeMap;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

/// What stands before the table.
const TITLE: &str = "## Flags\n";

/// The commands that do something, by their full names.
fn commands(command: &Command, name: &str, into: &mut Vec<(String, Command)>) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let name = format!("{name} {}", inner.get_name()).trim_start().to_owned();
        if inner.has_subcommands() {
            commands(inner, &name, into);
        } else {
            into.push((name, inner.clone()));
        }
    }
}

fn shown(flag: &Arg) -> Option<String> {
    let short = flag.get_short().map(|letter| format!("`-{letter}`, ")).unwrap_or_default();
    let value = flag.get_action().takes_values().then(|| flag.get_value_names().unwrap_or_default().join(" "));
    let value = value.map(|value| format!(" {value}")).unwrap_or_default();
    Some(format!("{short}`--{}{value}`", flag.get_long()?))
}

/// The flags of a command by the headings that the help has for them.
fn flags(command: &Command) -> BTreeMap<String, Vec<String>> {
    let mut flags: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let is_its_own = |flag: &&Arg| !flag.is_hide_set() && !matches!(flag.get_id().as_str(), "help" | "version");
    for flag in command.get_arguments().filter(is_its_own) {
        let heading = flag.get_help_heading().unwrap_or_default();
        flags.entry(heading.to_owned()).or_default().extend(shown(flag));
    }
    flags
}

/// What most commands have below a heading is said once.
fn table() -> String {
    let mut program = crate::Cli::command();
    program.build();
    let mut all = Vec::new();
    commands(&program, "", &mut all);
    let all: Vec<_> = all.iter().map(|(name, command)| (name, flags(command))).collect();
    let mut groups: BTreeMap<&str, BTreeMap<&[String], usize>> = BTreeMap::new();
    for (heading, flags) in all.iter().flat_map(|(_, flags)| flags).filter(|(heading, _)| !heading.is_empty()) {
        *groups.entry(heading).or_default().entry(flags).or_default() += 1;
    }
    let groups: BTreeMap<&str, &[String]> = groups
        .into_iter()
        .filter_map(|(heading, sets)| Some((heading, sets.into_iter().max_by_key(|(_, count)| *count)?.0)))
        .collect();
    let mut text = format!(
        "{TITLE}\nWhat they do is said by `--help`. Names in italics stand for groups of flags, listed below.\n"
    );
    text.push_str("\n| command | flags |\n|---|---|\n");
    for (name, flags) in &all {
        let mut words = Vec::new();
        for (heading, flags) in flags {
            match groups.get(heading.as_str()).filter(|group| group.iter().all(|flag| flags.contains(flag))) {
                Some(group) => {
                    words.push(format!("*{heading}*"));
                    words.extend(flags.iter().filter(|flag| !group.contains(flag)).cloned());
                }
                None => words.extend(flags.iter().cloned()),
            }
        }
        text.push_str(&format!("| `{name}` | {} |\n", words.join(", ")));
    }
    text.push_str("\n| group | flags |\n|---|---|\n");
    for (heading, flags) in groups {
        text.push_str(&format!("| *{heading}* | {} |\n", flags.join(", ")));
    }
    text
}

/// `UPDATE=1` writes the table anew.
#[test]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
fn all_flags_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(TITLE).unwrap();
    let after = rest.split_once("\n## ").map(|(_, after)| format!("\n## {after}")).unwrap_or_default();
    let expected = format!("{before}{}{after}", table());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        assert_eq!(document, expected, "docs/commands.md is not up to date: run the test with UPDATE=1");
    }
}
