//! Values as Ruby has them: strings, arrays and hashes have an identity and may change; numbers and symbols do not.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;
use num_bigint::BigInt;

use super::class::{Class, Method};
use super::code::Proc;
use super::hash::Entries;
use super::regexp::{Match, Regexp};
use super::symbol::Sym;

/// Any value.
#[derive(Clone)]
pub(crate) enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Sym(Sym),
    Big(Rc<BigInt>),
    Str(Rc<Str>),
    Array(Rc<Array>),
    Hash(Rc<Hash>),
    Range(Rc<Range>),
    Regexp(Rc<Regexp>),
    Match(Rc<Match>),
    Proc(Rc<Proc>),
    Method(Rc<MethodObject>),
    Class(Rc<Class>),
    Object(Rc<Object>),
}

const _: () = assert!(size_of::<Value>() == 16);

/// Instance variables; names without `@` are the interpreter's own.
pub(crate) type Variables = IndexMap<Sym, Value, rustc_hash::FxBuildHasher>;

/// What every object has that can be told from its equals.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) frozen: Cell<bool>,
    /// Whether Puppet gave the object, and wants to know if code changes it.
    pub(crate) given: Cell<bool>,
    extra: RefCell<Option<Box<Extra>>>,
}

/// What few objects have: a class of their own and instance variables.
#[derive(Default)]
struct Extra {
    class: Option<Rc<Class>>,
    variables: Variables,
}

impl Head {
    /// The class of the object, if it is not the usual one.
    pub(crate) fn class(&self) -> Option<Rc<Class>> {
        self.extra.borrow().as_ref().and_then(|extra| extra.class.clone())
    }

    pub(crate) fn set_class(&self, class: Rc<Class>) {
        self.extra.borrow_mut().get_or_insert_default().class = Some(class);
    }

    pub(crate) fn variable(&self, name: Sym) -> Option<Value> {
        self.extra.borrow().as_ref()?.variables.get(&name).cloned()
    }

    pub(crate) fn with_variables<T>(&self, work: impl FnOnce(&mut Variables) -> T) -> T {
        work(&mut self.extra.borrow_mut().get_or_insert_default().variables)
    }

    /// Whether there are instance variables.
    pub(crate) fn has_variables(&self) -> bool {
        self.extra.borrow().as_ref().is_some_and(|extra| !extra.variables.is_empty())
    }

    /// What goes along to a copy.
    pub(crate) fn copied(&self) -> Head {
        let extra = self.extra.borrow();
        let extra = extra.as_ref().map(|extra| {
            let class = extra.class.as_ref().map(|class| class.real());
            Box::new(Extra { class, variables: extra.variables.clone() })
        });
        Head { extra: RefCell::new(extra), ..Head::default() }
    }
}

/// How the bytes of a string are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Encoding {
    #[default]
    Utf8,
    Binary,
    Ascii,
    Latin1,
    Utf16Le,
    Utf16Be,
    /// With a mark in front that says which of the two it is.
    Utf16,
    Windows1252,
}

impl Encoding {
    pub(crate) const ALL: [Encoding; 8] = [
        Encoding::Utf8,
        Encoding::Binary,
        Encoding::Ascii,
        Encoding::Latin1,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Utf16,
        Encoding::Windows1252,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Binary => "ASCII-8BIT",
            Encoding::Ascii => "US-ASCII",
            Encoding::Latin1 => "ISO-8859-1",
            Encoding::Utf16Le => "UTF-16LE",
            Encoding::Utf16Be => "UTF-16BE",
            Encoding::Utf16 => "UTF-16",
            Encoding::Windows1252 => "Windows-1252",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Encoding> {
        let name = if name.eq_ignore_ascii_case("binary") { "ASCII-8BIT" } else { name };
        let name = if name.eq_ignore_ascii_case("ascii") { "US-ASCII" } else { name };
        let name = if name.eq_ignore_ascii_case("utf8") { "UTF-8" } else { name };
        Encoding::ALL.into_iter().find(|encoding| encoding.name().eq_ignore_ascii_case(name))
    }
}

/// A string: bytes, and how they are read.
#[derive(Default)]
pub(crate) struct Str {
    pub(crate) bytes: RefCell<Vec<u8>>,
    pub(crate) encoding: Cell<Encoding>,
    pub(crate) head: Head,
}

impl Str {
    pub(crate) fn new(bytes: impl Into<Vec<u8>>) -> Str {
        Str { bytes: RefCell::new(bytes.into()), ..Str::default() }
    }

    /// The text; bytes that are none are replaced.
    pub(crate) fn to_text(&self) -> String {
        let bytes = self.bytes.borrow();
        match std::str::from_utf8(&bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Works with the text as it is; bytes that are none are replaced.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&str) -> T) -> T {
        let bytes = self.bytes.borrow();
        match std::str::from_utf8(&bytes) {
            Ok(text) => work(text),
            Err(_) => work(&String::from_utf8_lossy(&bytes)),
        }
    }

    pub(crate) fn is_valid(&self) -> bool {
        match self.encoding.get() {
            Encoding::Utf8 => std::str::from_utf8(&self.bytes.borrow()).is_ok(),
            Encoding::Ascii => self.bytes.borrow().is_ascii(),
            Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16 => self.bytes.borrow().len().is_multiple_of(2),
            _ => true,
        }
    }

    /// Whether every byte is a character.
    pub(crate) fn is_bytewise(&self) -> bool {
        !matches!(self.encoding.get(), Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16)
            || self.bytes.borrow().is_ascii()
    }

    pub(crate) fn is_ascii(&self) -> bool {
        self.bytes.borrow().is_ascii()
    }
}

/// An array.
#[derive(Default)]
pub(crate) struct Array {
    pub(crate) items: RefCell<Vec<Value>>,
    pub(crate) head: Head,
}

/// What a hash answers for a key that it does not have.
#[derive(Clone, Default)]
pub(crate) enum Missing {
    #[default]
    Nil,
    Value(Value),
    Proc(Rc<Proc>),
}

/// A hash.
#[derive(Default)]
pub(crate) struct Hash {
    pub(crate) entries: RefCell<Entries>,
    pub(crate) missing: RefCell<Missing>,
    /// How many loops go over it.
    pub(crate) iterating: Cell<u32>,
    /// Whether only the same object is the same key.
    pub(crate) by_identity: Cell<bool>,
    pub(crate) head: Head,
}

/// A range.
pub(crate) struct Range {
    pub(crate) start: Value,
    pub(crate) end: Value,
    pub(crate) excludes_end: bool,
}

/// `object.method(:name)`, or without a receiver an unbound method.
pub(crate) struct MethodObject {
    pub(crate) receiver: Option<Value>,
    pub(crate) method: Rc<Method>,
    pub(crate) name: Sym,
}

/// An instance of a class.
pub(crate) struct Object {
    pub(crate) class: RefCell<Rc<Class>>,
    pub(crate) variables: RefCell<Variables>,
    pub(crate) frozen: Cell<bool>,
    /// What a class of the interpreter keeps in it.
    pub(crate) data: RefCell<Option<Rc<dyn Any>>>,
}

impl Object {
    pub(crate) fn new(class: Rc<Class>) -> Object {
        Object {
            class: RefCell::new(class),
            variables: RefCell::default(),
            frozen: Cell::new(false),
            data: RefCell::new(None),
        }
    }

    pub(crate) fn get(&self, name: Sym) -> Option<Value> {
        self.variables.borrow().get(&name).cloned()
    }

    pub(crate) fn set(&self, name: Sym, value: Value) {
        self.variables.borrow_mut().insert(name, value);
    }

    /// What a class of the interpreter keeps in it.
    pub(crate) fn data<T: 'static>(&self) -> Option<Rc<T>> {
        self.data.borrow().clone()?.downcast::<T>().ok()
    }
}

impl Value {
    pub(crate) fn str(text: impl Into<Vec<u8>>) -> Value {
        Value::Str(Rc::new(Str::new(text)))
    }

    pub(crate) fn binary(bytes: Vec<u8>) -> Value {
        let string = Str::new(bytes);
        string.encoding.set(Encoding::Binary);
        Value::Str(Rc::new(string))
    }

    pub(crate) fn sym(name: &str) -> Value {
        Value::Sym(Sym::new(name))
    }

    pub(crate) fn array(items: Vec<Value>) -> Value {
        Value::Array(Rc::new(Array { items: RefCell::new(items), head: Head::default() }))
    }

    pub(crate) fn pair(key: Value, value: Value) -> Value {
        Value::array(vec![key, value])
    }

    pub(crate) fn hash(entries: Entries) -> Value {
        Value::Hash(Rc::new(Hash { entries: RefCell::new(entries), ..Hash::default() }))
    }

    pub(crate) fn range(start: Value, end: Value, excludes_end: bool) -> Value {
        Value::Range(Rc::new(Range { start, end, excludes_end }))
    }

    /// An integer of any size, as small as it can be.
    pub(crate) fn big(number: BigInt) -> Value {
        match i64::try_from(&number) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Big(Rc::new(number)),
        }
    }

    pub(crate) fn int(number: usize) -> Value {
        Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    pub(crate) fn is_truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    pub(crate) fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Where the object is, if it has a place.
    pub(crate) fn address(&self) -> Option<usize> {
        Some(match self {
            Value::Str(it) => Rc::as_ptr(it) as usize,
            Value::Array(it) => Rc::as_ptr(it) as usize,
            Value::Hash(it) => Rc::as_ptr(it) as usize,
            Value::Range(it) => Rc::as_ptr(it) as usize,
            Value::Regexp(it) => Rc::as_ptr(it) as usize,
            Value::Match(it) => Rc::as_ptr(it) as usize,
            Value::Proc(it) => Rc::as_ptr(it) as usize,
            Value::Method(it) => Rc::as_ptr(it) as usize,
            Value::Class(it) => Rc::as_ptr(it) as usize,
            Value::Object(it) => Rc::as_ptr(it) as usize,
            _ => return None,
        })
    }

    /// Whether both are the same object.
    pub(crate) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Sym(a), Value::Sym(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => Rc::ptr_eq(a, b),
            _ => self.address().is_some() && self.address() == other.address(),
        }
    }

    /// The head of an object that has one.
    pub(crate) fn head(&self) -> Option<&Head> {
        match self {
            Value::Str(it) => Some(&it.head),
            Value::Array(it) => Some(&it.head),
            Value::Hash(it) => Some(&it.head),
            _ => None,
        }
    }

    /// Whether it is of the usual class of its kind.
    pub(crate) fn plain_class(&self) -> bool {
        self.head().is_none_or(|head| head.class().is_none())
    }

    pub(crate) fn is_frozen(&self) -> bool {
        match self {
            Value::Str(it) => it.head.frozen.get(),
            Value::Array(it) => it.head.frozen.get(),
            Value::Hash(it) => it.head.frozen.get(),
            Value::Object(it) => it.frozen.get(),
            Value::Class(it) => it.frozen.get(),
            Value::Regexp(it) => it.frozen.get(),
            Value::Proc(_) | Value::Match(_) | Value::Method(_) => false,
            _ => true,
        }
    }

    pub(crate) fn freeze(&self) {
        match self {
            Value::Object(it) => it.frozen.set(true),
            Value::Class(it) => it.frozen.set(true),
            Value::Regexp(it) => it.frozen.set(true),
            other => {
                if let Some(head) = other.head() {
                    head.frozen.set(true);
                }
            }
        }
    }

    /// An instance variable.
    pub(crate) fn variable(&self, name: Sym) -> Option<Value> {
        match self {
            Value::Object(it) => it.get(name),
            Value::Class(it) => it.variables.borrow().get(&name).cloned(),
            other => other.head()?.variable(name),
        }
    }

    pub(crate) fn set_variable(&self, name: Sym, value: Value) {
        match self {
            Value::Object(it) => it.set(name, value),
            Value::Class(it) => {
                it.variables.borrow_mut().insert(name, value);
            }
            other => {
                if let Some(head) = other.head() {
                    head.with_variables(|variables| variables.insert(name, value));
                }
            }
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::str(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::str(text)
    }
}

impl From<Option<Value>> for Value {
    fn from(value: Option<Value>) -> Value {
        value.unwrap_or(Value::Nil)
    }
}
