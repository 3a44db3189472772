//! Dependency cycles: the shortest one, with the place behind each of its steps.

use std::collections::VecDeque;
use std::fmt;

use bunraku_syntax::Span;
use ecow::EcoString;

use super::{Cause, Graph, Line, Relationship, small};
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
    /// The file in which that is written.
    pub file: Option<EcoString>,
    /// Its line there.
    pub line: Option<u32>,
    /// The code that says it, where that is known.
    pub span: Option<Span>,
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
    /// What it comes from; nothing if it leads from the beginning of a container to its end.
    relationship: Option<Relationship>,
}

/// The points of a graph and the ways between them.
struct Points<'g> {
    relationships: &'g [Relationship],
    is_container: Vec<bool>,
    onward: Ways,
}

/// Ways by the point at one of their ends, those of each point beside each other. A way is a number that stands for a leg:
/// a catalog has many of them, and seldom a cycle.
#[derive(Default)]
struct Ways {
    /// Where the ways of each point begin, and where those of the last end.
    starts: Vec<u32>,
    ways: Vec<u32>,
}

impl Ways {
    fn of(&self, point: usize) -> &[u32] {
        let range = self.starts.get(point).zip(self.starts.get(point + 1));
        range.and_then(|(&start, &end)| self.ways.get(start as usize..end as usize)).unwrap_or_default()
    }
}

pub(super) fn shortest(graph: &Graph<'_>, line_at: &dyn Fn(Span) -> Option<Line>) -> Option<Cycle> {
    let points = Points::new(graph);
    let mut best: Option<Vec<Leg>> = None;
    for start in points.tangled().into_iter().take(STARTS) {
        let limit = best.as_ref().map_or(usize::MAX, Vec::len);
        if let Some(way) = points.way_round(start, limit) {
            best = Some(way);
        }
    }
    best.map(|way| Cycle { steps: way.into_iter().filter_map(|leg| step(graph, leg, line_at)).collect() })
}

impl<'g> Points<'g> {
    fn new(graph: &'g Graph<'_>) -> Self {
        let mut is_container = vec![false; graph.catalog().len()];
        for relationship in graph.relationships() {
            if relationship.cause == Cause::Containment
                && let Some(flag) = is_container.get_mut(relationship.first())
            {
                *flag = true;
            }
        }
        let mut points = Points { relationships: graph.relationships(), is_container, onward: Ways::default() };
        points.onward = points.ways_by(|leg| leg.from);
        points
    }

    fn len(&self) -> usize {
        self.is_container.len() * 2
    }

    /// Where what comes after a resource waits for it.
    fn end(&self, position: usize) -> usize {
        match self.is_container.get(position) {
            Some(true) => complete(position),
            _ => begin(position),
        }
    }

    /// The leg a way stands for. Every relationship has two numbers, which containment needs: its content begins after the
    /// container, which is complete after its content.
    fn leg(&self, way: u32) -> Option<Leg> {
        let relationship = *self.relationships.get(way as usize / 2)?;
        let (first, second) = (relationship.first(), relationship.second());
        let (from, to) = match (relationship.cause, way % 2) {
            (Cause::Containment, 0) => (begin(first), begin(second)),
            (Cause::Containment, _) => (self.end(second), complete(first)),
            (_, 0) => (self.end(first), begin(second)),
            _ => return None,
        };
        Some(Leg { from, to, relationship: Some(relationship) })
    }

    fn ways_by(&self, point: impl Fn(Leg) -> usize) -> Ways {
        let ends = |way: u32| self.leg(way).map(&point);
        let all = 0..small(self.relationships.len() * 2);
        let mut starts = vec![0u32; self.len() + 1];
        for at in all.clone().filter_map(ends) {
            if let Some(count) = starts.get_mut(at) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        // What is the end of a point's ways moves to their start as they are put in.
        let mut ways = vec![0; sum as usize];
        for (way, at) in all.rev().filter_map(|way| Some((way, ends(way)?))) {
            if let Some(start) = starts.get_mut(at) {
                *start -= 1;
                if let Some(place) = ways.get_mut(*start as usize) {
                    *place = way;
                }
            }
        }
        Ways { starts, ways }
    }

    /// Points on or between cycles: what is left when points without a way in, and then points without a way out,
    /// are taken away again and again.
    fn tangled(&self) -> Vec<usize> {
        let mut is_left = vec![true; self.len()];
        self.peel(&self.onward, |leg| leg.to, &mut is_left);
        if is_left.contains(&true) {
            self.peel(&self.ways_by(|leg| leg.to), |leg| leg.from, &mut is_left);
        }
        let left = is_left.iter().enumerate().filter(|(_, is_left)| **is_left);
        left.map(|(point, _)| point).collect()
    }

    /// Takes away points that no way leads to.
    fn peel(&self, ways: &Ways, ahead: impl Fn(Leg) -> usize, is_left: &mut [bool]) {
        let next = |point: usize| ways.of(point).iter().filter_map(|way| self.leg(*way)).map(&ahead);
        let mut incoming = vec![0u32; self.len()];
        for point in (0..self.len()).filter(|point| is_left.get(*point) == Some(&true)) {
            for next in next(point) {
                if let Some(count) = incoming.get_mut(next) {
                    *count += 1;
                }
            }
        }
        let mut free: Vec<u32> = (0..small(self.len())).filter(|it| incoming.get(*it as usize) == Some(&0)).collect();
        while let Some(point) = free.pop().map(|point| point as usize) {
            match is_left.get_mut(point) {
                Some(flag) if *flag => *flag = false,
                _ => continue,
            }
            for next in next(point) {
                if let Some(count) = incoming.get_mut(next) {
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        free.push(small(next));
                    }
                }
            }
        }
    }

    /// The legs that begin at a point. A container is complete after it has begun, whatever is in it.
    fn legs_from(&self, point: usize) -> impl Iterator<Item = Leg> {
        let position = point / 2;
        let is_begin = point == begin(position) && self.is_container.get(position) == Some(&true);
        let across = is_begin.then(|| Leg { from: point, to: complete(position), relationship: None });
        across.into_iter().chain(self.onward.of(point).iter().filter_map(|way| self.leg(*way)))
    }

    /// The shortest way from a point back to it, if it is shorter than the limit.
    fn way_round(&self, start: usize, limit: usize) -> Option<Vec<Leg>> {
        let mut reached: Vec<Option<Leg>> = vec![None; self.len()];
        let mut queue = VecDeque::from([(start, 0usize)]);
        while let Some((point, distance)) = queue.pop_front() {
            if distance + 1 >= limit {
                return None;
            }
            for leg in self.legs_from(point) {
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

/// What to tell of a leg, if it is to be told. Through the end of a container a step goes from the content to it.
fn step(graph: &Graph<'_>, leg: Leg, line_at: &dyn Fn(Span) -> Option<Line>) -> Option<Step> {
    let relationship = leg.relationship?;
    let (first, second) = (relationship.first(), relationship.second());
    let (container, content) = (graph.reference(first)?, graph.reference(second)?);
    let (reason, says) = match relationship.cause {
        Cause::Containment => (format!("{container} contains {content}"), second),
        Cause::Autorequire => (format!("{content} is of a type that waits for {container}"), second),
        Cause::Metaparameter(relation) => {
            let says = if relation.is_on_first() { first } else { second };
            (format!("{} of {}", relation.name(), graph.reference(says)?), says)
        }
    };
    let about = if says == first { second } else { first };
    let resource = graph.catalog().at(says)?;
    let written = graph.catalog().written.find(relationship.cause, says, about);
    let (file, line) = match written.and_then(line_at) {
        Some(Line { file, line }) => (file, Some(line)),
        None => (resource.file.clone(), resource.line),
    };
    Some(Step {
        from: graph.reference(leg.from / 2)?.clone(),
        to: graph.reference(leg.to / 2)?.clone(),
        reason,
        file,
        line,
        span: written,
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
        let cycle = Graph::new(&catalog).cycle(&|_| None);
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
        check(
            &["file /a: target=/a"],
            &[],
            "(File[/a] => File[/a])\nFile[/a] => File[/a]: File[/a] is of a type that waits for File[/a] (line: 1)",
        );
    }
}
