//! Classes, defined types, nodes, functions, type aliases and their parameters.

use std::sync::Arc;

use ecow::EcoString;

use super::{Parse, Parser};
use crate::ast::{
    Access, Apply, Class, DefinedType, Definition, Expr, ExprKind, Function, HashEntry, Ident, Node, Parameter, Plan,
    TypeAlias, TypeDefinition, TypeMapping,
};
use crate::issues;
use crate::token::TokenKind;
use bunraku_diagnostic::Span;

impl Parser<'_, '_> {
    pub(super) fn class(&mut self) -> Parse<Expr> {
        let start = self.keyword_span();
        let written = self.definition_name()?;
        self.namespace.push(written.name.clone());
        let parameters = self.parameters()?;
        let parent = match self.eat(TokenKind::Inherits) {
            None => None,
            Some(_) if self.kind() == TokenKind::Default => {
                let token = self.bump();
                Some(self.ident(token))
            }
            Some(_) => Some(self.definition_name()?),
        };
        let (body, braces) = self.body()?;
        self.namespace.pop();
        let name = self.qualify(&written);
        let class = Class { name, written, parameters, parent, body, span: start.to(braces) };
        Ok(self.define(Definition::Class(Arc::new(class))))
    }

    pub(super) fn defined_type(&mut self) -> Parse<Expr> {
        let start = self.keyword_span();
        let written = self.definition_name()?;
        let parameters = self.parameters()?;
        let (body, braces) = self.body()?;
        let name = self.qualify(&written);
        let defined_type = DefinedType { name, written, parameters, body, span: start.to(braces) };
        Ok(self.define(Definition::DefinedType(Arc::new(defined_type))))
    }

    pub(super) fn function(&mut self) -> Parse<Expr> {
        let start = self.keyword_span();
        let name = self.definition_name()?;
        let parameters = self.parameters()?;
        let return_type = self.optional_return_type()?;
        let (body, braces) = self.body()?;
        let function = Function { name, parameters, return_type, body, span: start.to(braces) };
        Ok(self.define(Definition::Function(Arc::new(function))))
    }

    pub(super) fn plan(&mut self) -> Parse<Expr> {
        let start = self.keyword_span();
        let written = self.definition_name()?;
        self.namespace.push(written.name.clone());
        let parameters = self.parameters()?;
        let (body, braces) = self.body()?;
        self.namespace.pop();
        let name = self.qualify(&written);
        let plan = Plan { name, written, parameters, body, span: start.to(braces) };
        Ok(self.define(Definition::Plan(Arc::new(plan))))
    }

    /// `apply(targets) { … }`
    pub(super) fn apply(&mut self) -> Parse<Expr> {
        let start = self.keyword_span();
        if self.kind() != TokenKind::LeftParenthesis {
            return self.unexpected();
        }
        let has_arguments = self.next_kind() != TokenKind::RightParenthesis;
        if !has_arguments {
            self.bump();
            return self.unexpected();
        }
        let (args, parentheses) = self.arguments(true)?;
        let (body, braces) = self.body()?;
        let apply = Apply { args, parentheses, body };
        Ok(Expr { kind: ExprKind::Apply(Box::new(apply)), span: start.to(braces) })
    }

    pub(super) fn node(&mut self) -> Parse<Expr> {
        let start = self.keyword_span();
        let mut matches = vec![self.hostname()?];
        while self.eat(TokenKind::Comma).is_some() {
            if matches!(self.kind(), TokenKind::LeftBrace | TokenKind::Inherits) {
                break;
            }
            matches.push(self.hostname()?);
        }
        let parent = match self.eat(TokenKind::Inherits) {
            Some(_) => Some(self.hostname()?),
            None => None,
        };
        let (body, braces) = self.body()?;
        let node = Node { matches: matches.into_boxed_slice(), parent, body, span: start.to(braces) };
        Ok(self.define(Definition::Node(Arc::new(node))))
    }

    /// A string, a dotted name without quotes, a regular expression or `default`.
    fn hostname(&mut self) -> Parse<Expr> {
        match self.kind() {
            TokenKind::Name | TokenKind::Number => {}
            TokenKind::SingleQuoted
            | TokenKind::DoubleQuoted
            | TokenKind::Word
            | TokenKind::StringStart
            | TokenKind::Heredoc
            | TokenKind::Default
            | TokenKind::Regexp => return self.primary(),
            _ => return self.unexpected(),
        }
        let first = self.bump();
        let mut text = self.name(first);
        let mut span = self.span(first);
        while self.eat(TokenKind::Dot).is_some() {
            if !matches!(self.kind(), TokenKind::Name | TokenKind::Number) {
                return self.unexpected();
            }
            let token = self.bump();
            text.push('.');
            text.push_str(self.text(token));
            span = span.to(self.span(token));
        }
        Ok(Expr { kind: ExprKind::String(text), span })
    }

    /// `type(…)`, a type alias, a type mapping or a type definition.
    pub(super) fn type_expression(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        if self.kind() == TokenKind::LeftParenthesis {
            let functor = self.expr(ExprKind::Name(self.name(keyword)), keyword);
            return self.call(functor);
        }
        if self.kind() != TokenKind::ClassReference {
            return self.unexpected();
        }
        if matches!(self.next_kind(), TokenKind::LeftBrace | TokenKind::Inherits) {
            let start = self.span(keyword);
            return self.type_definition(start);
        }
        let left = self.type_reference()?;
        self.expect(TokenKind::Assign)?;
        let right = self.aliased_type()?;
        let span = self.span(keyword).to(right.span);
        Ok(match left.kind {
            ExprKind::TypeName(name) => {
                let name = Ident { name, span: left.span };
                let alias = TypeAlias { name, type_expr: object_type(right), span };
                self.define(Definition::TypeAlias(Arc::new(alias)))
            }
            _ => {
                let mapping = TypeMapping { type_expr: left, mapping: right, span };
                self.define(Definition::TypeMapping(Arc::new(mapping)))
            }
        })
    }

    /// The right side of a type alias.
    fn aliased_type(&mut self) -> Parse<Expr> {
        match self.kind() {
            TokenKind::ClassReference => {}
            TokenKind::LeftBrace => return self.hash(),
            TokenKind::ListStart | TokenKind::LeftBracket => return self.array(),
            _ => return self.unexpected(),
        }
        let token = self.bump();
        let name = self.expr(ExprKind::TypeName(self.name(token)), token);
        match self.kind() {
            TokenKind::LeftBracket => {
                let (keys, brackets) = self.access_keys(true)?;
                let span = name.span.to(brackets);
                Ok(access(name, keys, span))
            }
            TokenKind::LeftBrace => {
                let hash = self.hash()?;
                Ok(inheriting_object(name, hash))
            }
            _ => Ok(name),
        }
    }

    fn type_definition(&mut self, start: Span) -> Parse<Expr> {
        let name = self.bump();
        let parent = match self.eat(TokenKind::Inherits) {
            Some(_) => Some(self.expect(TokenKind::ClassReference)?),
            None => None,
        };
        let (body, braces) = self.body()?;
        let definition = TypeDefinition {
            name: self.ident(name),
            parent: parent.map(|parent| self.ident(parent)),
            body,
            span: start.to(braces),
        };
        Ok(self.define(Definition::TypeDefinition(Arc::new(definition))))
    }

    /// Leaves a keyword behind.
    fn keyword_span(&mut self) -> Span {
        let keyword = self.bump();
        self.span(keyword)
    }

    /// Adds a definition to those of the program.
    fn define(&mut self, definition: Definition) -> Expr {
        self.definitions.push(definition.clone());
        Expr { span: definition.span(), kind: ExprKind::Definition(definition) }
    }

    fn definition_name(&mut self) -> Parse<Ident> {
        match self.kind() {
            TokenKind::Name | TokenKind::Word | TokenKind::ClassReference => {
                let token = self.bump();
                Ok(self.ident(token))
            }
            TokenKind::Class => self.fail(issues::class_as_name(), self.span(self.token)),
            TokenKind::SingleQuoted | TokenKind::DoubleQuoted => {
                self.fail(issues::string_as_name(), self.span(self.token))
            }
            TokenKind::LeftParenthesis | TokenKind::LeftBrace | TokenKind::Inherits => {
                let _ = self.unexpected::<()>();
                Ok(Ident { name: EcoString::new(), span: self.missing().span })
            }
            _ => self.unexpected(),
        }
    }

    /// The name with the names of the classes around it.
    fn qualify(&self, name: &EcoString) -> EcoString {
        if self.namespace.is_empty() {
            return name.clone();
        }
        let mut qualified = EcoString::new();
        for part in &self.namespace {
            qualified.push_str(part);
            qualified.push_str("::");
        }
        qualified.push_str(name);
        match qualified.strip_prefix("::") {
            Some(stripped) => stripped.into(),
            None => qualified,
        }
    }

    /// `(parameters)`, which may be missing.
    fn parameters(&mut self) -> Parse<Box<[Parameter]>> {
        if !matches!(self.kind(), TokenKind::LeftParenthesis | TokenKind::LineStartParenthesis) {
            return Ok(Box::default());
        }
        let (openers, depth) = (self.openers.len(), self.depth);
        self.open();
        self.is_in_parameters = true;
        let parameters = self.parameters_until(TokenKind::RightParenthesis);
        self.is_in_parameters = false;
        if parameters.is_ok() && self.kind() == TokenKind::RightParenthesis {
            self.close(TokenKind::RightParenthesis);
            return parameters;
        }
        // A definition is worth more than its parameters: it goes on behind them.
        let _ = self.unexpected::<()>();
        self.depth = depth;
        self.recover_parameters(openers);
        Ok(parameters.unwrap_or_default())
    }

    /// `|parameters|`
    pub(super) fn piped_parameters(&mut self) -> Parse<Box<[Parameter]>> {
        self.open();
        let parameters = self.parameters_until(TokenKind::Pipe)?;
        self.expect(TokenKind::Pipe)?;
        self.openers.pop();
        Ok(parameters)
    }

    fn parameters_until(&mut self, end: TokenKind) -> Parse<Box<[Parameter]>> {
        self.list(
            |lists| &mut lists.parameters,
            |parser| {
                while parser.kind() != end {
                    parser.parameter()?;
                    if parser.eat(TokenKind::Comma).is_none() {
                        break;
                    }
                }
                Ok(())
            },
        )
    }

    fn parameter(&mut self) -> Parse<()> {
        let start = self.span(self.token);
        let type_expr = match self.kind() {
            TokenKind::ClassReference => Some(self.type_reference()?),
            _ => None,
        };
        let captures_rest = self.eat(TokenKind::Times).is_some();
        let variable = self.expect(TokenKind::Variable)?;
        let default = self.eat(TokenKind::Assign).map(|_| self.or_missing(Self::expression));
        let name = Ident { name: self.variable_name(variable), span: self.span(variable) };
        let span = start.to(default.as_ref().map_or(name.span, |default| default.span));
        self.lists.parameters.push(Parameter { name, type_expr, default, captures_rest, span });
        Ok(())
    }

    /// `>> Type`, which may be missing.
    pub(super) fn optional_return_type(&mut self) -> Parse<Option<Expr>> {
        match self.eat(TokenKind::RightShift) {
            Some(_) if self.kind() == TokenKind::ClassReference => Ok(Some(self.type_reference()?)),
            Some(_) => self.unexpected(),
            None => Ok(None),
        }
    }

    /// `Type` or `Type[…]`
    fn type_reference(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let name = self.expr(ExprKind::TypeName(self.name(token)), token);
        if self.kind() != TokenKind::LeftBracket {
            return Ok(name);
        }
        let (keys, brackets) = self.access_keys(false)?;
        let span = name.span.to(brackets);
        Ok(access(name, keys, span))
    }
}

fn access(left: Expr, keys: Box<[Expr]>, span: Span) -> Expr {
    Expr { kind: ExprKind::Access(Box::new(Access { left, keys })), span }
}

/// `type X = {…}` means `Object[{…}]`.
fn object_type(right: Expr) -> Expr {
    if !matches!(right.kind, ExprKind::Hash(_)) {
        return right;
    }
    let span = right.span;
    let object = Expr { kind: ExprKind::TypeName("Object".into()), span: span.at_start() };
    access(object, Box::new([right]), span)
}

/// `type X = Parent {…}` means `Object[{…, parent => Parent}]`; `Object` and `TypeSet` are taken as they are.
fn inheriting_object(parent: Expr, hash: Expr) -> Expr {
    let is_object = matches!(&parent.kind, ExprKind::TypeName(name) if name == "Object" || name == "TypeSet");
    let span = parent.span.to(hash.span);
    let (ExprKind::Hash(entries), false) = (hash.kind.clone(), is_object) else {
        return access(parent, Box::new([hash]), span);
    };
    let name = |kind| Expr { kind, span: span.at_start() };
    let mut entries = entries.into_vec();
    let key = name(ExprKind::Name("parent".into()));
    entries.push(HashEntry { key, value: parent, arrow: hash.span.at_start() });
    let hash = Expr { kind: ExprKind::Hash(entries.into_boxed_slice()), span: hash.span };
    access(name(ExprKind::TypeName("Object".into())), Box::new([hash]), span)
}
