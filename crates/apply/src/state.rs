//! What is kept from one run to the next: when resources were looked at and changed, and what is watched.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bunraku_notation::yaml;
use bunraku_pcore::Value;
use indexmap::IndexMap;

use crate::store::Store;

/// What is known about one resource.
#[derive(Debug, Clone, Default)]
struct Known {
    checked: Option<SystemTime>,
    /// When it was changed and what is watched, in the order in which that was noted.
    others: Vec<(String, Kept)>,
}

#[derive(Debug, Clone)]
enum Kept {
    Time(SystemTime),
    Watched(Value),
}

impl Known {
    fn note(&mut self, name: &str, kept: Kept) {
        match self.others.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = kept,
            None => self.others.push((name.to_owned(), kept)),
        }
    }
}

/// The content of the state file.
#[derive(Debug, Default)]
pub(crate) struct State {
    resources: IndexMap<String, Known>,
    /// What the last run of an agent left.
    pub(crate) store: Option<Store>,
}

impl State {
    /// Reads the file; the error is why it is of no use.
    pub(crate) fn load(path: &Path) -> Result<State, String> {
        let Ok(text) = std::fs::read_to_string(path) else { return Ok(State::default()) };
        // Times are no values of the language: they are read as text.
        let quoted: String = text.lines().map(|line| quoted(line) + "\n").collect();
        let document = yaml::load(quoted.as_bytes(), &path.display().to_string()).map_err(|error| error.to_string())?;
        let mut state = State::default();
        let Some(Value::Hash(entries)) = document.value else { return Ok(state) };
        for (reference, values) in entries.iter() {
            let (Value::String(reference), Value::Hash(values)) = (reference, values) else { continue };
            let mut known = Known::default();
            for (name, value) in values.iter() {
                match (name.as_str(), value) {
                    (Some("checked"), Value::String(time)) => known.checked = time_of(time),
                    (Some("synced"), Value::String(time)) => {
                        known.others.extend(time_of(time).map(|time| ("synced".to_owned(), Kept::Time(time))));
                    }
                    (Some(name), value) => known.note(name, Kept::Watched(value.clone())),
                    _ => {}
                }
            }
            state.resources.insert(reference.to_string(), known);
        }
        Ok(state)
    }

    /// When a resource was looked at. Compatibility: who asks makes an entry, even if nothing is known.
    pub(crate) fn last_checked(&mut self, reference: &str) -> Option<SystemTime> {
        self.resources.entry(reference.to_owned()).or_default().checked
    }

    /// What was seen of watched properties.
    pub(crate) fn watched(&self, reference: &str) -> Vec<(String, Value)> {
        let others = self.resources.get(reference).map(|known| known.others.as_slice()).unwrap_or_default();
        let watched = others.iter().filter_map(|(name, kept)| match kept {
            Kept::Watched(value) => Some((name.clone(), value.clone())),
            Kept::Time(_) => None,
        });
        watched.collect()
    }

    /// A resource is looked at.
    pub(crate) fn note_checked(&mut self, reference: &str, time: SystemTime) {
        self.resources.entry(reference.to_owned()).or_default().checked = Some(time);
    }

    /// A resource was changed.
    pub(crate) fn note_synced(&mut self, reference: &str, time: SystemTime) {
        self.resources.entry(reference.to_owned()).or_default().note("synced", Kept::Time(time));
    }

    /// A watched property was looked at.
    pub(crate) fn note_watched(&mut self, reference: &str, name: &str, value: Value) {
        self.resources.entry(reference.to_owned()).or_default().note(name, Kept::Watched(value));
    }

    /// The file; what nobody has looked at for too long is left out.
    pub(crate) fn to_yaml(&self, ttl: Option<Duration>) -> String {
        let oldest = ttl.and_then(|ttl| SystemTime::now().checked_sub(ttl)).unwrap_or(UNIX_EPOCH);
        let mut text = "---\n".to_owned();
        for (reference, known) in self.resources.iter().filter(|(_, it)| it.checked.is_none_or(|time| time >= oldest)) {
            if known.checked.is_none() && known.others.is_empty() {
                text.push_str(&format!("{} {{}}\n", key(reference)));
                continue;
            }
            text.push_str(&format!("{}\n", key(reference)));
            if let Some(time) = known.checked {
                text.push_str(&format!("  :checked: {}\n", shown(time)));
            }
            for (name, kept) in &known.others {
                match kept {
                    Kept::Time(time) => text.push_str(&format!("  :{name}: {}\n", shown(*time))),
                    Kept::Watched(value) => text.push_str(&watched(name, value)),
                }
            }
        }
        if self.resources.is_empty() { "--- {}\n".to_owned() } else { text }
    }
}

/// A key as YAML writes it: a long one, or one of several lines, stands before its colon on lines of its own.
pub(crate) fn key(text: &str) -> String {
    let entry = yaml::emit(&Value::hash([(text.into(), Value::hash([]))]));
    let entry = entry.strip_prefix("---\n").unwrap_or(&entry).trim_end();
    entry.strip_suffix(" {}").unwrap_or(entry).to_owned()
}

/// A value that is watched, under its name.
fn watched(name: &str, value: &Value) -> String {
    let nested = Value::hash([("of".into(), Value::hash([(name.into(), value.clone())]))]);
    let lines: String = yaml::emit(&nested).lines().skip(2).map(|line| format!("{line}\n")).collect();
    lines.replacen("  ", "  :", 1)
}

/// A line whose time is text.
fn quoted(line: &str) -> String {
    match line.split_once(": ") {
        Some((key, value)) if time_of(value).is_some() => format!("{key}: '{value}'"),
        _ => line.to_owned(),
    }
}

/// A time as Ruby writes it.
pub(crate) fn shown(time: SystemTime) -> String {
    let zoned = jiff::Timestamp::try_from(time).unwrap_or_default().to_zoned(jiff::tz::TimeZone::system());
    zoned.strftime("%Y-%m-%d %H:%M:%S.%9f %:z").to_string()
}

fn time_of(text: &str) -> Option<SystemTime> {
    let text = text.trim();
    let zoned = match text.strip_suffix(" Z") {
        Some(utc) => format!("{utc} +00:00"),
        None => text.to_owned(),
    };
    jiff::Timestamp::strptime("%Y-%m-%d %H:%M:%S%.f %:z", &zoned).ok().map(SystemTime::from)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let mut state = State::default();
        let time = UNIX_EPOCH + Duration::from_millis(1_700_000_000_123);
        state.note_checked("File[/a: b]", time);
        state.note_watched("File[/a: b]", "mode", "0644".into());
        let path = std::env::temp_dir().join(format!("bunraku-state-{}", std::process::id()));
        std::fs::write(&path, state.to_yaml(None)).unwrap();
        let mut read = State::load(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read.last_checked("File[/a: b]"), Some(time));
        assert_eq!(read.watched("File[/a: b]"), [("mode".to_owned(), Value::from("0644"))]);
        assert_eq!(state.to_yaml(Some(Duration::ZERO)), "---\n");
    }

    #[test]
    fn long_titles_and_values_are_read_again() {
        for title in ["word ".repeat(18), "word ".repeat(30), "a: b\n \"c\" ".repeat(20)] {
            let (reference, text) = (format!("Exec[{title}]"), Value::from(title.as_str()));
            let mut state = State::default();
            state.note_checked(&reference, UNIX_EPOCH);
            state.note_watched(&reference, "content", Value::array([text.clone()]));
            state.note_watched(&reference, "target", text.clone());
            let path = std::env::temp_dir().join(format!("bunraku-state-long-{}", std::process::id()));
            std::fs::write(&path, state.to_yaml(None)).unwrap();
            let mut read = State::load(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            assert_eq!(read.last_checked(&reference), Some(UNIX_EPOCH));
            assert_eq!(
                read.watched(&reference),
                [("content".to_owned(), Value::array([text.clone()])), ("target".to_owned(), text)]
            );
        }
    }
}
