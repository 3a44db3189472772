//! Definitions: where they may stand, their names and their parameters.

use ecow::EcoString;
use rustc_hash::FxHashSet;

use super::{Checker, FileNamespace, Place, SHORT, issues};
use crate::ast::{Definition, Expr, ExprKind, Node, Parameter, StringPart, TypeMapping};
use crate::label::definition_label;
use crate::lexer::{are_word, is_word, word_end};
use bunraku_diagnostic::Span;

/// Names of data types that nothing else can be called.
const RESERVED_TYPE_NAMES: [&str; 28] = [
    "type",
    "any",
    "unit",
    "scalar",
    "boolean",
    "numeric",
    "integer",
    "float",
    "collection",
    "array",
    "hash",
    "tuple",
    "struct",
    "variant",
    "optional",
    "enum",
    "regexp",
    "pattern",
    "runtime",
    "init",
    "object",
    "sensitive",
    "semver",
    "semverrange",
    "string",
    "timestamp",
    "timespan",
    "typeset",
];

/// A word that will be a keyword one day.
const FUTURE_RESERVED_WORD: &str = "plan";

impl Checker<'_> {
    pub(super) fn definition(&mut self, definition: &Definition, place: Place) {
        let span = definition.reported();
        let name = definition_label(definition);
        if self.may_define(definition) {
            self.own_checks(definition, place, span, name);
        }
        if let Definition::Class(class) = definition {
            self.parameters(&class.parameters);
            self.visit_body(&class.body, class.span, Place::Class);
            return;
        }
        match definition {
            Definition::DefinedType(defined_type) => self.parameters(&defined_type.parameters),
            Definition::Function(function) => self.parameters(&function.parameters),
            Definition::Plan(plan) => self.parameters(&plan.parameters),
            _ => {}
        }
        self.visit_parts(definition);
    }

    fn own_checks(&mut self, definition: &Definition, place: Place, span: Span, name: &str) {
        match definition {
            Definition::Class(class) => {
                self.named(definition, &class.name, place);
                self.no_captures_rest(&class.parameters, name);
                self.unique_parameters(&class.parameters);
                self.no_reserved_parameters(&class.parameters, name);
                self.effective_end(&class.body, name);
                self.literal_types(&class.parameters);
            }
            Definition::DefinedType(defined_type) => {
                self.named(definition, &defined_type.name, place);
                self.no_captures_rest(&defined_type.parameters, name);
                self.unique_parameters(&defined_type.parameters);
                self.no_reserved_parameters(&defined_type.parameters, name);
                self.effective_end(&defined_type.body, name);
            }
            Definition::Function(function) => {
                self.named(definition, &function.name, place);
                self.return_type(function.return_type.as_ref(), name);
                self.unique_parameters(&function.parameters);
            }
            Definition::Plan(plan) => {
                self.named(definition, &plan.name, place);
                self.unique_parameters(&plan.parameters);
            }
            Definition::Node(node) => {
                for hostname in &node.matches {
                    self.hostname(hostname);
                }
                self.top(definition, place);
                self.effective_end(&node.body, name);
                if let Some(parent) = &node.parent {
                    self.error(issues::node_inheritance(), parent.reported());
                }
            }
            Definition::TypeAlias(alias) => {
                self.top(definition, place);
                if !is_type_name(&alias.name) {
                    self.error(issues::illegal_definition_name(&alias.name, name), span);
                }
                self.reserved_type_name(&alias.name, name, span);
                self.type_reference(&alias.type_expr, name);
            }
            Definition::TypeMapping(mapping) => {
                self.top(definition, place);
                self.type_mapping(mapping, name);
            }
            Definition::TypeDefinition(definition_body) => {
                self.top(definition, place);
                self.reserved_type_name(&definition_body.name, name, span);
                self.error(issues::unsupported_expression(name, self.options.product), span);
            }
        }
    }

    /// Visits what stands within a definition other than a class, except its parameters.
    fn visit_parts(&mut self, definition: &Definition) {
        match definition {
            Definition::Class(_) => {}
            Definition::DefinedType(defined_type) => {
                self.visit_body(&defined_type.body, defined_type.span, Place::Nested);
            }
            Definition::Function(function) => {
                self.visit_body(&function.body, function.span, Place::Nested);
                if let Some(return_type) = &function.return_type {
                    self.visit(return_type, Place::Nested);
                }
            }
            Definition::Plan(plan) => self.visit_body(&plan.body, plan.span, Place::Nested),
            Definition::Node(node) => self.visit_node(node),
            Definition::TypeAlias(alias) => self.visit(&alias.type_expr, Place::Nested),
            Definition::TypeMapping(mapping) => {
                self.visit(&mapping.type_expr, Place::Nested);
                self.visit(&mapping.mapping, Place::Nested);
            }
            Definition::TypeDefinition(definition) => {
                self.visit_body(&definition.body, definition.span, Place::Nested);
            }
        }
    }

    fn visit_node(&mut self, node: &Node) {
        if let Some(parent) = &node.parent {
            self.visit(parent, Place::Nested);
        }
        self.visit_all(&node.matches);
        self.visit_body(&node.body, node.span, Place::Nested);
    }

    /// In a file of a module only definitions may stand at the top.
    pub(super) fn top_constructs(&mut self, body: &Expr) {
        if self.options.namespace == FileNamespace::Any {
            return;
        }
        let statements = match &body.kind {
            ExprKind::Nop => return,
            ExprKind::Block(statements) => statements,
            _ => std::slice::from_ref(body),
        };
        for statement in statements {
            let is_node = matches!(statement.kind, ExprKind::Definition(Definition::Node(_)));
            if is_node || !matches!(statement.kind, ExprKind::Definition(_)) {
                self.error(issues::illegal_top_construct(statement), statement.reported());
            }
        }
    }

    /// Definitions may stand at the top of a program or in a class.
    fn top(&mut self, definition: &Definition, place: Place) {
        let is_absolute = matches!(
            definition,
            Definition::Function(_) | Definition::Plan(_) | Definition::TypeAlias(_) | Definition::TypeDefinition(_)
        );
        let issue = match place {
            Place::Program | Place::ProgramBlock | Place::Class => return,
            Place::TopBlock | Place::NestedBlock if is_absolute => {
                issues::not_absolute_top_level(definition_label(definition))
            }
            Place::TopBlock => return,
            Place::NestedBlock | Place::Nested => issues::not_top_level(),
        };
        self.error(issue, definition.reported());
    }

    /// The name of a class, defined type or function.
    fn named(&mut self, definition: &Definition, name: &EcoString, place: Place) {
        let (label, span) = (definition_label(definition), definition.reported());
        self.top(definition, place);
        if !is_definition_name(name) {
            self.error(issues::illegal_definition_name(name, label), span);
        }
        let is_misplaced = match &self.options.namespace {
            FileNamespace::Any => false,
            FileNamespace::Module(namespace) => !name.to_lowercase().starts_with(namespace.as_str()),
            FileNamespace::Misplaced => true,
        };
        if is_misplaced {
            let path = self.source.path.clone().unwrap_or_default();
            self.error(issues::illegal_definition_location(name, &path), span);
        }
        self.reserved_type_name(name, label, span);
        if name == FUTURE_RESERVED_WORD {
            self.deprecation(issues::future_reserved_word(name), span);
        }
    }

    fn reserved_type_name(&mut self, name: &EcoString, label: &str, span: Span) {
        if RESERVED_TYPE_NAMES.contains(&name.as_str()) {
            self.error(issues::reserved_type_name(name, label), span);
        }
    }

    pub(super) fn return_type(&mut self, return_type: Option<&Expr>, container: &str) {
        if let Some(return_type) = return_type {
            self.type_reference(return_type, container);
        }
    }

    fn type_reference(&mut self, expr: &Expr, container: &str) {
        let name = match &expr.kind {
            ExprKind::Access(access) => &access.left,
            _ => expr,
        };
        match &name.kind {
            ExprKind::TypeName(name) => {
                if name.eq_ignore_ascii_case(FUTURE_RESERVED_WORD) {
                    self.deprecation(issues::future_reserved_word(FUTURE_RESERVED_WORD), expr.reported());
                }
            }
            _ => self.error(issues::illegal_expression(expr, "a type reference", container), expr.reported()),
        }
    }

    fn type_mapping(&mut self, mapping: &TypeMapping, label: &str) {
        let ExprKind::Access(access) = &mapping.type_expr.kind else {
            return;
        };
        if !matches!(&access.left.kind, ExprKind::TypeName(name) if name == "Runtime") {
            self.error(issues::unsupported_expression(label, self.options.product), mapping.type_expr.span);
            return;
        }
        let by_pattern = matches!(&*access.keys, [_, second] if is_pattern_with_replacement(second));
        let is_valid = if by_pattern {
            is_pattern_with_replacement(&mapping.mapping)
        } else {
            is_type_reference(&mapping.mapping)
        };
        if !is_valid {
            self.error(issues::illegal_type_mapping(by_pattern, label), mapping.type_expr.span);
        }
    }

    /// The parameters themselves, with what stands within them.
    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            if !is_parameter_name(&parameter.name) {
                let digits = parameter.name.strip_prefix("0x").unwrap_or(&parameter.name);
                if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    self.error(issues::numeric_parameter(&parameter.name), parameter.name.span);
                }
                self.error(issues::illegal_parameter_name(&parameter.name), parameter.name.span);
            }
            if let Some(default) = &parameter.default {
                if !default.is_leaf() {
                    self.no_assignment(default);
                }
                self.visit(default, Place::Nested);
            }
            if let Some(type_expr) = &parameter.type_expr {
                self.visit(type_expr, Place::Nested);
            }
        }
    }

    pub(super) fn captures_rest_last(&mut self, parameters: &[Parameter]) {
        let others = parameters.split_last().map_or(&[][..], |(_, others)| others);
        for parameter in others.iter().filter(|parameter| parameter.captures_rest) {
            self.error(issues::captures_rest_not_last(&parameter.name), parameter.name.span);
        }
    }

    pub(super) fn no_captures_rest(&mut self, parameters: &[Parameter], container: &str) {
        for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
            self.error(issues::captures_rest_not_supported(&parameter.name, container), parameter.name.span);
        }
    }

    pub(super) fn unique_parameters(&mut self, parameters: &[Parameter]) {
        let is_short = parameters.len() <= SHORT;
        let mut names = FxHashSet::default();
        names.reserve(if is_short { 0 } else { parameters.len() });
        for (index, parameter) in parameters.iter().enumerate() {
            let is_duplicate = if is_short {
                parameters.iter().take(index).any(|earlier| earlier.name.name == parameter.name.name)
            } else {
                !names.insert(&parameter.name.name)
            };
            if is_duplicate {
                self.error(issues::duplicate_parameter(&parameter.name), parameter.name.span);
            }
        }
    }

    fn no_reserved_parameters(&mut self, parameters: &[Parameter], container: &str) {
        for parameter in parameters {
            if matches!(parameter.name.as_str(), "name" | "title") {
                self.error(issues::reserved_parameter(&parameter.name, container), parameter.name.span);
            }
        }
    }

    fn hostname(&mut self, hostname: &Expr) {
        match &hostname.kind {
            ExprKind::String(text) => {
                if !text.bytes().all(|byte| is_word(byte) || byte == b'-' || byte == b'.') {
                    self.error(issues::illegal_hostname(text), hostname.reported());
                }
            }
            ExprKind::Interpolated(parts) => {
                let inner = parts.iter().find_map(|part| match part {
                    StringPart::Expr(expr) => Some(expr.reported()),
                    StringPart::Text(_) => None,
                });
                self.error(issues::interpolated_hostname(), inner.unwrap_or(hostname.reported()));
            }
            ExprKind::Default | ExprKind::Regexp(_) => {}
            _ => {
                let issue = issues::illegal_expression(hostname, "hostname", "Node Definition");
                self.error(issue, hostname.reported());
            }
        }
    }
}

fn is_pattern_with_replacement(expr: &Expr) -> bool {
    let ExprKind::Array(values) = &expr.kind else {
        return false;
    };
    matches!(&**values, [pattern, replacement]
        if matches!(pattern.kind, ExprKind::Regexp(_)) && matches!(replacement.kind, ExprKind::String(_)))
}

fn is_type_reference(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::TypeName(_) => true,
        ExprKind::Access(access) => matches!(access.left.kind, ExprKind::TypeName(_)),
        _ => false,
    }
}

/// `a::b`
fn is_definition_name(name: &str) -> bool {
    are_segments(name, |first| first.is_ascii_lowercase())
}

/// `A::B`
fn is_type_name(name: &str) -> bool {
    are_segments(name, |first| first.is_ascii_uppercase())
}

/// Words between `::` that begin as they must.
fn are_segments(name: &str, is_first: impl Fn(u8) -> bool) -> bool {
    let mut rest = name.as_bytes();
    loop {
        let (segment, after) = rest.split_at(word_end(rest, 0));
        let is_segment = segment.first().is_some_and(|&first| is_first(first));
        match after {
            [] => return is_segment,
            [b':', b':', next @ ..] if is_segment => rest = next,
            _ => return false,
        }
    }
}

fn is_parameter_name(name: &str) -> bool {
    matches!(name.as_bytes(), [b'a'..=b'z' | b'_', ..]) && are_word(name.as_bytes())
}
