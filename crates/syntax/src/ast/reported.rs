//! Where the reference implementation reports an expression.

use super::{Definition, Expr, ExprKind, ResourceForm, TypeAlias};
use bunraku_diagnostic::Span;

impl Expr {
    /// The place that messages give for this expression.
    ///
    /// Compatibility: the reference locates operators at their sign, method calls at their parentheses, pairs without
    /// braces at their first arrow, and what follows an operand where it locates that.
    #[inline]
    pub fn reported(&self) -> Span {
        match &self.kind {
            ExprKind::Call(call) if matches!(call.functor.kind, ExprKind::Name(_)) => self.span,
            ExprKind::Binary(binary) => binary.operator_span,
            ExprKind::MethodCall(call) => call.parentheses.unwrap_or_else(|| call.dot.to(call.name.span)),
            ExprKind::Unary(..)
            | ExprKind::Assignment(_)
            | ExprKind::Relationship(_)
            | ExprKind::Call(_)
            | ExprKind::Access(_)
            | ExprKind::Selector(_)
            | ExprKind::Hash(_)
            | ExprKind::Block(_)
            | ExprKind::Lambda(_)
            | ExprKind::Epp(_)
            | ExprKind::Resource(_)
            | ExprKind::ResourceDefaults(_)
            | ExprKind::ResourceOverride(_)
            | ExprKind::Collector(_)
            | ExprKind::Definition(_) => self.reported_by_part(),
            _ => self.span,
        }
    }

    /// The same for what has its place from one of its parts.
    fn reported_by_part(&self) -> Span {
        let from = |first: &Expr| first.reported().to(self.span);
        let from_unless = |form: ResourceForm, first: &Expr| match form {
            ResourceForm::Regular => from(first),
            // The place begins with the `@`.
            ResourceForm::Virtual | ResourceForm::Exported => self.span,
        };
        match &self.kind {
            // All prefix operators are one character long.
            ExprKind::Unary(..) => Span { end: self.span.start + 1, ..self.span },
            ExprKind::Assignment(assignment) => assignment.operator_span,
            ExprKind::Relationship(relationship) => relationship.operator_span,
            ExprKind::Call(call) => from(&call.functor),
            ExprKind::Access(access) => from(&access.left),
            ExprKind::Selector(selector) => selector.left.reported(),
            ExprKind::Hash(entries) => match entries.first() {
                Some(first) if first.key.span.start == self.span.start => first.arrow,
                _ => self.span,
            },
            ExprKind::Block(statements) => match statements.first() {
                Some(first) if first.span.start == self.span.start => from(first),
                _ => self.span,
            },
            ExprKind::Lambda(_) | ExprKind::Epp(_) => self.span.at_start(),
            ExprKind::Resource(resource) => from_unless(resource.form, &resource.type_name),
            ExprKind::ResourceDefaults(defaults) => from_unless(defaults.form, &defaults.type_name),
            ExprKind::ResourceOverride(overridden) => from_unless(overridden.form, &overridden.resources),
            ExprKind::Collector(collector) => from(&collector.type_name),
            ExprKind::Definition(definition) => definition.reported(),
            _ => self.span,
        }
    }
}

impl TypeAlias {
    /// The place that messages give for this alias: without the keyword.
    pub fn reported(&self) -> Span {
        self.name.span.to(self.span)
    }
}

impl Definition {
    /// The place that messages give for this definition: all of it, but without the keyword before an alias.
    pub fn reported(&self) -> Span {
        match self {
            Definition::TypeAlias(alias) => alias.reported(),
            Definition::TypeMapping(mapping) => mapping.type_expr.span.to(mapping.span),
            _ => self.span(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bunraku_diagnostic::{FileId, Source};

    use crate::ast::{Definition, Ident};
    use crate::parse;

    /// The whole text of the last statement, and where it is reported.
    fn check(code: &str, whole: &str, reported: &str) {
        let source = Source::string(FileId(0), code);
        let parsed = parse(&source);
        assert_eq!(parsed.diagnostics, [], "{code}");
        assert_eq!(source.slice(parsed.program.body.span), whole, "{code}");
        assert_eq!(source.slice(parsed.program.body.reported()), reported, "{code}");
    }

    #[test]
    fn a_span_is_the_whole_and_the_place_a_part() {
        check("$a + $b * 2", "$a + $b * 2", "+");
        check(" $a = 1 ", "$a = 1", "=");
        check("File[a] -> File[b]", "File[a] -> File[b]", "->");
        check("-$a", "-$a", "-");
        check("$a.f(1) |$x| { }", "$a.f(1) |$x| { }", "(1)");
        check("$a . f", "$a . f", ". f");
        check("$a ? { 1 => 2 }", "$a ? { 1 => 2 }", "$a");
        check("($a + 1)[0]", "($a + 1)[0]", "($a + 1)[0]");
        check("$a.f[0]", "$a.f[0]", ".f[0]");
        check("type A = Integer", "type A = Integer", "A = Integer");
        check("@file { a: }", "@file { a: }", "@file { a: }");
        check("$x = @(E)\n a\n E\n", "$x = @(E)", "=");
    }

    #[test]
    fn written_names_have_their_own_place() {
        let code = "class a { class b($c = 1) inherits d::e { } }";
        let source = Source::string(FileId(0), code);
        let parsed = parse(&source);
        let class = parsed.program.definitions.iter().find_map(|definition| match definition {
            Definition::Class(class) => Some(class),
            _ => None,
        });
        assert_eq!(class.map(|class| class.name.as_str()), Some("a::b"));
        let written = |ident: &Ident| source.slice(ident.span);
        assert_eq!(class.map(|class| written(&class.written)), Some("b"));
        assert_eq!(class.and_then(|class| class.parent.as_ref()).map(written), Some("d::e"));
        let parameter = class.and_then(|class| class.parameters.first());
        assert_eq!(parameter.map(|parameter| source.slice(parameter.span)), Some("$c = 1"));
        assert_eq!(parameter.map(|parameter| written(&parameter.name)), Some("$c"));
    }
}
