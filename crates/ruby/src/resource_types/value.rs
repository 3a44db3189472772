//! The values the interpreter of type declarations computes with.

use bunraku_syntax::deep;
use std::rc::Rc;

use ruby_prism::{BlockNode, LambdaNode, Node};

use super::Pattern;
use super::interpreter::Frame;

/// A Ruby value, as far as a declaration needs one.
#[derive(Clone)]
pub(super) enum Value<'pr> {
    /// Anything that is not known without running the program.
    Unknown,
    Nil,
    Boolean(bool),
    Integer(i64),
    Symbol(Rc<str>),
    String(Rc<str>),
    Regexp(Rc<Pattern>),
    Array(Rc<Vec<Value<'pr>>>),
    Hash(Rc<Vec<(Value<'pr>, Value<'pr>)>>),
    /// A class or module by its full name.
    Constant(Rc<str>),
    /// The class of a resource type being declared, or of one of its attributes.
    This(This),
    Block(Rc<Closure<'pr>>),
}

/// What `self` is.
#[derive(Clone, PartialEq)]
pub(super) enum This {
    /// The top of a file, or an object nothing is known about.
    Object,
    Module(Rc<str>),
    Type(usize),
    Attribute(usize, usize),
}

/// A block or lambda with the place it was written in.
pub(super) struct Closure<'pr> {
    pub(super) parameters: Option<Node<'pr>>,
    pub(super) body: Option<Node<'pr>>,
    pub(super) frame: Frame<'pr>,
}

impl<'pr> Closure<'pr> {
    pub(super) fn of_block(block: &BlockNode<'pr>, frame: &Frame<'pr>) -> Self {
        Closure { parameters: block.parameters(), body: block.body(), frame: frame.clone() }
    }

    /// `-> { … }`
    pub(super) fn of_lambda(lambda: &LambdaNode<'pr>, frame: &Frame<'pr>) -> Self {
        Closure { parameters: lambda.parameters(), body: lambda.body(), frame: frame.clone() }
    }
}

impl<'pr> Value<'pr> {
    pub(super) fn string(text: impl AsRef<str>) -> Self {
        Value::String(Rc::from(text.as_ref()))
    }

    pub(super) fn symbol(text: impl AsRef<str>) -> Self {
        Value::Symbol(Rc::from(text.as_ref()))
    }

    pub(super) fn array(items: Vec<Value<'pr>>) -> Self {
        Value::Array(Rc::new(items))
    }

    /// What a condition makes of the value; nothing where it is not known.
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Value::Unknown => None,
            Value::Nil | Value::Boolean(false) => Some(false),
            _ => Some(true),
        }
    }

    /// The text of a string or symbol.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::String(text) | Value::Symbol(text) => Some(text),
            _ => None,
        }
    }

    /// The text interpolation gives.
    pub(super) fn interpolated(&self) -> Option<String> {
        Some(match self {
            Value::Nil => String::new(),
            Value::Boolean(value) => value.to_string(),
            Value::Integer(value) => value.to_string(),
            Value::Symbol(text) | Value::String(text) | Value::Constant(text) => text.to_string(),
            Value::Regexp(pattern) => pattern.embedded(),
            Value::This(This::Module(name)) => name.to_string(),
            _ => return None,
        })
    }

    /// The items of an array, or the value alone as `Array(value)` has it.
    pub(super) fn items(&self) -> Vec<Value<'pr>> {
        match self {
            Value::Array(items) => items.to_vec(),
            Value::Nil => Vec::new(),
            Value::Hash(entries) => entries.iter().map(|(k, v)| Value::array(vec![k.clone(), v.clone()])).collect(),
            other => vec![other.clone()],
        }
    }

    /// The entry of a hash under a symbol or string key.
    pub(super) fn entry(&self, key: &str) -> Option<&Value<'pr>> {
        match self {
            Value::Hash(entries) => entries.iter().rev().find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v),
            _ => None,
        }
    }

    /// Equality where both sides are known.
    pub(super) fn equals(&self, other: &Value<'pr>) -> Option<bool> {
        deep(|| {
            use Value::*;
            Some(match (self, other) {
                (Nil, Nil) => true,
                (Boolean(a), Boolean(b)) => a == b,
                (Integer(a), Integer(b)) => a == b,
                (Symbol(a), Symbol(b)) | (String(a), String(b)) | (Constant(a), Constant(b)) => a == b,
                (Regexp(a), Regexp(b)) => a == b,
                (This(a), This(b)) => a == b,
                (Array(a), Array(b)) if a.len() != b.len() => false,
                (Array(a), Array(b)) => {
                    for (x, y) in a.iter().zip(b.iter()) {
                        if !x.equals(y)? {
                            return Some(false);
                        }
                    }
                    true
                }
                (Unknown | Block(_) | Hash(_), _) | (_, Unknown | Block(_) | Hash(_)) => return None,
                _ => false,
            })
        })
    }
}
