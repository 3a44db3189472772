//! `Did you mean?`: the names that a message about an unknown one suggests, by the rules of Ruby's own library for that.

use super::symbol::{Sym, sym};
use super::value::Value;
use super::{Outcome, Vm};

impl Vm {
    /// What the message of an exception says about names that could have been meant.
    pub(crate) fn suggestion(&mut self, exception: &Value) -> Outcome<String> {
        if !self.suggests {
            return Ok(String::new());
        }
        let receiver = exception.variable(sym::HIDDEN_RECEIVER);
        let found = match (self.class_name(exception).as_str(), receiver) {
            ("KeyError", Some(Value::Hash(table))) => {
                let key = exception.variable(sym::HIDDEN_KEY).unwrap_or(Value::Nil);
                let wanted = self.to_s(&key)?;
                let keys: Vec<Value> = table.entries.borrow().keys().map(|key| key.value.clone()).collect();
                let mut names = Vec::new();
                for key in keys.iter().filter(|key| matches!(key, Value::Str(_) | Value::Sym(_))) {
                    names.push((self.to_s(key)?, self.inspect(key)?));
                }
                let close = close_to(&wanted, names.iter().map(|(name, _)| name.clone()).collect());
                let shown =
                    |name: String| names.iter().find(|(known, _)| *known == name).map(|(_, shown)| shown.clone());
                close.into_iter().filter_map(shown).collect()
            }
            ("NoMethodError", Some(receiver)) if !matches!(receiver, Value::Object(_)) => {
                let Some(Value::Sym(name)) = exception.variable(sym::HIDDEN_NAME) else { return Ok(String::new()) };
                close_to(name.as_str(), self.public_names(&receiver, name))
            }
            ("NameError", Some(Value::Class(class))) => {
                let Some(Value::Sym(name)) = exception.variable(sym::HIDDEN_NAME) else { return Ok(String::new()) };
                if !name.as_str().starts_with(char::is_uppercase) {
                    return Ok(String::new());
                }
                let own = class.constants.borrow().keys().map(|name| name.as_str().to_owned()).collect::<Vec<_>>();
                let top =
                    self.core.object.constants.borrow().keys().map(|it| it.as_str().to_owned()).collect::<Vec<_>>();
                close_to(name.as_str(), [own, top].concat())
            }
            _ => Vec::new(),
        };
        Ok(match found.is_empty() {
            true => String::new(),
            false => format!("\nDid you mean?  {}", found.join("\n               ")),
        })
    }

    /// The names of the public methods of an object: writers for a writer, others for others.
    fn public_names(&self, receiver: &Value, wanted: Sym) -> Vec<String> {
        let is_writer = wanted.as_str().ends_with('=');
        let mut names: Vec<String> = Vec::new();
        for class in self.class_of(receiver).ancestors() {
            let methods = class.methods.borrow();
            let order = class.order.borrow();
            let public = order
                .iter()
                .filter(|name| methods.get(name).is_some_and(|method| method.visibility == super::Visibility::Public));
            names.extend(public.map(|name| name.as_str().to_owned()).filter(|name| name.ends_with('=') == is_writer));
        }
        names
    }
}

/// The names that are close to the given one, the closest first.
fn close_to(wanted: &str, names: Vec<String>) -> Vec<String> {
    let input = normal(wanted);
    let length = input.chars().count();
    let least = if length > 3 { 0.834 } else { 0.77 };
    let mut close: Vec<(f64, String)> = Vec::new();
    for name in names {
        if name != wanted && distance(&normal(&name), &input) >= least && !close.iter().any(|(_, known)| *known == name)
        {
            close.push((distance(&name, &input), name));
        }
    }
    close.sort_by(|a, b| b.0.total_cmp(&a.0));
    let edits = |name: &str| levenshtein(&normal(name), &input);
    let typos: Vec<String> =
        close.iter().map(|(_, name)| name.clone()).filter(|name| edits(name) <= length.div_ceil(4)).collect();
    if !typos.is_empty() {
        return typos;
    }
    let is_misspelt = |name: &String| edits(name) < length.min(name.chars().count());
    close.into_iter().map(|(_, name)| name).find(is_misspelt).into_iter().collect()
}

fn normal(name: &str) -> String {
    name.to_lowercase().replace('@', "")
}

/// The similarity by Jaro and Winkler.
fn distance(a: &str, b: &str) -> f64 {
    let jaro = jaro(a, b);
    let prefix = a.chars().zip(b.chars()).take(4).take_while(|(a, b)| a == b).count();
    if jaro > 0.7 { jaro + prefix as f64 * 0.1 * (1.0 - jaro) } else { jaro }
}

fn jaro(a: &str, b: &str) -> f64 {
    let (mut short, mut long): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if short.len() > long.len() {
        std::mem::swap(&mut short, &mut long);
    }
    let range = if long.len() > 3 { (long.len() / 2).saturating_sub(1) } else { 0 };
    let mut taken = vec![false; long.len()];
    let mut matched = Vec::new();
    for (index, letter) in short.iter().enumerate() {
        let from = index.saturating_sub(range);
        let until = (index + range + 1).min(long.len());
        let found = (from..until).find(|at| taken.get(*at) == Some(&false) && long.get(*at) == Some(letter));
        if let Some(slot) = found.and_then(|at| taken.get_mut(at)) {
            *slot = true;
            matched.push(*letter);
        }
    }
    if matched.is_empty() {
        return 0.0;
    }
    let others = long.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(letter, _)| letter);
    let moved = matched.iter().zip(others).filter(|(a, b)| a != b).count() / 2;
    let count = matched.len() as f64;
    (count / short.len() as f64 + count / long.len() as f64 + (count - moved as f64) / count) / 3.0
}

fn levenshtein(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, letter) in a.chars().enumerate() {
        let mut next = vec![line + 1];
        for (column, other) in b.iter().enumerate() {
            let at = |index: usize| row.get(index).copied().unwrap_or_default();
            let changed = at(column) + usize::from(letter != *other);
            let left = next.last().copied().unwrap_or_default();
            next.push(changed.min(at(column + 1) + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::close_to;

    #[test]
    fn close_names_are_found() {
        let check = |wanted: &str, names: &[&str], expected: &[&str]| {
            assert_eq!(close_to(wanted, names.iter().map(ToString::to_string).collect()), expected, "{wanted}");
        };
        check("upcas", &["downcase", "upcase!", "upcase", "upto"], &["upcase", "upcase!"]);
        check("lenght", &["length", "last"], &["length"]);
        check("foo", &["floor", "to_s"], &["floor"]);
        check("xyz", &["length"], &[]);
    }
}
