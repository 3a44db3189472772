//! Words of a Bourne shell, as Ruby's `Shellwords` escapes and splits them.

use bunraku_pcore::inspect::inspect_text;
use bunraku_syntax::Issue;

use crate::number::fail;

/// The string as one word.
pub(crate) fn escape(text: &str) -> String {
    if text.is_empty() {
        return "''".into();
    }
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "_-.,:+/@".contains(letter);
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push_str("'\n'"),
            letter if is_safe(letter) => escaped.push(letter),
            letter => escaped.extend(['\\', letter]),
        }
    }
    escaped
}

/// The words of a line.
pub(crate) fn split(line: &str) -> Result<Vec<String>, Issue> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match letter {
            '\'' => {
                let Some((quoted, rest)) = letters.as_str().split_once('\'') else { return unmatched(line) };
                word.push_str(quoted);
                letters = rest.chars();
            }
            '"' => loop {
                match letters.next() {
                    None => return unmatched(line),
                    Some('"') => break,
                    Some('\\') => match letters.next() {
                        Some(escaped @ ('$' | '`' | '"' | '\\' | '\n')) => word.push(escaped),
                        Some(other) => word.extend(['\\', other]),
                        None => return unmatched(line),
                    },
                    Some(other) => word.push(other),
                }
            },
            '\\' => word.push(letters.next().unwrap_or('\\')),
            other => word.push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

fn unmatched<T>(line: &str) -> Result<T, Issue> {
    fail(format!("Unmatched quote: {}", inspect_text(line)))
}
