//! The log of a run: lines with a level and a source, which go to the console, to files, and into the report.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::SystemTime;

use rustc_hash::FxHashSet;

/// How important a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of the levels")]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
    Alert,
    Emerg,
    Crit,
}

impl Level {
    /// The level of this name.
    pub fn named(name: &str) -> Option<Level> {
        Some(match name {
            "debug" => Level::Debug,
            "info" | "verbose" => Level::Info,
            "notice" => Level::Notice,
            "warning" => Level::Warning,
            "err" => Level::Err,
            "alert" => Level::Alert,
            "emerg" => Level::Emerg,
            "crit" => Level::Crit,
            _ => return None,
        })
    }

    /// The name, as settings and reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Err => "err",
            Level::Alert => "alert",
            Level::Emerg => "emerg",
            Level::Crit => "crit",
        }
    }

    /// The word with which the console begins a line.
    pub fn word(self) -> &'static str {
        match self {
            Level::Debug => "Debug",
            Level::Info => "Info",
            Level::Notice => "Notice",
            Level::Warning => "Warning",
            Level::Err => "Error",
            Level::Alert => "Alert",
            Level::Emerg => "Emergency",
            Level::Crit => "Critical",
        }
    }
}

/// The source of lines that no resource says.
pub const PROGRAM: &str = "Puppet";

/// One line, or several that belong together.
#[derive(Debug, Clone)]
pub struct Entry {
    /// How important it is.
    pub level: Level,
    /// Who says it: the path of a resource or property, or [`PROGRAM`].
    pub source: String,
    /// What is said.
    pub message: String,
    /// The tags of who says it.
    pub tags: Vec<String>,
    /// When.
    pub time: SystemTime,
    /// The file in which the resource is declared.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<u32>,
}

impl Entry {
    /// When it was said, as log files have it.
    pub fn shown_time(&self) -> String {
        let time = jiff::Timestamp::try_from(self.time).unwrap_or_default();
        time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S %z").to_string()
    }

    /// The same to the nanosecond, as structured logs have it.
    pub fn exact_time(&self) -> String {
        let time = jiff::Timestamp::try_from(self.time).unwrap_or_default();
        time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%dT%H:%M:%S.%9f%:z").to_string()
    }
}

/// The line as the console shows it, without the word for its level.
impl std::fmt::Display for Entry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.source.as_str() {
            PROGRAM => formatter.write_str(&self.message),
            source => write!(formatter, "{source}: {}", self.message),
        }
    }
}

/// Where lines go.
pub type Destination = Box<dyn FnMut(&Entry)>;

/// The log of a run. What one copy of it says, all have said.
#[derive(Clone)]
pub struct Log {
    threshold: Level,
    shared: Rc<RefCell<Shared>>,
}

/// What all copies of a log have in common.
struct Shared {
    destinations: Vec<Destination>,
    /// What is said no second time.
    said: FxHashSet<String>,
    /// What the report gets, while it is open.
    recorded: Option<Vec<Entry>>,
}

impl Log {
    /// A log that drops lines below a level.
    pub fn new(threshold: Level, destinations: Vec<Destination>) -> Self {
        Log {
            threshold,
            shared: Rc::new(RefCell::new(Shared { destinations, said: FxHashSet::default(), recorded: None })),
        }
    }

    /// Whether a line of this level would go anywhere.
    pub fn shows(&self, level: Level) -> bool {
        level >= self.threshold
    }

    /// Says something.
    pub fn write(&mut self, entry: Entry) {
        if !self.shows(entry.level) {
            return;
        }
        // A destination that logs would be asked by itself; none does.
        let Ok(mut shared) = self.shared.try_borrow_mut() else { return };
        for destination in &mut shared.destinations {
            destination(&entry);
        }
        if let Some(recorded) = &mut shared.recorded {
            recorded.push(entry);
        }
    }

    /// Says something that belongs to no resource.
    pub fn say(&mut self, level: Level, message: impl Into<String>) {
        self.say_as(PROGRAM, level, message);
    }

    /// Says something, unless it was said before, maybe with other words.
    pub(crate) fn say_once(&mut self, key: &str, level: Level, message: impl Into<String>) {
        if self.shared.borrow_mut().said.insert(key.to_owned()) {
            self.say(level, message);
        }
    }

    /// Says something in the name of a part of the program.
    pub fn say_as(&mut self, source: &str, level: Level, message: impl Into<String>) {
        self.write(Entry {
            level,
            source: source.to_owned(),
            message: message.into(),
            tags: vec![level.name().to_owned()],
            time: SystemTime::now(),
            file: None,
            line: None,
        });
    }

    /// From here on the report gets every line.
    pub(crate) fn record(&mut self) {
        self.shared.borrow_mut().recorded.get_or_insert_default();
    }

    /// What was said since the report was opened; it gets no more.
    pub(crate) fn take_recorded(&mut self) -> Vec<Entry> {
        self.shared.borrow_mut().recorded.take().unwrap_or_default()
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Log").field("threshold", &self.threshold).finish_non_exhaustive()
    }
}
