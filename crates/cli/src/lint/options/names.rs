//! The names of options as Ruby's OptionParser reads them: words may be abbreviated, `_` is `-`, and a name that is not
//! quite one is answered with those that it is like.

use bunraku_lint::{RULES, Rule};

use super::{SWITCHES, VALUES};

/// The option that a letter stands for.
pub(super) fn of_short(letter: &str) -> Option<&'static str> {
    Some(match letter {
        "c" => "config",
        "f" => "fix",
        "l" => "load",
        _ => return None,
    })
}

/// The check that an option switches, and whether it is switched on: `--no-CHECK-check` and, for checks that are off
/// unless asked for, `--CHECK-check`.
pub(super) fn as_check(name: &str) -> Option<(&str, bool)> {
    let check = name.strip_suffix("-check")?;
    Some(check.strip_prefix("no-").map_or((check, true), |check| (check, false)))
}

/// The option that was meant, of which the argument may have an abbreviation.
pub(super) fn complete(given: &str, argument: &str) -> Result<&'static str, String> {
    let mut candidates: Vec<&'static str> = options().filter(|name| is_like(given, name)).collect();
    candidates.sort_by_key(|name| name.len());
    match candidates.as_slice() {
        [] => Err(format!("invalid option: {argument}{}", suggestion(given))),
        [shortest, others @ ..] => {
            let is_same = |name: &str| name == *shortest || normalized(name) == normalized(given);
            let exact = candidates.iter().find(|name| normalized(name) == normalized(given));
            if exact.is_some() || others.iter().all(|other| is_same(other) || other.starts_with(shortest)) {
                Ok(exact.unwrap_or(shortest))
            } else {
                Err(format!("ambiguous option: {argument}"))
            }
        }
    }
}

/// Refuses a check that does not exist.
pub(super) fn known_check(name: &str) -> Result<(), String> {
    if RULES.iter().any(|rule| rule.name == name) {
        return Ok(());
    }
    let nearest = bunraku::nearest(name, RULES.iter().map(|rule| rule.name));
    let hint = nearest.map_or("--list-checks shows them all".to_owned(), |it| format!("did you mean {it}?"));
    Err(format!("unknown check: {name}; {hint}"))
}

/// The names of all options.
fn options() -> impl Iterator<Item = &'static str> {
    SWITCHES.iter().chain(VALUES).copied().chain(CHECKS.iter().map(String::as_str))
}

/// The options that switch checks.
static CHECKS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| {
    let off = |rule: &&&Rule| !rule.is_on;
    let switched_on = RULES.iter().filter(off).map(|rule| format!("{}-check", rule.name));
    RULES.iter().map(|rule| format!("no-{}-check", rule.name)).chain(switched_on).collect()
});

fn normalized(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// Whether every word of what was given begins the word at its place in the name.
fn is_like(given: &str, name: &str) -> bool {
    let (given, name) = (normalized(given), normalized(name));
    let mut words = name.split('-');
    given.split('-').all(|begin| words.next().is_some_and(|word| word.starts_with(begin)))
}

/// What Ruby adds about names that are alike. Compatibility: those with an underscore are not among them.
fn suggestion(given: &str) -> String {
    let given = normalized(given);
    let most = given.chars().count().div_ceil(4);
    let least = if given.chars().count() > 3 { 0.834 } else { 0.77 };
    let is_near = |name: &&str| {
        !name.contains('_') && strsim::jaro_winkler(name, &given) >= least && strsim::levenshtein(name, &given) <= most
    };
    let near: Vec<&str> = options().filter(is_near).collect();
    if near.is_empty() { String::new() } else { format!("\nDid you mean?  {}", near.join("\n               ")) }
}
