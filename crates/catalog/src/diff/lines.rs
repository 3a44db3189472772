//! What is different between two texts, line by line.

/// Texts with more differing lines than this are not compared line by line, for the cost is quadratic.
const LIMIT: usize = 2_000;

/// A line of either text or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'t> {
    /// In both.
    Same(&'t str),
    /// Only in the old text.
    Removed(&'t str),
    /// Only in the new text.
    Added(&'t str),
}

/// The lines of both texts, with the fewest changes that lead from one to the other.
pub fn diff_lines<'t>(old: &'t str, new: &'t str) -> Vec<Line<'t>> {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let prefix = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (head, old) = old.split_at(prefix);
    let new = new.get(prefix..).unwrap_or_default();
    let suffix = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, tail) = old.split_at(old.len() - suffix);
    let new = new.get(..new.len() - suffix).unwrap_or_default();
    let mut lines: Vec<Line<'t>> = head.iter().map(|line| Line::Same(line)).collect();
    middle(old, new, &mut lines);
    lines.extend(tail.iter().map(|line| Line::Same(line)));
    lines
}

fn middle<'t>(old: &[&'t str], new: &[&'t str], lines: &mut Vec<Line<'t>>) {
    if old.len() > LIMIT || new.len() > LIMIT {
        lines.extend(old.iter().map(|line| Line::Removed(line)));
        lines.extend(new.iter().map(|line| Line::Added(line)));
        return;
    }
    let common = common_lengths(old, new);
    let length = |row: usize, column: usize| common.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0);
    let (mut row, mut column) = (0, 0);
    loop {
        match (old.get(row), new.get(column)) {
            (Some(old), Some(new)) if old == new => {
                lines.push(Line::Same(old));
                row += 1;
                column += 1;
            }
            (Some(old), new) if new.is_none() || length(row + 1, column) >= length(row, column + 1) => {
                lines.push(Line::Removed(old));
                row += 1;
            }
            (_, Some(new)) => {
                lines.push(Line::Added(new));
                column += 1;
            }
            _ => return,
        }
    }
}

/// For every pair of places, how many lines the rests have in common.
fn common_lengths(old: &[&str], new: &[&str]) -> Vec<Vec<u16>> {
    let mut rows = vec![vec![0u16; new.len() + 1]];
    for old in old.iter().rev() {
        let mut row = vec![0u16; new.len() + 1];
        let below = rows.last().map(Vec::as_slice).unwrap_or_default();
        for (column, new) in new.iter().enumerate().rev() {
            let at = |list: &[u16], index: usize| list.get(index).copied().unwrap_or(0);
            let length = match old == new {
                true => at(below, column + 1) + 1,
                false => at(below, column).max(at(&row, column + 1)),
            };
            if let Some(place) = row.get_mut(column) {
                *place = length;
            }
        }
        rows.push(row);
    }
    rows.reverse();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_changes_are_shown() {
        let check = |old, new, expected: &str| {
            let show = |line: &Line<'_>| match line {
                Line::Same(text) => format!(" {text}"),
                Line::Removed(text) => format!("-{text}"),
                Line::Added(text) => format!("+{text}"),
            };
            assert_eq!(diff_lines(old, new).iter().map(show).collect::<String>(), expected);
        };
        check("a\nb\nc", "a\nx\nc", " a-b+x c");
        check("a\nb", "b\nc", "-a b+c");
        check("", "a", "+a");
        check("a", "a", " a");
        check("a\nb\nc\nd", "b\nd\ne", "-a b-c d+e");
    }
}
