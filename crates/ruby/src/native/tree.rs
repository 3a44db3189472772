//! The tree of a template: what is left of Ruby once names are resolved.
//!
//! Local variables have numbers in the frame of their method. A block has variables of its own, but they live in that
//! frame, too: no block outlives the call it is given to.

use std::sync::Arc;

use ecow::EcoString;

use super::class::Class;
use super::method::Method;
use super::pattern::{Options, Pattern};
use super::value::Key;

/// A template, ready to be run.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) body: Node,
    /// How many local variables the body has.
    pub(super) locals: usize,
    /// The instance variables by their numbers, without `@`.
    pub(super) variables: Vec<EcoString>,
    pub(super) definitions: Vec<Definition>,
    /// Whether values may be changed in place.
    pub(super) is_changing: bool,
    /// Whether everything in it is known here.
    pub(super) is_known: bool,
}

/// A method that a template defines.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: EcoString,
    pub(super) parameters: Parameters,
    pub(super) body: Node,
    pub(super) locals: usize,
}

#[derive(Debug)]
pub(super) enum Node {
    /// What is left to Ruby when it is reached.
    Unsupported,
    Nil,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    String(EcoString),
    Symbol(EcoString),
    Regexp(Arc<Pattern>),
    Constant(Class),
    Scope,
    /// The text written so far.
    Output,
    /// Writes a text of the template.
    Text(EcoString),
    /// Writes a value.
    Write(Box<Node>),
    /// Adds a text to what is written: `_erbout << text`.
    AppendToOutput(Box<Node>),
    Interpolation(Vec<Node>),
    InterpolatedSymbol(Vec<Node>),
    InterpolatedRegexp(Vec<Node>, Options),
    Array(Vec<Argument>),
    Hash(Vec<(Node, Node)>),
    Range(Box<Node>, Box<Node>, bool),
    Local(usize),
    SetLocal(usize, Box<Node>),
    Variable(usize),
    SetVariable(usize, Box<Node>),
    /// `$1`.
    Group(usize),
    Assign(Box<Parameters>, Box<Node>),
    /// `receiver[index] operator= value`.
    UpdateAt(Box<Update>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Not(Box<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
    While {
        condition: Box<Node>,
        until: bool,
        body: Box<Node>,
    },
    Case {
        subject: Option<Box<Node>>,
        branches: Vec<(Vec<Argument>, Node)>,
        otherwise: Box<Node>,
    },
    Sequence(Vec<Node>),
    Call(Box<Call>),
    /// `receiver['key']`: the call, and the key if the receiver is a hash.
    Entry(Box<Call>, Key),
    /// `value == 'text'`, or `!=` where that is not wanted.
    EqualsText(Box<Node>, EcoString, bool),
    /// `scope.function_name(arguments)`.
    ScopeFunction(EcoString, Vec<Argument>),
    Kernel(Kernel, Vec<Argument>),
    Define(usize),
    CallDefinition(usize, Vec<Argument>),
    Break(Box<Node>),
    Next(Box<Node>),
    Return(Box<Node>),
    /// What is defined whatever happens.
    Defined(&'static str),
    DefinedVariable(usize),
    /// A body that an exception may leave.
    Protected {
        body: Box<Node>,
        rescues: Vec<Rescue>,
        otherwise: Option<Box<Node>>,
        ensure: Option<Box<Node>>,
    },
}

/// `rescue Class, Class => variable`; without a class it is `StandardError`.
#[derive(Debug)]
pub(super) struct Rescue {
    pub(super) classes: Vec<Argument>,
    pub(super) variable: Option<Target>,
    pub(super) body: Node,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) receiver: Node,
    pub(super) method: Method,
    pub(super) args: Vec<Argument>,
    pub(super) block: Option<Block>,
    /// `&.`: nothing is called on nil.
    pub(super) is_safe: bool,
}

#[derive(Debug)]
pub(super) struct Update {
    pub(super) receiver: Node,
    pub(super) index: Node,
    pub(super) operator: Operator,
    pub(super) value: Node,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    Or,
    And,
    Method(Method),
}

#[derive(Debug)]
pub(super) enum Argument {
    One(Node),
    Splat(Node),
}

#[derive(Debug)]
pub(super) enum Block {
    /// `&:name`.
    Symbol(Method),
    Code(Box<Code>),
}

#[derive(Debug)]
pub(super) struct Code {
    pub(super) parameters: Parameters,
    /// Variables that are new in every call.
    pub(super) locals: std::ops::Range<usize>,
    pub(super) body: Node,
}

/// What values are assigned to, one after another.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    pub(super) required: Vec<Target>,
    pub(super) optional: Vec<(usize, Node)>,
    /// `*rest`; a rest without a name only takes what is left.
    pub(super) rest: Option<Option<usize>>,
    pub(super) last: Vec<Target>,
    /// `|a,|`: as if a second one followed.
    pub(super) has_trailing_comma: bool,
}

#[derive(Debug)]
pub(super) enum Target {
    Local(usize),
    Variable(usize),
    Nested(Parameters),
}

/// Functions without a receiver: Ruby's own, and those that only templates have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernel {
    AllTags,
    Array,
    Classes,
    Float,
    Format,
    HasVariable,
    InstanceVariableGet,
    Integer,
    Require,
    String,
}

impl Kernel {
    pub(super) fn named(name: &str, is_template: bool) -> Option<Kernel> {
        Some(match name {
            "Array" => Kernel::Array,
            "Float" => Kernel::Float,
            "format" | "sprintf" => Kernel::Format,
            "Integer" => Kernel::Integer,
            "require" => Kernel::Require,
            "String" => Kernel::String,
            "all_tags" if is_template => Kernel::AllTags,
            "classes" if is_template => Kernel::Classes,
            "has_variable?" if is_template => Kernel::HasVariable,
            "instance_variable_get" if is_template => Kernel::InstanceVariableGet,
            _ => return None,
        })
    }
}
