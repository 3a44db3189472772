//! Runs of `augtool`: it reads all commands at once, and what it says to each is told apart by marks between them.

use crate::execution::Execution;
use crate::fault::{Fault, Outcome};

/// The path of what is never there: what is said about it is the mark between answers.
const MARK: &str = "/augeas/bunraku";

/// A command that there is not: the complaint about it is the mark between errors.
const NO_COMMAND: &str = "bunraku-mark";

/// Which files are read, and how.
#[derive(Debug, Clone)]
pub(super) struct Session {
    /// What stands before paths that begin with no slash.
    pub(super) around: String,
    pub(super) root: String,
    pub(super) load_path: String,
    /// The only file that is read, and its lens.
    pub(super) file: Option<(String, String)>,
    pub(super) checks_types: bool,
}

/// What was said to each command.
#[derive(Debug, Default)]
pub(super) struct Answers {
    texts: Vec<String>,
    failures: Vec<bool>,
    /// Whether files that matter could not be read.
    pub(super) has_load_errors: bool,
}

impl Session {
    /// Reads the files and runs commands.
    pub(super) fn run(&self, lines: &[String]) -> Outcome<Answers> {
        let (before, metadata) = self.loading();
        let mut input = String::new();
        let mut add = |line: &str, number: usize| {
            input.push_str(&format!("{line}\nget {MARK}{number}\n{NO_COMMAND}{number}\n"));
        };
        let errors = format!("match {metadata}");
        let preparation = [before.as_slice(), &["load".to_owned(), errors]].concat();
        for (number, line) in preparation.iter().chain(lines).enumerate() {
            add(line, number);
        }
        let mut arguments = vec!["augtool".to_owned(), "-r".to_owned(), self.root.clone()];
        if !self.load_path.is_empty() {
            arguments.extend(["-I".to_owned(), self.load_path.clone()]);
        }
        if self.checks_types {
            arguments.push("-c".to_owned());
        }
        arguments.push(if self.file.is_some() { "-A" } else { "-L" }.to_owned());
        let split = |text: &str, mark: &str| -> Vec<String> {
            let mut parts = Vec::new();
            let mut rest = text;
            for number in 0..preparation.len() + lines.len() {
                let (part, after) = rest.split_once(&format!("{mark}{number}")).unwrap_or(("", rest));
                // What follows the mark on its line belongs to it.
                parts.push(part.to_owned());
                rest = after.split_once('\n').map_or("", |(_, rest)| rest);
            }
            parts
        };
        let had_history = history().is_some_and(|directory| directory.exists());
        let told = Execution::new(&arguments).input(input).run_apart();
        if let Some(directory) = history().filter(|_| !had_history) {
            // The command begins a history of what is typed by hand, of which there is nothing.
            _ = std::fs::remove_file(directory.join("history"));
            _ = std::fs::remove_dir(directory);
        }
        let (text, complaints) = told.map_err(|error| Fault::new(format!("Could not run augtool: {error}")))?;
        let mut texts = split(&text, MARK);
        let failures = split(&complaints, &format!("Unknown command '{NO_COMMAND}"));
        let mut failures: Vec<bool> = failures.iter().map(|it| is_failure(it)).collect();
        let own = preparation.len();
        let is_limited = self.file.is_some()
            || texts.get(1).is_some_and(|text| text.starts_with("rm :") && !text.trim_end().ends_with(" 0"));
        let mut answers = Answers { texts: texts.split_off(own.min(texts.len())), ..Answers::default() };
        answers.failures = failures.split_off(own.min(failures.len()));
        let errors = texts.last().map(String::as_str).unwrap_or_default();
        answers.has_load_errors = is_limited && !nodes(errors).is_empty();
        Ok(answers)
    }

    /// What is set before files are read, and where it is told that one of them could not be.
    fn loading(&self) -> (Vec<String>, String) {
        if let Some((file, lens)) = &self.file {
            let set =
                |name: &str, value: &str| format!("set /augeas/load/Xfm/{name} \"{}\"", value.replace('"', "\\\""));
            return (vec![set("lens", lens), set("incl", file)], "/augeas//error".to_owned());
        }
        let is_plain = |path: &str| !path.contains(['\'', '"', '[', ']']);
        match self.around.strip_prefix("/files/").filter(|path| !path.is_empty() && is_plain(path)) {
            Some(path) => {
                let path = format!("/{}/", path.strip_suffix('/').unwrap_or(path));
                // Lenses for other files are left out, if there is one for this.
                let glob = "glob(incl) + regexp('/.*')";
                let own = format!("defvar own \"/augeas/load/*['{path}' =~ {glob}]\"");
                let others = format!("rm \"/augeas/load/*[count($own) > 0]['{path}' !~ {glob}]\"");
                (vec![own, others], format!("/augeas/files{path}error"))
            }
            None => (Vec::new(), "/augeas//error".to_owned()),
        }
    }
}

/// Where the command keeps what was typed by hand.
fn history() -> Option<std::path::PathBuf> {
    std::env::home_dir().map(|home| home.join(".augeas"))
}

/// Whether errors are of a command: each mark begins with one of its own.
fn is_failure(complaints: &str) -> bool {
    let complaints = complaints.trim();
    let own = complaints.strip_suffix("error: Failed to execute command").unwrap_or(complaints);
    own.lines().any(|line| line.starts_with("error:"))
}

/// The nodes of an answer: lines such as `/files/a = value`, `/files/b (none)`, and `/files/c (o)` for what is not there.
fn nodes(text: &str) -> Vec<(String, Option<String>)> {
    let mut nodes: Vec<(String, Option<String>)> = Vec::new();
    for line in text.lines() {
        if line.trim() == "(no matches)" || line.ends_with(" (o)") {
            continue;
        }
        if let Some(path) = line.strip_suffix(" (none)").or_else(|| line.strip_suffix(" = (none)")) {
            nodes.push((path.to_owned(), None));
        } else if let Some((path, value)) = line.split_once(" = ").filter(|(path, _)| path.starts_with('/')) {
            nodes.push((path.to_owned(), Some(value.to_owned())));
        } else if let Some((_, Some(value))) = nodes.last_mut() {
            // A value may have several lines.
            value.push('\n');
            value.push_str(line);
        }
    }
    nodes
}

impl Answers {
    /// Whether a command failed.
    pub(super) fn failed(&self, place: usize) -> bool {
        self.failures.get(place).copied().unwrap_or(true)
    }

    /// The nodes that a command told of.
    pub(super) fn nodes(&self, place: usize) -> Vec<(String, Option<String>)> {
        self.texts.get(place).map(|text| nodes(text)).unwrap_or_default()
    }

    /// Their values.
    pub(super) fn values(&self, place: usize) -> Vec<Option<String>> {
        self.nodes(place).into_iter().map(|(_, value)| value).collect()
    }
}
