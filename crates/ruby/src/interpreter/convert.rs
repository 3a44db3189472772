//! Implicit conversions, as Ruby's own methods make them of their arguments.

use std::rc::Rc;

use super::symbol::{Sym, sym};
use super::value::{Array, Hash, Str, Value};
use super::{Outcome, Vm};

impl Vm {
    /// An argument that has to be an integer.
    pub(crate) fn to_int(&mut self, value: &Value) -> Outcome<i64> {
        match value {
            Value::Int(number) => Ok(*number),
            Value::Float(number) if number.is_finite() && number.abs() < 9.2e18 => Ok(*number as i64),
            Value::Float(number) => {
                let shown = super::show::float(*number);
                if number.is_finite() {
                    let shown = shown.replace(".0e", "e");
                    return Err(self.error("RangeError", &format!("float {shown} out of range of integer")));
                }
                Err(self.error("FloatDomainError", &shown))
            }
            Value::Big(_) => Err(self.error("RangeError", "bignum too big to convert into `long'")),
            Value::Object(_) if self.responds_to(value, sym::TO_INT) => {
                let number = self.send(value, sym::TO_INT, &[])?;
                match number {
                    Value::Int(number) => Ok(number),
                    _ => Err(self.no_conversion(value, "Integer")),
                }
            }
            other => Err(self.no_conversion(other, "Integer")),
        }
    }

    /// An argument that has to be an integer as C has it.
    pub(crate) fn to_c_int(&mut self, value: &Value) -> Outcome<i32> {
        let number = self.to_int(value)?;
        i32::try_from(number).map_err(|_| {
            let size = if number > 0 { "big" } else { "small" };
            self.error("RangeError", &format!("integer {number} too {size} to convert to `int'"))
        })
    }

    /// An argument that has to be a string.
    pub(crate) fn to_str(&mut self, value: &Value) -> Outcome<Rc<Str>> {
        match value {
            Value::Str(string) => Ok(string.clone()),
            Value::Object(_) if self.responds_to(value, sym::TO_STR) => match self.send(value, sym::TO_STR, &[])? {
                Value::Str(string) => Ok(string),
                _ => Err(self.no_conversion(value, "String")),
            },
            other => Err(self.no_conversion(other, "String")),
        }
    }

    /// The text of an argument that has to be a string.
    pub(crate) fn text(&mut self, value: &Value) -> Outcome<String> {
        Ok(self.to_str(value)?.to_text())
    }

    /// Puts the bytes of a value as a string behind others.
    pub(crate) fn push_bytes(&mut self, value: &Value, into: &mut Vec<u8>) -> Outcome<()> {
        match value {
            Value::Str(string) => into.extend_from_slice(&string.bytes.borrow()),
            other => into.extend_from_slice(self.to_s(other)?.as_bytes()),
        }
        Ok(())
    }

    /// An argument that has to be an array.
    pub(crate) fn to_ary(&mut self, value: &Value) -> Outcome<Rc<Array>> {
        match value {
            Value::Array(array) => Ok(array.clone()),
            Value::Object(_) if self.responds_to(value, sym::TO_ARY) => match self.send(value, sym::TO_ARY, &[])? {
                Value::Array(array) => Ok(array),
                _ => Err(self.no_conversion(value, "Array")),
            },
            other => Err(self.no_conversion(other, "Array")),
        }
    }

    /// An argument that has to be a hash.
    pub(crate) fn to_hash(&mut self, value: &Value) -> Outcome<Rc<Hash>> {
        match value {
            Value::Hash(hash) => Ok(hash.clone()),
            Value::Object(_) if self.responds_to(value, sym::TO_HASH) => match self.send(value, sym::TO_HASH, &[])? {
                Value::Hash(hash) => Ok(hash),
                _ => Err(self.no_conversion(value, "Hash")),
            },
            other => Err(self.no_conversion(other, "Hash")),
        }
    }

    /// A name: a symbol or a string.
    pub(crate) fn name(&mut self, value: &Value) -> Outcome<Sym> {
        match value {
            Value::Sym(name) => Ok(*name),
            Value::Str(string) => self.intern(&string.to_text()),
            other => {
                let shown = self.inspect(other)?;
                Err(self.type_error(&format!("{shown} is not a symbol nor a string")))
            }
        }
    }

    /// Whether a value, counted from the end if it is negative, is within a length.
    pub(crate) fn position(&mut self, value: &Value, length: usize) -> Outcome<Option<usize>> {
        let number = self.to_int(value)?;
        Ok(from_end(number, length))
    }

    /// The start and length that a range means in something of a length.
    pub(crate) fn extent(&mut self, range: &super::value::Range, length: usize) -> Outcome<Option<(usize, usize)>> {
        let start = if range.start.is_nil() { 0 } else { self.to_int(&range.start)? };
        let end = if range.end.is_nil() { -1 } else { self.to_int(&range.end)? };
        let excludes_end = range.excludes_end && !range.end.is_nil();
        let Some(start) = from_end(start, length).filter(|start| *start <= length) else { return Ok(None) };
        let end = if end < 0 { end + length as i64 } else { end };
        let end = if excludes_end { end } else { end + 1 };
        let end = usize::try_from(end).unwrap_or(0).min(length);
        Ok(Some((start, end.saturating_sub(start))))
    }
}

/// A place, counted from the end if it is negative; nothing before the start.
pub(crate) fn from_end(number: i64, length: usize) -> Option<usize> {
    match usize::try_from(number) {
        Ok(number) => Some(number),
        Err(_) => length.checked_sub(usize::try_from(number.unsigned_abs()).ok()?),
    }
}
