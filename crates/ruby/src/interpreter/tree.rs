//! The tree that is run: what is left of a file's syntax once names are symbols and local variables have places.
//!
//! It is made once per file and shared by all sessions.

use std::sync::{Arc, OnceLock};

use num_bigint::BigInt;

use super::regexp::{Options, Shared};
use super::symbol::Sym;

/// A file, ready to be run.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) body: Node,
    pub(crate) locals: Arc<Vec<Sym>>,
}

#[derive(Debug)]
pub(crate) enum Node {
    Nil,
    True,
    False,
    This,
    Int(i64),
    Big(Box<BigInt>),
    Float(f64),
    Str(Box<[u8]>, StrKind),
    Symbol(Sym),
    Interpolation(Vec<Node>),
    InterpolatedSymbol(Vec<Node>),
    Regexp(Box<Literal>),
    InterpolatedRegexp(Vec<Node>, Options),
    Array(Vec<Argument>),
    Hash(Vec<Pair>),
    Range(Box<Node>, Box<Node>, bool),
    Local(u32, u32),
    SetLocal(u32, u32, Box<Node>),
    Variable(Sym),
    SetVariable(Sym, Box<Node>),
    Global(Sym),
    SetGlobal(Sym, Box<Node>),
    ClassVariable(Sym),
    SetClassVariable(Sym, Box<Node>),
    Constant(Sym, u32),
    /// `scope::Name`, or `::Name`.
    ScopedConstant(Option<Box<Node>>, Sym, u32),
    SetConstant(Option<Box<Node>>, Sym, Box<Node>),
    /// `$1`.
    Group(u32),
    /// `$&` and its like.
    MatchPart(char),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    /// `a ||= b`: how it is read and how it is set.
    OrSet(Box<Node>, Box<Node>),
    Not(Box<Node>),
    Defined(Box<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
    While(Box<While>),
    Case(Box<Case>),
    Match(Box<CaseIn>),
    /// `value => pattern` and `value in pattern`, which answers whether it does.
    MatchOne(Box<Node>, Box<Pattern>, bool),
    Protected(Box<Protected>),
    Sequence(Vec<Node>),
    Call(Box<Call>),
    Super(Box<Super>),
    Yield(Vec<Argument>, u32),
    Update(Box<Update>),
    Assign(Box<Targets>, Box<Node>),
    Define(Arc<Definition>),
    DefineOn(Box<Node>, Arc<Definition>),
    Class(Box<ClassBody>),
    Lambda(Arc<Block>),
    Return(Box<Node>),
    Break(Box<Node>),
    Next(Box<Node>),
    Redo,
    Retry,
    Alias(Box<Node>, Box<Node>),
    AliasGlobal(Sym, Sym),
    Undefine(Vec<Node>),
    /// `/(?<name>…)/ =~ text`: the groups become variables.
    MatchWrite(Box<Node>, Vec<(Sym, u32, u32)>),
    File,
    Line(u32),
    /// What cannot be run: it raises an error when it is reached.
    Refused(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrKind {
    Plain,
    Frozen,
    Binary,
}

/// A regular expression in the source, compiled when it is first reached.
#[derive(Debug)]
pub(crate) struct Literal {
    pub(crate) source: String,
    pub(crate) options: Options,
    pub(crate) compiled: OnceLock<Arc<Shared>>,
}

#[derive(Debug)]
pub(crate) enum Argument {
    One(Node),
    Splat(Node),
    /// Keywords: `a: 1, **others`.
    Keywords(Vec<Pair>),
}

#[derive(Debug)]
pub(crate) enum Pair {
    One(Node, Node),
    /// `**hash`.
    Splat(Node),
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) receiver: Option<Node>,
    pub(crate) name: Sym,
    pub(crate) args: Vec<Argument>,
    pub(crate) block: Option<BlockArgument>,
    /// `&.`: nothing is called on nil.
    pub(crate) is_safe: bool,
    /// A word that may be a variable: the names of the variables there.
    pub(crate) word: Option<Box<[Arc<Vec<Sym>>]>>,
    /// Whether private methods may be called: there is no receiver, or it is `self`.
    pub(crate) is_own: bool,
    /// An assignment, whose value is what is assigned.
    pub(crate) is_assignment: bool,
    /// What only the interpreter can answer, since it is about the calling code: the names of the variables there.
    pub(crate) special: Option<Box<[Arc<Vec<Sym>>]>>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) enum BlockArgument {
    Code(Arc<Block>),
    Pass(Node),
}

#[derive(Debug)]
pub(crate) struct Super {
    /// Nothing: with the arguments of the method itself.
    pub(crate) args: Option<Vec<Argument>>,
    pub(crate) block: Option<BlockArgument>,
    /// The arguments of the method itself.
    pub(crate) own: Vec<Argument>,
    pub(crate) line: u32,
}

/// `receiver[args] op= value` or `receiver.name op= value`.
#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) receiver: Option<Node>,
    pub(crate) is_safe: bool,
    pub(crate) read: Sym,
    pub(crate) write: Sym,
    pub(crate) args: Vec<Argument>,
    pub(crate) operator: Operator,
    pub(crate) value: Node,
    pub(crate) line: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Operator {
    Or,
    And,
    Method(Sym),
}

#[derive(Debug)]
pub(crate) struct While {
    pub(crate) condition: Node,
    pub(crate) until: bool,
    pub(crate) body: Node,
    /// `begin … end while`: the body comes first.
    pub(crate) body_first: bool,
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) subject: Option<Node>,
    pub(crate) branches: Vec<(Vec<Argument>, Node)>,
    pub(crate) otherwise: Node,
}

#[derive(Debug)]
pub(crate) struct CaseIn {
    pub(crate) subject: Node,
    pub(crate) branches: Vec<(Pattern, Option<Node>, Node)>,
    pub(crate) otherwise: Option<Node>,
}

/// A pattern of `in`.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// Compared with `===`.
    Value(Node),
    Bind(u32, u32),
    Capture(Box<Pattern>, u32, u32),
    Either(Box<Pattern>, Box<Pattern>),
    Array {
        constant: Option<Node>,
        first: Vec<Pattern>,
        rest: Option<Option<(u32, u32)>>,
        last: Vec<Pattern>,
    },
    Find {
        constant: Option<Node>,
        before: Option<(u32, u32)>,
        middle: Vec<Pattern>,
        after: Option<(u32, u32)>,
    },
    Hash {
        constant: Option<Node>,
        entries: Vec<HashEntry>,
        rest: HashRest,
    },
}

/// A key of a pattern, the pattern of its value, and the variable that it binds.
pub(crate) type HashEntry = (Sym, Option<Pattern>, Option<(u32, u32)>);

/// What a pattern does with the keys it does not name.
#[derive(Debug)]
pub(crate) enum HashRest {
    Ignored,
    Bound(u32, u32),
    /// `**nil`.
    Refused,
}

#[derive(Debug)]
pub(crate) struct Protected {
    pub(crate) body: Node,
    pub(crate) rescues: Vec<Rescue>,
    pub(crate) otherwise: Option<Node>,
    pub(crate) ensure: Option<Node>,
}

#[derive(Debug)]
pub(crate) struct Rescue {
    pub(crate) classes: Vec<Argument>,
    pub(crate) target: Option<Target>,
    pub(crate) body: Node,
}

/// The left side of `a, (b, *c) = …`.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    pub(crate) first: Vec<Target>,
    /// `*rest`, with a target or without one.
    pub(crate) rest: Option<Option<Target>>,
    pub(crate) last: Vec<Target>,
}

#[derive(Debug)]
pub(crate) enum Target {
    Nothing,
    Local(u32, u32),
    Variable(Sym),
    Global(Sym),
    ClassVariable(Sym),
    Constant(Option<Node>, Sym),
    /// `receiver.name = ` or `receiver[args] =`.
    Call(Box<(Node, Sym, Vec<Argument>, bool)>),
    Nested(Box<Targets>),
}

/// A block with its parameters.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) parameters: Parameters,
    pub(crate) locals: Arc<Vec<Sym>>,
    pub(crate) body: Node,
    pub(crate) line: u32,
    /// How many blocks it is inside of, itself included.
    pub(crate) depth: u32,
}

/// `def`.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Sym,
    pub(crate) parameters: Parameters,
    pub(crate) locals: Arc<Vec<Sym>>,
    pub(crate) body: Node,
    pub(crate) path: Arc<str>,
    pub(crate) line: u32,
}

/// The parameters of a method or block. Slots are those of the variables.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    pub(crate) required: Vec<Target>,
    pub(crate) optional: Vec<(u32, Node)>,
    pub(crate) rest: Option<Option<u32>>,
    pub(crate) last: Vec<Target>,
    pub(crate) keywords: Vec<Keyword>,
    pub(crate) keyword_rest: Option<Option<u32>>,
    /// `**nil`.
    pub(crate) no_keywords: bool,
    pub(crate) block: Option<u32>,
    /// `|a,|`: as if another one followed.
    pub(crate) has_trailing_comma: bool,
    /// The number of `_1`, `_2` and so on.
    pub(crate) numbered: u32,
    /// The names, for `parameters`.
    pub(crate) names: Vec<(&'static str, Option<Sym>)>,
}

/// A keyword parameter; one without a default is required.
#[derive(Debug)]
pub(crate) struct Keyword {
    pub(crate) name: Sym,
    pub(crate) slot: u32,
    pub(crate) default: Option<Node>,
}

/// `class`, `module` or `class <<`.
#[derive(Debug)]
pub(crate) struct ClassBody {
    pub(crate) kind: ClassKind,
    pub(crate) scope: Option<Node>,
    pub(crate) is_top: bool,
    pub(crate) name: Sym,
    pub(crate) superclass: Option<Node>,
    /// How backtraces call the body.
    pub(crate) label: Sym,
    pub(crate) body: Node,
    pub(crate) locals: Arc<Vec<Sym>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassKind {
    Class,
    Module,
    Singleton,
}

impl Parameters {
    pub(crate) fn takes_keywords(&self) -> bool {
        !self.keywords.is_empty() || self.keyword_rest.is_some()
    }

    pub(crate) fn requires_keywords(&self) -> bool {
        self.keywords.iter().any(|keyword| keyword.default.is_none())
    }

    /// How many arguments there must be, and how many there may be.
    pub(crate) fn extent(&self) -> (usize, Option<usize>) {
        let fewest = self.required.len() + self.last.len();
        (fewest, self.rest.is_none().then_some(fewest + self.optional.len()))
    }

    /// What `arity` says of a method or lambda.
    pub(crate) fn arity(&self) -> i64 {
        let (fewest, _) = self.extent();
        let fewest = i64::try_from(fewest).unwrap_or(i64::MAX);
        let fewest = fewest + i64::from(self.requires_keywords());
        let is_open =
            !self.optional.is_empty() || self.rest.is_some() || (self.takes_keywords() && !self.requires_keywords());
        if is_open { -fewest - 1 } else { fewest }
    }

    /// Whether a block with these takes a lone array apart.
    pub(crate) fn takes_several(&self) -> bool {
        let count = self.required.len() + self.optional.len() + self.last.len();
        count > 1 || (count >= 1 && (self.rest.is_some() || self.has_trailing_comma)) || self.numbered > 1
    }
}
