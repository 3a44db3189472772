//! Ranges, and enumerators: what a method that is not given its block would go through.

use std::rc::Rc;

use super::super::compare;
use super::super::interpret::Interpreter;
use super::super::method::Method;
use super::super::tree::Block;
use super::super::value::{Enumerator, Outcome, Range, Stop, Value};
use super::enumerable::MOST_ITEMS;
use super::size;

impl<'t> Interpreter<'t, '_, '_> {
    /// What an enumerator goes through.
    pub(super) fn enumerated(&mut self, enumerator: &Enumerator) -> Outcome<Vec<Value>> {
        let items = self.items_of(&enumerator.source)?;
        Ok(match (enumerator.method, &*enumerator.args) {
            (Method::EachWithIndex, []) => with_index(items, 0),
            (Method::EachSlice, [count]) => {
                let count = size(count).ok().filter(|count| *count > 0).ok_or(Stop::Unsupported)?;
                items.chunks(count).map(|slice| Value::array(slice.to_vec())).collect()
            }
            (Method::EachCons, [count]) => {
                let count = size(count).ok().filter(|count| *count > 0).ok_or(Stop::Unsupported)?;
                if items.len().saturating_mul(count) > MOST_ITEMS {
                    return Err(Stop::Unsupported);
                }
                items.windows(count).map(|slice| Value::array(slice.to_vec())).collect()
            }
            (Method::ReverseEach, []) => items.into_iter().rev().collect(),
            _ => items,
        })
    }

    pub(super) fn enumerator_method(
        &mut self,
        enumerator: &Rc<Enumerator>,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        let offset = match (method, args) {
            (Method::WithIndex | Method::EachWithIndex, []) => 0,
            (Method::WithIndex, [Value::Integer(offset)]) => *offset,
            _ => {
                // Only what goes through the items as they are: the rest is about the method of the enumerator.
                let is_plain = !matches!(enumerator.method, Method::Select | Method::Filter | Method::Reject);
                let is_reader = matches!(
                    method,
                    Method::Map
                        | Method::Collect
                        | Method::ToA
                        | Method::Select
                        | Method::Filter
                        | Method::Reject
                        | Method::FlatMap
                        | Method::Inject
                        | Method::Reduce
                        | Method::SortBy
                        | Method::Find
                        | Method::ToH
                );
                let source = Value::Enumerator(enumerator.clone());
                return match is_plain && is_reader {
                    true => self.enumerable_method(&source, method, args, block),
                    false => Err(Stop::Unsupported),
                };
            }
        };
        let items = self.enumerated(enumerator)?;
        let Some(block) = block else {
            return Ok(Value::Enumerator(Rc::new(Enumerator {
                source: Value::array(with_index(items, offset)),
                method: Method::Each,
                args: Vec::new(),
            })));
        };
        let mut results = Vec::new();
        for (item, index) in items.into_iter().zip(offset..) {
            let result = self.give_all(block, vec![item.clone(), Value::Integer(index)])?;
            match enumerator.method {
                Method::Map | Method::Collect => results.push(result),
                Method::Select | Method::Filter if result.is_truthy() => results.push(item),
                Method::Reject if !result.is_truthy() => results.push(item),
                _ => {}
            }
        }
        match enumerator.method {
            Method::Map | Method::Collect => Ok(Value::array(results)),
            Method::Select | Method::Filter | Method::Reject if matches!(enumerator.source, Value::Array(_)) => {
                Ok(Value::array(results))
            }
            Method::Each | Method::EachWithIndex => Ok(enumerator.source.clone()),
            _ => Err(Stop::Unsupported),
        }
    }

    /// The items of a range, of which there are not too many.
    pub(in super::super) fn range_items(&mut self, range: &Range) -> Outcome<Vec<Value>> {
        let too_many = |start: i64, end: i64| i128::from(end) - i128::from(start) > MOST_ITEMS as i128;
        match (&range.start, &range.end) {
            (Value::Integer(start), Value::Integer(end)) => {
                let end = if range.excludes_end { end.checked_sub(1).ok_or(Stop::Unsupported)? } else { *end };
                if too_many(*start, end) {
                    return Err(Stop::Unsupported);
                }
                Ok((*start..=end).map(Value::Integer).collect())
            }
            (Value::String(start), Value::String(end)) => {
                let (start, end) = (letter(&start.get())?, letter(&end.get())?);
                if start.is_ascii_uppercase() != end.is_ascii_uppercase() {
                    return Err(Stop::Unsupported);
                }
                let letters = (start..=end).filter(|letter| !range.excludes_end || *letter != end);
                Ok(letters.map(|letter| Value::string(letter.to_string())).collect())
            }
            _ => Err(Stop::Unsupported),
        }
    }

    pub(super) fn range_method(
        &mut self,
        range: &Rc<Range>,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        let are_integers = matches!((&range.start, &range.end), (Value::Integer(_), Value::Integer(_)));
        Ok(match (method, args) {
            (Method::Begin, []) => range.start.clone(),
            (Method::End, []) => range.end.clone(),
            (Method::First, []) if !matches!(range.start, Value::Nil) => range.start.clone(),
            (Method::Last, []) if !matches!(range.end, Value::Nil) => range.end.clone(),
            (Method::IncludeP | Method::MemberP | Method::CoverP, [value @ (Value::Integer(_) | Value::Float(_))]) => {
                Value::Boolean(compare::covers(range, value)?)
            }
            (Method::Size, []) if are_integers => Value::count(self.range_items(range)?.len()),
            (Method::Step, [Value::Integer(step)]) if are_integers && *step > 0 => {
                let step = usize::try_from(*step).map_err(|_| Stop::Unsupported)?;
                let Some(block) = block else { return Err(Stop::Unsupported) };
                for item in self.range_items(range)?.into_iter().step_by(step) {
                    self.give(block, item)?;
                }
                Value::Range(range.clone())
            }
            _ => return self.enumerable_method(&Value::Range(range.clone()), method, args, block),
        })
    }
}

fn with_index(items: Vec<Value>, offset: i64) -> Vec<Value> {
    items.into_iter().zip(offset..).map(|(item, index)| Value::pair(item, Value::Integer(index))).collect()
}

fn letter(text: &str) -> Outcome<char> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => Ok(letter),
        _ => Err(Stop::Unsupported),
    }
}
