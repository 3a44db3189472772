//! What lists, hashes, ranges and enumerators have in common: methods that go through their items.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::compare;
use super::super::interpret::Interpreter;
use super::super::method::Method;
use super::super::tree::Block;
use super::super::value::{Entries, Enumerator, Key, Outcome, Stop, Value};
use super::{entries_of, size};

/// More items than this are left to Ruby.
pub(super) const MOST_ITEMS: usize = 1_000_000;

/// What to do with an item; false ends the iteration.
type Visit<'v, 't, 'r, 'h> = &'v mut dyn FnMut(&mut Interpreter<'t, 'r, 'h>, Value) -> Outcome<bool>;

impl<'t, 'r, 'h> Interpreter<'t, 'r, 'h> {
    /// Goes through the items of something: pairs in the case of a hash. A list may change on the way.
    pub(super) fn visit(&mut self, source: &Value, visit: Visit<'_, 't, 'r, 'h>) -> Outcome<()> {
        match source {
            Value::Array(list) => {
                let mut index = 0;
                while let Some(item) = list.get(index) {
                    if !visit(self, item)? {
                        break;
                    }
                    index += 1;
                }
                Ok(())
            }
            Value::Hash(table) => table.hold(|| {
                for (key, value) in table.pairs() {
                    if !visit(self, Value::pair(key, value))? {
                        break;
                    }
                }
                Ok(())
            }),
            _ => {
                for item in self.items_of(source)? {
                    if !visit(self, item)? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    /// The items of something as they are now.
    pub(super) fn items_of(&mut self, source: &Value) -> Outcome<Vec<Value>> {
        match source {
            Value::Array(list) => Ok(list.items()),
            Value::Hash(table) => Ok(table.pairs().into_iter().map(|(key, value)| Value::pair(key, value)).collect()),
            Value::Range(range) => self.range_items(range),
            Value::Enumerator(enumerator) => self.enumerated(enumerator),
            _ => Err(Stop::Unsupported),
        }
    }

    pub(super) fn enumerable_method(
        &mut self,
        source: &Value,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        match block {
            Some(block) => self.method_with_block(source, method, args, block),
            None => self.method_without_block(source, method, args),
        }
    }

    fn method_without_block(&mut self, source: &Value, method: Method, args: &[Value]) -> Outcome {
        Ok(match (method, args) {
            (Method::ToA | Method::Entries, []) => Value::array(self.items_of(source)?),
            (Method::ToH, []) => Value::hash(entries_of(&self.items_of(source)?)?),
            (Method::First, []) => self.items_of(source)?.into_iter().next().unwrap_or(Value::Nil),
            (Method::First | Method::Take, [count]) => {
                let count = size(count)?;
                Value::array(self.items_of(source)?.into_iter().take(count).collect())
            }
            (Method::Drop, [count]) => {
                let count = size(count)?;
                Value::array(self.items_of(source)?.into_iter().skip(count).collect())
            }
            (Method::Count, []) => Value::count(self.items_of(source)?.len()),
            (Method::Count, [wanted]) => {
                let mut count = 0;
                for item in self.items_of(source)? {
                    count += usize::from(compare::equals(&item, wanted)?);
                }
                Value::count(count)
            }
            (Method::IncludeP | Method::MemberP, [wanted]) => {
                for item in self.items_of(source)? {
                    if compare::equals(&item, wanted)? {
                        return Ok(Value::Boolean(true));
                    }
                }
                Value::Boolean(false)
            }
            (Method::Sort, []) => {
                let mut items = self.items_of(source)?;
                compare::sort(&mut items, &mut |left, right| compare::order(left, right))?;
                Value::array(items)
            }
            (Method::Min, []) => extreme(self.items_of(source)?, Ordering::Less)?,
            (Method::Max, []) => extreme(self.items_of(source)?, Ordering::Greater)?,
            (Method::Minmax, []) => {
                let items = self.items_of(source)?;
                Value::pair(extreme(items.clone(), Ordering::Less)?, extreme(items, Ordering::Greater)?)
            }
            (Method::Sum, []) => self.sum(source)?,
            (Method::Inject | Method::Reduce, [Value::Symbol(name)]) => self.fold_with_method(source, None, name)?,
            (Method::Inject | Method::Reduce, [start, Value::Symbol(name)]) => {
                self.fold_with_method(source, Some(start.clone()), name)?
            }
            (Method::AnyP, []) => Value::Boolean(self.items_of(source)?.iter().any(Value::is_truthy)),
            (Method::AllP, []) => Value::Boolean(self.items_of(source)?.iter().all(Value::is_truthy)),
            (Method::NoneP, []) => Value::Boolean(!self.items_of(source)?.iter().any(Value::is_truthy)),
            (Method::OneP, []) => {
                Value::Boolean(self.items_of(source)?.iter().filter(|item| item.is_truthy()).count() == 1)
            }
            (Method::Tally, []) => {
                let mut counts = Entries::default();
                for item in self.items_of(source)? {
                    if let Value::Integer(count) = counts.entry(Key::of(&item)?).or_insert(Value::Integer(0)) {
                        *count += 1;
                    }
                }
                Value::hash(counts)
            }
            (
                Method::Each
                | Method::EachEntry
                | Method::Map
                | Method::Collect
                | Method::Select
                | Method::Filter
                | Method::Reject
                | Method::EachWithIndex
                | Method::ReverseEach,
                [],
            )
            | (Method::EachSlice | Method::EachCons, [_]) => {
                Value::Enumerator(Rc::new(Enumerator { source: source.clone(), method, args: args.to_vec() }))
            }
            _ => return Err(Stop::Unsupported),
        })
    }

    fn method_with_block(&mut self, source: &Value, method: Method, args: &[Value], block: &'t Block) -> Outcome {
        Ok(match (method, args) {
            (Method::Each | Method::EachEntry, []) => {
                self.visit(source, &mut |running, item| running.give(block, item).map(|_| true))?;
                source.clone()
            }
            (Method::Map | Method::Collect, []) => {
                let mut results = Vec::new();
                self.visit(source, &mut |running, item| {
                    results.push(running.give(block, item)?);
                    Ok(true)
                })?;
                Value::array(results)
            }
            (Method::FlatMap | Method::CollectConcat, []) => {
                let mut results = Vec::new();
                self.visit(source, &mut |running, item| {
                    match running.give(block, item)? {
                        Value::Array(list) => results.extend(list.items()),
                        other => results.push(other),
                    }
                    Ok(results.len() <= MOST_ITEMS)
                })?;
                bounded(results)?
            }
            (Method::FilterMap, []) => {
                let mut results = Vec::new();
                self.visit(source, &mut |running, item| {
                    results.extend(Some(running.give(block, item)?).filter(Value::is_truthy));
                    Ok(true)
                })?;
                Value::array(results)
            }
            (Method::Select | Method::Filter | Method::FindAll, []) => Value::array(self.split_by(source, block)?.0),
            (Method::Reject, []) => Value::array(self.split_by(source, block)?.1),
            (Method::Partition, []) => {
                let (chosen, others) = self.split_by(source, block)?;
                Value::pair(Value::array(chosen), Value::array(others))
            }
            (Method::Find | Method::Detect, []) => {
                self.first_for(source, block, true)?.map_or(Value::Nil, |(_, item)| item)
            }
            (Method::FindIndex, []) => {
                self.first_for(source, block, true)?.map_or(Value::Nil, |(index, _)| Value::count(index))
            }
            (Method::AnyP, []) => Value::Boolean(self.first_for(source, block, true)?.is_some()),
            (Method::AllP, []) => Value::Boolean(self.first_for(source, block, false)?.is_none()),
            (Method::NoneP, []) => Value::Boolean(self.first_for(source, block, true)?.is_none()),
            (Method::Count, []) => Value::count(self.split_by(source, block)?.0.len()),
            (Method::TakeWhile, []) => {
                let index = self.first_for(source, block, false)?.map(|(index, _)| index);
                Value::array(self.items_of(source)?.into_iter().take(index.unwrap_or(usize::MAX)).collect())
            }
            (Method::DropWhile, []) => {
                let index = self.first_for(source, block, false)?.map(|(index, _)| index);
                Value::array(self.items_of(source)?.into_iter().skip(index.unwrap_or(usize::MAX)).collect())
            }
            (Method::EachWithIndex, []) => {
                let mut index = 0;
                self.visit(source, &mut |running, item| {
                    running.give_all(block, vec![item, Value::count(index)])?;
                    index += 1;
                    Ok(true)
                })?;
                source.clone()
            }
            (Method::EachWithObject, [object]) => {
                self.visit(source, &mut |running, item| {
                    running.give_all(block, vec![item, object.clone()]).map(|_| true)
                })?;
                object.clone()
            }
            (Method::ReverseEach, []) => {
                for item in self.items_of(source)?.into_iter().rev() {
                    self.give(block, item)?;
                }
                source.clone()
            }
            (Method::EachSlice | Method::EachCons, [_]) => {
                let enumerator = Enumerator { source: source.clone(), method, args: args.to_vec() };
                for item in self.enumerated(&enumerator)? {
                    self.give(block, item)?;
                }
                // What this gives is another thing in newer versions of Ruby.
                Value::Output
            }
            (Method::Inject | Method::Reduce, [] | [_]) => self.fold(source, args.first().cloned(), block)?,
            _ => return self.ordering_method(source, method, args, block),
        })
    }

    /// Methods that order or group items by what a block says.
    fn ordering_method(&mut self, source: &Value, method: Method, args: &[Value], block: &'t Block) -> Outcome {
        if !args.is_empty() {
            return Err(Stop::Unsupported);
        }
        Ok(match method {
            Method::SortBy => {
                let mut keyed = self.keyed(source, block)?;
                compare::sort(&mut keyed, &mut |left, right| compare::order(&left.0, &right.0))?;
                Value::array(keyed.into_iter().map(|(_, item)| item).collect())
            }
            Method::MinBy => self.extreme_by(source, block, Ordering::Less)?,
            Method::MaxBy => self.extreme_by(source, block, Ordering::Greater)?,
            Method::Sort => {
                let mut items = self.items_of(source)?;
                compare::sort(&mut items, &mut |left, right| match self
                    .give_all(block, vec![left.clone(), right.clone()])?
                {
                    Value::Integer(sign) => Ok(sign.cmp(&0)),
                    _ => Err(Stop::Unsupported),
                })?;
                Value::array(items)
            }
            Method::GroupBy => {
                let mut groups: indexmap::IndexMap<Key, Vec<Value>> = indexmap::IndexMap::new();
                for (key, item) in self.keyed(source, block)? {
                    groups.entry(Key::of(&key)?).or_default().push(item);
                }
                Value::hash(groups.into_iter().map(|(key, items)| (key, Value::array(items))).collect())
            }
            Method::Sum => {
                let values = self.keyed(source, block)?.into_iter().map(|(value, _)| value).collect();
                self.sum(&Value::array(values))?
            }
            Method::ToH => {
                let pairs: Vec<Value> = self.keyed(source, block)?.into_iter().map(|(pair, _)| pair).collect();
                Value::hash(entries_of(&pairs)?)
            }
            Method::Uniq => {
                let mut seen = Entries::default();
                for (key, item) in self.keyed(source, block)? {
                    seen.entry(Key::of(&key)?).or_insert(item);
                }
                Value::array(seen.into_values().collect())
            }
            _ => return Err(Stop::Unsupported),
        })
    }

    /// Items with what a block says about them.
    fn keyed(&mut self, source: &Value, block: &'t Block) -> Outcome<Vec<(Value, Value)>> {
        let mut keyed = Vec::new();
        self.visit(source, &mut |running, item| {
            keyed.push((running.give(block, item.clone())?, item));
            Ok(true)
        })?;
        Ok(keyed)
    }

    /// The items for which a block is true, and the others.
    pub(super) fn split_by(&mut self, source: &Value, block: &'t Block) -> Outcome<(Vec<Value>, Vec<Value>)> {
        let (mut chosen, mut others) = (Vec::new(), Vec::new());
        self.visit(source, &mut |running, item| {
            let side = if running.is_true_for(block, item.clone())? { &mut chosen } else { &mut others };
            side.push(item);
            Ok(true)
        })?;
        Ok((chosen, others))
    }

    /// The first item for which a block is true, or not, with its index.
    fn first_for(&mut self, source: &Value, block: &'t Block, wanted: bool) -> Outcome<Option<(usize, Value)>> {
        let mut found = None;
        let mut index = 0;
        self.visit(source, &mut |running, item| {
            if running.is_true_for(block, item.clone())? == wanted {
                found = Some((index, item));
                return Ok(false);
            }
            index += 1;
            Ok(true)
        })?;
        Ok(found)
    }

    fn fold(&mut self, source: &Value, start: Option<Value>, block: &'t Block) -> Outcome {
        let mut memory = start;
        self.visit(source, &mut |running, item| {
            memory = Some(match memory.take() {
                Some(before) => running.give_all(block, vec![before, item])?,
                None => item,
            });
            Ok(true)
        })?;
        Ok(memory.unwrap_or(Value::Nil))
    }

    fn fold_with_method(&mut self, source: &Value, start: Option<Value>, name: &str) -> Outcome {
        let method = Method::named(name).ok_or(Stop::Unsupported)?;
        let mut memory = start;
        for item in self.items_of(source)? {
            memory = Some(match memory {
                Some(before) => self.send(&before, method, &[item], None)?,
                None => item,
            });
        }
        Ok(memory.unwrap_or(Value::Nil))
    }

    /// The sum of integers; that of floats depends on how Ruby makes up for rounding.
    fn sum(&mut self, source: &Value) -> Outcome {
        let mut sum = 0_i64;
        for item in self.items_of(source)? {
            let Value::Integer(number) = item else { return Err(Stop::Unsupported) };
            sum = sum.checked_add(number).ok_or(Stop::Unsupported)?;
        }
        Ok(Value::Integer(sum))
    }

    fn extreme_by(&mut self, source: &Value, block: &'t Block, wanted: Ordering) -> Outcome {
        let mut best: Option<(Value, Value)> = None;
        for (key, item) in self.keyed(source, block)? {
            match &best {
                Some((best_key, _)) if compare::order(&key, best_key)? != wanted => {}
                _ => best = Some((key, item)),
            }
        }
        Ok(best.map_or(Value::Nil, |(_, item)| item))
    }
}

fn extreme(items: Vec<Value>, wanted: Ordering) -> Outcome {
    let mut best: Option<Value> = None;
    for item in items {
        match &best {
            Some(best) if compare::order(&item, best)? != wanted => {}
            _ => best = Some(item),
        }
    }
    Ok(best.unwrap_or(Value::Nil))
}

/// A list that is not too long.
pub(super) fn bounded(items: Vec<Value>) -> Outcome {
    if items.len() > MOST_ITEMS { Err(Stop::Unsupported) } else { Ok(Value::array(items)) }
}
