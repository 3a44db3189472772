//! `Did you mean?`: the names that a message about an unknown one suggests, by the rules of Ruby's own library for that.

use super::symbol::{Sym, sym};
use super::value::Value;
use super::{Outcome, Vm};

/// The public methods of Ruby's own classes in Ruby's order, a line for each class: which of equally close names comes
/// first depends on it.
const NAMES: &str = include_str!("../methods/names.txt");

/// Words of the language that may be meant by a name.
const WORDS: &str = "BEGIN END alias and begin break case class def defined? do else elsif end ensure false for module \
                     next nil not redo rescue retry return self super then true undef unless until when while yield \
                     __LINE__ __FILE__ __ENCODING__";

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
            ("KeyError", Some(receiver)) if self.responds_to(&receiver, Sym::new("keys")) => {
                let key = exception.variable(sym::HIDDEN_KEY).unwrap_or(Value::Nil);
                let wanted = self.to_s(&key)?;
                let keys = self.send(&receiver, Sym::new("keys"), &[])?;
                let mut names = Vec::new();
                for key in self.items(&keys)? {
                    names.push(self.to_s(&key)?);
                }
                close_to(&wanted, names).iter().map(|name| super::show::inspect_text(name)).collect()
            }
            // Methods of nil are never meant.
            ("NoMethodError", Some(Value::Nil)) => Vec::new(),
            ("NoMethodError", Some(receiver)) => {
                let Some(Value::Sym(name)) = exception.variable(sym::HIDDEN_NAME) else { return Ok(String::new()) };
                close_to(name.as_str(), self.public_names(&receiver))
            }
            ("NameError", Some(receiver)) if exception.variable(sym::HIDDEN_KEY).is_some() => {
                let Some(Value::Sym(name)) = exception.variable(sym::HIDDEN_KEY) else { return Ok(String::new()) };
                let members = self.struct_members(&receiver);
                close_to(name.as_str(), members.iter().map(|member| member.as_str().to_owned()).collect())
            }
            ("NameError", Some(receiver)) if !is_constant(exception) => {
                let Some(Value::Sym(name)) = exception.variable(sym::HIDDEN_NAME) else { return Ok(String::new()) };
                let mut names: Vec<String> = WORDS.split_ascii_whitespace().map(str::to_owned).collect();
                if let Some(Value::Array(locals)) = exception.variable(sym::HIDDEN_LOCALS) {
                    for local in locals.items.borrow().iter() {
                        names.push(self.to_s(local)?);
                    }
                }
                names.extend(self.public_names(&receiver));
                names.extend(self.variable_names(&receiver));
                close_to(name.as_str(), names)
            }
            ("NameError", Some(Value::Class(class))) => {
                let Some(Value::Sym(name)) = exception.variable(sym::HIDDEN_NAME) else { return Ok(String::new()) };
                let message = match exception.variable(sym::HIDDEN_MESSAGE) {
                    Some(message) => self.to_s(&message)?,
                    None => String::new(),
                };
                let own = class.constants.borrow().keys().map(|name| name.as_str().to_owned()).collect::<Vec<_>>();
                let top =
                    self.core.object.constants.borrow().keys().map(|it| it.as_str().to_owned()).collect::<Vec<_>>();
                let close = close_to(name.as_str(), [own, top, crate::library::provided()].concat());
                // What the message says already is not said again.
                close.into_iter().filter(|name| !message.contains(name.as_str())).collect()
            }
            _ => Vec::new(),
        };
        Ok(match found.is_empty() {
            true => String::new(),
            false => format!("\nDid you mean?  {}", found.join("\n               ")),
        })
    }

    fn variable_names(&self, receiver: &Value) -> Vec<String> {
        match receiver {
            Value::Object(object) => {
                let variables = object.variables.borrow();
                variables.keys().map(|name| name.as_str().to_owned()).filter(|name| name.starts_with('@')).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names of the public methods of an object.
    fn public_names(&self, receiver: &Value) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for class in self.class_of(receiver).ancestors() {
            if let Some(name) = &*class.name.borrow() {
                let line = NAMES.lines().find_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(' '));
                names.extend(line.into_iter().flat_map(|line| line.split(' ')).map(str::to_owned));
            }
            let methods = class.methods.borrow();
            let order = class.order.borrow();
            let public = order
                .iter()
                .filter(|name| methods.get(name).is_some_and(|method| method.visibility == super::Visibility::Public));
            // What a class of Ruby's own has here and elsewhere in Ruby is named there.
            let is_known = |name: &str| NAMES.split([' ', '\n']).any(|known| known == name);
            names.extend(public.map(|name| name.as_str().to_owned()).filter(|name| !is_known(name)));
        }
        names
    }
}

fn is_constant(exception: &Value) -> bool {
    matches!(exception.variable(sym::HIDDEN_NAME), Some(Value::Sym(name)) if name.as_str().starts_with(char::is_uppercase))
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
    // Compatibility: of names equally close the last one comes first.
    close.sort_by(|a, b| a.0.total_cmp(&b.0));
    close.reverse();
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
