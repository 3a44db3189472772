//! Methods of lists that change them.

use super::super::compare;
use super::super::interpret::Interpreter;
use super::super::method::Method;
use super::super::tree::Block;
use super::super::value::{List, Outcome, Stop, Value};
use super::array::{unique, without_nil};
use super::enumerable::MOST_ITEMS;

impl<'t> Interpreter<'t, '_, '_> {
    /// Calls a method that changes a list; nothing if it is not one.
    pub(super) fn changing_method(
        &mut self,
        list: &List,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome<Option<Value>> {
        let this = || Value::Array(list.clone());
        Ok(Some(match (method, args) {
            (Method::ShiftLeft, [item]) => {
                add(list, std::slice::from_ref(item), false)?;
                this()
            }
            (Method::Push | Method::Append, items) => {
                add(list, items, false)?;
                this()
            }
            (Method::Unshift | Method::Prepend, items) => {
                add(list, items, true)?;
                this()
            }
            (Method::Concat, lists) => {
                for other in lists {
                    let Value::Array(other) = other else { return Err(Stop::Unsupported) };
                    add(list, &other.items(), false)?;
                }
                this()
            }
            (Method::Pop, []) => list.change(Vec::pop)?.unwrap_or(Value::Nil),
            (Method::Shift, []) => list.change(|items| if items.is_empty() { Value::Nil } else { items.remove(0) })?,
            (Method::Clear, []) => {
                list.change(Vec::clear)?;
                this()
            }
            (Method::SetAt, [Value::Integer(index), value]) => {
                let position = usize::try_from(*index).map_err(|_| Stop::Unsupported)?;
                if position > MOST_ITEMS {
                    return Err(Stop::Unsupported);
                }
                list.change(|items| {
                    if items.len() <= position {
                        items.resize(position + 1, Value::Nil);
                    }
                    if let Some(item) = items.get_mut(position) {
                        *item = value.clone();
                    }
                })?;
                value.clone()
            }
            (Method::Delete, [wanted]) if block.is_none() => {
                let mut kept = Vec::new();
                let mut deleted = Value::Nil;
                for item in list.items() {
                    if compare::equals(&item, wanted)? {
                        deleted = item;
                    } else {
                        kept.push(item);
                    }
                }
                replace(list, kept)?;
                deleted
            }
            (Method::DeleteAt, [Value::Integer(index)]) => {
                let position = usize::try_from(*index).map_err(|_| Stop::Unsupported)?;
                list.change(|items| if position < items.len() { items.remove(position) } else { Value::Nil })?
            }
            (Method::Replace, [Value::Array(other)]) => {
                replace(list, other.items())?;
                this()
            }
            (Method::CompactBang, []) => self.replaced(list, without_nil(list))?,
            (Method::UniqBang, []) if block.is_none() => self.replaced(list, unique(list.items())?)?,
            (Method::SortBang, []) => {
                self.replace_by(list, Method::Sort, block)?;
                this()
            }
            (Method::SortByBang, []) => {
                self.replace_by(list, Method::SortBy, block)?;
                this()
            }
            (Method::MapBang | Method::CollectBang, []) => {
                self.replace_by(list, Method::Map, block)?;
                this()
            }
            (Method::SelectBang, []) => {
                let before = list.len();
                self.replace_by(list, Method::Select, block)?;
                if list.len() == before { Value::Nil } else { this() }
            }
            (Method::RejectBang, []) => {
                let before = list.len();
                self.replace_by(list, Method::Reject, block)?;
                if list.len() == before { Value::Nil } else { this() }
            }
            (Method::KeepIf, []) => {
                self.replace_by(list, Method::Select, block)?;
                this()
            }
            (Method::DeleteIf, []) => {
                self.replace_by(list, Method::Reject, block)?;
                this()
            }
            _ => return Ok(None),
        }))
    }

    /// Replaces the items by what another method gives.
    fn replace_by(&mut self, list: &List, method: Method, block: Option<&'t Block>) -> Outcome<()> {
        // A list that cannot be changed is left to Ruby before its block is called.
        list.change(|_| ())?;
        if block.is_none() && method != Method::Sort {
            return Err(Stop::Unsupported);
        }
        match self.enumerable_method(&Value::Array(List::new(list.items())), method, &[], block)? {
            Value::Array(changed) => replace(list, changed.items()),
            _ => Err(Stop::Unsupported),
        }
    }

    /// Replaces the items; nil if there are as many as before.
    fn replaced(&mut self, list: &List, items: Vec<Value>) -> Outcome {
        let is_same = items.len() == list.len();
        replace(list, items)?;
        Ok(if is_same { Value::Nil } else { Value::Array(list.clone()) })
    }
}

fn replace(list: &List, items: Vec<Value>) -> Outcome<()> {
    list.change(|own| *own = items)
}

/// Adds items at the end or at the start.
fn add(list: &List, items: &[Value], at_start: bool) -> Outcome<()> {
    let is_itself = |item: &Value| match (item, list) {
        (Value::Array(List::Own(other)), List::Own(own)) => std::rc::Rc::ptr_eq(other, own),
        _ => false,
    };
    if list.len() + items.len() > MOST_ITEMS || items.iter().any(is_itself) {
        return Err(Stop::Unsupported);
    }
    list.change(|own| {
        let position = if at_start { 0 } else { own.len() };
        own.splice(position..position, items.iter().cloned());
    })
}
