//! Nodes that give something a name. They are shared, so that an environment can find them by name without a copy.

use std::sync::Arc;

use ecow::EcoString;

use super::{Expr, Ident};
use bunraku_diagnostic::Span;

/// A named thing that a file defines.
#[derive(Debug, Clone)]
pub enum Definition {
    /// `class`
    Class(Arc<Class>),
    /// `define`
    DefinedType(Arc<DefinedType>),
    /// `node`
    Node(Arc<Node>),
    /// `function`
    Function(Arc<Function>),
    /// `plan`
    Plan(Arc<Plan>),
    /// `type Name = …`
    TypeAlias(Arc<TypeAlias>),
    /// `type Runtime[…] = …`
    TypeMapping(Arc<TypeMapping>),
    /// `type Name { … }`, which validation refuses
    TypeDefinition(Arc<TypeDefinition>),
}

impl Definition {
    /// The name with the names of the classes around it; nodes and type mappings have none.
    pub fn name(&self) -> Option<&EcoString> {
        match self {
            Definition::Class(class) => Some(&class.name),
            Definition::DefinedType(defined_type) => Some(&defined_type.name),
            Definition::Function(function) => Some(&function.name.name),
            Definition::Plan(plan) => Some(&plan.name),
            Definition::TypeAlias(alias) => Some(&alias.name.name),
            Definition::TypeDefinition(definition) => Some(&definition.name.name),
            Definition::Node(_) | Definition::TypeMapping(_) => None,
        }
    }

    /// The name as written, with its place.
    pub fn written(&self) -> Option<&Ident> {
        match self {
            Definition::Class(class) => Some(&class.written),
            Definition::DefinedType(defined_type) => Some(&defined_type.written),
            Definition::Function(function) => Some(&function.name),
            Definition::Plan(plan) => Some(&plan.written),
            Definition::TypeAlias(alias) => Some(&alias.name),
            Definition::TypeDefinition(definition) => Some(&definition.name),
            Definition::Node(_) | Definition::TypeMapping(_) => None,
        }
    }

    /// From the keyword to the end.
    pub fn span(&self) -> Span {
        match self {
            Definition::Class(class) => class.span,
            Definition::DefinedType(defined_type) => defined_type.span,
            Definition::Node(node) => node.span,
            Definition::Function(function) => function.span,
            Definition::Plan(plan) => plan.span,
            Definition::TypeAlias(alias) => alias.span,
            Definition::TypeMapping(mapping) => mapping.span,
            Definition::TypeDefinition(definition) => definition.span,
        }
    }
}

/// `class name(parameters) inherits parent { … }`
#[derive(Debug, Clone)]
pub struct Class {
    /// The name with the names of the classes around it, in the case it was written in.
    pub name: EcoString,
    /// The name as written.
    pub written: Ident,
    /// The parameters.
    pub parameters: Box<[Parameter]>,
    /// The class after `inherits`, as written.
    pub parent: Option<Ident>,
    /// The statements: a block, or [`Nop`](super::ExprKind::Nop) when there are none.
    pub body: Expr,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// `define name(parameters) { … }`
#[derive(Debug, Clone)]
pub struct DefinedType {
    /// The name with the names of the classes around it, in the case it was written in.
    pub name: EcoString,
    /// The name as written.
    pub written: Ident,
    /// The parameters.
    pub parameters: Box<[Parameter]>,
    /// The statements: a block, or [`Nop`](super::ExprKind::Nop) when there are none.
    pub body: Expr,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// `node 'a', /b/ { … }`
#[derive(Debug, Clone)]
pub struct Node {
    /// Strings, regular expressions and `default`.
    pub matches: Box<[Expr]>,
    /// What follows `inherits`; validation refuses it.
    pub parent: Option<Expr>,
    /// The statements: a block, or [`Nop`](super::ExprKind::Nop) when there are none.
    pub body: Expr,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// `function name(parameters) >> Type { … }`
#[derive(Debug, Clone)]
pub struct Function {
    /// The name as written.
    pub name: Ident,
    /// The parameters.
    pub parameters: Box<[Parameter]>,
    /// The type after `>>`.
    pub return_type: Option<Expr>,
    /// The statements: a block, or [`Nop`](super::ExprKind::Nop) when there are none.
    pub body: Expr,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// `plan name(parameters) { … }`
#[derive(Debug, Clone)]
pub struct Plan {
    /// The name with the names of the plans and classes around it, in the case it was written in.
    pub name: EcoString,
    /// The name as written.
    pub written: Ident,
    /// The parameters.
    pub parameters: Box<[Parameter]>,
    /// The statements: a block, or [`Nop`](super::ExprKind::Nop) when there are none.
    pub body: Expr,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// `type Name = Type`
#[derive(Debug, Clone)]
pub struct TypeAlias {
    /// The name as written.
    pub name: Ident,
    /// The data type; `{ … }` has become `Object[{ … }]`.
    pub type_expr: Expr,
    /// From the keyword to the end.
    pub span: Span,
}

/// `type Runtime[ruby, 'A'] = B`
#[derive(Debug, Clone)]
pub struct TypeMapping {
    /// The left side.
    pub type_expr: Expr,
    /// The right side.
    pub mapping: Expr,
    /// From the keyword to the end.
    pub span: Span,
}

/// `type Name inherits Parent { … }`
#[derive(Debug, Clone)]
pub struct TypeDefinition {
    /// The name as written.
    pub name: Ident,
    /// The type after `inherits`.
    pub parent: Option<Ident>,
    /// The statements.
    pub body: Expr,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// A parameter of a class, defined type, function, plan, lambda or template.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name without its `$`; its place is that of the variable, which is where messages locate the parameter.
    pub name: Ident,
    /// The data type, where one is written.
    pub type_expr: Option<Expr>,
    /// The value to use when none is given.
    pub default: Option<Expr>,
    /// `*$rest`
    pub captures_rest: bool,
    /// From the type, the star or the variable to the end of the default.
    pub span: Span,
}
