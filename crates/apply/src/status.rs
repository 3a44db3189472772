//! What happened to each resource: events, and what follows from them.

use std::time::{Duration, SystemTime};

use bunraku_pcore::Value;

/// How a change ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Success,
    Failure,
    Noop,
    Audit,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Success => "success",
            Kind::Failure => "failure",
            Kind::Noop => "noop",
            Kind::Audit => "audit",
        }
    }
}

/// Something that happened to a resource.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) property: Option<&'static str>,
    pub(crate) previous: Value,
    pub(crate) desired: Value,
    pub(crate) historical: Value,
    pub(crate) message: String,
    pub(crate) kind: Kind,
    pub(crate) time: SystemTime,
    pub(crate) is_audited: bool,
    pub(crate) is_redacted: bool,
    /// Whether it puts right what somebody else changed.
    pub(crate) is_corrective: bool,
    /// Whether a refresh that is still to come is needless now.
    pub(crate) spares_refresh: bool,
}

impl Event {
    /// An event of a resource as a whole.
    pub(crate) fn new(name: &str, kind: Kind, message: impl Into<String>) -> Self {
        Event {
            name: name.to_owned(),
            property: None,
            previous: Value::Undef,
            desired: Value::Undef,
            historical: Value::Undef,
            message: message.into(),
            kind,
            time: SystemTime::now(),
            is_audited: false,
            is_redacted: false,
            is_corrective: false,
            spares_refresh: false,
        }
    }
}

/// What happened to a resource.
#[derive(Debug, Clone)]
pub(crate) struct Status {
    pub(crate) time: SystemTime,
    pub(crate) evaluation: Option<Duration>,
    pub(crate) is_skipped: bool,
    pub(crate) is_failed: bool,
    pub(crate) failed_to_restart: bool,
    pub(crate) is_restarted: bool,
    pub(crate) is_changed: bool,
    pub(crate) is_out_of_sync: bool,
    pub(crate) is_corrective: bool,
    pub(crate) changes: usize,
    pub(crate) out_of_sync: usize,
    pub(crate) events: Vec<Event>,
    /// Which resources it depends on have failed.
    pub(crate) failed_dependencies: Vec<usize>,
}

impl Default for Status {
    fn default() -> Self {
        Status {
            time: SystemTime::now(),
            evaluation: None,
            is_skipped: false,
            is_failed: false,
            failed_to_restart: false,
            is_restarted: false,
            is_changed: false,
            is_out_of_sync: false,
            is_corrective: false,
            changes: 0,
            out_of_sync: 0,
            events: Vec::new(),
            failed_dependencies: Vec::new(),
        }
    }
}

impl Status {
    /// Notes an event and what it means.
    pub(crate) fn add(&mut self, event: Event) {
        match event.kind {
            Kind::Failure => self.is_failed = true,
            Kind::Success => {
                self.changes += 1;
                self.is_changed = true;
            }
            Kind::Noop | Kind::Audit => {}
        }
        if event.kind != Kind::Audit {
            self.out_of_sync += 1;
            self.is_out_of_sync = true;
        }
        self.is_corrective |= event.is_corrective;
        self.events.push(event);
    }

    /// Notes that the resource as a whole failed.
    pub(crate) fn fail(&mut self, message: impl Into<String>) {
        self.add(Event::new("resource_error", Kind::Failure, message));
    }

    /// Whether reports that list only what has something to say leave it out.
    pub(crate) fn is_unremarkable(&self) -> bool {
        !(self.is_failed || self.failed_to_restart || self.is_out_of_sync || self.is_skipped)
    }
}
