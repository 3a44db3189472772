//! Methods of lists that leave them as they are.

use super::super::compare;
use super::super::interpret::{Interpreter, LONGEST};
use super::super::method::Method;
use super::super::show;
use super::super::tree::Block;
use super::super::value::{Entries, Key, List, Outcome, Range, Stop, Value, Walk};
use super::enumerable::{MOST_ITEMS, bounded};
use super::size;
use bunraku_syntax::deep;

/// Items that are compared one by one with each other are left to Ruby if there are more than this.
const MOST_PAIRWISE: usize = 1000;

impl<'t> Interpreter<'t, '_, '_> {
    pub(super) fn array_method(
        &mut self,
        list: &List,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        if let Some(value) = self.changing_method(list, method, args, block)? {
            return Ok(value);
        }
        Ok(match (method, args) {
            (Method::At | Method::Slice | Method::AtIndex, [Value::Integer(index)]) => list.at(*index),
            (Method::At | Method::Slice, [Value::Integer(start), Value::Integer(length)]) => {
                sublist(list, *start, *length)
            }
            (Method::At | Method::Slice, [Value::Range(range)]) => {
                let bounds = bounds(range, list.len())?;
                bounds.map_or(Value::Nil, |(start, length)| sublist(list, start, length))
            }
            (Method::First, []) => list.at(0),
            (Method::Last, []) => list.at(-1),
            (Method::Last, [count]) => {
                let items = list.items();
                Value::array(items.iter().skip(items.len().saturating_sub(size(count)?)).cloned().collect())
            }
            (Method::Length | Method::Size, []) => Value::count(list.len()),
            (Method::EmptyP, []) => Value::Boolean(list.len() == 0),
            (Method::AnyP, []) => Value::Boolean(list.items().iter().any(Value::is_truthy)),
            (Method::Join, []) => Value::string(join(list, "")?),
            (Method::Join, [Value::Nil]) => Value::string(join(list, "")?),
            (Method::Join, [Value::String(separator)]) => Value::string(join(list, &separator.get())?),
            (Method::ToA | Method::ToAry, []) => Value::Array(list.clone()),
            (Method::Reverse, []) => Value::array(list.items().into_iter().rev().collect()),
            (Method::Compact, []) => Value::array(without_nil(list)),
            (Method::Flatten, []) => Value::array(flatten(list, None)?),
            (Method::Flatten, [depth]) => Value::array(flatten(list, Some(size(depth)?))?),
            (Method::Uniq, []) => Value::array(unique(list.items())?),
            (Method::Add, [Value::Array(other)]) => bounded([list.items(), other.items()].concat())?,
            (Method::Or, [Value::Array(other)]) => Value::array(unique([list.items(), other.items()].concat())?),
            (Method::Subtract, [Value::Array(other)]) => Value::array(select_in(list.items(), other, false)?),
            (Method::And, [Value::Array(other)]) => Value::array(unique(select_in(list.items(), other, true)?)?),
            (Method::Multiply, [Value::String(separator)]) => Value::string(join(list, &separator.get())?),
            (Method::Multiply, [count]) => {
                let count = size(count)?;
                if list.len().saturating_mul(count) > MOST_ITEMS {
                    return Err(Stop::Unsupported);
                }
                Value::array(std::iter::repeat_n(list.items(), count).flatten().collect())
            }
            (Method::Compare, [other @ Value::Array(_)]) => {
                let order = compare::compare(&Value::Array(list.clone()), other)?;
                order.map_or(Value::Nil, |order| Value::Integer(order as i64))
            }
            (Method::Rotate, []) => rotate(list, 1)?,
            (Method::Rotate, [Value::Integer(count)]) => rotate(list, *count)?,
            (Method::Fetch, [Value::Integer(index)]) if block.is_none() && in_bounds(list, *index) => list.at(*index),
            (Method::Fetch, [Value::Integer(index), default]) if block.is_none() => {
                if in_bounds(list, *index) {
                    list.at(*index)
                } else {
                    default.clone()
                }
            }
            (Method::ValuesAt, _) => {
                let value = |index: &Value| match index {
                    Value::Integer(index) => Ok(list.at(*index)),
                    _ => Err(Stop::Unsupported),
                };
                Value::array(args.iter().map(value).collect::<Outcome<_>>()?)
            }
            (Method::Dig, [first, rest @ ..]) => {
                let Value::Integer(index) = first else { return Err(Stop::Unsupported) };
                self.dig(list.at(*index), rest)?
            }
            (Method::Index | Method::FindIndex, [wanted]) => {
                for (index, item) in list.items().iter().enumerate() {
                    if compare::equals(item, wanted)? {
                        return Ok(Value::count(index));
                    }
                }
                Value::Nil
            }
            (Method::Index, []) if block.is_some() => {
                return self.array_method(list, Method::FindIndex, args, block);
            }
            (Method::Zip, _) if block.is_none() => zip(list, args)?,
            (Method::Transpose, []) => transpose(list)?,
            (Method::Product, [Value::Array(other)]) if block.is_none() => product(list, other)?,
            (Method::Assoc, [key]) => {
                for item in list.items() {
                    if let Value::Array(pair) = &item
                        && compare::equals(&pair.at(0), key)?
                    {
                        return Ok(item);
                    }
                }
                Value::Nil
            }
            (Method::EachIndex, []) => {
                let Some(block) = block else {
                    let indices = Value::array((0..list.len()).map(Value::count).collect());
                    return self.enumerable_method(&indices, Method::Each, &[], None);
                };
                for index in 0..list.len() {
                    self.give(block, Value::count(index))?;
                }
                Value::Array(list.clone())
            }
            _ => return self.enumerable_method(&Value::Array(list.clone()), method, args, block),
        })
    }

    /// The rest of `dig`.
    pub(super) fn dig(&mut self, value: Value, path: &[Value]) -> Outcome {
        match (&value, path) {
            (_, []) | (Value::Nil, _) => Ok(value),
            (Value::Array(_) | Value::Hash(_), [first, rest @ ..]) => {
                let next = self.send(&value, Method::At, std::slice::from_ref(first), None)?;
                self.dig(next, rest)
            }
            _ => Err(Stop::Unsupported),
        }
    }
}

fn in_bounds(list: &List, index: i64) -> bool {
    let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
    (-length..length).contains(&index)
}

/// Where a range of indices starts and how long it is; nothing where it starts outside.
pub(super) fn bounds(range: &Range, length: usize) -> Outcome<Option<(i64, i64)>> {
    let length = i64::try_from(length).map_err(|_| Stop::Unsupported)?;
    let position = |value: &Value, default: i64| match value {
        Value::Integer(index) if *index < 0 => index.checked_add(length).ok_or(Stop::Unsupported),
        Value::Integer(index) => Ok(*index),
        Value::Nil => Ok(default),
        _ => Err(Stop::Unsupported),
    };
    let start = position(&range.start, 0)?;
    if start < 0 || start > length {
        return Ok(None);
    }
    let end = position(&range.end, length)?;
    let end = if range.excludes_end || matches!(range.end, Value::Nil) { end } else { end.saturating_add(1) };
    Ok(Some((start, (end.min(length) - start).max(0))))
}

fn sublist(list: &List, start: i64, length: i64) -> Value {
    let total = i64::try_from(list.len()).unwrap_or(i64::MAX);
    let start = if start < 0 { start.saturating_add(total) } else { start };
    match (usize::try_from(start), usize::try_from(length)) {
        (Ok(start), Ok(length)) if start <= list.len() => {
            Value::array(list.items().into_iter().skip(start).take(length).collect())
        }
        _ => Value::Nil,
    }
}

pub(super) fn without_nil(list: &List) -> Vec<Value> {
    list.items().into_iter().filter(|item| !matches!(item, Value::Nil)).collect()
}

/// The items as text with a separator between them, those of lists inside, too.
fn join(list: &List, separator: &str) -> Outcome<String> {
    let mut text = String::new();
    join_into(list, separator, &mut text, &mut true, &mut Walk::default())?;
    Ok(text)
}

fn join_into(list: &List, separator: &str, text: &mut String, is_first: &mut bool, walk: &mut Walk) -> Outcome<()> {
    deep(|| {
        walk.inside(list.len(), |walk| {
            for item in list.items() {
                if let Value::Array(inner) = &item
                    && inner.len() > 0
                {
                    join_into(inner, separator, text, is_first, walk)?;
                    continue;
                }
                if !std::mem::take(is_first) {
                    text.push_str(separator);
                }
                if !matches!(item, Value::Array(_)) {
                    text.push_str(&show::to_s(&item)?);
                }
                if text.len() > LONGEST {
                    return Err(Stop::Unsupported);
                }
            }
            Ok(())
        })
    })
}

/// The items and those of lists inside, down to a depth.
pub(super) fn flatten(list: &List, depth: Option<usize>) -> Outcome<Vec<Value>> {
    let mut flat = Vec::new();
    flatten_into(list, depth, &mut flat, &mut Walk::default())?;
    Ok(flat)
}

fn flatten_into(list: &List, depth: Option<usize>, flat: &mut Vec<Value>, walk: &mut Walk) -> Outcome<()> {
    deep(|| {
        walk.inside(list.len(), |walk| {
            for item in list.items() {
                match item {
                    Value::Array(inner) if depth != Some(0) => {
                        flatten_into(&inner, depth.map(|depth| depth - 1), flat, walk)?;
                    }
                    item => flat.push(item),
                }
            }
            Ok(())
        })
    })
}

/// The items without those that came before.
pub(super) fn unique(items: Vec<Value>) -> Outcome<Vec<Value>> {
    let keys: Outcome<Vec<Key>> = items.iter().map(Key::of).collect();
    if let Ok(keys) = keys {
        let mut seen = Entries::default();
        for (key, item) in keys.into_iter().zip(items) {
            seen.entry(key).or_insert(item);
        }
        return Ok(seen.into_values().collect());
    }
    let mut kept: Vec<Value> = Vec::new();
    for item in items {
        if !contains(&kept, &item)? {
            kept.push(item);
        }
    }
    Ok(kept)
}

/// The items that are among others, or are not.
fn select_in(items: Vec<Value>, others: &List, wanted: bool) -> Outcome<Vec<Value>> {
    let others = others.items();
    let mut selected = Vec::new();
    for item in items {
        if contains(&others, &item)? == wanted {
            selected.push(item);
        }
    }
    Ok(selected)
}

fn contains(items: &[Value], wanted: &Value) -> Outcome<bool> {
    if items.len() > MOST_PAIRWISE || matches!(wanted, Value::Float(_)) {
        return Err(Stop::Unsupported);
    }
    for item in items {
        if matches!(item, Value::Float(_)) {
            return Err(Stop::Unsupported);
        }
        if compare::equals(item, wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn rotate(list: &List, count: i64) -> Outcome {
    let mut items = list.items();
    if !items.is_empty() {
        let length = i64::try_from(items.len()).map_err(|_| Stop::Unsupported)?;
        items.rotate_left(usize::try_from(count.rem_euclid(length)).map_err(|_| Stop::Unsupported)?);
    }
    Ok(Value::array(items))
}

fn zip(list: &List, others: &[Value]) -> Outcome {
    let lists = others.iter().map(|other| match other {
        Value::Array(list) => Ok(list.items()),
        _ => Err(Stop::Unsupported),
    });
    let lists: Vec<Vec<Value>> = lists.collect::<Outcome<_>>()?;
    let row = |(index, item): (usize, Value)| {
        let others = lists.iter().map(|list| list.get(index).cloned().unwrap_or(Value::Nil));
        Value::array(std::iter::once(item).chain(others).collect())
    };
    Ok(Value::array(list.items().into_iter().enumerate().map(row).collect()))
}

fn transpose(list: &List) -> Outcome {
    let rows = list.items().into_iter().map(|row| match row {
        Value::Array(row) => Ok(row),
        _ => Err(Stop::Unsupported),
    });
    let rows: Vec<List> = rows.collect::<Outcome<_>>()?;
    let width = rows.first().map_or(0, List::len);
    if rows.iter().any(|row| row.len() != width) {
        return Err(Stop::Unsupported);
    }
    let column = |index: usize| Value::array(rows.iter().filter_map(|row| row.get(index)).collect());
    Ok(Value::array((0..width).map(column).collect()))
}

fn product(list: &List, other: &List) -> Outcome {
    if list.len().saturating_mul(other.len()) > MOST_ITEMS {
        return Err(Stop::Unsupported);
    }
    let others = other.items();
    let pairs = list
        .items()
        .into_iter()
        .flat_map(|item| others.iter().map(move |other| Value::pair(item.clone(), other.clone())).collect::<Vec<_>>());
    Ok(Value::array(pairs.collect()))
}
