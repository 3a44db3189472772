//! From the name of a data type, type alias or resource type to the type.

use ecow::{EcoString, eco_format};

use bunraku_environment::LoadFailure;
use bunraku_pcore::{Type, parse};
use bunraku_syntax::{Issue, ast};

use crate::compilation::Compilation;
use crate::unwind::Outcome;

impl Compilation<'_> {
    /// The type of this name: one of the language, an alias, or a resource type. `None` if nothing has the name.
    pub fn data_type(&mut self, name: &str) -> Outcome<Option<Type>> {
        if let Some(data_type) = Type::by_name(name) {
            return Ok(Some(data_type));
        }
        let canonical: EcoString = name.to_lowercase().into();
        if let Some(known) = self.data_types.get(&canonical) {
            return Ok(known.clone());
        }
        let found = self.load_data_type(name, &canonical)?;
        self.data_types.insert(canonical, found.clone());
        Ok(found)
    }

    /// The main manifests may not define types that the language has.
    pub(crate) fn check_type_names(&self) -> Result<(), LoadFailure> {
        let definitions = self.definitions.main().iter().flat_map(|code| &code.parsed.program.definitions);
        let mut taken = definitions.filter_map(|definition| match definition {
            ast::Definition::TypeAlias(alias) => Type::by_name(&alias.name).map(|_| alias.name.to_lowercase()),
            _ => None,
        });
        match taken.next() {
            Some(name) => {
                let message = eco_format!(
                    "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{name}'. \
                     Originally set by Puppet-Type-System/Static-Loader."
                );
                Err(LoadFailure::Issue(Issue::new("", message)))
            }
            None => Ok(()),
        }
    }

    fn load_data_type(&mut self, name: &str, canonical: &EcoString) -> Outcome<Option<Type>> {
        match self.definitions.type_alias(canonical) {
            Ok(Some(alias)) => return self.define_alias(alias.definition, canonical).map(Some),
            Ok(None) => {}
            Err(failure) => return Err(self.load_failure(failure)),
        }
        Ok(self.is_resource_type(canonical)?.then(|| Type::resource(name, None)))
    }

    /// A type is known under its name before its right side is read, so that it may refer to itself.
    fn define_alias(&mut self, definition: &ast::TypeAlias, canonical: &EcoString) -> Outcome<Type> {
        let declared = parse::declare(definition);
        self.data_types.insert(canonical.clone(), Some(declared.clone()));
        let environment = self.environment;
        let text = environment.source(definition.span.file).map_or("", |source| &source.text);
        let defined = parse::define(&declared, definition, text, &mut |name| self.data_type(name));
        match defined {
            Ok(()) => Ok(declared),
            Err(unwind) => {
                self.data_types.remove(canonical);
                Err(unwind)
            }
        }
    }
}
