//! Random cases: written from the grammars, or made from recorded cases and other random ones by mutation.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::grammar::Grammar;
use crate::random::Random;
use crate::tokens;

/// The rules that a grammar of a topic may start with: each is a mode of running a program.
const MODES: [&str; 4] = ["eval", "catalog", "parse", "epp"];

/// Stands between the code of an alternative and the other fields of the case, which are JSON.
const FIELDS: char = '¦';

/// Programs of the grammars are not longer than this.
const LONGEST: usize = 500;

/// All grammars and recorded programs, and the random numbers that choose among them.
pub(crate) struct Generator {
    topics: Vec<(String, Grammar)>,
    recorded: Vec<Json>,
    random: Random,
    count: usize,
}

impl Generator {
    /// Reads the grammars of the directory, only those of the wanted topics if there are any, and the recorded corpora.
    pub(crate) fn new(directory: &Path, corpora: &Path, wanted: &[String], seed: u64) -> Result<Self, String> {
        let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|topic| topic == name);
        let common = directory.join("common.grammar");
        let mut topics = Vec::new();
        for path in list(directory, "grammar")?.into_iter().filter(|path| *path != common) {
            let name = stem(&path);
            if is_wanted(&name) {
                topics.push((name, Grammar::read(&[&common, &path])?));
            }
        }
        let mut recorded = Vec::new();
        for path in list(corpora, "jsonl")?.into_iter().filter(|path| is_wanted(&stem(path))) {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            recorded.extend(text.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok()));
        }
        // Hiera and Ruby need files or settings of their own, and another target another reference.
        recorded.retain(|case| ["files", "settings", "target"].iter().all(|field| case.get(*field).is_none()));
        Ok(Self { topics, recorded, random: Random::new(seed), count: 0 })
    }

    /// The next random case.
    pub(crate) fn next(&mut self) -> Json {
        let mut case = if self.random.one_in(4) { self.vary_recorded() } else { self.write_new() };
        if self.random.one_in(12) {
            self.mutate(&mut case);
        }
        self.count += 1;
        case["id"] = json!(format!("random-{}", self.count));
        case
    }

    fn write_new(&mut self) -> Json {
        let Some((topic, grammar)) = self.random.pick(&self.topics) else { return json!({"code": "", "mode": "eval"}) };
        let modes: Vec<_> = MODES.into_iter().filter(|mode| grammar.has(mode)).collect();
        let mode = self.random.pick(&modes).copied().unwrap_or("eval");
        // Long programs hide more than they show.
        let mut texts = (0..20).map(|_| grammar.write(mode, &mut self.random));
        let text = texts.find(|text| text.len() < LONGEST).unwrap_or_default();
        let (code, fields) = text.split_once(FIELDS).unwrap_or((&text, "{}"));
        let mut case = json!({"id": "", "topic": topic, "mode": mode, "code": code});
        if let (Some(case), Ok(Json::Object(fields))) = (case.as_object_mut(), serde_json::from_str(fields)) {
            case.extend(fields);
        }
        if self.random.one_in(10) {
            case["strict"] = json!(if self.random.one_in(2) { "off" } else { "warning" });
            case["strict_variables"] = json!(self.random.one_in(2));
        }
        case
    }

    /// A recorded case in which some words are replaced with words of other recorded cases.
    fn vary_recorded(&mut self) -> Json {
        let Some(case) = self.random.pick(&self.recorded) else { return self.write_new() };
        let mut case = case.clone();
        if let Some(fields) = case.as_object_mut() {
            fields.remove("expect");
        }
        let mut words = tokens::split(code(&case));
        for _ in 0..=self.random.below(3) {
            let Some(other) = self.random.pick(&self.recorded) else { break };
            let others = tokens::split(code(other));
            let at = self.random.below(words.len());
            let Some(old) = words.get(at).cloned() else { break };
            let same: Vec<_> = others.iter().filter(|word| class(word) == class(&old) && **word != old).collect();
            if let (Some(word), Some(place)) = (self.random.pick(&same), words.get_mut(at)) {
                *place = (*word).clone();
            }
        }
        case["code"] = json!(words.concat());
        case
    }

    /// Leaves out, doubles or swaps a few tokens.
    fn mutate(&mut self, case: &mut Json) {
        let mut words = tokens::split(code(case));
        for _ in 0..=self.random.below(2) {
            let at = self.random.below(words.len());
            if at >= words.len() {
                break;
            }
            match self.random.below(4) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[at].clone()),
                2 => {
                    let other = self.random.below(words.len());
                    words.swap(at, other);
                }
                _ => {
                    let symbols = [
                        "{", "}", "(", ")", "[", "]", ",", "|", "=>", "=", "+=", "$", "'", "\"", "/", "@", "::", ".",
                        "-", "*", "!", "?", ":", ";", "%", "<", "if", "class", "default", "undef", "0", "\\", "#",
                        "\n",
                    ];
                    let symbol = self.random.pick(&symbols).copied().unwrap_or_default();
                    words.insert(at, symbol.to_owned());
                }
            }
        }
        case["code"] = json!(words.concat());
    }
}

fn code(case: &Json) -> &str {
    case.get("code").and_then(Json::as_str).unwrap_or_default()
}

/// Words of one class can stand in each other's place.
fn class(word: &str) -> u8 {
    match word.chars().next() {
        Some(c) if c.is_ascii_digit() => 0,
        Some(c) if c.is_uppercase() => 1,
        Some(c) if c.is_alphabetic() || c == '_' => 2,
        Some('(' | '[' | '{' | ')' | ']' | '}') => 3,
        Some(' ' | '\n') => 4,
        Some('\'' | '"') => 5,
        _ => 6,
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of a directory with the extension, in order.
fn list(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    Ok(paths)
}
