//! Finds the line of a configuration file that a message is about, by looking for it as the reference does.

/// The number of the first line from `start` on that matches; what is behind a `#` does not count.
pub(super) fn find(text: &str, start: u64, matches: impl Fn(&str) -> bool) -> Option<u64> {
    (1_u64..)
        .zip(text.lines())
        .filter(|(number, _)| *number >= start)
        .find(|(_, line)| matches(without_comment(line)))
        .map(|(number, _)| number)
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (index, character) in line.char_indices() {
        match character {
            '"' | '\'' if quote == Some(character) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(character),
            // Compatibility: the reference does not ask whether the mark is quoted.
            '#' => return line.get(..index).unwrap_or(line),
            _ => {}
        }
    }
    line
}

/// Whether a line has a word at its beginning or after a blank, and what follows it fits.
pub(super) fn has_word(line: &str, word: &str, fits: impl Fn(&str) -> bool) -> bool {
    line.match_indices(word).any(|(index, _)| {
        let (before, rest) = line.split_at_checked(index).unwrap_or((line, ""));
        (before.is_empty() || before.ends_with(char::is_whitespace)) && fits(rest.strip_prefix(word).unwrap_or(rest))
    })
}

/// Whether a text begins with a word, which may be quoted, and the word ends there.
pub(super) fn begins_with_word(text: &str, word: &str) -> bool {
    let text = text.strip_prefix(['\'', '"']).unwrap_or(text);
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word_character))
}

/// Whether a word stands somewhere behind another character that is part of no word.
pub(super) fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(index, _)| {
        let (before, rest) = line.split_at_checked(index).unwrap_or((line, ""));
        before.ends_with(|c| !is_word_character(c)) && begins_with_word(rest, word)
    })
}

fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
