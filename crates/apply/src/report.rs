//! The report of a run, format 12: what was said, what happened to each resource, and how long it took.

use std::time::{Duration, SystemTime};

use bunraku_catalog::Version;
use bunraku_notation::yaml;
use bunraku_pcore::Value;
use ecow::EcoString;
use indexmap::IndexMap;

use crate::log::Entry;
use crate::options::Options;
use crate::resource::{Body, Resource, Unmanageable};
use crate::status::{Event, Kind, Status};

/// How a report begins: the class that the reference makes of it.
const HEAD: &str = "--- !ruby/object:Puppet::Transaction::Report\n";

/// What happened in a run.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) time: Option<SystemTime>,
    pub(crate) logs: Vec<Entry>,
    pub(crate) is_completed: bool,
    /// Whether resources could not be made that others wanted to make.
    pub(crate) generation_failed: bool,
    /// The resources of the run, and what happened to each.
    pub(crate) resources: Vec<Resource>,
    pub(crate) statuses: IndexMap<usize, Status>,
    /// How long parts of the run took.
    pub(crate) times: Vec<(String, Duration)>,
    /// The version of the catalog, and what else names it.
    pub(crate) version: Option<Version>,
    pub(crate) environment: String,
    pub(crate) catalog_uuid: Option<EcoString>,
    pub(crate) code_id: Option<EcoString>,
}

/// Numbers by their names, as reports group them.
type Metrics = Vec<(&'static str, Vec<(String, Value)>)>;

impl Report {
    fn count(&self, is_counted: impl Fn(&Status) -> bool) -> i64 {
        number(self.statuses.values().filter(|status| is_counted(status)).count())
    }

    /// How many changes were made.
    pub(crate) fn changes(&self) -> i64 {
        number(self.statuses.values().map(|status| status.changes).sum())
    }

    /// How many resources failed.
    pub(crate) fn failures(&self) -> i64 {
        self.count(|status| status.is_failed) + self.count(|status| status.failed_to_restart)
    }

    fn status(&self) -> &'static str {
        match (self.is_completed && !self.generation_failed && self.failures() == 0, self.changes()) {
            (false, _) => "failed",
            (true, 0) => "unchanged",
            (true, _) => "changed",
        }
    }

    fn metrics(&self) -> Metrics {
        let resources = [
            ("total", number(self.statuses.len())),
            ("skipped", self.count(|it| it.is_skipped)),
            ("failed", self.count(|it| it.is_failed)),
            ("failed_to_restart", self.count(|it| it.failed_to_restart)),
            ("restarted", self.count(|it| it.is_restarted)),
            ("changed", self.count(|it| it.is_changed)),
            ("out_of_sync", self.count(|it| it.is_out_of_sync)),
            ("scheduled", 0),
            ("corrective_change", self.count(|it| it.is_corrective)),
        ];
        let mut times: IndexMap<String, f64> = IndexMap::new();
        for (place, status) in &self.statuses {
            if let (Some(resource), Some(time)) = (self.resources.get(*place), status.evaluation) {
                *times.entry(resource.site.type_name()).or_default() += time.as_secs_f64();
            }
        }
        times.extend(self.times.iter().map(|(name, time)| (name.clone(), time.as_secs_f64())));
        let events = || self.statuses.values().flat_map(|status| &status.events);
        let of = |kind: Kind| number(events().filter(|event| event.kind == kind).count());
        let mut counts =
            vec![("total", number(events().count())), ("failure", of(Kind::Failure)), ("success", of(Kind::Success))];
        counts
            .extend([("noop", of(Kind::Noop)), ("audit", of(Kind::Audit))].into_iter().filter(|(_, count)| *count > 0));
        let numbers = |counts: Vec<(&str, i64)>| {
            counts.into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect()
        };
        vec![
            ("resources", numbers(resources.to_vec())),
            ("time", times.into_iter().map(|(name, time)| (name, Value::Float(time))).collect()),
            ("changes", numbers(vec![("total", self.changes())])),
            ("events", numbers(counts)),
        ]
    }

    /// The summary of the run, as monitoring reads it.
    pub(crate) fn summary(&self, options: &Options) -> String {
        yaml::emit(&self.summarized(options))
    }

    /// The same for people: what is zero is left out.
    pub(crate) fn readable(&self, options: &Options) -> String {
        let mut text = String::new();
        let Value::Hash(groups) = self.summarized(options) else { return text };
        let mut groups: Vec<(&Value, &Value)> = groups.iter().collect();
        groups.sort_by_key(|(name, _)| name.to_string());
        for (group, values) in groups {
            text.push_str(&format!("{}:\n", label(&group.to_string())));
            let Value::Hash(values) = values else { continue };
            let mut values: Vec<(String, &Value)> =
                values.iter().map(|(name, value)| (name.to_string(), value)).collect();
            values.sort_by_cached_key(|(name, value)| (name == "total", value.to_string()));
            let is_time = group.as_str() == Some("time");
            for (name, value) in values {
                let shown = match value {
                    Value::Integer(0) => continue,
                    // Everything takes some time.
                    Value::Float(number) if *number == 0.0 && !is_time => continue,
                    Value::Float(number) => format!("{number:.2}"),
                    Value::Undef => String::new(),
                    value => value.to_string(),
                };
                text.push_str(&format!("   {:>15} {shown}\n", label(&name) + ":"));
            }
        }
        text
    }

    fn summarized(&self, options: &Options) -> Value {
        let entry = |name: &str, value: Value| (Value::from(name), value);
        let config = match &self.version {
            Some(Version::Time(seconds)) => Value::Integer(i64::try_from(*seconds).unwrap_or(i64::MAX)),
            Some(Version::Text(text)) => Value::String(text.clone()),
            None => Value::Undef,
        };
        let mut summary = vec![
            entry("version", Value::hash([entry("config", config), entry("puppet", options.version.as_str().into())])),
            entry(
                "application",
                Value::hash([
                    entry("run_mode", options.run_mode.as_str().into()),
                    entry("initial_environment", options.initial_environment.as_str().into()),
                    entry("converged_environment", self.environment.as_str().into()),
                ]),
            ),
        ];
        for (name, values) in self.metrics() {
            let mut values: Vec<&(String, Value)> = values.iter().collect();
            values.sort_by_cached_key(|(name, _)| label(name));
            let mut values: Vec<(Value, Value)> =
                values.into_iter().map(|(name, value)| entry(name, value.clone())).collect();
            if name == "time" {
                let now = jiff::Timestamp::now().as_second();
                values.push(entry("last_run", now.into()));
            }
            summary.push(entry(name, Value::hash(values)));
        }
        Value::hash(summary)
    }

    /// The report as a file has it.
    pub(crate) fn to_yaml(data: &Value) -> String {
        let text = yaml::emit(data);
        HEAD.to_owned() + text.trim_start_matches("---\n")
    }

    /// The report itself.
    pub(crate) fn to_data(&self, options: &Options) -> Value {
        let events = || self.statuses.values().flat_map(|status| &status.events);
        let metrics = self.metrics().into_iter().map(|(name, values)| {
            let values = values
                .into_iter()
                .map(|(name, value)| Value::array([name.as_str().into(), label(&name).into(), value]));
            let metric = hash([("name", name.into()), ("label", label(name).into()), ("values", Value::array(values))]);
            (Value::from(name), metric)
        });
        let is_listed = |status: &Status| !(options.exclude_unchanged && status.is_unremarkable());
        let statuses = self.statuses.iter().filter(|(_, status)| is_listed(status));
        let statuses = statuses.filter_map(|(place, status)| {
            let resource = self.resources.get(*place)?;
            Some((resource.site.label.as_str().into(), resource_status(resource, status)))
        });
        let mut report = vec![
            ("host", options.host.as_str().into()),
            ("time", time(self.time.unwrap_or(SystemTime::UNIX_EPOCH))),
            ("configuration_version", self.version.as_ref().map_or(Value::Undef, |it| shown(it).into())),
            ("transaction_uuid", options.transaction_uuid.as_str().into()),
            ("report_format", 12.into()),
            ("puppet_version", options.version.as_str().into()),
            ("status", self.status().into()),
            ("transaction_completed", self.is_completed.into()),
            ("noop", options.noop.into()),
            ("noop_pending", events().any(|event| event.kind == Kind::Noop).into()),
            ("environment", self.environment.as_str().into()),
            ("logs", Value::array(self.logs.iter().map(log))),
            ("metrics", Value::hash(metrics)),
            ("resource_statuses", Value::hash(statuses)),
            ("corrective_change", self.statuses.values().any(|it| it.is_corrective).into()),
        ];
        let own = |text: &Option<String>| text.as_deref().map(Value::from);
        // What is not known is not there.
        for (name, value) in [
            ("server_used", own(&options.server_used)),
            ("catalog_uuid", self.catalog_uuid.clone().map(Value::String)),
            ("code_id", self.code_id.clone().map(Value::String)),
            ("job_id", own(&options.job_id)),
            ("cached_catalog_status", Some(options.cached_catalog_status.as_str().into())),
        ] {
            report.extend(value.map(|value| (name, value)));
        }
        Value::hash(report.into_iter().map(|(name, value)| (name.into(), value)))
    }
}

/// The version of a catalog, as it is shown.
pub(crate) fn shown(version: &Version) -> String {
    match version {
        Version::Time(seconds) => seconds.to_string(),
        Version::Text(text) => text.to_string(),
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn hash<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::hash(entries.map(|(name, value)| (name.into(), value)))
}

/// A name as a heading: `failed_to_restart` becomes `Failed to restart`.
fn label(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn time(time: SystemTime) -> Value {
    let zoned = jiff::Timestamp::try_from(time).unwrap_or_default().to_zoned(jiff::tz::TimeZone::system());
    zoned.strftime("%Y-%m-%dT%H:%M:%S.%9f%:z").to_string().into()
}

fn optional(text: Option<&str>) -> Value {
    text.map_or(Value::Undef, Value::from)
}

fn log(entry: &Entry) -> Value {
    hash([
        ("level", entry.level.name().into()),
        ("message", entry.message.as_str().into()),
        ("source", entry.source.as_str().into()),
        ("tags", Value::array(entry.tags.iter().map(|tag| tag.as_str().into()))),
        ("time", time(entry.time)),
        ("file", optional(entry.file.as_deref())),
        ("line", entry.line.map_or(Value::Undef, |line| i64::from(line).into())),
    ])
}

fn resource_status(resource: &Resource, status: &Status) -> Value {
    let site = &resource.site;
    let provider = match &resource.body {
        Body::Managed(managed) => managed.provider(),
        Body::Unmanageable(Unmanageable::Provider(name)) => Some(name.as_str()),
        _ => None,
    };
    hash([
        ("title", site.reference.title.as_str().into()),
        ("file", optional(site.file.as_deref())),
        ("line", site.line.map_or(Value::Undef, |line| i64::from(line).into())),
        ("resource", site.label.as_str().into()),
        ("resource_type", site.reference.type_name.as_str().into()),
        ("provider_used", optional(provider)),
        ("containment_path", Value::array(site.containment.iter().map(|it| it.as_str().into()))),
        ("evaluation_time", status.evaluation.map_or(Value::Undef, |time| Value::Float(time.as_secs_f64()))),
        ("tags", Value::array(site.tags.iter().map(|tag| tag.as_str().into()))),
        ("time", time(status.time)),
        ("failed", status.is_failed.into()),
        ("failed_to_restart", status.failed_to_restart.into()),
        ("changed", status.is_changed.into()),
        ("out_of_sync", status.is_out_of_sync.into()),
        ("skipped", status.is_skipped.into()),
        ("change_count", number(status.changes).into()),
        ("out_of_sync_count", number(status.out_of_sync).into()),
        ("events", Value::array(status.events.iter().map(event))),
        ("corrective_change", status.is_corrective.into()),
    ])
}

/// A value as plain data: what is rich is shown, and what nobody may see is not.
fn plain(value: &Value) -> Value {
    bunraku_syntax::deep(|| match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => value.clone(),
        Value::Array(elements) => Value::array(elements.iter().map(plain)),
        Value::Hash(hash) => Value::hash(hash.iter().map(|(key, value)| (plain(key), plain(value)))),
        Value::Sensitive(_) => "#<Sensitive [value redacted]>".into(),
        Value::Regexp(regexp) => regexp.to_literal().as_str().into(),
        other => other.to_string().as_str().into(),
    })
}

fn event(event: &Event) -> Value {
    hash([
        ("audited", event.is_audited.into()),
        ("property", optional(event.property)),
        ("previous_value", plain(&event.previous)),
        ("desired_value", plain(&event.desired)),
        ("historical_value", plain(&event.historical)),
        ("message", event.message.as_str().into()),
        ("name", event.name.as_str().into()),
        ("status", event.kind.name().into()),
        ("time", time(event.time)),
        ("redacted", event.is_redacted.into()),
        ("corrective_change", event.is_corrective.into()),
    ])
}
