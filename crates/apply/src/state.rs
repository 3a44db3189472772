//! What is kept from one run to the next: when resources were looked at and changed, and what is watched.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bunraku_notation::yaml;
use bunraku_pcore::Value;
use indexmap::IndexMap;

/// What is known about one resource.
#[derive(Debug, Clone, Default)]
struct Known {
    checked: Option<SystemTime>,
    synced: Option<SystemTime>,
    watched: Vec<(String, Value)>,
}

/// The content of the state file.
#[derive(Debug, Default)]
pub(crate) struct State {
    resources: IndexMap<String, Known>,
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
                    (Some("synced"), Value::String(time)) => known.synced = time_of(time),
                    (Some(name), value) => known.watched.push((name.to_owned(), value.clone())),
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
        self.resources.get(reference).map(|known| known.watched.clone()).unwrap_or_default()
    }

    /// A resource is looked at.
    pub(crate) fn note_checked(&mut self, reference: &str, time: SystemTime) {
        self.resources.entry(reference.to_owned()).or_default().checked = Some(time);
    }

    /// A resource was changed.
    pub(crate) fn note_synced(&mut self, reference: &str, time: SystemTime) {
        self.resources.entry(reference.to_owned()).or_default().synced = Some(time);
    }

    /// A watched property was looked at.
    pub(crate) fn note_watched(&mut self, reference: &str, name: &str, value: Value) {
        let known = self.resources.entry(reference.to_owned()).or_default();
        known.watched.retain(|(it, _)| it != name);
        known.watched.push((name.to_owned(), value));
    }

    /// The file; what nobody has looked at for too long is left out.
    pub(crate) fn to_yaml(&self, ttl: Option<Duration>) -> String {
        let oldest = ttl.and_then(|ttl| SystemTime::now().checked_sub(ttl)).unwrap_or(UNIX_EPOCH);
        let mut text = "---\n".to_owned();
        for (reference, known) in self.resources.iter().filter(|(_, it)| it.checked.is_none_or(|time| time >= oldest)) {
            if known.checked.is_none() && known.synced.is_none() && known.watched.is_empty() {
                text.push_str(&format!("{} {{}}\n", key(reference)));
                continue;
            }
            text.push_str(&format!("{}\n", key(reference)));
            for (name, time) in [("checked", known.checked), ("synced", known.synced)] {
                if let Some(time) = time {
                    text.push_str(&format!("  :{name}: {}\n", shown(time)));
                }
            }
            for (name, value) in &known.watched {
                text.push_str(&format!("  :{name}: {}\n", written(value)));
            }
        }
        if self.resources.is_empty() { "--- {}\n".to_owned() } else { text }
    }
}

/// A key as YAML writes it; one of several lines, or a long one, is written with its ends in sight.
fn key(text: &str) -> String {
    if text.len() < 1000 && !text.contains(|it: char| it.is_control()) {
        return format!("{}:", written(&Value::string(text)));
    }
    let escaped: String = text
        .chars()
        .map(|it| match it {
            '"' | '\\' => format!("\\{it}"),
            it if it.is_control() => format!("\\u{:04x}", u32::from(it)),
            it => it.to_string(),
        })
        .collect();
    format!("? \"{escaped}\"\n:")
}

/// A value as YAML writes it on a line.
fn written(value: &Value) -> String {
    match value {
        Value::Array(elements) => format!("[{}]", elements.iter().map(written).collect::<Vec<_>>().join(", ")),
        value => {
            let emitted = yaml::emit(&Value::array([value.clone()]));
            emitted.trim_start_matches("---\n-").trim().to_owned()
        }
    }
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
}
