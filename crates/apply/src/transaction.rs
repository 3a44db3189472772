//! Walks the resources of a run in the order of their relationships, and passes on what happens to those who wait for it.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use bunraku_catalog::{Reference, Tags};

use crate::build::{self, Built};
use crate::context::Context;
use crate::cycle;
use crate::dot;
use crate::fault::{Fault, Outcome};
use crate::graph::Graph;
use crate::harness;
use crate::log::Level;
use crate::report;
use crate::resource::{Body, Resource, Site, Unmanageable};
use crate::resources::schedule;
use crate::state::State;
use crate::status::{Event, Kind, Status};

/// A run in progress.
pub(crate) struct Transaction<'a, 'r> {
    pub(crate) built: Built,
    pub(crate) context: &'a mut Context<'r>,
    pub(crate) state: State,
    /// What happened to each resource, in the order in which they were first looked at.
    pub(crate) statuses: IndexMap<usize, Status>,
    pub(crate) graph: Graph,
    /// Whether resources could not be made that others wanted to make.
    pub(crate) generation_failed: bool,
    /// Events that wait for a resource, by how they ended.
    queues: FxHashMap<usize, Vec<Kind>>,
    told: FxHashSet<usize>,
}

impl<'a, 'r> Transaction<'a, 'r> {
    /// Makes a run of the resources that were built.
    pub(crate) fn new(built: Built, state: State, context: &'a mut Context<'r>) -> Self {
        let (queues, told) = (FxHashMap::default(), FxHashSet::default());
        let (graph, statuses, generation_failed) = (Graph::default(), IndexMap::new(), false);
        let mut transaction = Transaction { built, context, state, statuses, graph, generation_failed, queues, told };
        transaction.generate();
        transaction.keep_graph("Resources");
        transaction.graph = transaction.built.graph();
        transaction.keep_graph("Relationships");
        transaction.replace_containers();
        transaction.keep_graph("Expanded_relationships");
        transaction
    }

    /// Applies all resources. A fault ends the run.
    pub(crate) fn run(&mut self) -> Outcome {
        self.check()?;
        let version = report::shown(&self.built.catalog.version);
        self.context.log.say(Level::Info, format!("Applying configuration version '{version}'"));
        self.refuse_cycles()?;
        self.graph.start();
        self.walk()?;
        let mut missing: Vec<String> = Vec::new();
        for (number, status) in &self.statuses {
            if status.is_failed
                && let Some(Resource { body: Body::Unmanageable(Unmanageable::Type), site }) =
                    self.built.resources.get(*number)
                && !missing.contains(&site.type_name())
            {
                missing.push(site.type_name());
            }
        }
        for type_name in missing {
            self.context.log.say(Level::Err, format!("Could not find a suitable provider for {type_name}"));
        }
        Ok(())
    }

    /// Asks all resources whether they can be applied.
    fn check(&mut self) -> Outcome {
        let mut is_refused = false;
        for resource in &mut self.built.resources {
            let Resource { site, body: Body::Managed(managed) } = resource else { continue };
            if let Err(fault) = managed.check(site, self.context) {
                site.say(&mut self.context.log, Level::Err, fault.message);
                is_refused = true;
            }
        }
        if is_refused { Err(Fault::new("Some pre-run checks failed")) } else { Ok(()) }
    }

    /// Applies those that are ready until nobody is left. Who cannot be managed yet is tried again after the others, which
    /// may have installed what was missing.
    fn walk(&mut self) -> Outcome {
        let mut aside: Vec<usize> = Vec::new();
        let mut has_progress = false;
        while let Some(number) = self.graph.next() {
            if self.is_manageable(number)? {
                has_progress = true;
                if !self.is_anchor(number) {
                    let (done, all) = (self.statuses.len(), self.built.resources.len());
                    let label = self.built.resources.get(number).map_or("", |it| &it.site.label);
                    self.context.host.progress(done, all, label);
                }
                self.generate_late(number);
                self.evaluate(number)?;
                self.graph.finish(number);
            } else {
                aside.push(number);
            }
            if !self.graph.is_idle() || aside.is_empty() {
                continue;
            }
            for number in std::mem::take(&mut aside) {
                if has_progress {
                    self.graph.enqueue(number);
                } else {
                    self.give_up(number);
                    self.graph.finish(number);
                }
            }
            has_progress = false;
        }
        Ok(())
    }

    /// Whether there is a way to manage the resource by now.
    fn is_manageable(&mut self, number: usize) -> Outcome<bool> {
        let Some(Resource { site, body: body @ Body::Unmanageable(_) }) = self.built.resources.get_mut(number) else {
            return Ok(true);
        };
        *body = build::manage(&site.parameters, site, self.context)?;
        Ok(!matches!(body, Body::Unmanageable(_)))
    }

    /// Nothing on this machine can manage the resource.
    fn give_up(&mut self, number: usize) {
        let Some(Resource { site, body }) = self.built.resources.get(number) else { return };
        let options = self.context.options;
        if !options.tags.is_empty() && !is_tagged(&site.tags, &options.tags) {
            return;
        }
        if let Body::Unmanageable(Unmanageable::Provider(name)) = body {
            let message = format!("Provider {name} is not functional on this host");
            site.say(&mut self.context.log, Level::Err, message);
        }
        self.status(number).is_failed = true;
    }

    /// Whether the resource is only the beginning or the end of a container.
    fn is_anchor(&self, number: usize) -> bool {
        matches!(self.built.resources.get(number), Some(Resource { body: Body::Begin | Body::End, .. }))
    }

    /// Puts a beginning and an end in the place of every container.
    fn replace_containers(&mut self) {
        let mut replaced = Vec::new();
        for (container, contents) in self.built.containers() {
            let Some(Resource { site, .. }) = self.built.resources.get(container) else { continue };
            let site = Site {
                reference: Reference::new("whit", &site.label),
                path: site.label.clone(),
                is_noop: self.context.options.noop,
                schedule: None,
                file: None,
                line: None,
                ..site.clone()
            };
            let begin = self.built.resources.len();
            self.built.resources.push(Resource { site: site.clone(), body: Body::Begin });
            self.built.resources.push(Resource { site, body: Body::End });
            replaced.push((container, begin, begin + 1, contents));
        }
        self.graph.replace_containers(&replaced);
    }

    fn refuse_cycles(&mut self) -> Outcome {
        let mut cycles = cycle::find(&self.graph);
        if cycles.is_empty() {
            return Ok(());
        }
        let resources = &self.built.resources;
        let reference = |number: &usize| resources.get(*number).map(|it| it.site.reference.to_string());
        for cycle in &mut cycles {
            cycle.sort_by_key(reference);
        }
        cycles.sort_by_key(|cycle| cycle.iter().map(reference).collect::<Vec<_>>());
        let label = |number: &usize| resources.get(*number).map(|it| it.site.label.clone()).unwrap_or_default();
        let named = |path: &Vec<usize>| path.iter().map(label).collect::<Vec<_>>();
        let graph = &self.graph;
        let paths = |most: usize| cycles.iter().flat_map(move |cycle| cycle::paths(graph, cycle, most));
        let shown: Vec<String> = paths(1).map(|path| named(&path).join(" => ")).collect();
        let written = self.context.options.graphs.as_ref().map(|directory| {
            let all: Vec<Vec<String>> = paths(10).map(|path| named(&path)).collect();
            (directory.join("cycles.dot"), dot::keep(directory, "cycles", &dot::cycles(&all)))
        });
        let written = written.filter(|(_, kept)| kept.is_ok()).map(|(path, _)| path.display().to_string());
        self.context.log.say(Level::Err, cycle::message(&shown, written.as_deref()));
        for number in cycles.iter().flatten() {
            if !self.is_anchor(*number) && !self.statuses.contains_key(number) {
                self.status(*number).fail("resource is part of a dependency cycle");
            }
        }
        Err(Fault::new("One or more resource dependency cycles detected in graph"))
    }

    /// Writes the graphs that are asked for: before and after containers are replaced.
    fn keep_graph(&mut self, title: &str) {
        let Some(directory) = &self.context.options.graphs else { return };
        let text = match title {
            "Resources" => {
                let names: Vec<String> = self.built.resources.iter().map(|it| it.site.label.clone()).collect();
                let catalog = &self.built.catalog;
                let label = |reference: &Reference| catalog.position(reference).and_then(|it| names.get(it)).cloned();
                // Containers stand in the order in which something was put into them.
                let mut edges: IndexMap<String, Vec<(String, String)>> = IndexMap::new();
                for edge in &catalog.edges {
                    if let (Some(container), Some(content)) = (label(&edge.source), label(&edge.target)) {
                        edges.entry(container.clone()).or_default().push((container, content));
                    }
                }
                dot::graph(title, &names, &edges.into_values().flatten().collect::<Vec<_>>())
            }
            title => dot::relationships(title, &self.built.resources, &self.graph),
        };
        let reference = format!("File[{}]", directory.display());
        let now = std::time::SystemTime::now();
        if !directory.exists() {
            self.state.note_synced(&reference, now);
        }
        self.state.note_checked(&reference, now);
        if let Err(error) = dot::keep(directory, &title.to_lowercase(), &text) {
            let directory = directory.display();
            self.context.log.say(Level::Err, format!("Could not write graphs to {directory}: {error}"));
        }
    }

    fn status(&mut self, number: usize) -> &mut Status {
        self.statuses.entry(number).or_default()
    }

    fn evaluate(&mut self, number: usize) -> Outcome {
        self.resolve(number)?;
        self.propagate_failures(number);
        if self.is_skipped(number)? {
            self.status(number).is_skipped = true;
            if let (Some(resource), Some(store)) = (self.built.resources.get(number), &mut self.state.store) {
                store.keep_skipped(&resource.site.reference.to_string());
            }
            if self.queues.remove(&number).is_some_and(|queue| !queue.is_empty()) {
                self.say(number, Level::Info, |label| format!("Unscheduling all events on {label}"));
            }
            return Ok(());
        }
        self.apply(number);
        self.process_events(number);
        Ok(())
    }

    /// Finds the values that are known only now.
    fn resolve(&mut self, number: usize) -> Outcome {
        let Some(Resource { site, .. }) = self.built.resources.get(number) else { return Ok(()) };
        if !site.parameters.values().any(build::is_deferred) {
            return Ok(());
        }
        let mut site = site.clone();
        for (name, value) in site.parameters.iter_mut().filter(|(_, value)| build::is_deferred(value)) {
            *value = self.context.host.resolve(value).map_err(Fault::new)?;
            if build::is_deferred(value) {
                return Err(Fault::new(format!("The value of {name} of {} cannot be found out", site.label)));
            }
            if matches!(value, bunraku_pcore::Value::Sensitive(_)) {
                site.sensitive.push(name.to_string());
            }
        }
        let body = build::manage(&site.parameters, &site, self.context)?;
        if let Some(resource) = self.built.resources.get_mut(number) {
            *resource = Resource { site, body };
        }
        Ok(())
    }

    /// Notes which of those it waits for have failed.
    fn propagate_failures(&mut self, number: usize) {
        let mut failed: Vec<usize> = Vec::new();
        for dependency in self.graph.before(number) {
            let Some(status) = self.statuses.get(&dependency) else { continue };
            let is_failed = status.is_failed || status.failed_to_restart;
            for it in status.failed_dependencies.iter().copied().chain(is_failed.then_some(dependency)) {
                if !failed.contains(&it) {
                    failed.push(it);
                }
            }
        }
        self.status(number).failed_dependencies = failed;
    }

    fn is_skipped(&mut self, number: usize) -> Outcome<bool> {
        let is_anchor = self.is_anchor(number);
        let Some(Resource { site, .. }) = self.built.resources.get(number) else { return Ok(true) };
        let options = self.context.options;
        if is_tagged(&site.tags, &options.skip_tags) {
            return Ok(true);
        }
        if !options.tags.is_empty() && !is_tagged(&site.tags, &options.tags) {
            return Ok(true);
        }
        if let (Some(name), false) = (&site.schedule, options.ignore_schedules) {
            let Some(known) = self.context.declared.find("schedule", name) else {
                return Err(Fault::new(format!("Could not find schedule {name}")));
            };
            let checked = self.state.last_checked(&site.reference.to_string());
            if !schedule::matches(&known.parameters, checked) {
                return Ok(true);
            }
        }
        let failed = self.statuses.get(&number).map(|it| it.failed_dependencies.clone()).unwrap_or_default();
        if failed.is_empty() {
            return Ok(false);
        }
        if !is_anchor {
            for dependency in failed {
                if self.told.insert(dependency) {
                    let is_failed = self.statuses.get(&dependency).is_some_and(|status| status.is_failed);
                    let label = self.built.resources.get(dependency).map(|it| it.site.label.clone());
                    let message = format!("Dependency {} has failures: {is_failed}", label.unwrap_or_default());
                    self.say(number, Level::Notice, |_| message);
                }
            }
            self.say(number, Level::Warning, |_| "Skipping because of failed dependencies".to_owned());
        }
        Ok(true)
    }

    fn apply(&mut self, number: usize) {
        let Some(Resource { site, body }) = self.built.resources.get_mut(number) else { return };
        let status = match body {
            Body::Managed(managed) => harness::evaluate(&mut **managed, site, &mut self.state, self.context),
            Body::Passive => {
                self.state.note_checked(&site.reference.to_string(), std::time::SystemTime::now());
                Status { evaluation: Some(std::time::Duration::ZERO), ..Status::default() }
            }
            Body::Begin | Body::End => {
                self.state.note_checked(&site.label, std::time::SystemTime::now());
                Status::default()
            }
            Body::Container | Body::Unmanageable(_) => Status::default(),
        };
        let events = status.events.clone();
        let is_failed = status.is_failed;
        self.statuses.insert(number, status);
        if !is_failed {
            self.queue(number, &events);
        }
    }

    /// Passes events on to those who are told about changes, all of one name together.
    fn queue(&mut self, number: usize, events: &[Event]) {
        let mut groups: IndexMap<&str, Vec<Kind>> = IndexMap::new();
        for event in events {
            groups.entry(&event.name).or_default().push(event.kind);
        }
        let targets: Vec<usize> =
            self.graph.after(number).into_iter().filter(|(_, tells)| *tells).map(|(target, _)| target).collect();
        for kinds in groups.values() {
            for target in targets.iter().copied() {
                let Some(Resource { site, body }) = self.built.resources.get(target) else { continue };
                let is_told = match body {
                    Body::Begin | Body::End => true,
                    Body::Managed(managed) => managed.is_refreshable(),
                    _ => false,
                };
                if !is_told {
                    continue;
                }
                let label = site.label.clone();
                // The end of a container passes on what happened inside; nobody is refreshed there.
                let is_end = matches!(body, Body::End);
                let (level, message) = if is_end {
                    (Level::Debug, format!("The container {label} will propagate my refresh event"))
                } else {
                    (Level::Info, format!("Scheduling refresh of {label}"))
                };
                self.say(number, level, |_| message);
                self.queues.entry(target).or_default().extend(kinds);
            }
            let refreshes_itself = matches!(self.built.resources.get(number),
                Some(Resource { body: Body::Managed(managed), .. }) if managed.refreshes_itself());
            if refreshes_itself {
                self.say(number, Level::Info, |label| format!("Scheduling refresh of {label}"));
                self.queues.entry(number).or_default().extend(kinds.first());
            }
        }
        if events.iter().any(|event| event.spares_refresh) {
            self.say(number, Level::Info, |label| format!("Unscheduling refresh on {label}"));
            self.queues.remove(&number);
        }
    }

    /// Lets a resource react to the events that wait for it.
    fn process_events(&mut self, number: usize) {
        let Some(queue) = self.queues.remove(&number).filter(|queue| !queue.is_empty()) else { return };
        let count = queue.len();
        let events = if count == 1 { "event" } else { "events" };
        let Some(Resource { site, body }) = self.built.resources.get_mut(number) else { return };
        if site.is_noop || queue.iter().all(|kind| *kind == Kind::Noop) {
            let message = format!("Would have triggered 'refresh' from {count} {events}");
            site.say(&mut self.context.log, Level::Notice, message);
            return self.queue(number, &[Event::new("noop_restart", Kind::Noop, "")]);
        }
        if let Body::Managed(managed) = body {
            let refreshed = managed.refresh(site, self.context);
            self.context.changes += 1;
            if let Err(fault) = refreshed {
                let message = format!("Failed to call refresh: {fault}");
                site.say(&mut self.context.log, Level::Err, message.clone());
                site.say(&mut self.context.log, Level::Err, fault.with_original(&fault.message));
                let status = self.status(number);
                status.failed_to_restart = true;
                return status.fail(message);
            }
            let message = format!("Triggered 'refresh' from {count} {events}");
            site.say(&mut self.context.log, Level::Notice, message.clone());
            self.status(number).add(Event::new("refresh", Kind::Success, message));
        }
        self.queue(number, &[Event::new("restarted", Kind::Success, "")]);
        self.status(number).is_restarted = true;
    }

    fn say(&mut self, number: usize, level: Level, message: impl FnOnce(&str) -> String) {
        if let Some(Resource { site, .. }) = self.built.resources.get(number) {
            site.say(&mut self.context.log, level, message(&site.label));
        }
    }
}

fn is_tagged(tags: &Tags, wanted: &[String]) -> bool {
    wanted.iter().any(|tag| tags.contains(tag))
}
