//! Going over the items of a value, one after another.

use std::rc::Rc;

use num_bigint::BigInt;

use super::code::{Args, Proc};
use super::symbol::sym;
use super::value::{Array, Value};
use super::{Outcome, Stop, Vm};

/// The items that are left.
pub(crate) enum Items {
    /// An array as it is now and then: it may change on the way.
    Array(Rc<Array>, usize),
    List(std::vec::IntoIter<Value>),
    /// Integers up to a last one, or without end.
    Integers(i64, Option<i64>),
    Bigs(BigInt, BigInt),
}

impl Items {
    pub(crate) fn next(&mut self) -> Option<Value> {
        match self {
            Items::Array(array, index) => {
                let item = array.items.borrow().get(*index).cloned();
                *index += 1;
                item
            }
            Items::List(items) => items.next(),
            Items::Integers(next, last) => {
                if last.is_some_and(|last| *next > last) {
                    return None;
                }
                let item = *next;
                match next.checked_add(1) {
                    Some(following) => *next = following,
                    None => *last = Some(i64::MIN),
                }
                Some(Value::Int(item))
            }
            Items::Bigs(next, last) => {
                if next > last {
                    return None;
                }
                let item = Value::big(next.clone());
                *next += 1;
                Some(item)
            }
        }
    }
}

/// A number as an integer of any size.
pub(crate) fn to_big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some(BigInt::from(*number)),
        Value::Big(number) => Some(number.as_ref().clone()),
        _ => None,
    }
}

impl Vm {
    /// The items of anything that has `each`.
    pub(crate) fn iterate(&mut self, value: &Value) -> Outcome<Items> {
        Ok(match value {
            Value::Array(array) => Items::Array(array.clone(), 0),
            Value::Hash(hash) => {
                let entries = hash.entries.borrow();
                let pairs = entries.iter().map(|(key, value)| Value::pair(key.value.clone(), value.clone()));
                Items::List(pairs.collect::<Vec<_>>().into_iter())
            }
            Value::Range(range) => match (&range.start, &range.end) {
                (Value::Int(start), Value::Int(end)) => {
                    let last = if range.excludes_end { end.checked_sub(1) } else { Some(*end) };
                    match last {
                        Some(last) => Items::Integers(*start, Some(last)),
                        None => Items::List(Vec::new().into_iter()),
                    }
                }
                (Value::Int(start), Value::Nil) => Items::Integers(*start, None),
                (Value::Int(start), Value::Float(end)) => {
                    let whole = end.floor();
                    let last = if whole == *end && range.excludes_end { whole - 1.0 } else { whole };
                    Items::Integers(*start, (!last.is_infinite()).then_some(last as i64))
                }
                (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => {
                    let (start, end) = (to_big(&range.start), to_big(&range.end));
                    let end = if range.excludes_end { end.map(|end| end - 1) } else { end };
                    Items::Bigs(start.unwrap_or_default(), end.unwrap_or_default())
                }
                (Value::Str(start), Value::Str(end)) => {
                    let list =
                        crate::methods::succ::strings_between(&start.to_text(), &end.to_text(), range.excludes_end);
                    Items::List(list.into_iter().map(Value::from).collect::<Vec<_>>().into_iter())
                }
                (Value::Sym(start), Value::Sym(end)) => {
                    let list = crate::methods::succ::strings_between(start.as_str(), end.as_str(), range.excludes_end);
                    Items::List(list.iter().map(|name| Value::sym(name)).collect::<Vec<_>>().into_iter())
                }
                (start, _) if !matches!(start, Value::Object(_)) => {
                    let class = self.class_name(start);
                    return Err(self.type_error(&format!("can't iterate from {class}")));
                }
                (start, end) => Items::List(self.successors(start, end, range.excludes_end)?.into_iter()),
            },
            other => Items::List(self.collected(other, sym::EACH, &[])?.into_iter()),
        })
    }

    fn successors(&mut self, start: &Value, end: &Value, excludes_end: bool) -> Outcome<Vec<Value>> {
        if !self.responds_to(start, sym::SUCC) {
            let class = self.class_name(start);
            return Err(self.type_error(&format!("can't iterate from {class}")));
        }
        let mut all = Vec::new();
        let mut current = start.clone();
        loop {
            self.step()?;
            match self.compare(&current, end)? {
                Some(order) if order.is_lt() || (order.is_eq() && !excludes_end) => all.push(current.clone()),
                _ => return Ok(all),
            }
            current = self.send(&current, sym::SUCC, &[])?;
        }
    }

    /// All items of a value.
    pub(crate) fn items(&mut self, value: &Value) -> Outcome<Vec<Value>> {
        match value {
            Value::Array(array) => Ok(array.items.borrow().clone()),
            other => {
                let mut items = self.iterate(other)?;
                if matches!(items, Items::Integers(_, None)) {
                    return Err(self.error("RangeError", "cannot convert endless range to an array"));
                }
                let mut all = Vec::new();
                while let Some(item) = items.next() {
                    all.push(item);
                    self.check_size(all.len().saturating_mul(16))?;
                }
                Ok(all)
            }
        }
    }

    /// What a method gives to its block; several values become an array.
    pub(crate) fn collected(
        &mut self,
        receiver: &Value,
        name: super::symbol::Sym,
        args: &[Value],
    ) -> Outcome<Vec<Value>> {
        Ok(self.collected_up_to(receiver, name, args, usize::MAX)?.0)
    }

    /// The first items that a method gives to its block, and its own value where it has come to its end.
    pub(crate) fn collected_up_to(
        &mut self,
        receiver: &Value,
        name: super::symbol::Sym,
        args: &[Value],
        most: usize,
    ) -> Outcome<(Vec<Value>, Value)> {
        if most == 0 {
            return Ok((Vec::new(), Value::Nil));
        }
        let all: Rc<std::cell::RefCell<Vec<Value>>> = Rc::default();
        let (into, tag) = (all.clone(), self.next_serial());
        let block = Proc::native(-1, move |vm, values| {
            let mut into = into.borrow_mut();
            into.push(packed(values));
            vm.check_size(into.len().saturating_mul(16))?;
            if into.len() >= most { Err(Box::new(Stop::Break(tag, Value::Nil))) } else { Ok(Value::Nil) }
        });
        let args = Args::with_block(args, Some(&block));
        let value = match self.send_with(receiver, name, args, true).map_err(|stop| *stop) {
            Ok(value) => value,
            Err(Stop::Break(ended, value)) if ended == tag => value,
            Err(stop) => return Err(Box::new(stop)),
        };
        drop(block);
        Ok((all.take(), value))
    }
}

/// Several values as one.
pub(crate) fn packed(values: &[Value]) -> Value {
    match values {
        [one] => one.clone(),
        [] => Value::Nil,
        several => Value::array(several.to_vec()),
    }
}
