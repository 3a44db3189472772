//! Dependency cycles: the shortest one, with the place behind each of its steps.

use std::collections::VecDeque;
use std::fmt;

use ecow::EcoString;

use super::{Cause, Graph, Relationship};
use crate::reference::Reference;

/// From how many points of a tangle a shortest way round is looked for.
const STARTS: usize = 1_000;

/// A way from a resource back to itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The steps; the last leads to where the first begins.
    pub steps: Vec<Step>,
}

/// One step of a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Where it begins.
    pub from: Reference,
    /// Where it leads.
    pub to: Reference,
    /// Why the second waits for the first.
    pub reason: String,
    /// The file of the resource that says so.
    pub file: Option<EcoString>,
    /// The line of that resource.
    pub line: Option<u32>,
}

/// As the reference shows a cycle: `(A[x] => B[y] => A[x])`.
impl fmt::Display for Cycle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.steps.first() else {
            return Ok(());
        };
        write!(formatter, "({}", first.from)?;
        for step in &self.steps {
            write!(formatter, " => {}", step.to)?;
        }
        formatter.write_str(")")
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} => {}: {}", self.from, self.to, self.reason)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(formatter, " (file: {file}, line: {line})"),
            (None, Some(line)) => write!(formatter, " (line: {line})"),
            _ => Ok(()),
        }
    }
}

/// A container is two points: it begins before its content and is complete after it. Everything else is one.
fn begin(position: usize) -> usize {
    position * 2
}

fn complete(position: usize) -> usize {
    position * 2 + 1
}

/// A way between two points that lie next to each other.
#[derive(Clone, Copy)]
struct Leg {
    from: usize,
    to: usize,
    relationship: Relationship,
}

/// The points of a graph and the ways between them.
struct Points {
    ways: Vec<Vec<Leg>>,
}

pub(super) fn shortest(graph: &Graph<'_>) -> Option<Cycle> {
    let points = Points::new(graph);
    let tangled = points.tangled();
    let mut best: Option<Vec<Leg>> = None;
    for &start in tangled.iter().take(STARTS) {
        let limit = best.as_ref().map_or(usize::MAX, Vec::len);
        if let Some(way) = points.way_round(start, limit) {
            best = Some(way);
        }
    }
    best.map(|way| Cycle { steps: way.into_iter().filter_map(|leg| step(graph, leg)).collect() })
}

impl Points {
    fn new(graph: &Graph<'_>) -> Self {
        let count = graph.catalog().len();
        let mut is_container = vec![false; count];
        for relationship in graph.relationships() {
            if relationship.cause == Cause::Containment
                && let Some(flag) = is_container.get_mut(relationship.first)
            {
                *flag = true;
            }
        }
        let end = |position: usize| match is_container.get(position) {
            Some(true) => complete(position),
            _ => begin(position),
        };
        let mut points = Points { ways: vec![Vec::new(); count * 2] };
        for &relationship in graph.relationships() {
            let Relationship { first, second, cause } = relationship;
            if cause == Cause::Containment {
                points.add(begin(first), begin(second), relationship);
                points.add(end(second), complete(first), relationship);
            } else {
                points.add(end(first), begin(second), relationship);
            }
        }
        points
    }

    fn add(&mut self, from: usize, to: usize, relationship: Relationship) {
        if let Some(ways) = self.ways.get_mut(from) {
            ways.push(Leg { from, to, relationship });
        }
    }

    fn ways(&self, from: usize) -> &[Leg] {
        self.ways.get(from).map(Vec::as_slice).unwrap_or_default()
    }

    /// Points on or between cycles: what is left when points without a way in, and then points without a way out,
    /// are taken away again and again.
    fn tangled(&self) -> Vec<usize> {
        let mut backward: Vec<Vec<usize>> = vec![Vec::new(); self.ways.len()];
        for (from, ways) in self.ways.iter().enumerate() {
            for leg in ways {
                if let Some(back) = backward.get_mut(leg.to) {
                    back.push(from);
                }
            }
        }
        let forward: Vec<Vec<usize>> = self.ways.iter().map(|ways| ways.iter().map(|leg| leg.to).collect()).collect();
        let mut is_left = vec![true; self.ways.len()];
        peel(&forward, &backward, &mut is_left);
        peel(&backward, &forward, &mut is_left);
        let left = is_left.iter().enumerate().filter(|(_, is_left)| **is_left);
        left.map(|(point, _)| point).collect()
    }

    /// The shortest way from a point back to it, if it is shorter than the limit.
    fn way_round(&self, start: usize, limit: usize) -> Option<Vec<Leg>> {
        let mut reached: Vec<Option<Leg>> = vec![None; self.ways.len()];
        let mut queue = VecDeque::from([(start, 0usize)]);
        while let Some((point, distance)) = queue.pop_front() {
            if distance + 1 >= limit {
                return None;
            }
            for &leg in self.ways(point) {
                if leg.to == start {
                    return Some(trace(&reached, start, leg));
                }
                if let Some(place @ None) = reached.get_mut(leg.to) {
                    *place = Some(leg);
                    queue.push_back((leg.to, distance + 1));
                }
            }
        }
        None
    }
}

fn trace(reached: &[Option<Leg>], start: usize, last: Leg) -> Vec<Leg> {
    let mut way = vec![last];
    let mut point = last.from;
    while point != start {
        let Some(leg) = reached.get(point).copied().flatten() else {
            break;
        };
        way.push(leg);
        point = leg.from;
    }
    way.reverse();
    way
}

/// Takes away points that no way leads to.
fn peel(forward: &[Vec<usize>], backward: &[Vec<usize>], is_left: &mut [bool]) {
    let left =
        |points: &[usize], is_left: &[bool]| points.iter().filter(|point| is_left.get(**point) == Some(&true)).count();
    let mut incoming: Vec<usize> = backward.iter().map(|points| left(points, is_left)).collect();
    let mut free: Vec<usize> = (0..incoming.len()).filter(|point| incoming.get(*point) == Some(&0)).collect();
    while let Some(point) = free.pop() {
        match is_left.get_mut(point) {
            Some(flag) if *flag => *flag = false,
            _ => continue,
        }
        for &next in forward.get(point).map(Vec::as_slice).unwrap_or_default() {
            if let Some(count) = incoming.get_mut(next) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    free.push(next);
                }
            }
        }
    }
}

/// Through the end of a container a step goes from the content to it.
fn step(graph: &Graph<'_>, leg: Leg) -> Option<Step> {
    let Relationship { first, second, cause } = leg.relationship;
    let (container, content) = (graph.reference(first)?, graph.reference(second)?);
    let (reason, says) = match cause {
        Cause::Containment => (format!("{container} contains {content}"), second),
        Cause::Autorequire => (format!("{content} is of a type that waits for {container}"), second),
        Cause::Metaparameter(relation) => {
            let says = if relation.is_on_first() { first } else { second };
            (format!("{} of {}", relation.name(), graph.reference(says)?), says)
        }
    };
    let resource = graph.catalog().at(says)?;
    Some(Step {
        from: graph.reference(leg.from / 2)?.clone(),
        to: graph.reference(leg.to / 2)?.clone(),
        reason,
        file: resource.file.clone(),
        line: resource.line,
    })
}

#[cfg(test)]
mod tests {
    use bunraku_pcore::Value;

    use crate::catalog::Catalog;
    use crate::edge::Edge;
    use crate::graph::Graph;
    use crate::reference::Reference;
    use crate::resource::{Kind, Resource};
    use crate::resource_types;

    /// Resources as `type title: parameter=reference`, containment as `source > target`.
    fn check(resources: &[&str], edges: &[&str], expected: &str) {
        let mut catalog = Catalog::new("node", "production");
        for (line, text) in (1..).zip(resources) {
            let (reference, parameters) = text.split_once(": ").unwrap_or((text, ""));
            let (type_name, title) = reference.split_once(' ').unwrap_or((reference, ""));
            let mut resource = Resource::new(Reference::new(type_name, title), Kind::CompilableType);
            resource.line = Some(line);
            for (name, value) in parameters.split_whitespace().filter_map(|it| it.split_once('=')) {
                resource.parameters.insert(name.into(), Value::from(value));
            }
            catalog.add(resource);
        }
        for (source, target) in edges.iter().filter_map(|it| it.split_once(" > ")) {
            if let (Some(source), Some(target)) = (Reference::parse(source), Reference::parse(target)) {
                catalog.edges.push(Edge { source, target });
            }
        }
        let types = resource_types::builtin();
        let cycle = Graph::new(&catalog, types).cycle();
        let shown = cycle.map(|cycle| {
            let steps: Vec<String> = cycle.steps.iter().map(ToString::to_string).collect();
            format!("{cycle}\n{}", steps.join("\n"))
        });
        assert_eq!(shown.unwrap_or_default(), expected);
    }

    #[test]
    fn the_shortest_cycle_is_found() {
        check(&["notify a: before=Notify[b]", "notify b: before=Notify[c]", "notify c"], &[], "");
        check(
            &[
                "notify a: before=Notify[b]",
                "notify b: before=Notify[c]",
                "notify c: before=Notify[a]",
                "notify d: require=Notify[b] before=Notify[b]",
            ],
            &[],
            "(Notify[b] => Notify[d] => Notify[b])\n\
             Notify[b] => Notify[d]: require of Notify[d] (line: 4)\n\
             Notify[d] => Notify[b]: before of Notify[d] (line: 4)",
        );
    }

    #[test]
    fn containers_wait_for_their_content() {
        check(
            &["class a", "notify x: require=Class[a]"],
            &["Class[A] > Notify[x]"],
            "(Class[A] => Notify[x] => Class[A])\n\
             Class[A] => Notify[x]: require of Notify[x] (line: 2)\n\
             Notify[x] => Class[A]: Class[A] contains Notify[x] (line: 2)",
        );
        check(&["class a", "notify x", "class b: require=Class[a]"], &["Class[A] > Notify[x]"], "");
    }

    #[test]
    fn autorequires_count_unless_contradicted() {
        check(&["file /a/b: before=File[/a]", "file /a"], &[], "");
        check(
            &["file /a/b: before=Notify[n]", "notify n: before=File[/a]", "file /a/"],
            &[],
            "(File[/a/b] => Notify[n] => File[/a/] => File[/a/b])\n\
             File[/a/b] => Notify[n]: before of File[/a/b] (line: 1)\n\
             Notify[n] => File[/a/]: before of Notify[n] (line: 2)\n\
             File[/a/] => File[/a/b]: File[/a/b] is of a type that waits for File[/a/] (line: 1)",
        );
    }
}
