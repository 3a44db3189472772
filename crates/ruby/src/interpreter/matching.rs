//! `case … in`: whether a value has the form of a pattern.

use super::code::Place;
use super::hash::Key;
use super::symbol::sym;
use super::tree::{CaseIn, HashRest, Node, Pattern};
use super::value::Value;
use super::{Outcome, Vm};

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
            None => {
                let only = match &*case.branches {
                    [(pattern, None, _)] => Some(pattern),
                    _ => None,
                };
                self.no_match(&subject, only)
            }
        }
    }

    fn no_match(&mut self, subject: &Value, only: Option<&Pattern>) -> Outcome {
        let shown = self.inspect(subject)?;
        if let (Value::Hash(hash), Some(Pattern::Hash { entries, .. })) = (subject, only) {
            let missing =
                entries.iter().find(|(key, ..)| !hash.entries.borrow().contains_key(&Key::plain(Value::Sym(*key))));
            if let Some((key, ..)) = missing {
                let key = self.inspect(&Value::Sym(*key))?;
                return Err(self.error("NoMatchingPatternKeyError", &format!("{shown}: key not found: {key}")));
            }
        }
        Err(self.error("NoMatchingPatternError", &shown))
    }

    pub(super) fn match_one(&mut self, value: &Node, pattern: &Pattern, asks: bool, at: Place<'_>) -> Outcome {
        let value = self.eval(value, at)?;
        let fits = self.has_form(pattern, &value, at)?;
        match (asks, fits) {
            (true, fits) => Ok(Value::Bool(fits)),
            (false, true) => Ok(Value::Nil),
            (false, false) => self.no_match(&value, Some(pattern)),
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
                let hash = match value {
                    Value::Hash(hash) => hash.clone(),
                    Value::Object(_) if self.responds_to(value, sym::DECONSTRUCT_KEYS) => {
                        let wanted = match rest {
                            HashRest::Ignored | HashRest::Refused => {
                                Value::array(entries.iter().map(|(key, ..)| Value::Sym(*key)).collect())
                            }
                            _ => Value::Nil,
                        };
                        match self.send(value, sym::DECONSTRUCT_KEYS, &[wanted])? {
                            Value::Hash(hash) => hash,
                            _ => return Ok(false),
                        }
                    }
                    _ => return Ok(false),
                };
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
