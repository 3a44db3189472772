//! Ruby's values as templates meet them.
//!
//! Texts, lists and hashes that a template makes are shared cells, for Ruby changes them in place and all who hold them
//! see that. Those of Puppet are never changed: a template that tries is left to Ruby.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use bunraku_pcore::{Array, Hash, Value as PuppetValue};
use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::class::Class;
use super::pattern::{Match, Pattern};

/// Why a template cannot go on here.
#[derive(Debug)]
pub(super) enum Stop {
    /// What happens now only Ruby knows.
    Unsupported,
    /// `break` with a value, on its way to the call of the block.
    Break(Value),
    /// `next` with a value, on its way to the end of the block.
    Next(Value),
    /// `return` with a value, on its way to the end of the method.
    Return(Value),
    /// An exception of a class, on its way to a `rescue`.
    Raise(Class),
}

pub(super) type Outcome<T = Value> = Result<T, Stop>;

/// A value of Ruby.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Nil,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    Symbol(EcoString),
    String(Text),
    Array(List),
    Hash(Table),
    Range(Rc<Range>),
    Regexp(Arc<Pattern>),
    Match(Rc<Match>),
    /// A list of what a method without its block would give the block, and that method.
    Enumerator(Rc<Enumerator>),
    Class(Class),
    /// The scope of the compiler.
    Scope,
    /// The text written so far; nothing can be done with it but adding to it.
    Output,
    /// A text that is not UTF-8.
    Bytes(Rc<[u8]>),
    /// A value of Puppet that Ruby has no equal of.
    Foreign(PuppetValue),
    /// An object of which nothing is known but its class.
    Opaque(Class),
}

/// A text.
#[derive(Clone, Debug)]
pub(super) struct Text(Rc<TextCell>);

#[derive(Debug)]
struct TextCell {
    content: RefCell<EcoString>,
    fixed: Cell<bool>,
}

impl Text {
    pub(super) fn new(content: impl Into<EcoString>) -> Text {
        Text(Rc::new(TextCell { content: RefCell::new(content.into()), fixed: Cell::new(false) }))
    }

    /// A text that Puppet holds, too.
    pub(super) fn given(content: EcoString) -> Text {
        Text(Rc::new(TextCell { content: RefCell::new(content), fixed: Cell::new(true) }))
    }

    pub(super) fn get(&self) -> EcoString {
        self.0.content.borrow().clone()
    }

    /// The text for a moment in which nothing changes it.
    pub(super) fn look(&self) -> Ref<'_, EcoString> {
        self.0.content.borrow()
    }

    pub(super) fn freeze(&self) {
        self.0.fixed.set(true);
    }

    /// Changes the text in place.
    pub(super) fn change(&self, change: impl FnOnce(&mut EcoString)) -> Outcome<()> {
        if self.0.fixed.get() {
            return Err(Stop::Unsupported);
        }
        change(&mut self.0.content.borrow_mut());
        Ok(())
    }
}

/// A list.
#[derive(Clone, Debug)]
pub(super) enum List {
    Given(Arc<Array>),
    Own(Rc<ListCell>),
}

#[derive(Debug)]
pub(super) struct ListCell {
    items: RefCell<Vec<Value>>,
    fixed: Cell<bool>,
}

impl Drop for ListCell {
    fn drop(&mut self) {
        dismantle(self.items.take());
    }
}

impl Drop for TableCell {
    fn drop(&mut self) {
        dismantle(self.entries.take().into_values().collect());
    }
}

/// Drops values one after another instead of one inside another, however deeply they nest.
fn dismantle(mut values: Vec<Value>) {
    if !values.iter().any(|value| matches!(value, Value::Array(List::Own(_)) | Value::Hash(Table::Own(_)))) {
        return;
    }
    while let Some(value) = values.pop() {
        match value {
            Value::Array(List::Own(cell)) => {
                if let Some(cell) = Rc::into_inner(cell) {
                    values.append(&mut cell.items.take());
                }
            }
            Value::Hash(Table::Own(cell)) => {
                if let Some(cell) = Rc::into_inner(cell) {
                    values.extend(cell.entries.take().into_values());
                }
            }
            _ => {}
        }
    }
}

/// A way through nested values that ends where they nest too deeply or are too many.
pub(super) struct Walk {
    depth: usize,
    nodes: usize,
}

impl Default for Walk {
    fn default() -> Self {
        Walk { depth: 100, nodes: 1_000_000 }
    }
}

impl Walk {
    /// Goes into a collection of some size.
    pub(super) fn inside<T>(&mut self, size: usize, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.depth = self.depth.checked_sub(1).ok_or(Stop::Unsupported)?;
        self.nodes = self.nodes.checked_sub(size).ok_or(Stop::Unsupported)?;
        let outcome = work(self);
        self.depth += 1;
        outcome
    }
}

impl List {
    pub(super) fn new(items: Vec<Value>) -> List {
        List::Own(Rc::new(ListCell { items: RefCell::new(items), fixed: Cell::new(false) }))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            List::Given(items) => items.len(),
            List::Own(cell) => cell.items.borrow().len(),
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<Value> {
        match self {
            List::Given(items) => items.get(index).map(Value::from_puppet),
            List::Own(cell) => cell.items.borrow().get(index).cloned(),
        }
    }

    /// The item at an index that may count from the end.
    pub(super) fn at(&self, index: i64) -> Value {
        let position = if index < 0 { index.checked_add_unsigned(self.len() as u64) } else { Some(index) };
        let position = position.and_then(|position| usize::try_from(position).ok());
        position.and_then(|position| self.get(position)).unwrap_or(Value::Nil)
    }

    /// The items as they are now.
    pub(super) fn items(&self) -> Vec<Value> {
        match self {
            List::Given(items) => items.iter().map(Value::from_puppet).collect(),
            List::Own(cell) => cell.items.borrow().clone(),
        }
    }

    pub(super) fn freeze(&self) {
        if let List::Own(cell) = self {
            cell.fixed.set(true);
        }
    }

    /// Changes the list in place.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Vec<Value>) -> T) -> Outcome<T> {
        match self {
            List::Own(cell) if !cell.fixed.get() => Ok(change(&mut cell.items.borrow_mut())),
            _ => Err(Stop::Unsupported),
        }
    }
}

/// A hash.
#[derive(Clone, Debug)]
pub(super) enum Table {
    Given(Arc<Hash>),
    Own(Rc<TableCell>),
}

pub(super) type Entries = IndexMap<Key, Value, FxBuildHasher>;

#[derive(Debug)]
pub(super) struct TableCell {
    entries: RefCell<Entries>,
    default: Value,
    /// Whether nothing may be added or removed: the hash is frozen, or being iterated over.
    fixed: Cell<bool>,
}

/// A key of a hash that a template makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Nil,
    Boolean(bool),
    Integer(i64),
    Symbol(EcoString),
    String(EcoString),
}

impl Key {
    /// The key a value is; keys that could change are left to Ruby.
    pub(super) fn of(value: &Value) -> Outcome<Key> {
        Ok(match value {
            Value::Nil => Key::Nil,
            Value::Boolean(value) => Key::Boolean(*value),
            Value::Integer(value) => Key::Integer(*value),
            Value::Symbol(name) => Key::Symbol(name.clone()),
            Value::String(text) => Key::String(text.get()),
            _ => return Err(Stop::Unsupported),
        })
    }

    pub(super) fn value(&self) -> Value {
        match self {
            Key::Nil => Value::Nil,
            Key::Boolean(value) => Value::Boolean(*value),
            Key::Integer(value) => Value::Integer(*value),
            Key::Symbol(name) => Value::Symbol(name.clone()),
            // Ruby freezes the text of a key.
            Key::String(text) => Value::String(Text::given(text.clone())),
        }
    }

    fn to_puppet(&self) -> PuppetValue {
        match self {
            Key::Nil => PuppetValue::Undef,
            Key::Boolean(value) => PuppetValue::Boolean(*value),
            Key::Integer(value) => PuppetValue::Integer(*value),
            Key::Symbol(name) if name == "default" => PuppetValue::Default,
            Key::Symbol(name) => PuppetValue::Symbol(name.clone()),
            Key::String(text) => PuppetValue::String(text.clone()),
        }
    }
}

impl Table {
    pub(super) fn new(entries: Entries) -> Table {
        Table::with_default(entries, Value::Nil)
    }

    pub(super) fn with_default(entries: Entries, default: Value) -> Table {
        Table::Own(Rc::new(TableCell { entries: RefCell::new(entries), default, fixed: Cell::new(false) }))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Table::Given(hash) => hash.len(),
            Table::Own(cell) => cell.entries.borrow().len(),
        }
    }

    /// The value of a key, if the key is there.
    pub(super) fn get(&self, key: &Key) -> Option<Value> {
        match (self, key) {
            (Table::Given(hash), Key::String(text)) => hash.get_str(text).map(Value::from_puppet),
            (Table::Given(hash), key) => hash.get(&key.to_puppet()).map(Value::from_puppet),
            (Table::Own(cell), key) => cell.entries.borrow().get(key).cloned(),
        }
    }

    /// What a key that is not there has.
    pub(super) fn default(&self) -> Value {
        match self {
            Table::Given(_) => Value::Nil,
            Table::Own(cell) => cell.default.clone(),
        }
    }

    /// The entries as they are now.
    pub(super) fn pairs(&self) -> Vec<(Value, Value)> {
        match self {
            Table::Given(hash) => {
                hash.iter().map(|(key, value)| (Value::from_puppet(key), Value::from_puppet(value))).collect()
            }
            Table::Own(cell) => cell.entries.borrow().iter().map(|(key, value)| (key.value(), value.clone())).collect(),
        }
    }

    /// A copy of the entries.
    pub(super) fn entries(&self) -> Outcome<Entries> {
        match self {
            Table::Given(_) => self.pairs().into_iter().map(|(key, value)| Ok((Key::of(&key)?, value))).collect(),
            Table::Own(cell) => Ok(cell.entries.borrow().clone()),
        }
    }

    pub(super) fn freeze(&self) {
        if let Table::Own(cell) = self {
            cell.fixed.set(true);
        }
    }

    /// Changes the hash in place.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Entries) -> T) -> Outcome<T> {
        match self {
            Table::Own(cell) if !cell.fixed.get() => Ok(change(&mut cell.entries.borrow_mut())),
            _ => Err(Stop::Unsupported),
        }
    }

    /// Does something while the hash must stay as it is.
    pub(super) fn hold<T>(&self, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        let Table::Own(cell) = self else { return work() };
        let before = cell.fixed.replace(true);
        let outcome = work();
        cell.fixed.set(before);
        outcome
    }
}

/// A range; an open end is nil.
#[derive(Debug)]
pub(super) struct Range {
    pub(super) start: Value,
    pub(super) end: Value,
    pub(super) excludes_end: bool,
}

/// What a method without its block gives.
#[derive(Debug)]
pub(super) struct Enumerator {
    pub(super) source: Value,
    pub(super) method: super::method::Method,
    pub(super) args: Vec<Value>,
}

impl Value {
    pub(super) fn string(text: impl Into<EcoString>) -> Value {
        Value::String(Text::new(text))
    }

    pub(super) fn array(items: Vec<Value>) -> Value {
        Value::Array(List::new(items))
    }

    pub(super) fn hash(entries: Entries) -> Value {
        Value::Hash(Table::new(entries))
    }

    pub(super) fn pair(first: Value, second: Value) -> Value {
        Value::array(vec![first, second])
    }

    /// A number of things.
    pub(super) fn count(number: usize) -> Value {
        Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }

    pub(super) fn is_truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Boolean(false))
    }
}
