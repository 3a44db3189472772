//! Applies one resource: looks at it, changes what differs, and notes what happened.

use std::time::{Instant, SystemTime};

use bunraku_pcore::Value;

use crate::audit;
use crate::context::Context;
use crate::fault::Fault;
use crate::log::Level;
use crate::property::{Property, Values, inspected, text_of};
use crate::resource::{Managed, Site};
use crate::state::State;
use crate::status::{Event, Kind, Status};

/// Applies a resource.
pub(crate) fn evaluate(managed: &mut dyn Managed, site: &Site, state: &mut State, context: &mut Context<'_>) -> Status {
    let start = Instant::now();
    let mut status = Status::default();
    let whole = managed.evaluate(site, context);
    let outcome = match whole {
        Ok(Some(whole)) => {
            let key = site.reference.to_string();
            let is_unknown = whole.events.iter().any(|event| event.kind == Kind::Failure && event.property.is_none());
            if whole.is_skipped {
                return whole;
            }
            if !is_unknown {
                state.note_checked(&key, SystemTime::now());
            }
            if whole.is_changed && !site.is_noop {
                state.note_synced(&key, SystemTime::now());
            }
            status = whole;
            Ok(())
        }
        Ok(None) => Evaluation::new(managed, site, state, context, &mut status).run(),
        Err(fault) => Err(fault),
    };
    if let Err(fault) = outcome {
        let message = fault.with_original(&format!("Could not evaluate: {}", fault.message));
        site.say(&mut context.log, Level::Err, message);
        status.fail(fault.message);
    }
    // What failed may have changed something, too.
    if !status.events.is_empty() {
        context.changes += 1;
    }
    status.evaluation = Some(start.elapsed());
    status
}

struct Evaluation<'a, 'r> {
    managed: &'a mut dyn Managed,
    site: &'a Site,
    state: &'a mut State,
    context: &'a mut Context<'r>,
    status: &'a mut Status,
    current: Values,
    audited: Vec<Property>,
    synced: Vec<&'static str>,
}

impl<'a, 'r> Evaluation<'a, 'r> {
    fn new(
        managed: &'a mut dyn Managed,
        site: &'a Site,
        state: &'a mut State,
        context: &'a mut Context<'r>,
        status: &'a mut Status,
    ) -> Self {
        Evaluation {
            managed,
            site,
            state,
            context,
            status,
            current: Values::new(),
            audited: Vec::new(),
            synced: Vec::new(),
        }
    }

    fn run(mut self) -> Result<(), Fault> {
        self.current = self.managed.retrieve(self.site, self.context)?;
        let key = self.site.reference.to_string();
        let history = self.state.watched(&key);
        self.state.note_checked(&key, SystemTime::now());
        let properties = self.managed.properties();
        // In the order in which they are named.
        for name in &self.site.audit {
            let is_named = |property: &&Property| name == property.name || name == "all";
            for property in properties.iter().filter(is_named) {
                if self.audited.iter().all(|known| known.name != property.name) {
                    self.audited.push(property.clone());
                }
            }
        }
        for property in &self.audited {
            self.state.note_watched(&key, property.name, self.current.get(property.name));
        }
        let ensure = properties.iter().find(|property| property.name == "ensure" && property.should.is_some());
        let is_ensured = match ensure {
            Some(property) => !self.sync_if_needed(property, &history),
            None => true,
        };
        if is_ensured {
            if self.current.is_present() {
                // What a type wants may depend on what it found.
                for property in self.managed.properties() {
                    self.sync_if_needed(&property, &history);
                }
            } else {
                let nothing = "Nothing to manage: no ensure and the resource doesn't exist";
                self.site.say(&mut self.context.log, Level::Debug, nothing);
            }
        }
        self.tell_watched(&history);
        self.keep(&key);
        if self.status.is_changed && !self.site.is_noop {
            self.state.note_synced(&key, SystemTime::now());
            self.managed.flush(self.site, self.context)?;
        }
        Ok(())
    }

    /// Changes a property if it differs; whether there was anything to do.
    fn sync_if_needed(&mut self, property: &Property, history: &[(String, Value)]) -> bool {
        if property.should.is_none() {
            return false;
        }
        let current = self.current.get(property.name);
        let before = history.iter().find(|(name, _)| name == property.name).map(|(_, value)| value);
        let is_audited = self.audited.iter().any(|audited| audited.name == property.name);
        let insync = self.managed.is_insync(property, &current, self.site, self.context);
        let outcome = match insync {
            Ok(true) => return false,
            Ok(false) if self.site.is_noop => Ok(Kind::Noop),
            Ok(false) => self.managed.sync(property, self.site, self.context).map(|()| Kind::Success),
            Err(fault) => Err(fault),
        };
        // What is wanted may have become clear only while it was compared.
        let property = &self
            .managed
            .properties()
            .into_iter()
            .find(|it| it.name == property.name)
            .unwrap_or_else(|| property.clone());
        let mut event = self.event(property, &current, before);
        event.is_audited = is_audited;
        let remark = match before.filter(|_| is_audited) {
            Some(before) if !before.is_undef() && !audit::is_unchanged(before, &current) => {
                format!(" (previously recorded value was {})", self.shown(property, before))
            }
            _ => String::new(),
        };
        match outcome {
            Ok(kind) => {
                event.kind = kind;
                event.message = self.message(property, &current, kind) + &remark;
            }
            Err(fault) => {
                let message = fault.with_original(&fault.message);
                self.context.log.say(Level::Err, message);
                event.kind = Kind::Failure;
                event.message = self.failure(property, &current, &fault);
            }
        }
        if self.is_corrective(property, &current) {
            event.is_corrective = true;
            event.message.push_str(" (corrective)");
        }
        let level = if event.kind == Kind::Failure { Level::Err } else { self.site.loglevel };
        self.site.say_of(&mut self.context.log, property.name, level, event.message.clone());
        self.status.add(event);
        self.synced.push(property.name);
        true
    }

    /// Whether the state was what the run before wanted then, so that somebody else has changed it since.
    fn is_corrective(&mut self, property: &Property, current: &Value) -> bool {
        let key = self.site.reference.to_string();
        let before = self.state.store.as_ref().and_then(|store| store.before(&key, property.name));
        let Some(before) = before.filter(|_| !property.is_sensitive) else { return false };
        let before = Property { should: Some(before), ..property.clone() };
        // What cannot be compared is taken for a change of the catalog.
        matches!(self.managed.was_insync(&before, current, self.site, self.context), Ok(false))
    }

    /// Notes what the next run is to compare with: what was wanted, or where that failed what was there before.
    fn keep(&mut self, key: &str) {
        let Some(store) = &mut self.state.store else { return };
        for property in self.managed.properties().iter().filter(|property| !property.is_sensitive) {
            let event = self.status.events.iter().rev().find(|event| event.property == Some(property.name));
            let values = match event.filter(|event| event.kind != Kind::Success) {
                Some(event) => Some(store.before(key, property.name).unwrap_or_else(|| match &event.previous {
                    Value::Array(values) => values.iter().cloned().collect(),
                    value => vec![value.clone()],
                })),
                None => self.managed.kept(property, self.context),
            };
            store.keep(key, property.name, values);
        }
    }

    fn message(&mut self, property: &Property, current: &Value, kind: Kind) -> String {
        match (kind, property.is_sensitive) {
            (Kind::Noop, true) => "current_value [redacted], should be [redacted] (noop)".to_owned(),
            (_, true) => "changed [redacted] to [redacted]".to_owned(),
            (Kind::Noop, false) => format!("{} (noop)", self.managed.change(property, current, self.context)),
            (_, false) => self.managed.change(property, current, self.context),
        }
    }

    fn failure(&mut self, property: &Property, current: &Value, fault: &Fault) -> String {
        if property.is_sensitive {
            return format!("change from [redacted] to [redacted] failed: {}", fault.message);
        }
        let (from, to) = (self.shown(property, current), self.shown(property, &property.desired()));
        format!("change from {from} to {to} failed: {}", fault.message)
    }

    fn hides(&self, property: &Property) -> bool {
        property.is_sensitive || self.managed.hides(property)
    }

    /// A state as it is shown where it may be seen.
    fn shown(&mut self, property: &Property, value: &Value) -> String {
        match self.hides(property) {
            true => "[redacted]".to_owned(),
            false => self.managed.shown(property.name, value, self.context),
        }
    }

    fn event(&self, property: &Property, current: &Value, before: Option<&Value>) -> Event {
        let type_name = self.site.type_name();
        let mut event = Event::new(&self.managed.event_name(&type_name, property), Kind::Success, "");
        event.property = Some(property.name);
        let is_hidden = self.hides(property);
        let redacted = |value: Value| match value {
            Value::Undef => Value::Undef,
            _ if is_hidden => "[redacted]".into(),
            value => value,
        };
        event.previous = redacted(current.clone());
        event.desired = redacted(self.managed.reported(property));
        event.historical = redacted(before.cloned().unwrap_or_default());
        event.is_redacted = property.is_sensitive;
        event.spares_refresh = self.managed.spares_refresh(property);
        event
    }

    /// Tells about watched properties that were not changed by this run.
    fn tell_watched(&mut self, history: &[(String, Value)]) {
        for property in std::mem::take(&mut self.audited) {
            let now = self.current.get(property.name);
            let known = history.iter().find(|(name, _)| name == property.name).map(|(_, value)| value.clone());
            match known {
                Some(before) if !audit::is_unchanged(&before, &now) && !self.synced.contains(&property.name) => {
                    let mut event = self.event(&property, &now, Some(&before));
                    event.kind = Kind::Audit;
                    event.is_audited = true;
                    let (before, now) = (self.shown(&property, &before), self.shown(&property, &now));
                    event.message = audit::change(&before, &now);
                    let message = event.message.clone();
                    self.site.say_of(&mut self.context.log, property.name, self.site.loglevel, message);
                    self.status.add(event);
                }
                Some(_) => {}
                None => {
                    let value = match &now {
                        _ if self.hides(&property) => "[redacted]".to_owned(),
                        Value::Array(_) => inspected(&now),
                        now => text_of(now),
                    };
                    let message = format!("audit change: newly-recorded value {value}");
                    self.site.say_of(&mut self.context.log, property.name, Level::Notice, message);
                }
            }
        }
    }
}
