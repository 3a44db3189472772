//! Dependency cycles: resources that wait for each other, found before anything is applied.

use rustc_hash::FxHashMap;

use crate::graph::Graph;

/// One way round each cycle; the first resource stands at the end again.
pub(crate) fn find(graph: &Graph) -> Vec<Vec<usize>> {
    let mut waiting: FxHashMap<usize, usize> =
        graph.vertices().map(|vertex| (vertex, graph.before(vertex).len())).collect();
    let mut ready: Vec<usize> = graph.vertices().filter(|vertex| waiting.get(vertex) == Some(&0)).collect();
    while let Some(vertex) = ready.pop() {
        waiting.remove(&vertex);
        for (target, _) in graph.after(vertex) {
            if let Some(count) = waiting.get_mut(&target) {
                *count -= 1;
                if *count == 0 {
                    ready.push(target);
                }
            }
        }
    }
    // Whoever is left is on a cycle or waits for one: going back from there leads into it.
    let mut left: Vec<usize> = graph.vertices().filter(|vertex| waiting.contains_key(vertex)).collect();
    let mut cycles = Vec::new();
    while let Some(start) = left.first().copied() {
        let mut path = vec![start];
        let found = loop {
            let last = path.last().copied().unwrap_or(start);
            let Some(next) = graph.before(last).into_iter().find(|it| left.contains(it)) else { break None };
            if let Some(place) = path.iter().position(|it| *it == next) {
                break Some(path.split_off(place));
            }
            path.push(next);
        };
        left.retain(|it| !path.contains(it));
        if let Some(mut cycle) = found {
            left.retain(|it| !cycle.contains(it));
            cycle.reverse();
            let least = cycle.iter().enumerate().min_by_key(|(_, it)| **it).map_or(0, |(place, _)| place);
            cycle.rotate_left(least);
            cycle.extend(cycle.first().copied());
            cycles.push(cycle);
        }
    }
    cycles
}

/// What is said about cycles. Compatibility: the reference joins the parts with a backslash and an `n`.
pub(crate) fn message(paths: &[String]) -> String {
    let noun = if paths.len() == 1 { "cycle" } else { "cycles" };
    let shown: Vec<String> = paths.iter().map(|path| format!("({path})")).collect();
    format!(
        "Found {} dependency {noun}:\n{}\\nTry the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz",
        paths.len(),
        shown.join("\\n"),
    )
}
