//! The data types of parameters belong to the definition: they are evaluated when its code is loaded, in the order of the
//! definitions, and so a wrong one is an error even if nothing is declared.

use bunraku_syntax::{Span, ast};

use crate::compilation::Compilation;
use crate::unwind::Outcome;

impl Compilation<'_> {
    /// Evaluates the types of parameters of all code that was loaded since the last time.
    pub(crate) fn resolve_parameter_types(&mut self) -> Outcome<()> {
        let around = self.resolving;
        let outcome = self.resolve_added();
        self.resolving = around;
        outcome
    }

    fn resolve_added(&mut self) -> Outcome<()> {
        let has_type = |parameter: &ast::Parameter| parameter.type_expr.is_some();
        for definition in self.definitions.take_added().into_iter().flat_map(|code| code.definitions()) {
            self.resolving = Some(definition.span());
            let body = match definition {
                ast::Definition::Class(class) if class.parameters.iter().any(has_type) => {
                    self.find_class(&class.name)?
                }
                ast::Definition::DefinedType(defined_type) if defined_type.parameters.iter().any(has_type) => {
                    self.find_defined_type(&defined_type.name)?
                }
                _ => continue,
            };
            if let Some(body) = body {
                self.parameter_types(body)?;
            }
        }
        Ok(())
    }

    /// Whether something is defined after the definition whose types are being evaluated, which cannot see it.
    pub(crate) fn is_defined_later(&self, span: Span) -> bool {
        self.resolving.is_some_and(|resolving| resolving.file == span.file && resolving.start < span.start)
    }
}
