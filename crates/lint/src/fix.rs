//! Puts problems right: edits of source ranges, in rounds until nothing changes. Edits that touch each other wait for the
//! next round. A round that would break the syntax, or change the tree where only the layout may change, is undone.

use bunraku_syntax::{FileId, Severity, Source, parse, pn};
use rustc_hash::FxHashSet;

use crate::problem::{Edit, Effect, Fix, Kind, Problem};
use crate::settings::Settings;
use crate::{Report, check};

/// How many rounds there are at most.
const MAX_ROUNDS: usize = 12;

/// How often a round is tried in smaller parts at most.
const MAX_TRIES: usize = 64;

/// What became of a source.
#[derive(Debug)]
pub struct Fixed {
    /// What was found, with the kind `Fixed` where it has been put right.
    pub report: Report,
    /// The text after it; nothing if it is the same.
    pub text: Option<String>,
}

/// Checks the text of a manifest and puts right what can be put right.
pub fn fix(text: &str, path: &str, settings: &Settings) -> Fixed {
    let settings = Settings { with_fixes: true, ..settings.clone() };
    let mut report = check(text, path, &settings);
    if report.has_syntax_error() || !report.problems.iter().any(|problem| wanted(problem, &settings).is_some()) {
        return Fixed { report, text: None };
    }
    let mut current = Tree::of(text.to_owned());
    // Where the problems of the first round are by now.
    let mut places: Vec<u32> = report.problems.iter().map(|problem| problem.range.0).collect();
    let mut remaining = report.problems.clone();
    for _ in 0..MAX_ROUNDS {
        let fixes = independent(&remaining, &settings);
        let edits = accepted(&current, &fixes);
        if edits.is_empty() {
            break;
        }
        let moves = moves(&edits);
        places.iter_mut().for_each(|place| *place = moved(*place, &moves));
        current = Tree::of(apply(&current.text, &edits));
        remaining = check(&current.text, path, &settings).problems;
    }
    let left = remaining.iter().filter(|left| left.fix.is_some());
    let left: FxHashSet<(&str, u32)> = left.map(|left| (left.check, left.range.0)).collect();
    for (problem, place) in report.problems.iter_mut().zip(places) {
        if wanted(problem, &settings).is_some() && !left.contains(&(problem.check, place)) {
            problem.kind = Kind::Fixed;
        }
    }
    let text = (current.text != text).then_some(current.text);
    Fixed { report, text }
}

/// The fix of a problem, if it may be applied.
fn wanted<'p>(problem: &'p Problem, settings: &Settings) -> Option<&'p Fix> {
    problem.fix.as_ref().filter(|fix| settings.unsafe_fixes || fix.effect != Effect::Meaning)
}

/// The fixes that do not touch each other; the first wins.
fn independent<'p>(problems: &'p [Problem], settings: &Settings) -> Vec<&'p Fix> {
    let mut taken: std::collections::BTreeMap<u32, u32> = std::collections::BTreeMap::new();
    let mut fixes = Vec::new();
    for fix in problems.iter().filter_map(|problem| wanted(problem, settings)) {
        let is_free = |edit: &Edit| taken.range(..=edit.end).next_back().is_none_or(|(_, &end)| end < edit.start);
        if fix.edits.iter().all(is_free) {
            taken.extend(fix.edits.iter().map(|edit| (edit.start, edit.end)));
            fixes.push(fix);
        }
    }
    fixes
}

/// A text with what the parser makes of it.
struct Tree {
    text: String,
    errors: usize,
    tree: Option<pn::Pn>,
}

impl Tree {
    fn of(text: String) -> Self {
        let source = Source::string(FileId(0), text);
        let parsed = parse(&source);
        let errors = parsed.diagnostics.iter().filter(|it| it.severity == Severity::Error).count();
        let tree = (errors == 0).then(|| pn::program(&parsed.program));
        Self { text: source.text, errors, tree }
    }

    /// Whether the text with these fixes is as good as before.
    fn allows(&self, fixes: &[&Fix]) -> bool {
        let after = Tree::of(apply(&self.text, &sorted(fixes)));
        let is_layout = fixes.iter().all(|fix| fix.effect == Effect::Layout);
        after.errors <= self.errors && (!is_layout || self.tree.is_none() || after.tree == self.tree)
    }
}

/// The edits of those fixes that leave the program what it is.
fn accepted(tree: &Tree, fixes: &[&Fix]) -> Vec<Edit> {
    let (layout, code): (Vec<&Fix>, Vec<&Fix>) = fixes.iter().partition(|fix| fix.effect == Effect::Layout);
    let mut tries = 0;
    let layout = allowed(tree, &layout, &mut tries);
    let code = allowed(tree, &code, &mut tries);
    let both: Vec<&Fix> = layout.iter().chain(&code).copied().collect();
    if both.is_empty() || code.is_empty() || tree.allows(&both) { sorted(&both) } else { sorted(&layout) }
}

/// The largest part that is allowed, found by halving.
fn allowed<'p>(tree: &Tree, fixes: &[&'p Fix], tries: &mut usize) -> Vec<&'p Fix> {
    *tries += 1;
    if fixes.is_empty() || *tries > MAX_TRIES {
        return Vec::new();
    }
    if tree.allows(fixes) {
        return fixes.to_vec();
    }
    let Some((left, right)) = fixes.split_at_checked(fixes.len() / 2).filter(|(left, _)| !left.is_empty()) else {
        return Vec::new();
    };
    let mut both = allowed(tree, left, tries);
    let kept = both.len();
    both.extend(allowed(tree, right, tries));
    if !tree.allows(&both) {
        both.truncate(kept);
    }
    both
}

fn sorted(fixes: &[&Fix]) -> Vec<Edit> {
    let mut edits: Vec<Edit> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
    edits.sort_by_key(|edit| (edit.start, edit.end));
    edits
}

/// The text with the edits.
fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len() + 64);
    let mut from = 0;
    for edit in edits {
        result.push_str(text.get(from..edit.start as usize).unwrap_or_default());
        result.push_str(&edit.text);
        from = edit.end as usize;
    }
    result.push_str(text.get(from..).unwrap_or_default());
    result
}

/// The ends of the edits, and by how many bytes they and those before them have moved what follows.
fn moves(edits: &[Edit]) -> Vec<(u32, i64)> {
    let change = |edit: &Edit| edit.text.len() as i64 - i64::from(edit.end - edit.start);
    let sum = |total: &mut i64, edit: &Edit| {
        *total += change(edit);
        Some((edit.end, *total))
    };
    edits.iter().scan(0, sum).collect()
}

/// Where a place is after the edits.
fn moved(place: u32, moves: &[(u32, i64)]) -> u32 {
    let before = moves.partition_point(|(end, _)| *end <= place);
    let change = before.checked_sub(1).and_then(|last| moves.get(last)).map_or(0, |(_, change)| *change);
    u32::try_from(i64::from(place) + change).unwrap_or(place)
}
