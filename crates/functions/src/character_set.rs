//! Sets of characters as Ruby's `count` and `squeeze` read them: ranges, and `^` for all others.

/// A set of characters.
pub(crate) struct CharacterSet {
    ranges: Vec<(char, char)>,
    is_negated: bool,
}

impl CharacterSet {
    /// Reads a set.
    pub(crate) fn parse(text: &str) -> CharacterSet {
        let (is_negated, text) = match text.strip_prefix('^') {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, text),
        };
        let mut ranges = Vec::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if letter == '\\' {
                let escaped = letters.next().unwrap_or(letter);
                ranges.push((escaped, escaped));
                continue;
            }
            let mut ahead = letters.clone();
            match (ahead.next(), ahead.next()) {
                (Some('-'), Some(last)) => {
                    ranges.push((letter, last));
                    letters = ahead;
                }
                _ => ranges.push((letter, letter)),
            }
        }
        CharacterSet { ranges, is_negated }
    }

    /// Whether a character is in the set.
    pub(crate) fn contains(&self, letter: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != self.is_negated
    }
}
