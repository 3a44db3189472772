//! The index of one file.

use bunraku_diagnostic::Span;
use bunraku_syntax::ast::{self, AttributeOperation, Expr, ExprKind, Ident, Part, Program, Visitor};
use ecow::{EcoString, eco_format};

use crate::Kind;

/// What a file defines and uses.
#[derive(Debug, Clone, Default)]
pub struct FileIndex {
    /// What it defines, in the order of the source.
    pub definitions: Vec<Definition>,
    /// What it uses, in the order of the source.
    pub uses: Vec<Use>,
    /// Its scopes; the first is the file itself.
    pub scopes: Vec<Scope>,
}

/// A scope of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScopeId(pub u32);

/// Where variables live: a file, definition, lambda or template.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// All of it.
    pub span: Span,
    /// The name of the class, defined type or function that it is the scope of.
    pub name: Option<EcoString>,
}

/// A name that gets a meaning.
#[derive(Debug, Clone)]
pub struct Definition {
    /// What it stands for.
    pub kind: Kind,
    /// The name.
    pub name: EcoString,
    /// The name as it is written.
    pub name_span: Span,
    /// All of the definition.
    pub span: Span,
    /// The scope around it.
    pub scope: ScopeId,
}

/// A name that is used.
#[derive(Debug, Clone)]
pub struct Use {
    /// What it stands for.
    pub kind: Kind,
    /// The name.
    pub name: EcoString,
    /// Where it is written.
    pub span: Span,
    /// The scope around it.
    pub scope: ScopeId,
}

impl FileIndex {
    /// The index of a file. Code that could not be read is passed over.
    pub fn new(program: &Program) -> FileIndex {
        let file = Scope { parent: None, span: program.body.span, name: None };
        let mut builder =
            Builder { index: FileIndex { scopes: vec![file], ..FileIndex::default() }, open: vec![ScopeId(0)] };
        program.walk(&mut builder);
        builder.index
    }

    /// The innermost scope around a place.
    pub fn scope_at(&self, place: Span) -> Option<ScopeId> {
        let around = (0..).zip(&self.scopes).filter(|(id, scope)| *id == 0 || scope.span.contains(place));
        around.last().map(|(id, _)| ScopeId(id))
    }

    /// Where a variable that is used in a scope is set, in the file.
    pub fn variable(&self, name: &str, scope: ScopeId) -> Option<&Definition> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let is_meant = |it: &&Definition| it.kind == Kind::Variable && it.scope == id && it.name == name;
            if let Some(found) = self.definitions.iter().find(is_meant) {
                return Some(found);
            }
            at = self.scopes.get(id.0 as usize).and_then(|scope| scope.parent);
        }
        None
    }
}

/// Functions that declare classes.
const DECLARING: [&str; 4] = ["include", "require", "contain", "hiera_include"];
/// Functions that look keys up.
const LOOKUPS: [&str; 5] = ["lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"];

struct Builder {
    index: FileIndex,
    open: Vec<ScopeId>,
}

impl Builder {
    fn scope(&self) -> ScopeId {
        self.open.last().copied().unwrap_or(ScopeId(0))
    }

    fn define(&mut self, kind: Kind, name: impl Into<EcoString>, name_span: Span, span: Span) {
        let scope = self.scope();
        self.index.definitions.push(Definition { kind, name: name.into(), name_span, span, scope });
    }

    fn note(&mut self, kind: Kind, name: impl Into<EcoString>, span: Span) {
        let scope = self.scope();
        self.index.uses.push(Use { kind, name: name.into(), span, scope });
    }

    fn enter_scope(&mut self, span: Span, name: Option<EcoString>) {
        let id = ScopeId(u32::try_from(self.index.scopes.len()).unwrap_or(u32::MAX));
        self.index.scopes.push(Scope { parent: Some(self.scope()), span, name });
        self.open.push(id);
    }

    fn definition(&mut self, definition: &ast::Definition) {
        let (kind, parameters): (Kind, &[ast::Parameter]) = match definition {
            ast::Definition::Class(class) => (Kind::Class, &class.parameters),
            ast::Definition::DefinedType(defined_type) => (Kind::ResourceType, &defined_type.parameters),
            ast::Definition::Function(function) => (Kind::Function, &function.parameters),
            ast::Definition::Plan(plan) => (Kind::Plan, &plan.parameters),
            ast::Definition::TypeAlias(_) | ast::Definition::TypeDefinition(_) => (Kind::TypeAlias, &[]),
            ast::Definition::Node(node) => {
                for (name, span) in node.matches.iter().filter_map(|it| Some((node_name(it)?, it.span))) {
                    self.define(Kind::Node, name, span, node.span);
                }
                return self.enter_scope(node.span, None);
            }
            ast::Definition::TypeMapping(mapping) => return self.enter_scope(mapping.span, None),
        };
        let name = canonical(definition.name().map(EcoString::as_str).unwrap_or_default());
        if let Some(Ident { span, .. }) = definition.written() {
            self.define(kind, name.clone(), *span, definition.span());
        }
        if let ast::Definition::Class(class) = definition
            && let Some(parent) = &class.parent
        {
            self.note(Kind::Class, canonical(parent), parent.span);
        }
        if matches!(kind, Kind::Class | Kind::ResourceType) {
            for parameter in parameters {
                let full = eco_format!("{name}::{}", parameter.name);
                self.define(Kind::Parameter, full, parameter.name.span, parameter.span);
            }
        }
        self.enter_scope(definition.span(), Some(name));
    }

    fn expression(&mut self, expr: &Expr, parents: &[Part<'_>]) {
        match &expr.kind {
            ExprKind::Definition(definition) => self.definition(definition),
            ExprKind::Variable(name) if !is_target(expr, parents) => self.note(Kind::Variable, name.clone(), expr.span),
            ExprKind::Assignment(assignment) => self.targets(&assignment.target, expr.span),
            ExprKind::TypeName(name) if !is_reference(expr, parents) => {
                self.note(Kind::TypeAlias, canonical(name), expr.span);
            }
            ExprKind::Access(access) => self.access(expr, access),
            ExprKind::Call(call) => {
                if let ExprKind::Name(name) = &call.functor.kind {
                    self.call(name, call.functor.span, call.args.iter());
                }
                self.lambda(call.lambda.as_deref(), expr.span);
            }
            ExprKind::MethodCall(call) => {
                self.call(&call.name.name, call.name.span, std::iter::once(&call.receiver).chain(&call.args));
                self.lambda(call.lambda.as_deref(), expr.span);
            }
            ExprKind::Lambda(_) | ExprKind::Epp(_) => self.enter_scope(expr.span, None),
            ExprKind::Resource(resource) => self.resource(resource),
            ExprKind::String(text) => {
                if let Some(path) = text.strip_prefix("puppet:///modules/") {
                    self.note(Kind::File, path, expr.span);
                }
            }
            _ => {}
        }
    }

    fn lambda(&mut self, lambda: Option<&ast::Lambda>, span: Span) {
        if lambda.is_some() {
            self.enter_scope(span, None);
        }
    }

    fn targets(&mut self, target: &Expr, span: Span) {
        match &target.kind {
            ExprKind::Variable(name) => self.define(Kind::Variable, name.clone(), target.span, span),
            ExprKind::Array(targets) => targets.iter().for_each(|target| self.targets(target, span)),
            _ => {}
        }
    }

    /// `Type['title']` and `$facts['a']['b']`.
    fn access(&mut self, expr: &Expr, access: &ast::Access) {
        match &access.left.kind {
            ExprKind::TypeName(name) if name.eq_ignore_ascii_case("class") => {
                for (title, span) in titles(&access.keys) {
                    self.note(Kind::Class, canonical(title), span);
                }
            }
            ExprKind::TypeName(name) => {
                for (title, span) in titles(&access.keys) {
                    self.note(Kind::Resource, eco_format!("{name}[{title}]"), span);
                }
            }
            _ => {
                if let Some(path) = fact_path(expr) {
                    self.note(Kind::Fact, path, expr.span);
                }
            }
        }
    }

    fn call<'a>(&mut self, name: &EcoString, span: Span, mut args: impl Iterator<Item = &'a Expr>) {
        self.note(Kind::Function, canonical(name), span);
        let kind = match name.as_str() {
            "epp" => return args.take(1).for_each(|arg| self.template(Kind::Template, arg)),
            "inline_epp" => return args.take(1).for_each(|arg| self.template(Kind::InlineTemplate, arg)),
            "template" => return args.for_each(|arg| self.template(Kind::Template, arg)),
            "inline_template" => return args.for_each(|arg| self.template(Kind::InlineTemplate, arg)),
            "file" => Kind::File,
            "fact" => Kind::Fact,
            name if LOOKUPS.contains(&name) => Kind::HieraKey,
            name if DECLARING.contains(&name) => {
                for (class, span) in args.flat_map(|arg| titles(std::slice::from_ref(arg))) {
                    self.note(Kind::Class, canonical(class), span);
                }
                return;
            }
            _ => return,
        };
        if let Some((text, span)) = args.next().and_then(|arg| Some((text_of(arg)?, arg.span))) {
            self.note(kind, text.clone(), span);
        }
    }

    fn template(&mut self, kind: Kind, arg: &Expr) {
        self.note(kind, text_of(arg).cloned().unwrap_or_default(), arg.span);
    }

    fn resource(&mut self, resource: &ast::Resource) {
        let ExprKind::Name(type_name) = &resource.type_name.kind else { return };
        let is_class = type_name == "class";
        if !is_class {
            self.note(Kind::ResourceType, canonical(type_name), resource.type_name.span);
        }
        for body in &resource.bodies {
            for (title, span) in titles(std::slice::from_ref(&body.title)) {
                match is_class {
                    true => self.note(Kind::Class, canonical(title), span),
                    false => {
                        let name = eco_format!("{}[{title}]", capitalized(type_name));
                        self.define(Kind::Resource, name, span, body.span);
                    }
                }
            }
            let owner = match is_class {
                true => text_of(&body.title).map(|title| canonical(title)),
                false => Some(canonical(type_name)),
            };
            for operation in &body.operations {
                if let (AttributeOperation::Attribute { name, .. }, Some(owner)) = (operation, &owner) {
                    self.note(Kind::Parameter, eco_format!("{owner}::{name}"), name.span);
                }
            }
        }
    }
}

impl<'a> Visitor<'a> for Builder {
    fn enter(&mut self, part: Part<'a>, parents: &[Part<'a>]) -> bool {
        match part {
            Part::Expr(expr) => self.expression(expr, parents),
            Part::Parameter(parameter) => {
                self.define(Kind::Variable, parameter.name.name.clone(), parameter.name.span, parameter.span);
            }
            _ => {}
        }
        true
    }

    fn leave(&mut self, part: Part<'a>, _: &[Part<'a>]) {
        let opened = match part {
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Definition(_) | ExprKind::Lambda(_) | ExprKind::Epp(_) => true,
                ExprKind::Call(call) => call.lambda.is_some(),
                ExprKind::MethodCall(call) => call.lambda.is_some(),
                _ => false,
            },
            _ => false,
        };
        if opened {
            self.open.pop();
        }
    }
}

/// Names of classes and types are compared in lower case and without `::` before them.
fn canonical(name: &str) -> EcoString {
    let mut name = name;
    while let Some(rest) = name.strip_prefix("::") {
        name = rest;
    }
    let is_canonical = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_canonical { name.into() } else { EcoString::from(name).to_lowercase() }
}

/// `apache::vhost` as references write it: `Apache::Vhost`.
fn capitalized(name: &str) -> String {
    let segment = |segment: &str| {
        let mut letters = segment.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.trim_start_matches("::").split("::").map(segment).collect::<Vec<String>>().join("::")
}

fn text_of(expr: &Expr) -> Option<&EcoString> {
    match &expr.kind {
        ExprKind::String(text) | ExprKind::Name(text) => Some(text),
        _ => None,
    }
}

/// What a node definition is for: a name, a pattern, or all other nodes.
fn node_name(expr: &Expr) -> Option<EcoString> {
    match &expr.kind {
        ExprKind::Default => Some("default".into()),
        ExprKind::Regexp(pattern) => Some(eco_format!("/{pattern}/")),
        _ => text_of(expr).cloned(),
    }
}

/// The strings that are written in expressions, also within an array.
fn titles(exprs: &[Expr]) -> Vec<(&EcoString, Span)> {
    let mut found = Vec::new();
    for expr in exprs {
        match &expr.kind {
            ExprKind::Array(elements) => found.extend(titles(elements)),
            _ => found.extend(text_of(expr).map(|text| (text, expr.span))),
        }
    }
    found
}

/// `os.family` for `$facts['os']['family']`.
fn fact_path(expr: &Expr) -> Option<EcoString> {
    let ExprKind::Access(access) = &expr.kind else { return None };
    let [key] = &*access.keys else { return None };
    let key = text_of(key)?;
    match &access.left.kind {
        ExprKind::Variable(name) if matches!(name.as_str(), "facts" | "::facts") => Some(key.clone()),
        ExprKind::Access(_) => Some(eco_format!("{}.{key}", fact_path(&access.left)?)),
        _ => None,
    }
}

/// Whether a variable is set here rather than used.
fn is_target(expr: &Expr, parents: &[Part<'_>]) -> bool {
    parents.iter().rev().find_map(|parent| match parent {
        Part::Expr(Expr { kind: ExprKind::Assignment(assignment), .. }) => {
            Some(assignment.target.span.contains(expr.span))
        }
        Part::Expr(Expr { kind: ExprKind::Array(_), .. }) => None,
        _ => Some(false),
    }) == Some(true)
}

/// Whether the name of a type stands before titles: then it is a reference to resources.
fn is_reference(expr: &Expr, parents: &[Part<'_>]) -> bool {
    match parents.last() {
        Some(Part::Expr(Expr { kind: ExprKind::Access(access), .. })) => {
            access.left.span == expr.span && !titles(&access.keys).is_empty()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bunraku_diagnostic::{FileId, Source};
    use bunraku_syntax::parse;

    use super::*;

    /// Definitions as `+Kind name`, uses as `Kind name`, each with the text of its place if that differs.
    fn check(code: &str, expected: &[&str]) {
        let source = Source::string(FileId(0), code);
        let index = FileIndex::new(&parse(&source).program);
        let definitions =
            index.definitions.iter().map(|it| (it.name_span.start, format!("+{:?} {}", it.kind, it.name)));
        let uses = index.uses.iter().map(|it| (it.span.start, format!("{:?} {}", it.kind, it.name)));
        let mut found: Vec<(u32, String)> = definitions.chain(uses).collect();
        found.sort();
        let found: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn definitions_and_parameters() {
        check(
            "class a::b(Stdlib::Port $port = $x) inherits ::a { }",
            &[
                "+Class a::b",
                "TypeAlias stdlib::port",
                "+Parameter a::b::port",
                "+Variable port",
                "Variable x",
                "Class a",
            ],
        );
        check("define a::c($d) { }", &["+ResourceType a::c", "+Parameter a::c::d", "+Variable d"]);
        check("function a::f($x) { $x }", &["+Function a::f", "+Variable x", "Variable x"]);
        check("type A::T = Integer", &["+TypeAlias a::t", "TypeAlias integer"]);
        check("node 'web1' { }", &["+Node web1"]);
    }

    #[test]
    fn resources_classes_and_references() {
        check(
            "package { ['vim', 'git']: ensure => latest }",
            &["ResourceType package", "+Resource Package[vim]", "+Resource Package[git]", "Parameter package::ensure"],
        );
        check("class { 'web': port => 80 }", &["Class web", "Parameter web::port"]);
        check("include a, ::b::c", &["Function include", "Class a", "Class b::c"]);
        check("Package['vim'] -> Class['web']", &["Resource Package[vim]", "Class web"]);
    }

    #[test]
    fn data_files_and_facts() {
        check("epp('a/b.epp')", &["Function epp", "Template a/b.epp"]);
        check("$x = file('a/b')", &["+Variable x", "Function file", "File a/b"]);
        check("$x = lookup('a::b')", &["+Variable x", "Function lookup", "HieraKey a::b"]);
        check("$x = $facts['os']['family']", &["+Variable x", "Fact os", "Fact os.family", "Variable facts"]);
        check("$x = 'puppet:///modules/a/b'", &["+Variable x", "File a/b"]);
    }

    #[test]
    fn variables_are_found_in_their_scopes() {
        let code = "$x = 1\nclass a($y) {\n  [1].each |$z| { notice($x, $y, $z) }\n}\n";
        let source = Source::string(FileId(0), code);
        let index = FileIndex::new(&parse(&source).program);
        let uses: Vec<&Use> = index.uses.iter().filter(|it| it.kind == Kind::Variable).collect();
        let lines: Vec<Option<u32>> = uses
            .iter()
            .map(|it| Some(source.line_number(index.variable(&it.name, it.scope)?.name_span.start)))
            .collect();
        assert_eq!(lines, [Some(1), Some(2), Some(3)]);
        assert_eq!(uses.last().and_then(|it| index.scope_at(it.span)), uses.last().map(|it| it.scope));
    }

    #[test]
    fn code_with_holes_has_an_index() {
        check(
            "class a { file { '/x': ensure => } }\nclass b { }",
            &["+Class a", "ResourceType file", "+Resource File[/x]", "Parameter file::ensure", "+Class b"],
        );
    }
}
