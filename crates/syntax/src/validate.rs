//! Static checks of a syntax tree: what parses but must not be evaluated.
//!
//! The checks, their order and their messages are those of the reference: a walk from the outside to the inside, in
//! the order of the source. One file for each area of the language; what is wrong is in `issues`.

mod assignment;
mod definition;
mod heredoc;
mod idem;
mod issues;
mod literal;
mod resource;
mod tasks;
mod value;

use std::fmt;

use ecow::EcoString;

use crate::ast::{Expr, ExprKind, HashEntry, Lambda, Program, StringPart};
use bunraku_diagnostic::{Diagnostic, Issue, Severity, Source, Span};

pub use heredoc::{check_syntax, is_invalid_text};
pub use issues::{duplicate_key, not_when_compiling};

/// Lists of so many names are searched one by one, which takes less than to hash them.
const SHORT: usize = 12;

/// How strictly to look at what is wrong but harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strict {
    /// Say nothing.
    Off,
    /// Warn.
    Warning,
    /// Refuse.
    #[default]
    Error,
}

/// What the place of a file says about the names it may define.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FileNamespace {
    /// The file does not belong to a module.
    #[default]
    Any,
    /// The names must begin like this, in lower case.
    Module(EcoString),
    /// The file belongs to a module, but lies where nothing is loaded from.
    Misplaced,
}

/// How to validate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValidateOptions {
    /// Whether keys that occur twice in a hash are refused.
    pub strict: Strict,
    /// Which names the file may define.
    pub namespace: FileNamespace,
    /// What the software calls itself in messages.
    pub product: Product,
    /// Whether the code is a plan: what belongs to catalogs may stand in `apply` blocks only.
    pub tasks: bool,
}

/// What the software calls itself in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Product {
    /// Puppet, and OpenVox up to release 8.
    #[default]
    Puppet,
    /// OpenVox since release 9.
    OpenVox,
}

impl fmt::Display for Product {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Product::Puppet => "Puppet",
            Product::OpenVox => "OpenVox",
        })
    }
}

/// Everything the reference's validation says about a program, in its order.
pub fn validate(source: &Source, program: &Program, options: &ValidateOptions) -> Vec<Diagnostic> {
    validate_nested(source, program, options, 0)
}

/// The same for code in the text of so many heredocs.
fn validate_nested(source: &Source, program: &Program, options: &ValidateOptions, nesting: u32) -> Vec<Diagnostic> {
    let mut checker = Checker {
        source,
        options,
        diagnostics: Vec::new(),
        invalid_text: None,
        nesting,
        applies: 0,
        has_odd_variables: program.has_odd_variables,
    };
    checker.top_constructs(&program.body);
    checker.visit(&program.body, Place::Program);
    // Invalid text in a heredoc ends the reference's validation at once.
    match checker.invalid_text {
        Some(diagnostic) => vec![diagnostic],
        None => checker.diagnostics,
    }
}

/// What an expression is directly contained in, as far as definitions care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The program itself.
    Program,
    /// The outermost block.
    ProgramBlock,
    /// The body of a class.
    Class,
    /// A block in the outermost block or in a class.
    TopBlock,
    /// A block in anything else.
    NestedBlock,
    /// Anything else.
    Nested,
}

impl Place {
    /// The place of the statements of a block that has this place.
    fn in_block(self) -> Self {
        match self {
            Place::Program => Place::ProgramBlock,
            Place::ProgramBlock | Place::Class | Place::TopBlock => Place::TopBlock,
            Place::NestedBlock | Place::Nested => Place::NestedBlock,
        }
    }
}

struct Checker<'s> {
    source: &'s Source,
    options: &'s ValidateOptions,
    diagnostics: Vec<Diagnostic>,
    /// The first heredoc the text of which does not have its declared syntax.
    invalid_text: Option<Diagnostic>,
    /// How many heredocs the code is nested in.
    nesting: u32,
    /// How many `apply` blocks are around the current expression.
    applies: u32,
    /// Whether the name of some variable is not well-formed.
    has_odd_variables: bool,
}

impl Checker<'_> {
    fn error(&mut self, issue: Issue, span: Span) {
        self.diagnostics.push(issue.at(span));
    }

    fn deprecation(&mut self, issue: Issue, span: Span) {
        self.diagnostics.push(issue.at(span).with_severity(Severity::Deprecation));
    }

    /// Checks an expression and all within it.
    #[inline(always)]
    fn visit(&mut self, expr: &Expr, place: Place) {
        // With most expressions nothing can be wrong.
        if !expr.is_leaf() || (self.has_odd_variables && matches!(expr.kind, ExprKind::Variable(_))) {
            self.visit_compound(expr, place);
        }
    }

    #[inline(never)]
    fn visit_compound(&mut self, expr: &Expr, place: Place) {
        if self.invalid_text.is_some() {
            return;
        }
        match &expr.kind {
            ExprKind::Nop
            | ExprKind::Missing
            | ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer { .. }
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Name(_)
            | ExprKind::TypeName(_)
            | ExprKind::Regexp(_)
            | ExprKind::RenderString(_) => {}
            ExprKind::BigInteger(big) => self.error(issues::numeric_overflow(big), expr.reported()),
            ExprKind::Variable(name) => self.variable(name, expr.reported()),
            ExprKind::Reserved(word) => self.error(issues::reserved_word(word), expr.reported()),
            ExprKind::Interpolated(parts) => {
                for part in parts {
                    if let StringPart::Expr(inner) = part {
                        self.value(inner);
                        self.visit(inner, Place::Nested);
                    }
                }
            }
            ExprKind::Heredoc(heredoc) => {
                self.heredoc(heredoc);
                self.visit(&heredoc.text, Place::Nested);
            }
            ExprKind::Array(values) => {
                self.values(values);
                self.visit_all(values);
            }
            ExprKind::Hash(entries) => self.hash(entries),
            ExprKind::Block(statements) => self.statements(statements, expr.reported(), place),
            ExprKind::Parenthesized(inner) | ExprKind::Unary(_, inner) | ExprKind::RenderExpr(inner) => {
                self.value(inner);
                self.visit(inner, Place::Nested);
            }
            ExprKind::Binary(binary) => {
                self.value(&binary.left);
                self.value(&binary.right);
                self.visit(&binary.left, Place::Nested);
                self.visit(&binary.right, Place::Nested);
            }
            ExprKind::Assignment(assignment) => {
                self.assignment(assignment, expr.reported());
                self.visit(&assignment.target, Place::Nested);
                self.visit(&assignment.value, Place::Nested);
            }
            ExprKind::Relationship(relationship) => {
                if self.may_compile(expr) {
                    self.related(&relationship.left);
                    self.related(&relationship.right);
                }
                self.visit(&relationship.left, Place::Nested);
                self.visit(&relationship.right, Place::Nested);
            }
            ExprKind::Access(access) => {
                self.visit(&access.left, Place::Nested);
                self.visit_all(&access.keys);
            }
            ExprKind::Selector(selector) => self.selector(selector, expr),
            ExprKind::If(conditional) | ExprKind::Unless(conditional) => {
                self.value(&conditional.test);
                self.visit(&conditional.test, Place::Nested);
                self.visit(&conditional.then, Place::Nested);
                self.visit(&conditional.otherwise, Place::Nested);
            }
            ExprKind::Case(case) => self.case(case, expr),
            ExprKind::Call(call) => {
                self.functor(call, expr);
                self.visit(&call.functor, Place::Nested);
                self.visit_all(&call.args);
                self.optional_lambda(call.lambda.as_deref());
            }
            ExprKind::MethodCall(call) => {
                self.visit(&call.receiver, Place::Nested);
                self.visit_all(&call.args);
                self.optional_lambda(call.lambda.as_deref());
            }
            ExprKind::Apply(apply) => self.apply(apply, expr),
            ExprKind::Lambda(lambda) => self.lambda(lambda),
            ExprKind::Resource(resource) => self.resource(resource, expr),
            ExprKind::ResourceDefaults(defaults) => self.resource_defaults(defaults, expr),
            ExprKind::ResourceOverride(resource_override) => self.resource_override(resource_override, expr),
            ExprKind::Collector(collector) => self.collector(collector, expr),
            ExprKind::Definition(definition) => self.definition(definition, place),
            ExprKind::Epp(epp) => self.visit_body(&epp.body, expr.span, Place::Nested),
        }
    }

    /// Checks the body of what begins at a place.
    ///
    /// Compatibility: the reference locates a body where that begins.
    fn visit_body(&mut self, body: &Expr, container: Span, place: Place) {
        match &body.kind {
            ExprKind::Block(statements) => self.statements(statements, container.at_start(), place),
            _ => self.visit(body, place),
        }
    }

    fn statements(&mut self, statements: &[Expr], span: Span, place: Place) {
        self.block(statements, span);
        for statement in statements {
            self.visit(statement, place.in_block());
        }
    }

    fn visit_all(&mut self, expressions: &[Expr]) {
        for expression in expressions {
            self.visit(expression, Place::Nested);
        }
    }

    fn hash(&mut self, entries: &[HashEntry]) {
        self.unique_keys(entries);
        for entry in entries {
            self.value(&entry.key);
            self.value(&entry.value);
            self.visit(&entry.key, Place::Nested);
            self.visit(&entry.value, Place::Nested);
        }
    }

    fn optional_lambda(&mut self, lambda: Option<&Lambda>) {
        if let Some(lambda) = lambda {
            self.lambda(lambda);
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.captures_rest_last(&lambda.parameters);
        self.return_type(lambda.return_type.as_ref(), "Lambda");
        self.parameters(&lambda.parameters);
        if let ExprKind::Epp(_) = lambda.body.kind {
            self.no_captures_rest(&lambda.parameters, "Epp Template");
            self.unique_parameters(&lambda.parameters);
        }
        self.visit_body(&lambda.body, lambda.span, Place::Nested);
        if let Some(return_type) = &lambda.return_type {
            self.visit(return_type, Place::Nested);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::parse;
    use bunraku_diagnostic::FileId;

    fn check(code: &str, expected: &[&str]) {
        check_in(code, &ValidateOptions::default(), expected);
    }

    fn check_in(code: &str, options: &ValidateOptions, expected: &[&str]) {
        let source = Source::file(FileId(0), "m/manifests/a.pp", code);
        let parsed = parse(&source);
        assert_eq!(parsed.diagnostics, [], "{code}");
        let found = validate(&source, &parsed.program, options);
        let codes: Vec<&str> = found.iter().map(|found| found.issue.code()).collect();
        assert_eq!(codes, expected, "{code}");
    }

    #[test]
    fn places_of_definitions() {
        check("class a { class b { } }", &[]);
        check("class a { function b() { } }", &["NOT_ABSOLUTE_TOP_LEVEL"]);
        check("if true { class a { } }", &["NOT_TOP_LEVEL"]);
        check("define a { define b { } }", &["NOT_TOP_LEVEL"]);
        check("function plan() { }", &["FUTURE_RESERVED_WORD"]);
    }

    #[test]
    fn files_of_modules() {
        let options = |namespace| ValidateOptions { namespace, ..ValidateOptions::default() };
        let module = options(FileNamespace::Module("m::a".into()));
        check_in("class m::a { }", &module, &[]);
        check_in("class m::b { }", &module, &["ILLEGAL_DEFINITION_LOCATION"]);
        check_in("notice(1)", &module, &["ILLEGAL_TOP_CONSTRUCT_LOCATION"]);
        check_in("", &module, &[]);
        check_in("class m::a { }", &options(FileNamespace::Misplaced), &["ILLEGAL_DEFINITION_LOCATION"]);
    }

    #[test]
    fn assignments() {
        check("$a::b = 1", &["CROSS_SCOPE_ASSIGNMENT"]);
        check("[$a, $1] = [1, 2]", &["ILLEGAL_NUMERIC_ASSIGNMENT"]);
        check("$a[1] = 2", &["ILLEGAL_INDEXED_ASSIGNMENT"]);
        check("class a($b = ($c = 1)) { }", &["ILLEGAL_ASSIGNMENT_CONTEXT"]);
        check("class a($b = [1].map |$x| { $c = 1 }) { }", &[]);
    }

    #[test]
    fn statements_without_effect() {
        check("1 2", &["IDEM_EXPRESSION_NOT_LAST"]);
        check("class a { 1 }", &["IDEM_NOT_ALLOWED_LAST"]);
        check("function a() { 1 }", &[]);
        check("foo { a => 1 }", &["RESOURCE_WITHOUT_TITLE"]);
    }

    #[test]
    fn invalid_text_ends_validation() {
        check("$X = @(E:json)\n{\nE\n", &["ILLEGAL_JSON"]);
        check("$x = @(E:pp)\n$x =\nE\n", &["ILLEGAL_PP"]);
        check("$x = @(E:base64)\nabc\nE\n", &["ILLEGAL_BASE64"]);
        check("$x = @(E:unknown)\n{\nE\n", &[]);
    }

    #[test]
    fn duplicate_keys_go_by_strictness() {
        check("$x = {a => 1, 'a' => 2, 1 => 1, 1.0 => 1}", &["DUPLICATE_KEY"]);
        let off = ValidateOptions { strict: Strict::Off, ..ValidateOptions::default() };
        check_in("$x = {a => 1, a => 2}", &off, &[]);
    }
}
