//! The graph as a picture: resources in columns, each to the right of everything it waits for.

use std::fmt::Write;

use super::{Cause, Graph};
use crate::markup::escaped;

const WIDTH: usize = 260;
const HEIGHT: usize = 28;
const GAP: usize = 60;
/// Longer references are cut so that they fit their box.
const LABEL: usize = 40;

/// Draws the graph.
pub fn to_svg(graph: &Graph<'_>) -> String {
    let columns = columns(graph);
    let mut rows: Vec<usize> = vec![0; columns.iter().max().map_or(0, |last| last + 1)];
    let mut places = Vec::with_capacity(columns.len());
    for &column in &columns {
        let row = rows.get_mut(column).map_or(0, |count| std::mem::replace(count, *count + 1));
        places.push((column * (WIDTH + GAP) + GAP, row * (HEIGHT * 2) + GAP));
    }
    let width = rows.len() * (WIDTH + GAP) + GAP;
    let height = rows.iter().max().map_or(0, |count| count * HEIGHT * 2) + GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<defs><marker id=\"arrow\" markerWidth=\"8\" markerHeight=\"8\" refX=\"8\" refY=\"4\" \
         orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#555\"/></marker></defs>\n"
    );
    for relationship in graph.relationships() {
        let (Some(first), Some(second)) = (places.get(relationship.first()), places.get(relationship.second())) else {
            continue;
        };
        let dashes = match relationship.cause {
            Cause::Containment => " stroke-dasharray=\"2 3\"",
            Cause::Autorequire => " stroke-dasharray=\"6 3\" marker-end=\"url(#arrow)\"",
            Cause::Metaparameter(_) => " marker-end=\"url(#arrow)\"",
        };
        // Writing to a string does not fail.
        _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#555\"{dashes}/>",
            first.0 + WIDTH,
            first.1 + HEIGHT / 2,
            second.0,
            second.1 + HEIGHT / 2
        );
    }
    for (resource, (x, y)) in graph.catalog().resources().zip(&places) {
        let full = resource.reference.to_string();
        let label: String = full.chars().take(LABEL).collect();
        _ = writeln!(
            svg,
            "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"4\" \
             fill=\"#f4f4f8\" stroke=\"#888\"/><text x=\"{}\" y=\"{}\">{}</text></g>",
            escaped(&full),
            x + 8,
            y + HEIGHT - 10,
            escaped(&label)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The length of the longest way to each resource; what is on a cycle stays where it was reached first.
fn columns(graph: &Graph<'_>) -> Vec<usize> {
    let count = graph.catalog().len();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut waiting = vec![0usize; count];
    for relationship in graph.relationships() {
        if let (Some(list), Some(number)) =
            (after.get_mut(relationship.first()), waiting.get_mut(relationship.second()))
        {
            list.push(relationship.second());
            *number += 1;
        }
    }
    let mut columns = vec![0usize; count];
    let mut ready: Vec<usize> = (0..count).filter(|position| waiting.get(*position) == Some(&0)).collect();
    while let Some(position) = ready.pop() {
        let column = columns.get(position).copied().unwrap_or(0);
        for &next in after.get(position).map(Vec::as_slice).unwrap_or_default() {
            if let Some(place) = columns.get_mut(next) {
                *place = (*place).max(column + 1);
            }
            if let Some(number) = waiting.get_mut(next) {
                *number = number.saturating_sub(1);
                if *number == 0 {
                    ready.push(next);
                }
            }
        }
    }
    columns
}
