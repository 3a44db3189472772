//! Plans: what belongs to catalogs may stand in `apply` blocks only, and what belongs to plans may not stand there.

use super::{Checker, Place, issues};
use crate::ast::{Apply, Collector, Definition, Expr};
use crate::label::{definition_label, label};

impl Checker<'_> {
    /// Whether a part of a catalog may stand here; if not, nothing else is said about it.
    pub(super) fn may_compile(&mut self, expr: &Expr) -> bool {
        let may = !self.options.tasks || self.applies > 0;
        if !may {
            self.error(issues::only_when_compiling(&label(expr)), expr.reported());
        }
        may
    }

    /// The same for a collector. There are no exported resources where plans run.
    pub(super) fn may_collect(&mut self, collector: &Collector, expr: &Expr) -> bool {
        if !self.may_compile(expr) {
            return false;
        }
        let is_refused = self.options.tasks && collector.query.exported;
        if is_refused {
            self.error(issues::not_when_compiling(&label(expr)), expr.reported());
        }
        !is_refused
    }

    /// The same for a definition. Classes and defined types cannot stand in `apply` blocks either.
    pub(super) fn may_define(&mut self, definition: &Definition) -> bool {
        let may = match definition {
            Definition::Class(_) | Definition::DefinedType(_) => !self.options.tasks,
            Definition::Node(_) => !self.options.tasks || self.applies > 0,
            _ => true,
        };
        if !may {
            self.error(issues::only_when_compiling(definition_label(definition)), definition.reported());
        }
        may
    }

    /// `apply` cannot be nested.
    pub(super) fn apply(&mut self, apply: &Apply, expr: &Expr) {
        if self.applies > 0 {
            self.error(issues::not_when_compiling(&label(expr)), expr.reported());
        }
        self.visit_all(&apply.args);
        self.applies += 1;
        self.visit_body(&apply.body, expr.span, Place::Class);
        self.applies -= 1;
    }
}

#[cfg(test)]
mod tests {
    use bunraku_diagnostic::{FileId, Source};

    use crate::{Grammar, ValidateOptions, parse_as, validate};

    /// What validation says about a plan with these statements.
    fn check(statements: &str, expected: &[&str]) {
        let source = Source::string(FileId(0), format!("plan a::b($nodes) {{ {statements} }}"));
        let parsed = parse_as(&source, Grammar::PLAN);
        assert_eq!(parsed.diagnostics, [], "{statements}");
        let options = ValidateOptions { tasks: true, ..ValidateOptions::default() };
        let found = validate(&source, &parsed.program, &options);
        let codes: Vec<&str> = found.iter().map(|found| found.issue.code()).collect();
        assert_eq!(codes, expected, "{statements}");
    }

    #[test]
    fn catalogs_are_made_in_apply_blocks() {
        check("return run_task('x', $nodes)", &[]);
        check("apply($nodes, _noop => true) { file { '/x': } -> File <| |> }", &[]);
        check("file { '/x': }", &["EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING"]);
        check("apply($nodes) { File <<| |>> }", &["EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING"]);
        check("apply($nodes) { class c { } }", &["EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING"]);
        check("apply($nodes) { apply($nodes) { } }", &["EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING"]);
        check("apply($nodes) { node x { } }", &[]);
        check("node x { }", &["EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING"]);
    }
}
