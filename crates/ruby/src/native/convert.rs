//! Values of Puppet as Ruby sees them, and back.

use std::sync::Arc;

use bunraku_pcore::{Hash, Value as PuppetValue};
use bunraku_syntax::deep;

use super::pattern::Pattern;
use super::value::{List, Outcome, Stop, Table, Text, Value, Walk};

impl Value {
    /// A value of Puppet as Ruby sees it.
    pub(super) fn from_puppet(value: &PuppetValue) -> Value {
        match value {
            PuppetValue::Undef => Value::Nil,
            PuppetValue::Boolean(value) => Value::Boolean(*value),
            PuppetValue::Integer(value) => Value::Integer(*value),
            PuppetValue::Float(value) if value.is_finite() => Value::Float(*value),
            PuppetValue::String(text) => Value::String(Text::given(text.clone())),
            PuppetValue::Default => Value::Symbol("default".into()),
            PuppetValue::Symbol(name) => Value::Symbol(name.clone()),
            PuppetValue::Array(items) => Value::Array(List::Given(items.clone())),
            PuppetValue::Hash(hash) => Value::Hash(Table::Given(hash.clone())),
            PuppetValue::Regexp(regexp) => {
                Pattern::of(regexp.clone()).map_or(Value::Foreign(value.clone()), Value::Regexp)
            }
            other => Value::Foreign(other.clone()),
        }
    }

    /// The value as Puppet sees it.
    pub(super) fn to_puppet(&self) -> Outcome<PuppetValue> {
        self.puppet_within(&mut Walk::default())
    }

    fn puppet_within(&self, walk: &mut Walk) -> Outcome<PuppetValue> {
        deep(|| {
            Ok(match self {
                Value::Nil => PuppetValue::Undef,
                Value::Boolean(value) => PuppetValue::Boolean(*value),
                Value::Integer(value) => PuppetValue::Integer(*value),
                Value::Float(value) if value.is_finite() => PuppetValue::Float(*value),
                Value::String(text) => PuppetValue::String(text.get()),
                Value::Symbol(name) if name == "undef" => PuppetValue::Undef,
                Value::Symbol(name) if name == "default" => PuppetValue::Default,
                Value::Symbol(name) => PuppetValue::Symbol(name.clone()),
                Value::Array(List::Given(items)) => PuppetValue::Array(items.clone()),
                Value::Array(list) => {
                    let convert = |walk: &mut Walk| list.items().iter().map(|item| item.puppet_within(walk)).collect();
                    PuppetValue::from(walk.inside::<Vec<_>>(list.len(), convert)?)
                }
                Value::Hash(Table::Given(hash)) => PuppetValue::Hash(hash.clone()),
                Value::Hash(table) => PuppetValue::Hash(Arc::new(walk.inside(table.len(), |walk| {
                    let mut hash = Hash::with_capacity(table.len());
                    for (key, value) in table.pairs() {
                        hash.insert(key.puppet_within(walk)?, value.puppet_within(walk)?);
                    }
                    Ok(hash)
                })?)),
                Value::Foreign(value) => value.clone(),
                _ => return Err(Stop::Unsupported),
            })
        })
    }

    /// A copy of which lists and hashes can be changed, down to the innermost. Texts of Puppet are mostly frozen.
    pub(super) fn own_copy(&self) -> Outcome {
        self.copy_within(&mut Walk::default())
    }

    fn copy_within(&self, walk: &mut Walk) -> Outcome {
        deep(|| {
            Ok(match self {
                Value::Array(list) => {
                    let copy = |walk: &mut Walk| list.items().iter().map(|item| item.copy_within(walk)).collect();
                    Value::array(walk.inside(list.len(), copy)?)
                }
                Value::Hash(table) => walk.inside(table.len(), |walk| {
                    let mut entries = table.entries()?;
                    for value in entries.values_mut() {
                        *value = value.copy_within(walk)?;
                    }
                    Ok(Value::hash(entries))
                })?,
                other => other.clone(),
            })
        })
    }
}
