//! A run from beginning to end: the catalog is built and applied, and what happened is written down.

use std::time::{Duration, Instant, SystemTime};

use bunraku_catalog::{Catalog, Kind as DeclaredKind};

use crate::build;
use crate::context::{Context, Host};
use crate::fault::Fault;
use crate::log::{Level, Log};
use crate::options::Options;
use crate::report::Report;
use crate::resource::Body;
use crate::state::State;
use crate::status::Kind;
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
}

/// Writes which classes and resources the catalog has.
pub fn write_summary(catalog: &Catalog, options: &Options, log: &mut Log<'_>) {
    let classes: String = catalog.classes.iter().map(|name| format!("{name}\n")).collect();
    let is_managed = |kind: DeclaredKind| kind == DeclaredKind::CompilableType;
    let resources = catalog.resources().filter(|it| is_managed(it.kind) && it.reference.type_name != "Stage");
    let resources: String = resources.map(|it| format!("{}\n", it.reference.to_string().to_lowercase())).collect();
    for (what, path, text) in
        [("class", &options.paths.classes, classes), ("resource", &options.paths.resources, resources)]
    {
        if let Err(error) = write::replace(path, &text, 0o640) {
            log.say(Level::Err, format!("Could not create {what} file {}: {error}", path.display()));
        }
    }
}

/// Brings the machine to the state of a catalog. A fault means that nothing was begun.
pub fn apply(mut catalog: Catalog, options: &Options, host: &dyn Host, log: Log<'_>) -> Result<Outcome, Fault> {
    if options.adds_defaults {
        build::add_defaults(&mut catalog);
    }
    let environment = catalog.environment.to_string();
    let mut context = Context::new(log, options, host, environment);
    let built = match build::build(catalog, &mut context) {
        Ok(built) => built,
        Err(fault) => {
            context.log.say(Level::Err, fault.message.clone());
            return Err(fault);
        }
    };
    let time = SystemTime::now();
    let start = Instant::now();
    context.log.record();
    let environment = context.environment.clone();
    context.log.say(Level::Info, format!("Using environment '{environment}'"));
    let state = State::load(&options.paths.state).unwrap_or_else(|detail| {
        let path = options.paths.state.display();
        context.log.say(Level::Err, format!("Checksumfile {path} is corrupt ({detail}); replacing"));
        State::default()
    });
    let mut transaction = Transaction::new(built, state, &mut context);
    let walked = transaction.run();
    let Transaction { built, state, statuses, generation_failed, .. } = transaction;
    let elapsed = start.elapsed();
    if !options.plans && !options.paths.state.exists() {
        let path = options.paths.state.display();
        context.log.say(Level::Info, format!("Creating state file {path}"));
    }
    if !options.plans {
        keep(&mut context, &options.paths.state, &state.to_yaml(options.state_ttl), 0o660);
    }
    match &walked {
        Ok(()) => context.log.say(Level::Notice, format!("Applied catalog in {:.2} seconds", elapsed.as_secs_f64())),
        Err(fault) => context.log.say(Level::Err, format!("Failed to apply catalog: {fault}")),
    }
    let mut times = vec![("config_retrieval", options.retrieval)];
    if walked.is_ok() {
        times.extend([("transaction_evaluation", elapsed), ("catalog_application", elapsed)]);
    }
    times.push(("total", options.retrieval + start.elapsed()));
    let logs = context.log.take_recorded();
    let mut report = Report { time, logs, is_completed: walked.is_ok(), generation_failed, statuses, times };
    let is_anchor =
        |number: usize| built.resources.get(number).is_none_or(|it| matches!(it.body, Body::Begin | Body::End));
    report.statuses.retain(|number, _| !is_anchor(*number));
    if !options.plans {
        keep(&mut context, &options.paths.last_run_summary, &report.summary(&built, options), 0o644);
    }
    if options.report && !options.plans {
        keep(&mut context, &options.paths.last_run_report, &report.to_yaml(&built, options), 0o640);
    }
    let resource = |number: &usize| built.resources.get(*number).map(|it| &it.site);
    let mut changes = Vec::new();
    let mut times = Vec::new();
    for (number, status) in &report.statuses {
        let Some(site) = resource(number) else { continue };
        changes.extend(status.events.iter().filter(|event| event.kind != Kind::Audit).map(|event| Change {
            resource: site.path.clone(),
            property: event.property.map(str::to_owned),
            message: event.message.clone(),
        }));
        times.extend(status.evaluation.map(|time| (site.label.clone(), time)));
    }
    times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    Ok(Outcome {
        is_completed: walked.is_ok(),
        is_changed: report.changes() > 0,
        is_failed: report.failures() > 0,
        changes,
        times,
    })
}

fn keep(context: &mut Context<'_>, path: &std::path::Path, text: &str, mode: u32) {
    if let Err(error) = write::replace(path, text, mode) {
        context.log.say(Level::Err, format!("Could not write {}: {error}", path.display()));
    }
}
