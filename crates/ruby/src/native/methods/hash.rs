//! Methods of hashes.

use super::super::compare;
use super::super::interpret::Interpreter;
use super::super::method::Method;
use super::super::tree::Block;
use super::super::value::{Entries, Key, Outcome, Stop, Table, Value};

impl<'t> Interpreter<'t, '_, '_> {
    pub(super) fn hash_method(
        &mut self,
        table: &Table,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        let this = || Value::Hash(table.clone());
        Ok(match (method, args) {
            (Method::At, [key]) => table.get(&Key::of(key)?).unwrap_or_else(|| table.default()),
            (Method::KeyP | Method::HasKeyP | Method::IncludeP | Method::MemberP, [key]) => {
                Value::Boolean(table.get(&Key::of(key)?).is_some())
            }
            (Method::SetAt | Method::Store, [key, value]) => {
                let key = Key::of(key)?;
                table.change(|entries| entries.insert(key, value.clone()))?;
                value.clone()
            }
            (Method::Keys, []) => Value::array(table.pairs().into_iter().map(|(key, _)| key).collect()),
            (Method::Values, []) => Value::array(table.pairs().into_iter().map(|(_, value)| value).collect()),
            (Method::Length | Method::Size, []) => Value::count(table.len()),
            (Method::Count, []) if block.is_none() => Value::count(table.len()),
            (Method::EmptyP, []) => Value::Boolean(table.len() == 0),
            (Method::AnyP, []) if block.is_none() => Value::Boolean(table.len() > 0),
            (Method::Fetch, [key]) if block.is_none() => table.get(&Key::of(key)?).ok_or(Stop::Unsupported)?,
            (Method::Fetch, [key]) => match (table.get(&Key::of(key)?), block) {
                (None, Some(block)) => self.give(block, key.clone())?,
                (value, _) => value.unwrap_or(Value::Nil),
            },
            (Method::Fetch, [key, default]) if block.is_none() => {
                table.get(&Key::of(key)?).unwrap_or_else(|| default.clone())
            }
            (Method::Dig, [key, rest @ ..]) => {
                let value = table.get(&Key::of(key)?).unwrap_or_else(|| table.default());
                self.dig(value, rest)?
            }
            (Method::HasValueP | Method::ValueP, [wanted]) => Value::Boolean(key_of(table, wanted)?.is_some()),
            (Method::KeyOf, [wanted]) => key_of(table, wanted)?.unwrap_or(Value::Nil),
            (Method::ToH, []) if block.is_none() => this(),
            (Method::ToHash, []) => this(),
            (Method::ValuesAt, keys) => {
                let value = |key| Ok(table.get(&Key::of(key)?).unwrap_or_else(|| table.default()));
                Value::array(keys.iter().map(value).collect::<Outcome<_>>()?)
            }
            (Method::Merge, others) if block.is_none() => merge(table, others)?,
            (Method::MergeBang | Method::Update, [Value::Hash(other)]) if block.is_none() => {
                let added = other.entries()?;
                table.change(|entries| entries.extend(added))?;
                this()
            }
            (Method::Delete, [key]) if block.is_none() => {
                let key = Key::of(key)?;
                table.change(|entries| entries.shift_remove(&key))?.unwrap_or(Value::Nil)
            }
            (Method::Clear, []) => {
                table.change(Entries::clear)?;
                this()
            }
            (Method::Compact, []) => {
                let mut entries = table.entries()?;
                entries.retain(|_, value| !matches!(value, Value::Nil));
                Value::hash(entries)
            }
            (Method::Invert, []) => {
                let pairs = table.pairs().into_iter();
                Value::hash(pairs.map(|(key, value)| Ok((Key::of(&value)?, key))).collect::<Outcome<_>>()?)
            }
            (Method::Slice, keys) => {
                let mut entries = Entries::default();
                for key in keys {
                    let key = Key::of(key)?;
                    if let Some(value) = table.get(&key) {
                        entries.insert(key, value);
                    }
                }
                Value::hash(entries)
            }
            (Method::Except, keys) => {
                let mut entries = table.entries()?;
                for key in keys {
                    entries.shift_remove(&Key::of(key)?);
                }
                Value::hash(entries)
            }
            _ => match block {
                Some(block) => return self.hash_method_with_block(table, method, args, block),
                None => return self.enumerable_method(&this(), rename(method), args, None),
            },
        })
    }

    fn hash_method_with_block(&mut self, table: &Table, method: Method, args: &[Value], block: &'t Block) -> Outcome {
        let this = || Value::Hash(table.clone());
        Ok(match (method, args) {
            (Method::EachKey, []) => {
                table.hold(|| table.pairs().into_iter().try_for_each(|(key, _)| self.give(block, key).map(drop)))?;
                this()
            }
            (Method::EachValue, []) => {
                table
                    .hold(|| table.pairs().into_iter().try_for_each(|(_, value)| self.give(block, value).map(drop)))?;
                this()
            }
            (Method::Select | Method::Filter, []) => Value::hash(self.choose(table, block, true)?),
            (Method::Reject, []) => Value::hash(self.choose(table, block, false)?),
            (Method::DeleteIf | Method::KeepIf, []) => {
                table.change(|_| ())?;
                let kept = self.choose(table, block, method == Method::KeepIf)?;
                table.change(|entries| *entries = kept)?;
                this()
            }
            (Method::TransformValues, []) => {
                let mut entries = table.entries()?;
                for value in entries.values_mut() {
                    *value = self.give(block, value.clone())?;
                }
                Value::hash(entries)
            }
            (Method::TransformKeys, []) => {
                let mut entries = Entries::default();
                for (key, value) in table.pairs() {
                    let key = Key::of(&self.give(block, key)?)?;
                    entries.insert(key, value);
                }
                Value::hash(entries)
            }
            (Method::Merge, [Value::Hash(other)]) => {
                let mut entries = table.entries()?;
                for (key, value) in other.entries()? {
                    let value = match entries.get(&key) {
                        Some(own) => self.give_all(block, vec![key.value(), own.clone(), value])?,
                        None => value,
                    };
                    entries.insert(key, value);
                }
                Value::hash(entries)
            }
            _ => return self.enumerable_method(&this(), rename(method), args, Some(block)),
        })
    }

    /// The entries for which a block is true, or not.
    fn choose(&mut self, table: &Table, block: &'t Block, wanted: bool) -> Outcome<Entries> {
        table.hold(|| {
            let mut chosen = Entries::default();
            for (key, value) in table.pairs() {
                if self.give_all(block, vec![key.clone(), value.clone()])?.is_truthy() == wanted {
                    chosen.insert(Key::of(&key)?, value);
                }
            }
            Ok(chosen)
        })
    }
}

/// A hash has another name for `each`.
fn rename(method: Method) -> Method {
    if method == Method::EachPair { Method::Each } else { method }
}

fn key_of(table: &Table, wanted: &Value) -> Outcome<Option<Value>> {
    for (key, value) in table.pairs() {
        if compare::equals(&value, wanted)? {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

fn merge(table: &Table, others: &[Value]) -> Outcome {
    let mut entries = table.entries()?;
    for other in others {
        let Value::Hash(other) = other else { return Err(Stop::Unsupported) };
        entries.extend(other.entries()?);
    }
    Ok(Value::Hash(Table::with_default(entries, table.default())))
}
