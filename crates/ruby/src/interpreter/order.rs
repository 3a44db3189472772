//! How values compare, and what makes them keys of a hash.

use std::cmp::Ordering;
use std::rc::Rc;

use super::class::Body;
use super::hash::Key;
use super::iterate::to_big;
use super::symbol::sym;
use super::value::{Str, Value};
use super::{Outcome, Vm};

impl Vm {
    /// `a <=> b`; nothing if they do not compare.
    pub(crate) fn compare(&mut self, a: &Value, b: &Value) -> Outcome<Option<Ordering>> {
        Ok(match (a, b) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Str(a), Value::Str(b)) => Some(a.bytes.borrow().cmp(&b.bytes.borrow())),
            (Value::Sym(a), Value::Sym(b)) => Some(a.as_str().cmp(b.as_str())),
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
            (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => Some(to_big(a).cmp(&to_big(b))),
            (Value::Int(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
            (Value::Float(a), Value::Int(b)) => a.partial_cmp(&(*b as f64)),
            (Value::Big(_), Value::Float(b)) => float_of(a).partial_cmp(b),
            (Value::Float(a), Value::Big(_)) => a.partial_cmp(&float_of(b)),
            (Value::Nil, Value::Nil) => Some(Ordering::Equal),
            (Value::Bool(a), Value::Bool(b)) => (a == b).then_some(Ordering::Equal),
            (Value::Array(a), Value::Array(b)) => {
                let (a, b) = (a.items.borrow().clone(), b.items.borrow().clone());
                return self.deeper(|vm| {
                    for (a, b) in a.iter().zip(&b) {
                        match vm.compare(a, b)? {
                            Some(Ordering::Equal) => {}
                            other => return Ok(other),
                        }
                    }
                    Ok(Some(a.len().cmp(&b.len())))
                });
            }
            (Value::Class(x), Value::Class(y)) => match (x.is_below(y), y.is_below(x)) {
                (true, true) => Some(Ordering::Equal),
                (true, false) => Some(Ordering::Less),
                (false, true) => Some(Ordering::Greater),
                _ => None,
            },
            (Value::Object(_), _) => self.compare_by_method(a, b)?,
            (Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Str(_), Value::Object(_)) => {
                if !self.responds_to(b, sym::COMPARE) {
                    return Ok(None);
                }
                self.compare_by_method(b, a)?.map(Ordering::reverse)
            }
            _ => a.is_same(b).then_some(Ordering::Equal),
        })
    }

    fn compare_by_method(&mut self, a: &Value, b: &Value) -> Outcome<Option<Ordering>> {
        let answer = self.send(a, sym::COMPARE, std::slice::from_ref(b))?;
        Ok(match answer {
            Value::Int(number) => Some(number.cmp(&0)),
            Value::Float(number) => number.partial_cmp(&0.0),
            Value::Big(number) => Some(number.as_ref().cmp(&num_bigint::BigInt::default())),
            _ => None,
        })
    }

    /// `a <=> b`, or Ruby's complaint that they do not compare.
    pub(crate) fn ordered(&mut self, a: &Value, b: &Value) -> Outcome<Ordering> {
        match self.compare(a, b)? {
            Some(order) => Ok(order),
            None => Err(self.not_comparable(a, b)),
        }
    }

    pub(crate) fn not_comparable(&mut self, a: &Value, b: &Value) -> Box<super::Stop> {
        let shown = match b {
            Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Sym(_) => self.inspect(b),
            other => Ok(self.class_name(other)),
        };
        let class = self.class_name(a);
        match shown {
            Ok(shown) => self.argument_error(&format!("comparison of {class} with {shown} failed")),
            Err(stop) => stop,
        }
    }

    /// What a block answers that compares two values.
    pub(crate) fn order_from(&mut self, answer: &Value, a: &Value, b: &Value) -> Outcome<Ordering> {
        match answer {
            Value::Int(number) => Ok(number.cmp(&0)),
            Value::Float(number) => Ok(number.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
            Value::Nil => Err(self.not_comparable(a, b)),
            other => {
                for (name, order) in [(">", Ordering::Greater), ("<", Ordering::Less)] {
                    if self.send(other, super::symbol::Sym::new(name), &[Value::Int(0)])?.is_truthy() {
                        return Ok(order);
                    }
                }
                Ok(Ordering::Equal)
            }
        }
    }

    /// Sorts by a comparison that may fail; the order of equals is kept. What is compared with what is seen by blocks and
    /// in messages: halves are sorted and merged as Ruby's C library does.
    pub(crate) fn sort_by_order(
        &mut self,
        items: &mut [Value],
        mut order: impl FnMut(&mut Vm, &Value, &Value) -> Outcome<Ordering>,
    ) -> Outcome<()> {
        self.merge_sort(items, &mut order)
    }

    fn merge_sort(
        &mut self,
        items: &mut [Value],
        order: &mut impl FnMut(&mut Vm, &Value, &Value) -> Outcome<Ordering>,
    ) -> Outcome<()> {
        if items.len() < 2 {
            return Ok(());
        }
        let mut merged = Vec::with_capacity(items.len());
        let (first, second) = items.split_at_mut(items.len() / 2);
        self.merge_sort(first, order)?;
        self.merge_sort(second, order)?;
        let (mut left, mut right) = (first.iter().peekable(), second.iter().peekable());
        while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
            let is_first = order(self, one, other)?.is_le();
            merged.extend(if is_first { left.next() } else { right.next() }.cloned());
        }
        // What is left of the second half stands where it belongs.
        merged.extend(left.cloned());
        for (place, item) in items.iter_mut().zip(merged) {
            *place = item;
        }
        Ok(())
    }

    /// A value as a key that is looked for.
    pub(crate) fn key(&mut self, value: &Value) -> Outcome<Key> {
        let Value::Object(_) = value else { return Ok(Key::plain(value.clone())) };
        let class = self.class_of(value);
        match self.find_method(&class, sym::HASH).map(|method| method.body.clone()) {
            Some(Body::Native(_)) | None => Ok(Key::plain(value.clone())),
            _ => {
                let number = match self.send(value, sym::HASH, &[])? {
                    Value::Int(number) => Some(number),
                    _ => None,
                };
                Ok(Key { value: value.clone(), number })
            }
        }
    }

    /// A value as a key that is looked for in a hash.
    pub(crate) fn key_in(&mut self, hash: &super::value::Hash, value: &Value) -> Outcome<Key> {
        if !hash.by_identity.get() {
            return self.key(value);
        }
        let number = match value.address() {
            Some(address) => i64::try_from(address).unwrap_or_default(),
            None => {
                use std::hash::Hasher;
                let mut state = rustc_hash::FxHasher::default();
                super::hash::hash(value, &mut state, 0);
                // Addresses are even.
                (state.finish() as i64) | 1
            }
        };
        Ok(Key { value: value.clone(), number: Some(number) })
    }

    /// A value as a key that is added: strings are copied and frozen.
    pub(crate) fn key_to_add(&mut self, value: &Value) -> Outcome<Key> {
        match value {
            Value::Str(string) if !string.head.frozen.get() => {
                let copy = Str::new(string.bytes.borrow().clone());
                copy.encoding.set(string.encoding.get());
                copy.head.frozen.set(true);
                Ok(Key::plain(Value::Str(Rc::new(copy))))
            }
            other => self.key(other),
        }
    }
}

/// A number as a float.
pub(crate) fn float_of(value: &Value) -> f64 {
    match value {
        Value::Int(number) => *number as f64,
        Value::Float(number) => *number,
        // Of an integer that is too large nothing is left but its sign.
        Value::Big(number) => number.to_string().parse().unwrap_or(f64::INFINITY),
        _ => 0.0,
    }
}
