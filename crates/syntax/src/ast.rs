//! The syntax tree: plain, typed, immutable.
//!
//! The span of a node is all of it, from its first to its last token; a heredoc is the one exception, for its text
//! follows the line of its header. Where the reference implementation reports a node is [`Expr::reported`].

mod big_integer;
mod definition;
mod ident;
mod reported;
mod resource;
mod visit;

use ecow::EcoString;

pub use big_integer::BigInteger;
pub use definition::{
    Class, DefinedType, Definition, Function, Node, Parameter, Plan, TypeAlias, TypeDefinition, TypeMapping,
};
pub use ident::Ident;
pub use resource::{
    AttributeOperation, AttributeOperator, Collector, Query, Resource, ResourceBody, ResourceDefaults, ResourceForm,
    ResourceOverride,
};
pub use visit::{Part, Visitor};

use bunraku_diagnostic::Span;

/// One file as it was written.
#[derive(Debug, Clone)]
pub struct Program {
    /// The statements; a template's body is one [`ExprKind::Lambda`].
    pub body: Expr,
    /// Every definition of the file however deeply nested, in the order in which they end.
    pub definitions: Vec<Definition>,
    /// Whether the name of some variable is not well-formed; if none is, validation need not look at each.
    pub(crate) has_odd_variables: bool,
}

/// An expression; everything in the language is one.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it; see [`Expr::reported`] for the place in messages.
    pub span: Span,
}

const _: () = assert!(size_of::<Expr>() <= 40);

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// Nothing: an empty block or file.
    Nop,
    /// A hole: what stands here, if anything does, could not be read. Only trees with errors have it.
    Missing,
    /// `undef`
    Undef,
    /// `default`
    Default,
    /// `true` or `false`
    Boolean(bool),
    /// `31`, `0x1f` or `037`
    Integer {
        /// The number.
        value: i64,
        /// The base it was written in.
        radix: Radix,
    },
    /// `1.5e3`
    Float(f64),
    /// A string without interpolation: quoted, or a bare word that is not a name, such as `x-y`.
    String(EcoString),
    /// A bare word: `apache::vhost`. As a value it is a string.
    Name(EcoString),
    /// `Apache::Vhost`, with its capitals as written.
    TypeName(EcoString),
    /// The pattern of `/…/`, with `\/` already turned into `/`.
    Regexp(EcoString),
    /// A variable's name without its `$`; a leading `::` is kept, for it asks for the top scope.
    Variable(EcoString),
    /// An integer that does not fit 64 bits; validation refuses it.
    BigInteger(Box<BigInteger>),
    /// A string with interpolation.
    Interpolated(Box<[StringPart]>),
    /// `@(END)`
    Heredoc(Box<Heredoc>),
    /// `[1, 2]`
    Array(Box<[Expr]>),
    /// `{ a => 1 }`, or pairs without braces among arguments
    Hash(Box<[HashEntry]>),
    /// A sequence of statements; its value is that of the last.
    Block(Box<[Expr]>),
    /// `( … )`
    Parenthesized(Box<Expr>),
    /// `!x`, `-x` or `*x`
    Unary(UnaryOperator, Box<Expr>),
    /// An operator between two operands.
    Binary(Box<Binary>),
    /// `$a = 1`
    Assignment(Box<Assignment>),
    /// `a -> b`
    Relationship(Box<Relationship>),
    /// `$x[1, 2]` or `File['/a']`
    Access(Box<Access>),
    /// `$x ? { … }`
    Selector(Box<Selector>),
    /// `if`
    If(Box<Conditional>),
    /// `unless`
    Unless(Box<Conditional>),
    /// `case`
    Case(Box<Case>),
    /// `f(1)`, `Integer('1')` or, as a statement, `include apache`
    Call(Box<Call>),
    /// `$x.f(1)`
    MethodCall(Box<MethodCall>),
    /// `apply($targets) { … }` in a plan
    Apply(Box<Apply>),
    /// The parameters and body of a template.
    Lambda(Box<Lambda>),
    /// `file { … }`
    Resource(Box<Resource>),
    /// `File { … }`
    ResourceDefaults(Box<ResourceDefaults>),
    /// `File['/a'] { … }`
    ResourceOverride(Box<ResourceOverride>),
    /// `File <| … |>`
    Collector(Box<Collector>),
    /// A class, defined type, node, function, plan or type alias; evaluating it does nothing.
    Definition(Definition),
    /// The body of a template.
    Epp(Box<Epp>),
    /// Text of a template.
    RenderString(EcoString),
    /// `<%= … %>`
    RenderExpr(Box<Expr>),
    /// A word kept for later use: `private` or `attr`; validation refuses it.
    Reserved(EcoString),
}

/// The base an integer was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Radix {
    /// `037`
    Octal,
    /// `31`
    Decimal,
    /// `0x1f`
    Hexadecimal,
}

impl Radix {
    /// 8, 10 or 16.
    pub fn base(self) -> u32 {
        match self {
            Radix::Octal => 8,
            Radix::Decimal => 10,
            Radix::Hexadecimal => 16,
        }
    }
}

/// A piece of an interpolated string.
#[derive(Debug, Clone)]
pub enum StringPart {
    /// Literal text, never empty.
    Text(EcoString),
    /// `$name` or `${ … }`
    Expr(Expr),
}

/// `@(END:json)`; the span of the expression is this header.
#[derive(Debug, Clone)]
pub struct Heredoc {
    /// The tag, without the quotes that turn on interpolation.
    pub tag: Ident,
    /// The declared syntax of the text; empty when none is.
    pub syntax: EcoString,
    /// The text: a [`ExprKind::String`] or [`ExprKind::Interpolated`].
    pub text: Expr,
    /// The line that ends the text: its margin, bar, dash and tag, without the line break.
    pub end_line: Span,
}

/// `key => value` in a hash
#[derive(Debug, Clone)]
pub struct HashEntry {
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
    /// The arrow.
    pub arrow: Span,
}

impl HashEntry {
    /// From the key to the value.
    pub fn span(&self) -> Span {
        self.key.span.join(self.value.span)
    }
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `*`, which spreads an array into its elements
    Unfold,
}

/// An operator between two operands that are values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names and `as_str` say it all")]
pub enum BinaryOperator {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    LeftShift,
    RightShift,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Match,
    NoMatch,
    In,
    And,
    Or,
}

impl BinaryOperator {
    /// The operator as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOperator::Plus => "+",
            BinaryOperator::Minus => "-",
            BinaryOperator::Times => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Modulo => "%",
            BinaryOperator::LeftShift => "<<",
            BinaryOperator::RightShift => ">>",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterOrEqual => ">=",
            BinaryOperator::Match => "=~",
            BinaryOperator::NoMatch => "!~",
            BinaryOperator::In => "in",
            BinaryOperator::And => "and",
            BinaryOperator::Or => "or",
        }
    }
}

/// `left operator right`
#[derive(Debug, Clone)]
pub struct Binary {
    /// The operator.
    pub operator: BinaryOperator,
    /// Where the operator is written, which is where messages locate the expression.
    pub operator_span: Span,
    /// The left operand.
    pub left: Expr,
    /// The right operand.
    pub right: Expr,
}

/// How a value is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignmentOperator {
    /// `=`
    Assign,
    /// `+=`, which validation refuses
    Append,
    /// `-=`, which validation refuses
    Delete,
}

impl AssignmentOperator {
    /// The operator as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            AssignmentOperator::Assign => "=",
            AssignmentOperator::Append => "+=",
            AssignmentOperator::Delete => "-=",
        }
    }
}

/// `target = value`
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The operator.
    pub operator: AssignmentOperator,
    /// Where the operator is written, which is where messages locate the expression.
    pub operator_span: Span,
    /// A variable, or an array of them.
    pub target: Expr,
    /// The value.
    pub value: Expr,
}

/// How two resources are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationshipOperator {
    /// `->`
    Before,
    /// `~>`
    Notify,
    /// `<-`
    After,
    /// `<~`
    Subscribe,
}

impl RelationshipOperator {
    /// The operator as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            RelationshipOperator::Before => "->",
            RelationshipOperator::Notify => "~>",
            RelationshipOperator::After => "<-",
            RelationshipOperator::Subscribe => "<~",
        }
    }
}

/// `left -> right`
#[derive(Debug, Clone)]
pub struct Relationship {
    /// The operator.
    pub operator: RelationshipOperator,
    /// Where the operator is written, which is where messages locate the expression.
    pub operator_span: Span,
    /// The left side.
    pub left: Expr,
    /// The right side.
    pub right: Expr,
}

/// `left[keys]`
#[derive(Debug, Clone)]
pub struct Access {
    /// What is looked into.
    pub left: Expr,
    /// The keys, at least one.
    pub keys: Box<[Expr]>,
}

/// `left ? { … }`
#[derive(Debug, Clone)]
pub struct Selector {
    /// What is tested.
    pub left: Expr,
    /// The choices, at least one.
    pub entries: Box<[SelectorEntry]>,
}

/// `matching => value` in a selector
#[derive(Debug, Clone)]
pub struct SelectorEntry {
    /// What the tested value is compared with.
    pub matching: Expr,
    /// The result.
    pub value: Expr,
    /// The arrow.
    pub arrow: Span,
}

impl SelectorEntry {
    /// From what is compared to the result.
    pub fn span(&self) -> Span {
        self.matching.span.join(self.value.span)
    }
}

/// The parts of `if` and `unless`.
#[derive(Debug, Clone)]
pub struct Conditional {
    /// Whether this is the `elsif` of the conditional around it.
    pub is_elsif: bool,
    /// The condition.
    pub test: Expr,
    /// The first branch; [`ExprKind::Nop`] when empty.
    pub then: Expr,
    /// The braces of the first branch, which a single statement in them does not tell.
    pub then_braces: Span,
    /// The other branch; [`ExprKind::Nop`] when absent or empty, another [`ExprKind::If`] for `elsif`.
    pub otherwise: Expr,
    /// The braces after `else`.
    pub else_braces: Option<Span>,
}

/// `case`
#[derive(Debug, Clone)]
pub struct Case {
    /// What is tested.
    pub test: Expr,
    /// The choices, at least one.
    pub options: Box<[CaseOption]>,
}

/// `a, b: { … }`
#[derive(Debug, Clone)]
pub struct CaseOption {
    /// What the tested value is compared with.
    pub values: Box<[Expr]>,
    /// The colon after them.
    pub colon: Span,
    /// The statements; [`ExprKind::Nop`] when there are none.
    pub then: Expr,
}

impl CaseOption {
    /// From the first value to the closing brace.
    pub fn span(&self) -> Span {
        self.values.first().map_or(self.then.span, |first| first.span.join(self.then.span))
    }
}

/// A call of a function by name, or of a data type to make a value.
#[derive(Debug, Clone)]
pub struct Call {
    /// Normally a [`ExprKind::Name`] or a data type; validation refuses anything else.
    pub functor: Expr,
    /// The arguments.
    pub args: Box<[Expr]>,
    /// The parentheses; none in `include apache`.
    pub parentheses: Option<Span>,
    /// The lambda that follows the arguments.
    pub lambda: Option<Box<Lambda>>,
    /// Whether the value is used: false for a statement.
    pub rvalue: bool,
}

/// A call of a function with its first argument before the dot.
#[derive(Debug, Clone)]
pub struct MethodCall {
    /// The first argument.
    pub receiver: Expr,
    /// The dot before the name.
    pub dot: Span,
    /// The function.
    pub name: Ident,
    /// The other arguments.
    pub args: Box<[Expr]>,
    /// The parentheses, where there are any.
    pub parentheses: Option<Span>,
    /// The lambda that follows the arguments.
    pub lambda: Option<Box<Lambda>>,
}

/// `apply(arguments) { … }`: what plans have agents do.
#[derive(Debug, Clone)]
pub struct Apply {
    /// The targets and options, at least one.
    pub args: Box<[Expr]>,
    /// The parentheses.
    pub parentheses: Span,
    /// The statements that are compiled for each target; [`ExprKind::Nop`] when there are none.
    pub body: Expr,
}

/// `|$x| { … }`
#[derive(Debug, Clone)]
pub struct Lambda {
    /// The parameters.
    pub parameters: Box<[Parameter]>,
    /// The type after `>>`.
    pub return_type: Option<Expr>,
    /// The statements; [`ExprKind::Nop`] when there are none.
    pub body: Expr,
    /// From the first bar to the closing brace.
    pub span: Span,
}

/// The body of a template.
#[derive(Debug, Clone)]
pub struct Epp {
    /// Whether the template declares its parameters; only then are other arguments refused.
    pub parameters_specified: bool,
    /// The statements; [`ExprKind::Nop`] when there are none.
    pub body: Expr,
}
