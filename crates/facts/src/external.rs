//! External facts: files and programs in `facts.d`.

use std::io::ErrorKind;
use std::time::Duration;

use bunraku_environment::world::Command;
use bunraku_notation::yaml;
use bunraku_pcore::serialize::parse_json;
use bunraku_pcore::{Hash, Value};

use crate::host::Host;
use crate::message::Level;

/// What a program may take that tells facts. The reference waits forever.
const LIMITS: (Duration, usize) = (Duration::from_secs(30), 16 << 20);

/// How long all programs together may take.
pub(crate) const TOGETHER: Duration = Duration::from_secs(120);

/// How many files a directory may have.
const MOST_FILES: usize = 10_000;

/// The files of a directory in the order of their weight: the last name counts most.
pub(crate) fn files(host: &Host<'_>, directory: &str) -> Vec<String> {
    let names = host.list(directory).into_iter().filter(|entry| !entry.is_dir && !entry.name.starts_with('.'));
    names.rev().take(MOST_FILES).map(|entry| format!("{directory}/{}", entry.name)).collect()
}

/// The facts of a file; nothing if it is none that has facts, or is broken.
pub(crate) fn read(host: &Host<'_>, file: &str) -> Option<Hash> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
    let value = match extension.as_str() {
        "yaml" => structured(host, file, "Yaml", |bytes| {
            let text = with_quoted_dates(&String::from_utf8_lossy(bytes));
            yaml::load(text.as_bytes(), "<unknown>").map(|document| document.value.unwrap_or_default()).map_err(
                |error| format!("({}): {}", "<unknown>", error.to_string().trim_start_matches("(<unknown>): ")),
            )
        })?,
        "json" => structured(host, file, "Json", |bytes| {
            let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
            parse_json(text).map_err(|issue| issue.message().to_owned())
        })?,
        "txt" => Value::from(pairs(&String::from_utf8_lossy(&bytes(host, file, "Text")?))),
        "bat" | "cmd" | "com" | "exe" => return None,
        _ if host.machine().is_some_and(|machine| machine.is_executable(file)) => executed(host, file, name)?,
        _ => return None,
    };
    match value {
        Value::Undef => None,
        Value::Hash(hash) => Some((*hash).clone()),
        _ => {
            let text = format!("Structured data fact file {file} was parsed but no key=>value data was returned.");
            host.say(Level::Error, "LegacyFacter::Util::DirectoryLoader", text);
            None
        }
    }
}

fn structured(
    host: &Host<'_>,
    file: &str,
    kind: &str,
    parse: impl FnOnce(&[u8]) -> Result<Value, String>,
) -> Option<Value> {
    let content = bytes(host, file, kind)?;
    parse(&content)
        .map_err(|problem| {
            let text = format!("Failed to handle {file} as LegacyFacter::Util::Parser::{kind}Parser facts: {problem}");
            host.say(Level::Error, "Facter", text);
        })
        .ok()
}

fn bytes(host: &Host<'_>, file: &str, kind: &str) -> Option<Vec<u8>> {
    host.world
        .read(file)
        .map_err(|error| {
            if error.kind() != ErrorKind::NotFound {
                let text =
                    format!("Failed to handle {file} as LegacyFacter::Util::Parser::{kind}Parser facts: {error}");
                host.say(Level::Warn, "Facter", text);
            }
        })
        .ok()
}

/// Dates and times are strings for facts, where Hiera's data may have none.
fn with_quoted_dates(text: &str) -> String {
    let is_date = |value: &str| {
        let mut parts = value.splitn(3, '-');
        let is_number = |part: &str, length: usize| part.len() == length && part.bytes().all(|it| it.is_ascii_digit());
        parts.next().is_some_and(|year| is_number(year, 4))
            && parts.next().is_some_and(|month| is_number(month, 2))
            && parts.next().is_some_and(|day| {
                let is_part = |letter: char| letter.is_ascii_digit() || " TtZz:.+-".contains(letter);
                day.starts_with(|letter: char| letter.is_ascii_digit()) && day.chars().all(is_part)
            })
    };
    let line = |line: &str| {
        let value = line.rsplit_once(": ").or_else(|| line.rsplit_once("- ")).map_or("", |(_, value)| value.trim());
        match is_date(value).then(|| line.trim_end().strip_suffix(value)).flatten() {
            Some(before) => format!("{before}\"{value}\"\n"),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// `name=value` on each line, without any trimming; other lines say nothing.
fn pairs(text: &str) -> Hash {
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let pairs = lines.filter(|(name, value)| !name.is_empty() && !value.is_empty());
    pairs.map(|(name, value)| (Value::from(name), Value::from(value))).collect()
}

/// What a program writes: a map as YAML or JSON, or pairs.
fn executed(host: &Host<'_>, file: &str, name: &str) -> Option<Value> {
    let variables = [("INSIDE_FACTER", "true")];
    let left = host.external_time.get();
    if left.is_zero() {
        let text = format!("Command {file} was left out: the programs before it took {} seconds", TOGETHER.as_secs());
        host.say(Level::Warn, name, text);
        return None;
    }
    let limits = Some((LIMITS.0.min(left), LIMITS.1));
    let command = Command { program: file, variables: &variables, limits, ..Command::default() };
    let start = host.world.now();
    let output = host.world.run(&command);
    let taken = host.world.now().duration_since(start).unwrap_or(Duration::ZERO);
    host.external_time.set(left.saturating_sub(taken));
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            host.say(Level::Warn, name, format!("Command {file} was left out: {error}"));
            return None;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    if !errors.trim().is_empty() {
        let text = format!("Command {file} completed with the following stderr message: {}", errors.trim());
        host.say(Level::Warn, name, text);
    }
    let map = yaml::load(&output.stdout, name).ok().and_then(|document| document.value);
    Some(match map {
        Some(map @ Value::Hash(_)) => map,
        _ => Value::from(pairs(&String::from_utf8_lossy(&output.stdout))),
    })
}
