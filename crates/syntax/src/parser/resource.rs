//! Resources, their defaults and overrides, and collectors.

use super::statement::{is_statement_call, statement_call};
use super::{Parse, Parser};
use crate::ast::{
    AttributeOperation, AttributeOperator, Collector, Expr, ExprKind, HashEntry, Query, Resource, ResourceBody,
    ResourceDefaults, ResourceForm, ResourceOverride,
};
use crate::issues;
use crate::token::TokenKind;
use bunraku_diagnostic::Span;

impl Parser<'_, '_> {
    /// An expression, or one with braces after it.
    pub(super) fn resource(&mut self) -> Parse<Expr> {
        let mut result = match self.kind() {
            TokenKind::At => return self.unrealized(ResourceForm::Virtual),
            TokenKind::AtAt => return self.unrealized(ResourceForm::Exported),
            TokenKind::Class if self.next_kind() == TokenKind::LeftBrace => self.class_resource(),
            _ => self.compound(),
        };
        while self.kind() == TokenKind::LeftBrace && result.is_ok() {
            let deepest = self.deepest;
            result = result.and_then(|left| self.braces(left)).and_then(|resource| {
                self.wrap(deepest)?;
                Ok(resource)
            });
        }
        result
    }

    /// `@file { … }` or `@@file { … }`
    fn unrealized(&mut self, wanted: ResourceForm) -> Parse<Expr> {
        let at = self.bump();
        self.enter()?;
        let mut resource = self.resource()?;
        self.depth -= 1;
        self.check_lookahead()?;
        let start = self.span(at);
        match &mut resource.kind {
            ExprKind::Resource(resource) => resource.form = wanted,
            ExprKind::ResourceDefaults(defaults) => defaults.form = wanted,
            ExprKind::ResourceOverride(resource_override) => resource_override.form = wanted,
            _ => self.record(issues::not_virtualizable(wanted == ResourceForm::Exported).at(start)),
        }
        resource.span = start.to(resource.span);
        Ok(resource)
    }

    /// `class { 'name': … }`
    fn class_resource(&mut self) -> Parse<Expr> {
        let keyword = self.bump();
        let name = self.name(keyword);
        let type_name = self.expr(ExprKind::Name(name), keyword);
        let span = type_name.span;
        let (resource, statements) = self.or_statements(|parser| {
            parser.open();
            parser.bodies(type_name)
        });
        match statements {
            None => resource,
            Some(statements) => statements.map(|block| Expr { span: span.to(block.span), ..block }),
        }
    }

    /// What the braces after an expression make of it. Where statements are in them, both are kept.
    fn braces(&mut self, left: Expr) -> Parse<Expr> {
        let span = left.span;
        let (resource, statements) = self.or_statements(|parser| parser.braces_of(left));
        let Some(statements) = statements else { return resource };
        let statements = statements?;
        let span = span.to(statements.span);
        Ok(match resource.map(before_braces) {
            Ok(left) => Expr { kind: ExprKind::Block(Box::new([left, statements])), span },
            Err(_) => Expr { span, ..statements },
        })
    }

    fn braces_of(&mut self, left: Expr) -> Parse<Expr> {
        let open = self.open();
        if !self.begins_operations() {
            return self.bodies(left);
        }
        let operations = self.operations()?;
        let close = self.close(TokenKind::RightBrace);
        let braces = self.span(open).to(self.span(close));
        self.untitled(left, operations, braces)
    }

    /// Braces without a title.
    fn untitled(&mut self, left: Expr, operations: Box<[AttributeOperation]>, braces: Span) -> Parse<Expr> {
        let span = left.span.to(braces);
        let kind = match &left.kind {
            ExprKind::Name(name) => {
                let is_call = is_statement_call(name);
                return Ok(self.name_and_hash(left, operations, braces, is_call));
            }
            ExprKind::TypeName(_) => ExprKind::ResourceDefaults(Box::new(ResourceDefaults {
                form: ResourceForm::Regular,
                type_name: left,
                operations,
            })),
            ExprKind::Access(_) => ExprKind::ResourceOverride(Box::new(ResourceOverride {
                form: ResourceForm::Regular,
                resources: left,
                operations,
            })),
            _ => {
                self.record(issues::not_a_resource().at(left.reported()));
                return Ok(left);
            }
        };
        Ok(Expr { kind, span })
    }

    /// `name { a => 1 }` is no resource but a name and a hash, or a call with a hash.
    fn name_and_hash(
        &mut self,
        name: Expr,
        operations: Box<[AttributeOperation]>,
        braces: Span,
        is_call: bool,
    ) -> Expr {
        let span = name.span.to(braces);
        // Compatibility: what is wrong with a pair is located at the brace.
        let arrow = braces.at_start();
        let nothing = |span| Expr { kind: ExprKind::Nop, span };
        let mut entries = Vec::with_capacity(operations.len());
        for operation in operations {
            let (key, value) = match operation {
                AttributeOperation::Attribute { operator: AttributeOperator::Append, .. } => {
                    let open = Span { end: braces.start + 1, ..braces };
                    self.record(issues::append_without_title().at(open));
                    break;
                }
                AttributeOperation::Attribute { name, value, .. } => {
                    (Expr { kind: ExprKind::String(name.name), span: name.span }, value)
                }
                // Compatibility: the reference loses the operand.
                AttributeOperation::Unfold { span, .. } => (nothing(span), nothing(span)),
            };
            entries.push(HashEntry { key, value, arrow });
        }
        let hash = Expr { kind: ExprKind::Hash(entries.into_boxed_slice()), span: braces };
        if is_call {
            return statement_call(name, vec![hash]);
        }
        Expr { kind: ExprKind::Block(Box::new([name, hash])), span }
    }

    /// Bodies separated by semicolons, and the brace that closes them.
    fn bodies(&mut self, type_name: Expr) -> Parse<Expr> {
        let bodies = self.list(
            |lists| &mut lists.bodies,
            |parser| loop {
                let title = parser.title();
                let operations = parser.operations()?;
                let span = title.span.to(parser.previous_span());
                parser.lists.bodies.push(ResourceBody { title, operations, span });
                if parser.eat(TokenKind::Semicolon).is_none() || parser.kind() == TokenKind::RightBrace {
                    return Ok(());
                }
            },
        )?;
        let close = self.close(TokenKind::RightBrace);
        let span = type_name.span.to(self.span(close));
        let resource = Resource { form: ResourceForm::Regular, type_name, bodies };
        Ok(Expr { kind: ExprKind::Resource(Box::new(resource)), span })
    }

    /// A title and its colon. If the colon alone is missing, attributes may follow.
    fn title(&mut self) -> Expr {
        let openers = self.openers.len();
        let title = self.or_missing(Self::expression);
        if self.expect(TokenKind::Colon).is_err() && !self.begins_operations() {
            self.skip_element(openers);
        }
        title
    }

    /// Whether attributes follow rather than a title.
    fn begins_operations(&mut self) -> bool {
        let is_arrow = matches!(self.next_kind(), TokenKind::FatArrow | TokenKind::PlusArrow);
        match self.kind() {
            TokenKind::RightBrace | TokenKind::Comma => true,
            TokenKind::Times => self.next_kind() == TokenKind::FatArrow,
            TokenKind::Name => is_arrow,
            // No expression begins with these, so they can only name an attribute.
            TokenKind::And
            | TokenKind::Else
            | TokenKind::Elsif
            | TokenKind::In
            | TokenKind::Inherits
            | TokenKind::Or => true,
            kind => kind.is_keyword() && is_arrow,
        }
    }

    /// `name => value, …` with an optional comma at the end.
    ///
    /// Compatibility: the first attribute may be missing while its comma is there.
    fn operations(&mut self) -> Parse<Box<[AttributeOperation]>> {
        let is_operation = |kind: TokenKind| kind == TokenKind::Name || kind == TokenKind::Times || kind.is_keyword();
        self.list(
            |lists| &mut lists.operations,
            |parser| {
                if is_operation(parser.kind()) {
                    parser.operation()?;
                }
                while (parser.eat(TokenKind::Comma).is_some() && is_operation(parser.kind()))
                    || parser.is_after_missing_comma()
                {
                    parser.operation()?;
                }
                Ok(())
            },
        )
    }

    /// Whether another attribute follows one without a comma between them, which is an error.
    fn is_after_missing_comma(&mut self) -> bool {
        let is_arrow = matches!(self.next_kind(), TokenKind::FatArrow | TokenKind::PlusArrow);
        let is_operation = is_arrow && (self.kind() == TokenKind::Name || self.kind().is_keyword());
        if is_operation {
            let _ = self.unexpected::<()>();
        }
        is_operation
    }

    fn operation(&mut self) -> Parse<()> {
        let token = self.bump();
        let start = self.span(token);
        let operator = match self.kind() {
            TokenKind::FatArrow => AttributeOperator::Set,
            TokenKind::PlusArrow if token.kind != TokenKind::Times => AttributeOperator::Append,
            _ => {
                let value = self.or_missing(Self::unexpected);
                let span = start.to(value.span);
                let name = self.ident(token);
                let operation = AttributeOperation::Attribute { name, operator: AttributeOperator::Set, value, span };
                self.lists.operations.push(operation);
                return Ok(());
            }
        };
        self.bump();
        let value = self.or_missing(Self::expression);
        let span = start.to(value.span);
        let operation = match token.kind {
            TokenKind::Times => AttributeOperation::Unfold { value, span },
            _ => AttributeOperation::Attribute { name: self.ident(token), operator, value, span },
        };
        self.lists.operations.push(operation);
        Ok(())
    }

    /// `<| … |> { … }` after a type, with the opening bars as the current token.
    pub(super) fn collector(&mut self, type_name: Expr) -> Parse<Expr> {
        let (exported, end) = match self.kind() {
            TokenKind::ExportedCollectStart => (true, TokenKind::ExportedCollectEnd),
            _ => (false, TokenKind::CollectEnd),
        };
        let open = self.open();
        let condition = match self.kind() {
            kind if kind == end => None,
            _ => Some(self.or_missing(Self::expression)),
        };
        let close = self.close(end);
        let query = Query { exported, condition, span: self.span(open).to(self.span(close)) };
        let mut span = type_name.span.to(query.span);
        let mut operations = Box::default();
        if self.kind() == TokenKind::LeftBrace {
            self.open();
            operations = self.operations()?;
            let close = self.close(TokenKind::RightBrace);
            span = span.to(self.span(close));
        }
        let collector = Collector { type_name, query, operations };
        Ok(Expr { kind: ExprKind::Collector(Box::new(collector)), span })
    }
}

/// What stands before the braces of a resource.
fn before_braces(resource: Expr) -> Expr {
    match resource.kind {
        ExprKind::Resource(resource) => resource.type_name,
        ExprKind::ResourceDefaults(defaults) => defaults.type_name,
        ExprKind::ResourceOverride(resource_override) => resource_override.resources,
        kind => Expr { kind, span: resource.span },
    }
}
