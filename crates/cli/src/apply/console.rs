//! Where the lines of a run are shown: the streams of the terminal, or a file.

use std::fs::OpenOptions;
use std::io::Write;

use bunraku::Settings;
use bunraku::apply::{Destination, Entry, Level};

use crate::output::print;
use crate::report::show_line;

/// Where lines go: to the console, or to the file that is asked for.
pub(crate) fn destinations(settings: &Settings) -> Result<Vec<Destination<'static>>, String> {
    let place = settings.text("logdest").map_err(|issue| issue.to_string())?;
    let mut destinations: Vec<Destination<'static>> = Vec::new();
    for place in place.split(',').filter(|place| !place.is_empty()) {
        match place {
            "console" => destinations.push(Box::new(show)),
            path if path.starts_with('/') => destinations.push(file(path)?),
            other => return Err(format!("Unknown destination type {other}")),
        }
    }
    if destinations.is_empty() {
        destinations.push(Box::new(show));
    }
    Ok(destinations)
}

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

fn file(path: &str) -> Result<Destination<'static>, String> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let mut file = opened.map_err(|error| format!("Could not open {path}: {error}"))?;
    Ok(Box::new(move |entry: &Entry| {
        let line = format!("{} {} ({}): {}\n", entry.shown_time(), entry.source, entry.level.name(), entry.message);
        // A log that is full must not stop the run.
        _ = file.write_all(line.as_bytes());
    }))
}
