//! Where the lines of a run are shown: the streams of the terminal, or a file.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::Path;

use bunraku::Settings;
use bunraku::apply::{Destination, Entry, Level};
use serde_json::{Map, Value};

use crate::output::print;
use crate::report::{log, show_line};

/// Where lines go: to the console, or to the file that is asked for.
pub(crate) fn destinations(settings: &Settings) -> Result<Vec<Destination>, String> {
    let place = settings.text("logdest").map_err(|issue| issue.to_string())?;
    let mut destinations: Vec<Destination> = Vec::new();
    for place in place.split(',').filter(|place| !place.is_empty()) {
        match place {
            "console" => destinations.push(Box::new(show)),
            "syslog" => destinations.push(syslog(settings)?),
            path if path.starts_with('/') => destinations.push(file(path)?),
            other => {
                let failed = format!("Could not set logdest to {other}.");
                log("Error", &failed);
                return Err(format!("Could not parse application options: {failed}\nUnknown destination type {other}"));
            }
        }
    }
    if destinations.is_empty() {
        destinations.push(Box::new(show));
    }
    Ok(destinations)
}

/// Where the lines of an agent go: to the log of the system, and to the console if somebody watches.
pub(crate) fn agent_destinations(settings: &Settings, is_shown: bool) -> Result<Vec<Destination>, String> {
    let mut destinations = vec![syslog(settings)?];
    if is_shown {
        destinations.push(Box::new(show));
    }
    Ok(destinations)
}

/// The log of the system. Where there is none, nobody reads it.
fn syslog(settings: &Settings) -> Result<Destination, String> {
    let name = settings.text("syslogfacility").map_err(|issue| issue.to_string())?;
    let place = FACILITIES.iter().position(|known| *known == name);
    let facility = place.ok_or_else(|| format!("Invalid syslog facility {name}"))?;
    let socket = UnixDatagram::unbound().and_then(|socket| {
        socket.connect("/dev/log")?;
        // A log that nobody reads from must not stop the run.
        socket.set_nonblocking(true)?;
        Ok(socket)
    });
    let socket = socket.ok();
    let process = std::process::id();
    Ok(Box::new(move |entry: &Entry| {
        let Some(socket) = &socket else { return };
        let severity = match entry.level {
            Level::Debug => 7,
            Level::Info => 6,
            Level::Notice => 5,
            Level::Warning => 4,
            Level::Err => 3,
            Level::Crit => 2,
            Level::Alert => 1,
            Level::Emerg => 0,
        };
        for line in entry.to_string().lines() {
            let message = format!("<{}>puppet-agent[{process}]: {line}", facility * 8 + severity);
            // A log that is full must not stop the run.
            _ = socket.send(message.as_bytes());
        }
    }))
}

/// The facilities of the log of the system, by number.
const FACILITIES: [&str; 24] = [
    "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp", "ntp",
    "audit", "alert", "clock", "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7",
];

/// What is fine goes to standard output, what is not to standard error.
fn show(entry: &Entry) {
    let text = entry.to_string();
    // Whatever ends with a line end needs no other.
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if entry.level >= Level::Warning {
        return show_line(entry.level.word(), text);
    }
    // Who closed standard output does not want to know.
    _ = print(format_args!("{}: {text}\n", entry.level.word()));
}

/// A file of plain lines, or of JSON if its name says so: an array in `.json`, one object a line in `.jsonl`.
fn file(path: &str) -> Result<Destination, String> {
    let wrong = |error: std::io::Error| format!("Could not open {path}: {}", bunraku::reason(&error));
    if let Some(directory) = Path::new(path).parent().filter(|directory| !directory.exists()) {
        std::fs::create_dir_all(directory).map_err(wrong)?;
    }
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(wrong)?;
    let size = file.metadata().map_err(wrong)?.len();
    let (is_array, is_structured) = (path.ends_with(".json"), path.ends_with(".json") || path.ends_with(".jsonl"));
    if is_array && size == 0 {
        file.write_all(b"[\n").map_err(wrong)?;
    }
    // What is in the file already is followed by a comma.
    let mut has_entries = size > 2;
    Ok(Box::new(move |entry: &Entry| {
        let line = match is_structured {
            true => format!("{}\n", structured(entry)),
            false => format!("{} {} ({}): {}\n", entry.shown_time(), entry.source, entry.level.name(), entry.message),
        };
        let comma = if is_array && has_entries { ",\n" } else { "" };
        has_entries = true;
        // A log that is full must not stop the run.
        _ = file.write_all(format!("{comma}{line}").as_bytes());
    }))
}

/// An entry as one line of JSON.
fn structured(entry: &Entry) -> String {
    let mut fields = Map::new();
    let mut add = |name: &str, value: Value| _ = fields.insert(name.to_owned(), value);
    add("level", entry.level.name().into());
    add("message", entry.message.as_str().into());
    add("source", entry.source.as_str().into());
    add("tags", entry.tags.clone().into());
    add("time", entry.exact_time().into());
    if let Some(file) = entry.file.as_deref().filter(|file| !file.is_empty()) {
        add("file", file.into());
    }
    if let Some(line) = entry.line {
        add("line", line.into());
    }
    Value::Object(fields).to_string()
}
