//! A run from beginning to end: the catalog is built and applied, and what happened is written down.
//!
//! [`apply`] does it all. The agent does it step by step, for what it says before there is a catalog belongs to its report.

use std::time::{Duration, Instant, SystemTime};

use bunraku_catalog::{Catalog, Tags};
use bunraku_pcore::Value;

use crate::build::{self, Built};
use crate::context::{Context, Host};
use crate::fault::Fault;
use crate::log::{Level, Log};
use crate::options::Options;
use crate::report::Report;
use crate::resource::{Body, Resource, Unmanageable};
use crate::resources;
use crate::state::State;
use crate::status::Kind;
use crate::store::Store;
use crate::transaction::Transaction;
use crate::write;

/// Something that a run changed, or would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path of the resource.
    pub resource: String,
    /// Its property; nothing for the resource as a whole.
    pub property: Option<String>,
    /// What is said about it.
    pub message: String,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Whether all resources were walked, whatever became of each.
    pub is_completed: bool,
    /// Whether anything was changed.
    pub is_changed: bool,
    /// Whether any resource failed.
    pub is_failed: bool,
    /// What was changed, or would be.
    pub changes: Vec<Change>,
    /// How long each resource took, the slowest first.
    pub times: Vec<(String, Duration)>,
    /// The report as data, in the form of the reference.
    pub report: Value,
    /// The numbers of the report for people.
    pub summary: String,
}

/// Brings the machine to the state of a catalog. A fault means that nothing was begun.
pub fn apply(catalog: Catalog, options: &Options, host: &dyn Host, log: &mut Log) -> Result<Outcome, Fault> {
    let environment = catalog.environment.to_string();
    let mut prepared = Prepared::new(catalog, options, host, log)?;
    if options.writes_summary {
        prepared.write_summary();
    }
    let mut run = Run::begin(&environment, prepared.log());
    prepared.log().say(Level::Info, format!("Using environment '{environment}'"));
    if let Err(fault) = prepared.apply(&mut run) {
        log.say(Level::Err, format!("Failed to apply catalog: {fault}"));
    }
    Ok(run.conclude(options, log))
}

/// Tells before a run that changes nothing which resources could not be applied for want of a Ruby.
fn warn_of_ruby(built: &Built, context: &mut Context<'_>) {
    let Some(reason) = context.ruby.missing().filter(|_| context.options.noop).map(str::to_owned) else { return };
    let mut counts: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for Resource { site, body } in &built.resources {
        if matches!(body, Body::Unmanageable(Unmanageable::Type)) && !resources::is_native(&site.type_name()) {
            *counts.entry(site.type_name()).or_default() += 1;
        }
    }
    for (type_name, count) in counts {
        let what = if count == 1 { "1 resource".to_owned() } else { format!("{count} resources") };
        let message = format!("{what} of type {type_name} cannot be applied without a Ruby that has Puppet: {reason}");
        context.log.say(Level::Warning, message);
    }
}

/// A catalog whose resources are known to be valid.
pub struct Prepared<'r> {
    built: Built,
    context: Context<'r>,
}

impl<'r> Prepared<'r> {
    /// Has every resource type look at its resources; the first that is not valid is the fault.
    pub fn new(mut catalog: Catalog, options: &'r Options, host: &'r dyn Host, log: &Log) -> Result<Self, Fault> {
        if options.adds_defaults {
            build::add_defaults(&mut catalog);
        }
        if options.resolves_early {
            catalog = catalog.with_values(|value| match build::is_deferred(value) {
                true => host.resolve(value).map_err(Fault::new),
                false => Ok(value.clone()),
            })?;
        }
        let environment = catalog.environment.to_string();
        let mut context = Context::new(log.clone(), options, host, environment);
        let built = build::build(catalog, &mut context)?;
        warn_of_ruby(&built, &mut context);
        Ok(Prepared { built, context })
    }

    /// Writes which classes the catalog has, and which resources of which anything is wanted.
    pub fn write_summary(&mut self) {
        let Prepared { built, context } = self;
        let classes = built.catalog.classes.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut described = Vec::new();
        for Resource { site, body } in &built.resources {
            let is_described = match body {
                Body::Managed(managed) => {
                    let properties = managed.properties();
                    // What code in Ruby manages has properties that are not known here.
                    let is_unknown = properties.is_empty() && !resources::is_known(&site.type_name());
                    let is_pending = site.parameters.values().any(build::is_deferred);
                    is_unknown || is_pending || properties.iter().any(|property| property.should.is_some())
                }
                Body::Unmanageable(_) => true,
                Body::Container | Body::Begin | Body::End | Body::Passive => false,
            };
            if is_described {
                described.push(site.reference.to_string().to_lowercase());
            }
        }
        let paths = &context.options.paths;
        for (what, path, lines) in [("class", &paths.classes, classes), ("resource", &paths.resources, described)] {
            // Compatibility: where there is none, there is an empty line.
            if let Err(error) = write::replace(path, &(lines.join("\n") + "\n"), 0o640) {
                context.log.say(Level::Err, format!("Could not create {what} file {}: {error}", path.display()));
            }
        }
    }

    /// Where the lines of the run go.
    pub fn log(&mut self) -> &mut Log {
        &mut self.context.log
    }

    /// Applies all resources; what happened is known to the run. A fault means that not all of them were looked at.
    pub fn apply(self, run: &mut Run) -> Result<(), Fault> {
        let Prepared { built, mut context } = self;
        let options = context.options;
        let start = Instant::now();
        run.note_time("config_retrieval", options.retrieval);
        if let Some(tag) = options.tags.iter().chain(&options.skip_tags).find(|tag| !Tags::default().add(tag)) {
            return Err(Fault::new(format!("Invalid tag '{tag}'")));
        }
        let mut state = State::load(&options.paths.state).unwrap_or_else(|detail| {
            let path = options.paths.state.display();
            context.log.say(Level::Err, format!("Checksumfile {path} is corrupt ({detail}); replacing"));
            State::default()
        });
        // What a compiler has made has been checked by it.
        if !options.adds_defaults {
            built.check_dependencies()?;
        }
        let store = options.paths.transaction_store.as_ref();
        state.store = store.map(|path| Store::load(path, &mut context.log));
        let mut transaction = Transaction::new(built, state, &mut context);
        let walked = transaction.run();
        let Transaction { built, state, mut statuses, generation_failed, .. } = transaction;
        let elapsed = start.elapsed();
        if !options.plans && !options.paths.state.exists() {
            let path = options.paths.state.display();
            context.log.say(Level::Info, format!("Creating state file {path}"));
        }
        if !options.plans {
            keep(&mut context.log, &options.paths.state, &state.to_yaml(options.state_ttl), 0o660);
        }
        if let (Some(store), Some(path), Ok(())) = (&state.store, store, &walked) {
            store.save(path, &mut context.log);
        }
        let Built { resources, catalog, .. } = built;
        let is_anchor =
            |number: usize| resources.get(number).is_none_or(|it| matches!(it.body, Body::Begin | Body::End));
        statuses.retain(|number, _| !is_anchor(*number));
        if walked.is_ok() {
            let seconds = elapsed.as_secs_f64();
            context.log.say(Level::Notice, format!("Applied catalog in {seconds:.2} seconds"));
            run.note_time("transaction_evaluation", elapsed);
            run.note_time("catalog_application", elapsed);
        }
        run.report = Report {
            is_completed: walked.is_ok(),
            generation_failed,
            resources,
            statuses,
            version: Some(catalog.version),
            catalog_uuid: catalog.catalog_uuid,
            code_id: catalog.code_id,
            ..std::mem::take(&mut run.report)
        };
        walked
    }
}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Prepared").finish_non_exhaustive()
    }
}

/// A run from the moment its report is opened.
pub struct Run {
    /// The environment that the catalog is for, as far as it is known.
    pub environment: String,
    start: Instant,
    report: Report,
}

impl Run {
    /// Opens the report: from here on it gets every line of the log.
    pub fn begin(environment: &str, log: &mut Log) -> Run {
        log.record();
        let report = Report { time: Some(SystemTime::now()), ..Report::default() };
        Run { environment: environment.to_owned(), start: Instant::now(), report }
    }

    /// Notes how long a part of the run took, by the name that reports have for it.
    pub fn note_time(&mut self, name: &str, time: Duration) {
        self.report.times.push((name.to_owned(), time));
    }

    /// Closes the report, keeps it and its summary, and tells what happened.
    pub fn conclude(self, options: &Options, log: &mut Log) -> Outcome {
        let Run { environment, start, mut report } = self;
        report.logs = log.take_recorded();
        report.environment = environment;
        report.times.push(("total".to_owned(), options.retrieval + start.elapsed()));
        let data = report.to_data(options);
        if !options.plans {
            keep(log, &options.paths.last_run_summary, &report.summary(options), 0o640);
        }
        if options.report && !options.plans {
            keep(log, &options.paths.last_run_report, &Report::to_yaml(&data), 0o640);
        }
        let mut changes = Vec::new();
        let mut times = Vec::new();
        for (number, status) in &report.statuses {
            let Some(site) = report.resources.get(*number).map(|it| &it.site) else { continue };
            changes.extend(status.events.iter().filter(|event| event.kind != Kind::Audit).map(|event| Change {
                resource: site.path.clone(),
                property: event.property.map(str::to_owned),
                message: event.message.clone(),
            }));
            times.extend(status.evaluation.map(|time| (site.label.clone(), time)));
        }
        times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        Outcome {
            is_completed: report.is_completed,
            is_changed: report.changes() > 0,
            is_failed: report.failures() > 0,
            changes,
            times,
            summary: report.readable(options),
            report: data,
        }
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Run").finish_non_exhaustive()
    }
}

fn keep(log: &mut Log, path: &std::path::Path, text: &str, mode: u32) {
    if let Err(error) = write::replace(path, text, mode) {
        log.say(Level::Err, format!("Could not write {}: {error}", path.display()));
    }
}
