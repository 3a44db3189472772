//! Ruby's `split`, `sub` and `gsub` with regular expressions.

use bunraku_pcore::regexp::Captures;
use bunraku_pcore::{Hash, Regexp, limits};
use bunraku_syntax::Issue;

use bunraku_pcore::inspect;

/// Splits a string where the pattern matches. Groups of the pattern are among the parts; empty parts at the end are not.
pub(crate) fn split<'t>(text: &'t str, pattern: &Regexp) -> Result<Vec<&'t str>, Issue> {
    let mut parts = Vec::new();
    let (mut begin, mut start, mut after_empty) = (0, 0, false);
    let mut search = pattern.search(text);
    while start <= text.len()
        && let Some(captures) = search.captures_from(start)?
    {
        let Some((match_start, match_end)) = captures.range(0) else { break };
        if match_start == match_end && match_start == start {
            if text.is_empty() {
                parts.push("");
                break;
            }
            if !after_empty {
                // An empty match splits after the next character, if it matches there again.
                start += text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                after_empty = true;
                continue;
            }
            parts.extend(text.get(begin..start));
            begin = start;
        } else {
            parts.extend(text.get(begin..match_start));
            begin = match_end;
            start = match_end;
        }
        after_empty = false;
        parts.extend(captures.iter().skip(1).flatten());
        limits::check_elements(parts.len() as u64)?;
    }
    parts.extend(text.get(begin..).filter(|rest| !rest.is_empty()));
    while parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    Ok(parts)
}

/// What takes the place of a match.
pub(crate) enum Replacement<'r> {
    /// A string with references such as `\\1` or `\\k<name>`.
    Template(&'r str),
    /// The entry of a hash whose key is the matched string.
    Entries(&'r Hash),
}

/// Replaces the first match, or all of them.
pub(crate) fn substitute(
    text: &str,
    pattern: &Regexp,
    replacement: &Replacement<'_>,
    is_global: bool,
) -> Result<String, Issue> {
    let mut result = String::with_capacity(text.len());
    let mut rest = 0;
    for captures in pattern.matches(text).take(if is_global { usize::MAX } else { 1 }) {
        let captures = captures?;
        let Some((start, end)) = captures.range(0) else { break };
        result.push_str(text.get(rest..start).unwrap_or_default());
        match replacement {
            Replacement::Template(template) => expand(template, pattern, text, &captures, &mut result)?,
            Replacement::Entries(entries) => {
                let entry = entries.get_str(captures.get(0).unwrap_or_default());
                result.push_str(&entry.map(inspect::to_s).unwrap_or_default());
            }
        }
        limits::check_text(result.len())?;
        rest = end;
    }
    result.push_str(text.get(rest..).unwrap_or_default());
    Ok(result)
}

/// Writes a template with its references replaced.
fn expand(
    template: &str,
    pattern: &Regexp,
    text: &str,
    captures: &Captures<'_>,
    result: &mut String,
) -> Result<(), Issue> {
    let mut rest = template;
    while let Some((literal, reference)) = rest.split_once('\\') {
        result.push_str(literal);
        let mut characters = reference.chars();
        let (start, end) = captures.range(0).unwrap_or_default();
        match characters.next() {
            // Where groups have names, they have no numbers.
            Some('1'..='9') if pattern.names().iter().any(Option::is_some) => {}
            Some(digit @ '0'..='9') => {
                let group = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).unwrap_or(0);
                result.push_str(captures.get(group).unwrap_or_default());
            }
            Some('&') => result.push_str(captures.get(0).unwrap_or_default()),
            Some('`') => result.push_str(text.get(..start).unwrap_or_default()),
            Some('\'') => result.push_str(text.get(end..).unwrap_or_default()),
            Some('\\') => result.push('\\'),
            Some('k') => match characters.as_str().strip_prefix('<').and_then(|name| name.split_once('>')) {
                Some((name, after)) => {
                    result.push_str(named(pattern, captures, name)?);
                    characters = after.chars();
                }
                None => result.push_str("\\k"),
            },
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
        rest = characters.as_str();
    }
    result.push_str(rest);
    Ok(())
}

fn named<'t>(pattern: &Regexp, captures: &Captures<'t>, name: &str) -> Result<&'t str, Issue> {
    if let Ok(number) = name.parse::<usize>() {
        return Ok(captures.get(number).unwrap_or_default());
    }
    if !pattern.names().iter().flatten().any(|group| group == name) {
        return crate::number::fail(format!("undefined group name reference: {name}"));
    }
    Ok(pattern.named(captures, name).unwrap_or_default())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_as_in_ruby() {
        let check = |text: &str, pattern: &str, expected: &[&str]| {
            assert_eq!(split(text, &Regexp::new(pattern).unwrap()).unwrap(), expected, "{text:?} by {pattern:?}");
        };
        check("a,b,,", ",", &["a", "b"]);
        check(",a", ",", &["", "a"]);
        check("abc", "", &["a", "b", "c"]);
        check("aéb", "", &["a", "é", "b"]);
        check("a1b2", r"(\d)", &["a", "1", "b", "2"]);
        check("", ",", &[]);
        check("", "", &[]);
        check("a  b", r"\s*", &["a", "b"]);
        check("abc", "(?=b)", &["a", "bc"]);
        check("abc", "x", &["abc"]);
    }

    #[test]
    fn references_are_replaced() {
        let check = |text: &str, pattern: &str, template: &str, expected: &str| {
            let pattern = Regexp::new(pattern).unwrap();
            assert_eq!(substitute(text, &pattern, &Replacement::Template(template), true).unwrap(), expected);
        };
        check("abc", "(b)", r"<\1\0\2>", "a<bb>c");
        check("abc", "(?<n>b)", r"<\k<n>>", "a<b>c");
        check("abc", "b", r"\`|\'|\\|\x", r"aa|c|\|\xc");
        check("aaa", "", "-", "-a-a-a-");
        check("a.b", r"\.", r"\", r"a\b");
    }
}
