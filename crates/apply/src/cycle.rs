//! Dependency cycles: resources that wait for each other, found before anything is applied.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;

/// How many ways round one cycle are looked at.
const PATHS: usize = 1000;

/// The groups of resources that wait for each other.
pub(crate) fn find(graph: &Graph) -> Vec<Vec<usize>> {
    let mut search = Search::default();
    for vertex in graph.vertices() {
        search.visit(graph, vertex);
    }
    let is_cycle = |group: &Vec<usize>| match group.as_slice() {
        [alone] => graph.is_connected(*alone, *alone),
        _ => true,
    };
    search.groups.retain(is_cycle);
    search.groups
}

/// Tarjan's search for strongly connected components, without recursion.
#[derive(Default)]
struct Search {
    index: FxHashMap<usize, usize>,
    low: FxHashMap<usize, usize>,
    stack: Vec<usize>,
    stacked: FxHashSet<usize>,
    groups: Vec<Vec<usize>>,
}

impl Search {
    fn visit(&mut self, graph: &Graph, root: usize) {
        if self.index.contains_key(&root) {
            return;
        }
        let mut waiting = vec![(root, self.enter(graph, root))];
        while let Some((vertex, children)) = waiting.last_mut() {
            let vertex = *vertex;
            match children.pop_front() {
                Some(child) if !self.index.contains_key(&child) => {
                    let next = self.enter(graph, child);
                    waiting.push((child, next));
                }
                Some(child) => {
                    if self.stacked.contains(&child) {
                        let reached = self.index.get(&child).copied().unwrap_or_default();
                        self.lower(vertex, reached);
                    }
                }
                None => {
                    waiting.pop();
                    self.leave(vertex);
                    let reached = self.low.get(&vertex).copied().unwrap_or_default();
                    if let Some((parent, _)) = waiting.last() {
                        self.lower(*parent, reached);
                    }
                }
            }
        }
    }

    fn enter(&mut self, graph: &Graph, vertex: usize) -> VecDeque<usize> {
        let number = self.index.len();
        self.index.insert(vertex, number);
        self.low.insert(vertex, number);
        self.stack.push(vertex);
        self.stacked.insert(vertex);
        graph.after(vertex).into_iter().map(|(target, _)| target).collect()
    }

    fn lower(&mut self, vertex: usize, reached: usize) {
        self.low.entry(vertex).and_modify(|low| *low = (*low).min(reached));
    }

    fn leave(&mut self, vertex: usize) {
        if self.low.get(&vertex) != self.index.get(&vertex) {
            return;
        }
        let start = self.stack.iter().rposition(|it| *it == vertex).unwrap_or_default();
        let group = self.stack.split_off(start);
        group.iter().for_each(|it| _ = self.stacked.remove(it));
        self.groups.push(group);
    }
}

/// The shortest ways round a cycle from its first resource, which stands at the end again.
pub(crate) fn paths(graph: &Graph, cycle: &[usize], most: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut waiting: VecDeque<Vec<usize>> = cycle.first().map(|first| vec![*first]).into_iter().collect();
    let mut steps = 0;
    while let Some(path) = waiting.pop_front() {
        steps += 1;
        let (last, before) = path.split_last().map_or((0, [].as_slice()), |(last, before)| (*last, before));
        if before.contains(&last) {
            found.push(path);
            if found.len() >= most {
                break;
            }
        } else if steps < PATHS * cycle.len() {
            let next = graph.after(last).into_iter().map(|(target, _)| target).filter(|it| cycle.contains(it));
            waiting.extend(next.map(|target| [path.as_slice(), &[target]].concat()));
        }
    }
    found
}

/// What is said about cycles. Compatibility: the reference joins the parts with a backslash and an `n`.
pub(crate) fn message(paths: &[String], written: Option<&str>) -> String {
    let noun = if paths.len() == 1 { "cycle" } else { "cycles" };
    let shown: Vec<String> = paths.iter().map(|path| format!("({path})")).collect();
    let hint = match written {
        Some(path) => format!("Cycle graph written to {path}."),
        None => "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz".to_owned(),
    };
    format!("Found {} dependency {noun}:\n{}\\n{hint}", paths.len(), shown.join("\\n"))
}
