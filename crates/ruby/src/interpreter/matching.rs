//! `case … in`: whether a value has the form of a pattern.

use std::rc::Rc;

use super::code::Place;
use super::hash::Key;
use super::symbol::sym;
use super::tree::{CaseIn, HashEntry, HashRest, Node, Pattern};
use super::value::{Hash, Value};
use super::{Outcome, Vm};

/// Why a value does not have a form.
enum Misfit {
    /// A key is missing, which is an error of its own.
    Key(String),
    Other(String),
}

impl Vm {
    pub(super) fn case_in(&mut self, case: &CaseIn, at: Place<'_>) -> Outcome {
        let subject = self.eval(&case.subject, at)?;
        for (pattern, guard, body) in &case.branches {
            if !self.has_form(pattern, &subject, at)? {
                continue;
            }
            let is_wanted = match guard {
                Some(guard) => self.eval(guard, at)?.is_truthy(),
                None => true,
            };
            if is_wanted {
                return self.eval(body, at);
            }
        }
        match &case.otherwise {
            Some(otherwise) => self.eval(otherwise, at),
            None => match &*case.branches {
                [(pattern, _, _)] => self.no_match(&subject, Some(pattern), at),
                _ => self.no_match(&subject, None, at),
            },
        }
    }

    /// Raises what is said where no pattern fits; of a lone pattern it says why.
    fn no_match(&mut self, subject: &Value, only: Option<&Pattern>, at: Place<'_>) -> Outcome {
        let shown = self.inspect(subject)?;
        let Some(pattern) = only else { return Err(self.error("NoMatchingPatternError", &shown)) };
        let (class, why) = match self.misfit(pattern, subject, at)? {
            Some(Misfit::Key(why)) => ("NoMatchingPatternKeyError", why),
            Some(Misfit::Other(why)) => ("NoMatchingPatternError", why),
            None => ("NoMatchingPatternError", "guard clause does not return true".to_owned()),
        };
        Err(self.error(class, &format!("{shown}: {why}")))
    }

    /// Why a value does not have the form of a pattern; nothing if it has.
    fn misfit(&mut self, pattern: &Pattern, value: &Value, at: Place<'_>) -> Outcome<Option<Misfit>> {
        let other = |text: String| Ok(Some(Misfit::Other(text)));
        let shown = self.inspect(value)?;
        if let Pattern::Array { constant: Some(node), .. }
        | Pattern::Find { constant: Some(node), .. }
        | Pattern::Hash { constant: Some(node), .. }
        | Pattern::Value(node) = pattern
        {
            let wanted = self.eval(node, at)?;
            if !self.case_equals(&wanted, value, at)? {
                let wanted = self.inspect(&wanted)?;
                return other(format!("{wanted} === {shown} does not return true"));
            }
        }
        match pattern {
            Pattern::Value(_) | Pattern::Bind(..) => Ok(None),
            Pattern::Capture(inner, ..) => self.misfit(inner, value, at),
            Pattern::Either(left, right) => match self.has_form(left, value, at)? {
                true => Ok(None),
                false => self.misfit(right, value, at),
            },
            Pattern::Array { first, rest, last, .. } => {
                let Some(items) = self.parts_of(value)? else {
                    return other(format!("{shown} does not respond to #deconstruct"));
                };
                let fixed = first.len() + last.len();
                let fits = items.len() == fixed || (rest.is_some() && items.len() > fixed);
                if !fits {
                    let (given, more) = (items.len(), if rest.is_some() { "+" } else { "" });
                    return other(format!("{shown} length mismatch (given {given}, expected {fixed}{more})"));
                }
                let tail = items.get(items.len() - last.len()..).unwrap_or_default();
                for (pattern, item) in first.iter().zip(&items).chain(last.iter().zip(tail)) {
                    if let Some(misfit) = self.misfit(pattern, item, at)? {
                        return Ok(Some(misfit));
                    }
                }
                Ok(None)
            }
            Pattern::Find { middle, .. } => match self.parts_of(value)? {
                None => other(format!("{shown} does not respond to #deconstruct")),
                Some(items) if items.len() < middle.len() => {
                    other(format!("{shown} length mismatch (given {}, expected {}+)", items.len(), middle.len()))
                }
                Some(_) if self.has_form(pattern, value, at)? => Ok(None),
                Some(_) => other(format!("{shown} does not match to find pattern")),
            },
            Pattern::Hash { constant, entries, rest } => {
                let Some(hash) = self.keys_of(value, entries, rest)? else {
                    return other(format!("{shown} does not respond to #deconstruct_keys"));
                };
                let mut left = hash.entries.borrow().clone();
                if entries.is_empty() && matches!(rest, HashRest::Ignored) && !left.is_empty() && constant.is_none() {
                    return other(format!("{shown} is not empty"));
                }
                for (key, inner, _) in entries {
                    let Some(found) = left.shift_remove(&Key::plain(Value::Sym(*key))) else {
                        let key = self.inspect(&Value::Sym(*key))?;
                        return Ok(Some(Misfit::Key(format!("key not found: {key}"))));
                    };
                    if let Some(inner) = inner
                        && let Some(misfit) = self.misfit(inner, &found, at)?
                    {
                        return Ok(Some(misfit));
                    }
                }
                if matches!(rest, HashRest::Refused) && !left.is_empty() {
                    let left = self.inspect(&Value::hash(left))?;
                    return other(format!("rest of {left} is not empty"));
                }
                Ok(None)
            }
        }
    }

    /// The keys and values of something that a pattern of a hash is compared with.
    fn keys_of(&mut self, value: &Value, entries: &[HashEntry], rest: &HashRest) -> Outcome<Option<Rc<Hash>>> {
        Ok(match value {
            Value::Hash(hash) => Some(hash.clone()),
            Value::Object(_) if self.responds_to(value, sym::DECONSTRUCT_KEYS) => {
                let wanted = match rest {
                    HashRest::Ignored | HashRest::Refused => {
                        Value::array(entries.iter().map(|(key, ..)| Value::Sym(*key)).collect())
                    }
                    HashRest::Bound(..) => Value::Nil,
                };
                match self.send(value, sym::DECONSTRUCT_KEYS, &[wanted])? {
                    Value::Hash(hash) => Some(hash),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    pub(super) fn match_one(&mut self, value: &Node, pattern: &Pattern, asks: bool, at: Place<'_>) -> Outcome {
        let value = self.eval(value, at)?;
        let fits = self.has_form(pattern, &value, at)?;
        match (asks, fits) {
            (true, fits) => Ok(Value::Bool(fits)),
            (false, true) => Ok(Value::Nil),
            (false, false) => self.no_match(&value, Some(pattern), at),
        }
    }

    fn is_of(&mut self, constant: Option<&Node>, value: &Value, at: Place<'_>) -> Outcome<bool> {
        match constant {
            None => Ok(true),
            Some(constant) => {
                let constant = self.eval(constant, at)?;
                self.case_equals(&constant, value, at)
            }
        }
    }

    fn parts_of(&mut self, value: &Value) -> Outcome<Option<Vec<Value>>> {
        Ok(match value {
            Value::Array(array) => Some(array.items.borrow().clone()),
            Value::Object(_) if self.responds_to(value, sym::DECONSTRUCT) => {
                match self.send(value, sym::DECONSTRUCT, &[])? {
                    Value::Array(array) => Some(array.items.borrow().clone()),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    fn all_have_form(&mut self, patterns: &[Pattern], values: &[Value], at: Place<'_>) -> Outcome<bool> {
        for (pattern, value) in patterns.iter().zip(values) {
            if !self.has_form(pattern, value, at)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_form(&mut self, pattern: &Pattern, value: &Value, at: Place<'_>) -> Outcome<bool> {
        match pattern {
            Pattern::Value(node) => {
                let wanted = self.eval(node, at)?;
                self.case_equals(&wanted, value, at)
            }
            Pattern::Bind(depth, slot) => {
                at.locals.set(*depth, *slot, value.clone());
                Ok(true)
            }
            Pattern::Capture(inner, depth, slot) => {
                let fits = self.has_form(inner, value, at)?;
                if fits {
                    at.locals.set(*depth, *slot, value.clone());
                }
                Ok(fits)
            }
            Pattern::Either(left, right) => Ok(self.has_form(left, value, at)? || self.has_form(right, value, at)?),
            Pattern::Array { constant, first, rest, last } => {
                if !self.is_of(constant.as_ref(), value, at)? {
                    return Ok(false);
                }
                let Some(items) = self.parts_of(value)? else { return Ok(false) };
                let fixed = first.len() + last.len();
                if items.len() < fixed || (rest.is_none() && items.len() != fixed) {
                    return Ok(false);
                }
                let (head, others) = items.split_at(first.len());
                let (middle, tail) = others.split_at(others.len() - last.len());
                if !self.all_have_form(first, head, at)? || !self.all_have_form(last, tail, at)? {
                    return Ok(false);
                }
                if let Some(Some((depth, slot))) = rest {
                    at.locals.set(*depth, *slot, Value::array(middle.to_vec()));
                }
                Ok(true)
            }
            Pattern::Find { constant, before, middle, after } => {
                if !self.is_of(constant.as_ref(), value, at)? {
                    return Ok(false);
                }
                let Some(items) = self.parts_of(value)? else { return Ok(false) };
                for start in 0..=items.len().saturating_sub(middle.len()) {
                    let (head, others) = items.split_at(start);
                    if others.len() < middle.len() || !self.all_have_form(middle, others, at)? {
                        continue;
                    }
                    let tail = others.get(middle.len()..).unwrap_or_default();
                    for (place, values) in [(before, head), (after, tail)] {
                        if let Some((depth, slot)) = place {
                            at.locals.set(*depth, *slot, Value::array(values.to_vec()));
                        }
                    }
                    return Ok(true);
                }
                Ok(false)
            }
            Pattern::Hash { constant, entries, rest } => {
                if !self.is_of(constant.as_ref(), value, at)? {
                    return Ok(false);
                }
                let Some(hash) = self.keys_of(value, entries, rest)? else { return Ok(false) };
                let mut left = hash.entries.borrow().clone();
                if entries.is_empty() && matches!(rest, HashRest::Ignored) && !left.is_empty() && constant.is_none() {
                    return Ok(false);
                }
                for (key, inner, place) in entries {
                    let Some(found) = left.shift_remove(&Key::plain(Value::Sym(*key))) else { return Ok(false) };
                    if let Some((depth, slot)) = place {
                        at.locals.set(*depth, *slot, found.clone());
                    }
                    if let Some(inner) = inner
                        && !self.has_form(inner, &found, at)?
                    {
                        return Ok(false);
                    }
                }
                match rest {
                    HashRest::Ignored => Ok(true),
                    HashRest::Refused => Ok(left.is_empty()),
                    HashRest::Bound(depth, slot) => {
                        at.locals.set(*depth, *slot, Value::hash(left));
                        Ok(true)
                    }
                }
            }
        }
    }
}
