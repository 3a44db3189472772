//! What brackets hold and which signs stand before their operand: what the tree knows and the tokens do not.

use bunraku_syntax::ast::{Definition, Expr, ExprKind, Lambda, Parameter, Program};
use bunraku_syntax::{Span, TokenKind, deep};

use crate::items::{Items, Kind, NONE, Role};

/// Signs that may stand in one column: the names or the `=` of neighbouring parameters, or those of assignments on
/// consecutive lines.
pub(crate) type Neighbours = Vec<usize>;

/// Finds the partners of all brackets, then what they hold; gives the signs that may stand in one column.
pub(crate) fn mark(items: &mut Items<'_>, program: &Program) -> Vec<Neighbours> {
    pair(items);
    let mut marker = Marker { items, neighbours: Vec::new() };
    marker.visit(&program.body);
    marker.neighbours
}

/// Finds the signs, and the partners of brackets. What the tree does not say anything else about holds what such brackets mostly hold.
fn pair(items: &mut Items<'_>) {
    use TokenKind as T;
    let mut open: Vec<usize> = Vec::new();
    let mut signs = Vec::with_capacity(items.len() / 2);
    for index in 0..items.len() {
        let around = open.last().copied().unwrap_or(NONE);
        items.change(index, |item| item.around = around);
        let Kind::Token(kind) = items.at(index).kind else { continue };
        let role = match kind {
            T::LeftBrace => Role::Body,
            T::SelectorBrace => Role::Selector,
            T::LeftBracket | T::ListStart => Role::Array,
            T::LeftParenthesis | T::LineStartParenthesis => Role::Group,
            T::CollectStart | T::ExportedCollectStart => Role::Query,
            T::Pipe if items.at(around).role != Role::Bars => Role::Bars,
            T::Comma | T::Semicolon | T::Colon | T::FatArrow | T::PlusArrow => {
                signs.push(index);
                continue;
            }
            T::RightBrace | T::RightBracket | T::RightParenthesis | T::CollectEnd | T::ExportedCollectEnd | T::Pipe => {
                if let Some(start) = open.pop() {
                    let outer = open.last().copied().unwrap_or(NONE);
                    signs.push(index);
                    items.change(start, |item| item.partner = index);
                    items.change(index, |item| {
                        (item.role, item.partner, item.around) = (Role::Closing, start, outer);
                    });
                }
                continue;
            }
            _ => continue,
        };
        items.change(index, |item| item.role = role);
        open.push(index);
        signs.push(index);
    }
    items.signs = signs;
}

struct Marker<'i, 's> {
    items: &'i mut Items<'s>,
    neighbours: Vec<Neighbours>,
}

impl Marker<'_, '_> {
    fn visit(&mut self, expr: &Expr) {
        deep(|| {
            self.mark(expr);
            expr.each_child(&mut |child| {
                if !child.is_leaf() {
                    self.visit(child);
                }
            });
        });
    }

    fn mark(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            // Pairs among arguments have no braces.
            ExprKind::Hash(_) => match self.items.beginning_at(span.start) {
                Some(start) if self.items.ending_at(span.end) == Some(self.items.at(start).partner) => {
                    self.opening(start, Role::Hash);
                }
                _ => {}
            },
            ExprKind::Access(access) => self.opening(self.after(access.left.span), Role::Access),
            ExprKind::Call(call) => {
                self.at(call.parentheses, Role::Call);
                self.lambda(call.lambda.as_deref());
            }
            ExprKind::MethodCall(call) => {
                self.at(call.parentheses, Role::Call);
                self.lambda(call.lambda.as_deref());
            }
            ExprKind::Apply(apply) => self.at(Some(apply.parentheses), Role::Call),
            ExprKind::Resource(_) => self.closing(span, Role::Resource),
            ExprKind::ResourceDefaults(_) | ExprKind::ResourceOverride(_) | ExprKind::Collector(_) => {
                self.closing(span, Role::Attributes);
            }
            ExprKind::Unary(..) => self.unary(self.items.beginning_at(span.start)),
            ExprKind::Definition(definition) => self.definition(definition),
            ExprKind::Block(statements) => self.assignments(statements),
            _ => {}
        }
    }

    fn definition(&mut self, definition: &Definition) {
        let (name, parameters, role) = match definition {
            Definition::Class(class) => (class.written.span, &class.parameters, Role::Parameters),
            Definition::DefinedType(defined) => (defined.written.span, &defined.parameters, Role::Parameters),
            Definition::Plan(plan) => (plan.written.span, &plan.parameters, Role::Parameters),
            Definition::Function(function) => (function.name.span, &function.parameters, Role::Signature),
            _ => return,
        };
        let parenthesis = self.after(name);
        if self.items.at(parenthesis).role == Role::Group {
            self.opening(parenthesis, role);
        }
        self.parameters(parameters);
    }

    fn lambda(&mut self, lambda: Option<&Lambda>) {
        if let Some(lambda) = lambda {
            self.parameters(&lambda.parameters);
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        let (mut names, mut equal_signs) = (Vec::new(), Vec::new());
        for parameter in parameters {
            let Some(name) = self.items.beginning_at(parameter.name.span.start) else { continue };
            let mut first = name;
            if parameter.captures_rest {
                first = self.items.code_before(name);
                self.unary(Some(first));
            }
            if parameter.type_expr.is_some() {
                names.push(first);
            }
            let next = self.items.code_from(name + 1);
            if parameter.default.is_some() && self.items.at(next).is(TokenKind::Assign) {
                equal_signs.push(next);
            }
        }
        self.may_align(names);
        self.may_align(equal_signs);
    }

    /// Assignments on consecutive lines.
    fn assignments(&mut self, statements: &[Expr]) {
        let mut neighbours: Neighbours = Vec::new();
        let mut last = NONE;
        for statement in statements {
            let first = self.items.beginning_at(statement.span.start);
            let is_next_line = first.is_some_and(|first| {
                let item = self.items.at(first);
                item.old_breaks == 1
                    && (item.follows_heredoc || self.items.code_before(first) == last)
                    && (first == last.wrapping_add(1) || self.items.at(first - 1).old_breaks == 0)
            });
            let equal_sign = match &statement.kind {
                ExprKind::Assignment(assignment) => self.items.beginning_at(assignment.operator_span.start),
                _ => None,
            };
            if !is_next_line || equal_sign.is_none() {
                self.may_align(std::mem::take(&mut neighbours));
            }
            neighbours.extend(equal_sign);
            last = self.items.ending_at(statement.span.end).unwrap_or(NONE);
        }
        self.may_align(neighbours);
    }

    fn may_align(&mut self, neighbours: Neighbours) {
        if neighbours.len() > 1 {
            self.neighbours.push(neighbours);
        }
    }

    /// The first item that is no comment behind a place.
    fn after(&self, span: Span) -> usize {
        self.items.ending_at(span.end).map_or(NONE, |last| self.items.code_from(last + 1))
    }

    fn at(&mut self, span: Option<Span>, role: Role) {
        if let Some(opening) = span.and_then(|span| self.items.beginning_at(span.start)) {
            self.opening(opening, role);
        }
    }

    fn opening(&mut self, index: usize, role: Role) {
        if self.items.at(index).opens() {
            self.items.change(index, |item| item.role = role);
        }
    }

    /// The bracket that the last item of a place closes.
    fn closing(&mut self, span: Span, role: Role) {
        let Some(last) = self.items.ending_at(span.end) else { return };
        if self.items.at(last).is(TokenKind::RightBrace) {
            self.opening(self.items.at(last).partner, role);
        }
    }

    fn unary(&mut self, index: Option<usize>) {
        if let Some(index) = index {
            self.items.change(index, |item| item.is_unary = true);
        }
    }
}
