//! Puts problems right: edits of source ranges, in rounds until nothing changes. Edits that touch each other wait for the
//! next round. A round that would break the syntax, or change the tree where only the layout may change, is undone.

use std::collections::BTreeMap;

use bunraku_syntax::{FileId, Grammar, Severity, Source, TokenKind, parse, pn, tokens};
use rustc_hash::FxHashSet;

use crate::problem::{Edit, Effect, Fix, Kind, Problem};
use crate::settings::Settings;
use crate::{Report, check};

/// How many rounds there are at most.
const MAX_ROUNDS: u32 = 12;

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
    let mut restless = Vec::new();
    loop {
        match rounds(text, path, &settings, &restless) {
            Ok(fixed) => return fixed,
            Err(more) => restless.extend(more),
        }
    }
}

/// Checks; what those ask for that never come to rest is not fixed.
fn check_again(text: &str, path: &str, settings: &Settings, restless: &[&str]) -> Report {
    let mut report = check(text, path, settings);
    report.problems.iter_mut().filter(|it| restless.contains(&it.check)).for_each(|it| it.fix = None);
    report
}

/// Fixes in rounds; if they come to no end, the checks to blame.
fn rounds(text: &str, path: &str, settings: &Settings, restless: &[&str]) -> Result<Fixed, Vec<&'static str>> {
    let mut report = check_again(text, path, settings, restless);
    if report.has_syntax_error() || !report.problems.iter().any(|problem| wanted(problem, settings).is_some()) {
        return Ok(Fixed { report, text: None });
    }
    let mut current = Tree::of(text.to_owned());
    // Where the problems of the first round are by now.
    let mut places: Vec<u32> = report.problems.iter().map(|problem| problem.range.0).collect();
    let mut remaining = report.problems.clone();
    for round in 1.. {
        let fixes = independent(&remaining, settings);
        let edits = accepted(&current, &fixes);
        if edits.is_empty() {
            break;
        }
        if round > MAX_ROUNDS {
            let is_made = |problem: &&Problem| {
                wanted(problem, settings).is_some_and(|fix| fix.edits.iter().any(|edit| edits.contains(edit)))
            };
            return Err(remaining.iter().filter(is_made).map(|problem| problem.check).collect());
        }
        let moves = moves(&edits);
        places.iter_mut().for_each(|place| *place = moved(*place, &moves));
        current = Tree::of(apply(&current.text, &edits));
        remaining = check_again(&current.text, path, settings, restless).problems;
    }
    let left = remaining.iter().filter(|left| left.fix.is_some());
    let left: FxHashSet<(&str, u32)> = left.map(|left| (left.check, left.range.0)).collect();
    for (problem, place) in report.problems.iter_mut().zip(places) {
        if wanted(problem, settings).is_some() && !left.contains(&(problem.check, place)) {
            problem.kind = Kind::Fixed;
        }
    }
    let text = (current.text != text).then_some(current.text);
    Ok(Fixed { report, text })
}

/// The fix of a problem, if it may be applied.
fn wanted<'p>(problem: &'p Problem, settings: &Settings) -> Option<&'p Fix> {
    problem.fix.as_ref().filter(|fix| settings.unsafe_fixes || fix.effect != Effect::Meaning)
}

/// The fixes that do not come near each other; the first wins.
fn independent<'p>(problems: &'p [Problem], settings: &Settings) -> Vec<&'p Fix> {
    let mut taken: Taken = BTreeMap::new();
    let mut fixes = Vec::new();
    for fix in problems.iter().filter_map(|problem| wanted(problem, settings)) {
        let is_layout = fix.effect == Effect::Layout;
        if fix.edits.iter().all(|edit| is_free(edit, is_layout, &taken)) {
            taken.extend(fix.edits.iter().map(|edit| ((edit.start, edit.end), is_layout)));
            fixes.push(fix);
        }
    }
    fixes
}

/// The ranges of edits, and whether each is one of layout.
type Taken = BTreeMap<(u32, u32), bool>;

/// Whether an edit can be made together with those before it. White space that two edits touch would be counted twice; edits
/// of code only must not overlap, so that a fact gets its new name in the round that puts a call around it.
fn is_free(edit: &Edit, is_layout: bool, taken: &Taken) -> bool {
    // Edits do not overlap, so that only the last before its end can come near: two that touch, and what is put between.
    let near = taken.range(..=(edit.end, u32::MAX)).rev().take(3);
    near.into_iter().all(|(&(start, end), &other_is_layout)| {
        if is_layout || other_is_layout {
            end < edit.start
        } else {
            let is_same_place = (start, end) == (edit.start, edit.end);
            !is_same_place && (end <= edit.start || start >= edit.end)
        }
    })
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
        let text = apply(&self.text, &sorted(fixes));
        let is_layout = fixes.iter().all(|fix| fix.effect == Effect::Layout);
        if is_layout && self.tree.is_none() {
            // What the parser makes of broken code says little: the same tokens are the same code.
            return has_same_tokens(&self.text, &text);
        }
        let after = Tree::of(text);
        after.errors <= self.errors && (!is_layout || after.tree == self.tree)
    }
}

/// Whether two texts have the same tokens; commas, which may be missing before a closing bracket, do not count.
fn has_same_tokens(one: &str, other: &str) -> bool {
    let sources = [one, other].map(|text| Source::string(FileId(0), text));
    let [one, other] = sources.each_ref().map(|source| {
        let tokens = tokens(source, Grammar::MANIFEST).into_iter().filter(|token| token.kind != TokenKind::Comma);
        tokens.map(|token| source.text.get(token.start as usize..token.end as usize).unwrap_or_default())
    });
    one.eq(other)
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
