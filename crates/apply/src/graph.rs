//! The order of a run: who waits for whom, who is told about changes, and which of those that are ready comes first.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

type Map<V> = IndexMap<usize, V, FxBuildHasher>;
type Set = IndexSet<usize, FxBuildHasher>;

/// Where a resource stands among others that are ready: what is made on the way stands between two that are there.
type Priority = Vec<u32>;

/// Relationships between resources, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    vertices: Set,
    /// Who comes after, and whether changes are told there.
    onward: Map<Map<bool>>,
    /// Who comes before.
    back: Map<Set>,
    priorities: Map<Priority>,
    counter: u32,
    /// How many stand inside the place of a resource.
    inner: Map<u32>,
    ready: BTreeMap<Priority, usize>,
    /// How many a resource still waits for, as far as that was counted.
    blockers: Map<usize>,
    done: Set,
}

impl Graph {
    /// Adds a resource at the end of the order.
    pub(crate) fn add(&mut self, vertex: usize) {
        if self.priorities.contains_key(&vertex) {
            self.vertices.insert(vertex);
            return;
        }
        self.counter += 1;
        let priority = vec![self.counter];
        self.add_at(vertex, priority);
    }

    /// Adds a resource after another one and what was added there before.
    pub(crate) fn add_inside(&mut self, container: usize, vertex: usize) {
        let count = self.inner.entry(container).or_default();
        *count += 1;
        let last = *count;
        let mut priority = self.priority(container);
        priority.push(last);
        self.add_at(vertex, priority);
    }

    /// Adds a resource with a place of its own.
    fn add_at(&mut self, vertex: usize, priority: Priority) {
        self.vertices.insert(vertex);
        self.priorities.insert(vertex, priority);
    }

    /// The place of a resource.
    fn priority(&self, vertex: usize) -> Priority {
        self.priorities.get(&vertex).cloned().unwrap_or_default()
    }

    /// Lets one resource wait for another; changes of the first may be told to the second.
    pub(crate) fn connect(&mut self, first: usize, second: usize, tells: bool) {
        self.vertices.insert(first);
        self.vertices.insert(second);
        *self.onward.entry(first).or_default().entry(second).or_insert(false) |= tells;
        self.back.entry(second).or_default().insert(first);
    }

    /// Whether one resource waits for another, by a relationship of their own.
    pub(crate) fn is_connected(&self, first: usize, second: usize) -> bool {
        self.onward.get(&first).is_some_and(|targets| targets.contains_key(&second))
    }

    /// Lets whoever waits for a resource wait for another one instead.
    pub(crate) fn redirect(&mut self, from: usize, to: usize) {
        for (target, tells) in self.after(from) {
            self.connect(to, target, tells);
            self.disconnect(from, target);
        }
    }

    /// Takes a relationship back.
    fn disconnect(&mut self, first: usize, second: usize) {
        if let Some(targets) = self.onward.get_mut(&first) {
            targets.shift_remove(&second);
        }
        if let Some(sources) = self.back.get_mut(&second) {
            sources.shift_remove(&first);
        }
    }

    /// Removes a resource without relationships.
    fn remove(&mut self, vertex: usize) {
        self.vertices.shift_remove(&vertex);
        self.onward.shift_remove(&vertex);
        self.back.shift_remove(&vertex);
    }

    /// All resources.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = usize> {
        self.vertices.iter().copied()
    }

    /// Who waits for a resource, and whether its changes are told there.
    pub(crate) fn after(&self, vertex: usize) -> Vec<(usize, bool)> {
        self.onward.get(&vertex).into_iter().flatten().map(|(target, tells)| (*target, *tells)).collect()
    }

    /// Whom a resource waits for.
    pub(crate) fn before(&self, vertex: usize) -> Vec<usize> {
        self.back.get(&vertex).into_iter().flatten().copied().collect()
    }

    /// Puts containers' beginnings and ends in the place of containers: `(container, beginning, end, contents)`.
    pub(crate) fn replace_containers(&mut self, containers: &[(usize, usize, usize, Vec<usize>)]) {
        let begins: Map<usize> = containers.iter().map(|(container, begin, ..)| (*container, *begin)).collect();
        let ends: Map<usize> = containers.iter().map(|(container, _, end, _)| (*container, *end)).collect();
        let begin_of = |vertex: usize| begins.get(&vertex).copied().unwrap_or(vertex);
        let end_of = |vertex: usize| ends.get(&vertex).copied().unwrap_or(vertex);
        for (container, begin, end, _) in containers {
            let priority = self.priority(*container);
            self.add_at(*begin, priority.clone());
            self.add_at(*end, priority);
        }
        for (container, begin, end, contents) in containers {
            if contents.is_empty() {
                self.connect(*begin, *end, false);
            }
            for content in contents {
                self.connect(*begin, begin_of(*content), true);
                self.connect(end_of(*content), *end, true);
            }
            for source in self.before(*container) {
                let tells = self.onward.get(&source).and_then(|targets| targets.get(container)).copied();
                self.connect(end_of(source), *begin, tells.unwrap_or_default());
                self.disconnect(source, *container);
            }
            for (target, tells) in self.after(*container) {
                self.connect(*end, begin_of(target), tells);
                self.disconnect(*container, target);
            }
        }
        for (container, ..) in containers {
            self.remove(*container);
        }
    }

    /// Makes those ready that wait for nobody.
    pub(crate) fn start(&mut self) {
        for vertex in self.vertices.clone() {
            let count = self.back.get(&vertex).map_or(0, IndexSet::len);
            self.blockers.insert(vertex, count);
            if count == 0 {
                self.enqueue(vertex);
            }
        }
    }

    /// Makes a resource ready.
    pub(crate) fn enqueue(&mut self, vertex: usize) {
        let priority = self.priority(vertex);
        self.ready.insert(priority, vertex);
    }

    /// The first of those that are ready.
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.ready.pop_first().map(|(_, vertex)| vertex)
    }

    /// Whether nobody is ready.
    pub(crate) fn is_idle(&self) -> bool {
        self.ready.is_empty()
    }

    /// Relationships have changed on the way: who waits for how many is counted anew, and who waits is not ready.
    pub(crate) fn recount(&mut self) {
        self.blockers.clear();
        let ready = std::mem::take(&mut self.ready);
        self.ready = ready.into_iter().filter(|(_, vertex)| self.waits_for(*vertex) == 0).collect();
    }

    fn waits_for(&self, vertex: usize) -> usize {
        self.back.get(&vertex).map_or(0, |sources| sources.iter().filter(|it| !self.done.contains(*it)).count())
    }

    /// A resource is done: who waited for it alone is ready.
    pub(crate) fn finish(&mut self, vertex: usize) {
        self.done.insert(vertex);
        for (target, _) in self.after(vertex) {
            let left = match self.blockers.get(&target) {
                Some(count) => count.saturating_sub(1),
                None => self.waits_for(target),
            };
            self.blockers.insert(target, left);
            if left == 0 {
                self.enqueue(target);
            }
        }
    }
}
