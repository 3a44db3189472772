//! `versioncmp`: the order of two version numbers of any scheme.

use std::cmp::Ordering;

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Compares two version numbers and returns -1, 0 or 1.
    ///
    /// They are compared part by part, numbers by their value. With a true third argument, zeros at the end of the part
    /// before the first `-` do not count.
    ///
    /// ```puppet
    /// versioncmp('1.9', '1.10')          # -1
    /// versioncmp('10.0', '10', true)     # 0
    /// ```
    "versioncmp" {
        "(String $a, String $b, Boolean $ignore_trailing_zeroes = undef)" as ">> Integer[-1, 1]" => versioncmp(a, b, ignore_trailing_zeroes),
    }
}

fn versioncmp(left: &str, right: &str, ignore_trailing_zeroes: Option<bool>) -> Result<i64, Issue> {
    let ordering = if ignore_trailing_zeroes == Some(true) {
        compare(&without_trailing_zeroes(left)?, &without_trailing_zeroes(right)?)
    } else {
        compare(left, right)
    };
    Ok(ordering as i64)
}

/// The order of two versions.
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    while !left_rest.is_empty() && !right_rest.is_empty() {
        let (one, other);
        (one, left_rest) = part(left_rest);
        (other, right_rest) = part(right_rest);
        if one != other {
            return compare_parts(one, other);
        }
    }
    left.as_bytes().cmp(right.as_bytes())
}

/// A `-` is before a `.`, which is before everything else.
fn compare_parts(one: &str, other: &str) -> Ordering {
    let is_number = |part: &str| part.starts_with(|digit: char| digit.is_ascii_digit());
    match (one, other) {
        ("-", _) => Ordering::Less,
        (_, "-") => Ordering::Greater,
        (".", _) => Ordering::Less,
        (_, ".") => Ordering::Greater,
        _ if is_number(one) && is_number(other) && !one.starts_with('0') && !other.starts_with('0') => {
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        }
        _ => one.to_uppercase().as_bytes().cmp(other.to_uppercase().as_bytes()),
    }
}

/// The first part: a separator, digits, or anything else up to one of these.
fn part(text: &str) -> (&str, &str) {
    let kind = |character: char| match character {
        '-' | '.' => 0,
        '0'..='9' => 1,
        _ => 2,
    };
    let first = text.chars().next().map_or(0, kind);
    let end = match first {
        0 => 1,
        _ => text.find(|character| kind(character) != first).unwrap_or(text.len()),
    };
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn without_trailing_zeroes(version: &str) -> Result<String, Issue> {
    let version = version.trim_end_matches('-');
    match version.split_once('-') {
        // Compatibility: a version without any part is not expected by the reference.
        None if version.is_empty() => fail("undefined method `sub!' for nil:NilClass"),
        Some((first, rest)) => Ok(format!("{}-{rest}", first.trim_end_matches(['.', '0']))),
        None => Ok(version.trim_end_matches(['.', '0']).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_an_order() {
        let check = |left: &str, right: &str, expected| assert_eq!(versioncmp(left, right, None).ok(), Some(expected));
        check("1.9", "1.10", -1);
        check("1.0-rc1", "1.0", 1);
        check("1.0", "1-0", 1);
        check("1.a", "1.B", -1);
        check("08", "7", -1);
        check("2", "2", 0);
        check("", "1", -1);
        assert_eq!(versioncmp("10.0.0", "10", Some(true)).ok(), Some(0));
        assert_eq!(versioncmp("10.0-1", "10-1", Some(true)).ok(), Some(0));
    }
}
