//! The deep merge of the Ruby library `deep_merge`, with its surprises.

use bunraku_syntax::deep;
use std::cmp::Ordering;
use std::sync::Arc;

use bunraku_pcore::label::host_class;
use bunraku_pcore::{Array, Hash, Value, inspect};

use super::unique;
use crate::error::Error;

/// How deep values are merged; data cannot be nested deeper when it is read.
pub(super) const MAXIMUM_DEPTH: usize = 1_000;

/// The options of a deep merge.
#[derive(Debug, Clone, Default)]
pub(super) struct Deep {
    knockout_prefix: Option<String>,
    sort_merged_arrays: bool,
    merge_hash_arrays: bool,
    overwrite_arrays: bool,
    extend_existing_arrays: bool,
}

impl Deep {
    pub(super) fn from_options(options: Option<&Hash>) -> Deep {
        let is_set = |name| options.and_then(|options| options.get_str(name)).is_some_and(Value::is_truthy);
        Deep {
            knockout_prefix: options
                .and_then(|options| options.get_str("knockout_prefix"))
                .and_then(Value::as_str)
                .map(str::to_owned),
            sort_merged_arrays: is_set("sort_merged_arrays"),
            merge_hash_arrays: is_set("merge_hash_arrays"),
            overwrite_arrays: is_set("overwrite_arrays"),
            extend_existing_arrays: is_set("extend_existing_arrays"),
        }
    }

    /// Merges a source into a destination; the source wins where both cannot be had.
    pub(super) fn merge(&self, source: Value, destination: Value) -> Result<Value, Error> {
        if self.knockout_prefix.as_deref() == Some("") {
            return Err(Error::call("knockout_prefix cannot be an empty string in deep_merge!"));
        }
        self.merge_at(source, destination, 0)
    }

    pub(super) fn merge_at(&self, source: Value, destination: Value, depth: usize) -> Result<Value, Error> {
        if depth > MAXIMUM_DEPTH {
            return Err(Error::general("The values to merge are nested too deeply"));
        }
        if source.is_undef() {
            return Ok(destination);
        }
        if !destination.is_truthy() {
            return Ok(source);
        }
        match (source, destination) {
            (Value::Hash(source), Value::Hash(destination)) => self.merge_hashes(source, &destination, depth),
            (Value::Hash(source), destination) => self.hash_over(source, destination, depth),
            (Value::Array(source), destination) => self.merge_array(source, destination, depth),
            (source, Value::Array(destination)) if self.extend_existing_arrays => Ok(pushed(&destination, source)),
            (source, _) => Ok(self.overwrite(source)),
        }
    }

    fn merge_hashes(&self, source: Arc<Hash>, destination: &Hash, depth: usize) -> Result<Value, Error> {
        let mut merged = Hash::with_capacity(destination.len() + source.len());
        for (key, value) in destination.iter() {
            merged.push(key.clone(), value.clone());
        }
        for (key, value) in Arc::unwrap_or_clone(source) {
            // The destination is small while the source grows with every level: searched is only the destination.
            let Some(existing) = destination.position(&key).and_then(|position| merged.value_mut(position)) else {
                merged.push(key, self.merge_with_itself(value, depth)?);
                continue;
            };
            *existing = match existing.is_truthy() {
                true => self.merge_at(value, std::mem::take(existing), depth.saturating_add(1))?,
                false => self.merge_with_itself(value, depth)?,
            };
        }
        Ok(Value::from(merged))
    }

    /// Compatibility: a new value is merged with itself, which knocks out, sorts and removes repetitions.
    pub(super) fn merge_with_itself(&self, value: Value, depth: usize) -> Result<Value, Error> {
        if self.leaves_arrays_alone() && is_resolved(&value) {
            return Ok(value);
        }
        self.merge_at(value.clone(), value, depth.saturating_add(1))
    }

    /// Whether no option asks for more than merging.
    pub(super) fn is_plain(&self) -> bool {
        self.leaves_arrays_alone() && !self.overwrite_arrays && !self.extend_existing_arrays
    }

    /// Whether the options change nothing in arrays but repetitions.
    fn leaves_arrays_alone(&self) -> bool {
        self.knockout_prefix.is_none() && !self.sort_merged_arrays && !self.merge_hash_arrays
    }

    /// A hash over something else. The library assigns once for every entry: an empty hash changes nothing, and after the
    /// first entry the hash has taken the other's place and is merged with itself.
    fn hash_over(&self, source: Arc<Hash>, destination: Value, depth: usize) -> Result<Value, Error> {
        match destination {
            destination if source.is_empty() => Ok(destination),
            Value::Array(elements) if self.extend_existing_arrays => {
                let copies = std::iter::repeat_n(Value::Hash(Arc::clone(&source)), source.len());
                Ok(Value::array(elements.iter().cloned().chain(copies)))
            }
            _ => {
                let mut merged = Hash::clone(&source);
                for (key, value) in source.iter().skip(1) {
                    merged.insert(key.clone(), self.merge_with_itself(value.clone(), depth)?);
                }
                Ok(Value::from(merged))
            }
        }
    }

    fn merge_array(&self, source: Arc<Array>, destination: Value, depth: usize) -> Result<Value, Error> {
        if self.overwrite_arrays {
            return Ok(Value::Array(source));
        }
        let mut source = Arc::unwrap_or_clone(source);
        let mut destination = destination;
        if let Some(prefix) = self.knockout_prefix.as_deref()
            && source.iter().any(|element| element.as_str() == Some(prefix))
        {
            destination = cleared(&destination);
            source.retain(|element| element.as_str() != Some(prefix));
        }
        let Value::Array(elements) = destination else {
            return Ok(self.overwrite(Value::from(source)));
        };
        let mut elements = Arc::unwrap_or_clone(elements);
        if let Some(prefix) = self.knockout_prefix.as_deref() {
            source.retain(|element| !knock_out(element, prefix, &mut elements));
        }
        let is_all_hashes = |values: &[Value]| values.iter().all(|value| matches!(value, Value::Hash(_)));
        let merged = if self.merge_hash_arrays && is_all_hashes(&source) && is_all_hashes(&elements) {
            self.merge_by_index(source, elements, depth)?
        } else {
            unique(elements.into_iter().chain(source))
        };
        Ok(Value::from(if self.sort_merged_arrays { sort(&merged)? } else { merged }))
    }

    fn merge_by_index(&self, source: Array, elements: Array, depth: usize) -> Result<Vec<Value>, Error> {
        let mut source = source.into_iter();
        let mut merged = Vec::new();
        for element in elements {
            let over = source.next().unwrap_or_else(|| Value::from(Hash::new()));
            merged.push(self.merge_at(over, element, depth.saturating_add(1))?);
        }
        merged.extend(source);
        Ok(merged)
    }

    /// What stands where nothing can be merged: the source, unless it is knocked out.
    fn overwrite(&self, source: Value) -> Value {
        let Some(prefix) = self.knockout_prefix.as_deref() else { return source };
        match source {
            Value::String(text) if text.lines().any(|line| line.starts_with(prefix)) => Value::string(""),
            Value::Array(elements) => {
                let is_kept = |element: &&Value| !element.as_str().is_some_and(|text| text.starts_with(prefix));
                Value::array(elements.iter().filter(is_kept).cloned())
            }
            other => other,
        }
    }
}

/// Whether a merge of a value with itself gives the value, so that it need not be made.
fn is_resolved(value: &Value) -> bool {
    deep(|| match value {
        Value::Hash(hash) => hash.values().all(is_resolved),
        Value::Array(elements) => match elements.len() {
            0 | 1 => true,
            2..=16 => (1..)
                .zip(elements.iter())
                .all(|(next, element)| elements.iter().skip(next).all(|other| other != element)),
            count => unique(elements.iter().cloned()).len() == count,
        },
        _ => true,
    })
}

fn pushed(elements: &[Value], value: Value) -> Value {
    Value::array(elements.iter().cloned().chain(std::iter::once(value)))
}

/// Ruby's `clear` where there is one, else nothing.
fn cleared(value: &Value) -> Value {
    match value {
        Value::Array(_) => Value::array([]),
        Value::Hash(_) => Value::from(Hash::new()),
        Value::String(_) => Value::string(""),
        _ => Value::Undef,
    }
}

/// Removes from the elements what a source element knocks out; says whether it was such an element.
fn knock_out(element: &Value, prefix: &str, elements: &mut Vec<Value>) -> bool {
    let Some(item) = element.as_str().and_then(|text| text.strip_prefix(prefix)) else { return false };
    elements.retain(|existing| existing.as_str() != Some(item) && existing != element);
    true
}

/// Sorts numbers or texts by merging halves, as Ruby does, so that the same pair is the first that cannot be compared.
fn sort(values: &[Value]) -> Result<Vec<Value>, Error> {
    let (Some((left, right)), true) = (values.split_at_checked(values.len() / 2), values.len() > 1) else {
        return Ok(values.to_vec());
    };
    let (left, right) = (sort(left)?, sort(right)?);
    let mut sorted = Vec::with_capacity(values.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let ordering = compare(a, b).ok_or_else(|| {
            let shown = match b {
                Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => inspect::inspect(b),
                _ => host_class(b).into_owned(),
            };
            Error::call(format!("comparison of {} with {shown} failed", host_class(a)))
        })?;
        sorted.extend(if ordering == Ordering::Greater { right.next() } else { left.next() });
    }
    sorted.extend(left);
    sorted.extend(right);
    Ok(sorted)
}

#[expect(clippy::cast_precision_loss, reason = "Ruby compares as floats too")]
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Float(b)) => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Integer(b)) => a.partial_cmp(&(*b as f64)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        _ if a == b => Some(Ordering::Equal),
        _ => None,
    }
}
