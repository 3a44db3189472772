//! The text of a regular expression as Ruby's `to_s` has it: with all options spelled out.

use super::{Regexp, is_space};

/// The options `m`, `i` and `x`, in the order in which they are shown.
const OPTIONS: [char; 3] = ['m', 'i', 'x'];

impl Regexp {
    /// The pattern in a group with its options. Options at the start that hold for all of it become those of the group.
    pub fn to_s(&self) -> String {
        let (options, source) = hoist(self.source()).unwrap_or(([false; 3], self.source()));
        let shown = |wanted| OPTIONS.iter().zip(options).filter(move |(_, is_on)| *is_on == wanted).map(|(c, _)| *c);
        let (on, off): (String, String) = (shown(true).collect(), shown(false).collect());
        let minus = if off.is_empty() { "" } else { "-" };
        format!("(?{on}{minus}{off}:{})", escaped(source))
    }
}

/// The options at the start, and what they hold for; `None` if they do not hold for all the rest.
fn hoist(source: &str) -> Option<([bool; 3], &str)> {
    let mut options = [false; 3];
    let mut rest = source;
    while let Some(group) = rest.strip_prefix("(?").filter(|_| rest.len() >= 4) {
        let after = set(group, true, &mut options);
        let after = after.strip_prefix('-').map_or(after, |after| set(after, false, &mut options));
        if let Some(after) = after.strip_prefix(')') {
            rest = after;
            continue;
        }
        let inner = after.strip_prefix(':')?.strip_suffix(')')?;
        return Regexp::new(inner).is_ok().then_some((options, inner));
    }
    Some((options, rest))
}

/// Sets the options that are named at the start, and gives what follows them.
fn set<'s>(text: &'s str, is_on: bool, options: &mut [bool; 3]) -> &'s str {
    let rest = text.trim_start_matches(OPTIONS);
    for named in text.strip_suffix(rest).unwrap_or_default().chars() {
        if let Some((_, option)) = OPTIONS.iter().zip(options.iter_mut()).find(|(name, _)| **name == named) {
            *option = is_on;
        }
    }
    rest
}

/// A pattern with slashes and control characters escaped.
pub(super) fn escaped(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                text.push('\\');
                text.extend(characters.next());
            }
            '/' => text.push_str("\\/"),
            control if control.is_ascii_control() && !is_space(control) => {
                text.push_str(&format!("\\x{:02X}", u32::from(control)));
            }
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn options_are_spelled_out() {
        let check =
            |source: &str, expected: &str| assert_eq!(Regexp::new(source).unwrap().to_s(), expected, "{source}");
        check("a", "(?-mix:a)");
        check("(?i)a", "(?i-mx:a)");
        check("(?i:a)", "(?i-mx:a)");
        check("(?i:a)b", "(?-mix:(?i:a)b)");
        check("(?i)(?m:a)", "(?mi-x:a)");
        check("(?i)(?m:a)b", "(?-mix:(?i)(?m:a)b)");
        check("(?mix:a)", "(?mix:a)");
        check("(?i-i:a)", "(?-mix:a)");
        check("(?i:a)|(b)", "(?-mix:(?i:a)|(b))");
        check("(?=a)", "(?-mix:(?=a))");
        check("(?i:a/b)", "(?i-mx:a\\/b)");
    }
}
