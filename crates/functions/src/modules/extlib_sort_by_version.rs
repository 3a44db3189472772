//! `extlib::sort_by_version`: versions in order.

use std::cmp::Ordering;

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Sorts versions as those of Ruby gems: parts are numbers or words, and words come before numbers.
    ///
    /// ```puppet
    /// extlib::sort_by_version(['10.0.0', '9.0.0']) # ['9.0.0', '10.0.0']
    /// ```
    "extlib::sort_by_version" of "extlib" {
        "(Array[String] $versions) >> Array[String]" => sort_by_version(versions),
    }
}

fn sort_by_version(versions: &[Value]) -> Result<Vec<Value>, Issue> {
    let mut sorted = Vec::with_capacity(versions.len());
    for version in versions {
        let text = version.as_str().unwrap_or_default();
        if !is_version(text) {
            return fail(format!("Malformed version number string {text}"));
        }
        sorted.push((parts(text), version));
    }
    sorted.sort_by(|(one, _), (other, _)| compare(one, other));
    Ok(sorted.into_iter().map(|(_, version)| version.clone()).collect())
}

/// Parts with dots between them, the first a number, and perhaps a `-` before further ones.
fn is_version(text: &str) -> bool {
    let text = text.trim_matches(|blank: char| blank.is_ascii_whitespace());
    let (release, suffix) = match text.split_once('-') {
        Some((release, suffix)) => (release, Some(suffix)),
        None => (text, None),
    };
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_dashed = |part: &str| is_word(&part.replace('-', "0"));
    let mut release = release.split('.');
    let begins_with_number =
        release.next().is_some_and(|first| !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()));
    text.is_empty()
        || begins_with_number && release.all(is_word) && suffix.is_none_or(|suffix| suffix.split('.').all(is_dashed))
}

#[derive(PartialEq)]
enum Part {
    Word(String),
    /// The digits, without zeros before them.
    Number(String),
}

fn parts(text: &str) -> Vec<Part> {
    let text = text.replace('-', ".pre.");
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let belongs = |letter: char| letter.is_ascii_digit() == is_number && letter.is_ascii_alphanumeric();
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len()).max(first.len_utf8());
        let (part, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        match is_number {
            true => parts.push(Part::Number(part.trim_start_matches('0').to_owned())),
            false if first.is_ascii_alphabetic() => parts.push(Part::Word(part.to_owned())),
            false => {}
        }
    }
    while parts.last().is_some_and(is_zero) {
        parts.pop();
    }
    // Zeros before the first word say nothing either.
    let first_word = parts.iter().position(|part| matches!(part, Part::Word(_))).unwrap_or(0);
    let kept = parts.iter().take(first_word).rposition(|part| !is_zero(part)).map_or(0, |last| last + 1);
    parts.drain(kept..first_word.max(kept));
    parts
}

fn is_zero(part: &Part) -> bool {
    matches!(part, Part::Number(digits) if digits.is_empty())
}

fn compare(one: &[Part], other: &[Part]) -> Ordering {
    let nothing = Part::Number(String::new());
    for index in 0..one.len().max(other.len()) {
        let pair = (one.get(index).unwrap_or(&nothing), other.get(index).unwrap_or(&nothing));
        let order = match pair {
            (Part::Word(one), Part::Word(other)) => one.cmp(other),
            (Part::Word(_), Part::Number(_)) => Ordering::Less,
            (Part::Number(_), Part::Word(_)) => Ordering::Greater,
            (Part::Number(one), Part::Number(other)) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}
