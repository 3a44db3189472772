//! Makes a program smaller while it still shows the same kind of difference.

use serde_json::{Value as Json, json};

use crate::tokens;

/// How many smaller programs are tried at most.
const TRIES: usize = 600;

/// A smaller case for which the question has the same answer. The question is asked for many candidates at once.
pub(crate) fn shrink(
    case: &Json,
    mut still_differs: impl FnMut(&[Json]) -> Result<Vec<bool>, String>,
) -> Result<Json, String> {
    let mut best = case.clone();
    let mut tries = 0;
    'smaller: while tries < TRIES {
        for candidates in candidates(&best).chunks(24) {
            tries += candidates.len();
            let answers = still_differs(candidates)?;
            if let Some((candidate, _)) = candidates.iter().zip(answers).find(|(_, differs)| *differs) {
                best = candidate.clone();
                continue 'smaller;
            }
        }
        break;
    }
    Ok(best)
}

/// Smaller cases, the smallest first: without settings, without lines, without runs of tokens.
fn candidates(case: &Json) -> Vec<Json> {
    let mut found = Vec::new();
    for field in ["strict", "strict_variables", "prelude", "params", "files", "facts", "tags"] {
        if case.get(field).is_some() {
            let mut smaller = case.clone();
            if let Some(fields) = smaller.as_object_mut() {
                fields.remove(field);
            }
            found.push(smaller);
        }
    }
    let code = case.get("code").and_then(Json::as_str).unwrap_or_default();
    let with = |code: String| {
        let mut smaller = case.clone();
        smaller["code"] = json!(code);
        smaller
    };
    let lines: Vec<_> = code.split_inclusive('\n').map(str::to_owned).collect();
    found.extend(without_runs(&lines).map(with));
    let tokens = tokens::split(code);
    found.extend(inner(&tokens).into_iter().map(with));
    found.extend(without_runs(&tokens).map(with));
    found
}

/// The text without each run of pieces: long runs first, down to single ones.
fn without_runs(pieces: &[String]) -> impl Iterator<Item = String> {
    let mut length = pieces.len() / 2;
    let mut lengths = Vec::new();
    while length > 0 {
        lengths.push(length);
        length = if length > 4 { length / 2 } else { length - 1 };
    }
    lengths.into_iter().flat_map(move |length| {
        let starts = (0..=pieces.len() - length).step_by((length / 2).max(1));
        starts.map(move |start| [&pieces[..start], &pieces[start + length..]].concat().concat())
    })
}

/// The text with what stands between two brackets in the place of the brackets and the word before them.
fn inner(tokens: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (start, token) in tokens.iter().enumerate() {
        if !matches!(token.as_str(), "(" | "[" | "{") {
            continue;
        }
        let mut depth = 0_usize;
        for (length, token) in tokens[start..].iter().enumerate() {
            match token.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                let (before, end) = (start.saturating_sub(1), start + length);
                found.push([&tokens[..before], &tokens[start + 1..end], &tokens[end + 1..]].concat().concat());
                found.push([&tokens[..start], &tokens[end + 1..]].concat().concat());
                break;
            }
        }
    }
    found
}
