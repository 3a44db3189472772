//! Conditions of `augeas` resources: what is in the tree, and how much of it.

use bunraku_pcore::regexp::Regexp;

use super::command::{self, Command};
use super::tool::Session;
use crate::fault::{Fault, Outcome};

/// Whether a condition holds.
pub(super) fn holds(condition: &str, session: &Session) -> Outcome<bool> {
    let commands = command::parse(&[condition.to_owned()], &session.around)?;
    let [command] = commands.as_slice() else { return Ok(true) };
    let outcome = match (command.name, command.words.as_slice()) {
        ("get", [path, comparator, wanted]) => get(session, path, comparator, wanted),
        ("values", [path, clause]) => matched(session, path).and_then(|found| {
            let values: Vec<String> = found.into_iter().map(|(_, value)| value.unwrap_or_default()).collect();
            is_met(clause, &values, &session.around, false)
        }),
        ("match", [path, clause]) => matched(session, path).and_then(|found| {
            let paths: Vec<String> = found.into_iter().map(|(path, _)| path).collect();
            is_met(clause, &paths, &session.around, true)
        }),
        _ => return Ok(true),
    };
    outcome.map_err(|fault| failure(command, &fault))
}

fn failure(command: &Command, fault: &Fault) -> Fault {
    let words = bunraku_pcore::Value::array(command.words.iter().map(|it| it.as_str().into()));
    let words = crate::property::inspected(&words);
    Fault::new(format!("Error sending command '{}' with params {words}/{}", command.name, fault.message))
}

fn matched(session: &Session, path: &str) -> Outcome<Vec<(String, Option<String>)>> {
    let answers = session.run(&[format!("match {}", command::path(path))])?;
    if answers.failed(0) {
        return Err(Fault::new(format!("Error trying to match path '{path}'")));
    }
    Ok(answers.nodes(0))
}

fn get(session: &Session, path: &str, comparator: &str, wanted: &str) -> Outcome<bool> {
    let answers = session.run(&[format!("get {}", command::path(path))])?;
    let found = answers.nodes(0).into_iter().next().and_then(|(_, value)| value).unwrap_or_default();
    let numbers = number(&found).zip(number(wanted));
    Ok(match (comparator, numbers) {
        ("<", Some((found, wanted))) => found < wanted,
        ("<=", Some((found, wanted))) => found <= wanted,
        (">", Some((found, wanted))) => found > wanted,
        (">=", Some((found, wanted))) => found >= wanted,
        ("<", None) => *found < *wanted,
        ("<=", None) => *found <= *wanted,
        (">", None) => *found > *wanted,
        (">=", None) => *found >= *wanted,
        ("!=", _) => found != wanted,
        ("=~", _) => {
            let wrong = |error: String| Fault::new(error);
            let pattern = Regexp::new(wanted).map_err(|error| wrong(error.to_string()))?;
            pattern.is_match(&found).map_err(|issue| wrong(issue.to_string()))?
        }
        _ => found == wanted,
    })
}

fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit());
    if is_number(whole) && is_number(part) { text.parse().ok() } else { None }
}

/// Whether what was found is as a clause says.
fn is_met(clause: &str, found: &[String], context: &str, counts: bool) -> Outcome<bool> {
    let clauses = command::parse(&[clause.to_owned()], context)?;
    let Some(Command { name, words }) = clauses.first() else { return Err(Fault::new("no clause")) };
    let word = words.first().map(String::as_str).unwrap_or_default();
    Ok(match *name {
        "size" if counts => {
            let wanted: usize = words.get(1).and_then(|it| it.parse().ok()).unwrap_or_default();
            match word {
                "!=" => found.len() != wanted,
                "<" => found.len() < wanted,
                "<=" => found.len() <= wanted,
                ">" => found.len() > wanted,
                ">=" => found.len() >= wanted,
                _ => found.len() == wanted,
            }
        }
        "include" => found.iter().any(|it| it == word),
        "not_include" => !found.iter().any(|it| it == word),
        "==" => found == list(word)?,
        "!=" => found != list(word)?,
        _ => false,
    })
}

/// A list such as `['a', "b"]`.
fn list(text: &str) -> Outcome<Vec<String>> {
    let wrong = || Fault::new(format!("Invalid array in command: {text}"));
    let mut rest = text.trim().strip_prefix('[').ok_or_else(wrong)?.trim_start();
    let mut elements = Vec::new();
    loop {
        if rest == "]" {
            return Ok(elements);
        }
        let quote = rest.chars().next().filter(|it| matches!(it, '\'' | '"')).ok_or_else(wrong)?;
        let inner = rest.get(1..).ok_or_else(wrong)?;
        let mut element = String::new();
        let mut letters = inner.char_indices();
        let end = loop {
            let (place, letter) = letters.next().ok_or_else(wrong)?;
            match letter {
                it if it == quote => break place,
                '\\' => element.extend(letters.next().map(|(_, letter)| letter)),
                letter => element.push(letter),
            }
        };
        elements.push(element);
        rest = inner.get(end + 1..).ok_or_else(wrong)?.trim_start();
        rest = rest.strip_prefix(',').map_or(rest, str::trim_start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_quotes() {
        assert_eq!(list("['a', \"b c\"]").ok(), Some(vec!["a".to_owned(), "b c".to_owned()]));
        assert_eq!(list("[]").ok(), Some(Vec::new()));
        assert!(list("[a]").is_err());
    }

    #[test]
    fn clauses_compare() {
        let found = ["x".to_owned(), "y".to_owned()];
        let is_met = |clause: &str| is_met(clause, &found, "", true).ok();
        assert_eq!(is_met("size > 1"), Some(true));
        assert_eq!(is_met("size != 2"), Some(false));
        assert_eq!(is_met("include x"), Some(true));
        assert_eq!(is_met("not_include x"), Some(false));
        assert_eq!(is_met("== ['x', 'y']"), Some(true));
    }
}
