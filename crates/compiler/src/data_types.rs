//! From the name of a data type, type alias or resource type to the type.

use ecow::{EcoString, eco_format};

use bunraku_environment::{Form, LoadFailure};
use bunraku_pcore::{Type, parse};
use bunraku_syntax::{Diagnostic, Issue, Location, Severity, ast, duplicate_key};

use crate::compilation::Compilation;
use crate::settings::Strict;
use crate::unwind::{Outcome, Unwind};

/// The resource types that are as much part of the language as data types are.
const RESOURCE_TYPES: [&str; 15] = [
    "component",
    "exec",
    "file",
    "filebucket",
    "group",
    "node",
    "notify",
    "package",
    "resources",
    "schedule",
    "service",
    "stage",
    "tidy",
    "user",
    "whit",
];

impl Compilation<'_> {
    /// The type that a text stands for.
    pub fn parse_type(&mut self, text: &str) -> Outcome<Type> {
        let parsed = parse::parse_type::<Unwind>(text, &mut |name| self.data_type(name));
        parsed.map_err(|unwind| match unwind {
            Unwind::Issue(issue) => self.located_in_type(text, issue),
            other => other,
        })
    }

    /// What went wrong when a type was read from text. A syntax error is at its place in the text, whatever the text is
    /// in.
    pub fn located_in_type(&mut self, text: &str, issue: Issue) -> Unwind {
        let Ok(code) = self.inline(text, Form::Manifest) else { return issue.into() };
        let is_this = |error: &&Diagnostic| error.issue == issue && matches!(error.location, Location::Span(_));
        match code.errors().find(is_this) {
            Some(error) => error.clone().into(),
            None => issue.into(),
        }
    }

    /// The type of this name: one of the language, an alias, or a resource type. `None` if nothing has the name.
    pub fn data_type(&mut self, name: &str) -> Outcome<Option<Type>> {
        // Names that were found are kept as they are written, too.
        if let Some(known) = self.data_types.get(name) {
            return Ok(known.clone());
        }
        let from_top = name.strip_prefix("::").unwrap_or(name);
        let found = match Type::by_name(from_top) {
            Some(data_type) => Some(data_type),
            None => self.find_data_type(from_top)?,
        };
        if found.is_some() {
            self.data_types.insert(name.into(), found.clone());
        }
        Ok(found)
    }

    fn find_data_type(&mut self, name: &str) -> Outcome<Option<Type>> {
        let canonical: EcoString = name.to_lowercase().into();
        if let Some(known) = self.data_types.get(&canonical) {
            return Ok(known.clone());
        }
        let found = self.load_data_type(name, &canonical)?;
        // What is not there yet may be defined later.
        if found.is_some() || self.resolving.is_none() {
            self.data_types.insert(canonical, found.clone());
        }
        Ok(found)
    }

    /// The main manifests may not define types that the language has.
    pub(crate) fn check_type_names(&self) -> Result<(), LoadFailure> {
        let definitions = self.definitions.main().iter().flat_map(|code| &code.program.definitions);
        let names = definitions.filter_map(|definition| match definition {
            ast::Definition::TypeAlias(alias) => Some(alias.name.to_lowercase()),
            _ => None,
        });
        let mut taken = names.filter_map(|name| Some((origin(&name)?, name)));
        match taken.next() {
            Some((origin, name)) => {
                let message =
                    eco_format!("Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{name}'. {origin}");
                Err(LoadFailure::Issue(Issue::new("", message)))
            }
            None => Ok(()),
        }
    }

    fn load_data_type(&mut self, name: &str, canonical: &EcoString) -> Outcome<Option<Type>> {
        let is_defined_type = self.load_manifests_of_type(canonical)?;
        if !is_defined_type || self.definitions.has_type_alias(canonical) {
            let loaded = self.definitions.type_alias(canonical);
            self.log_load_warnings();
            match loaded {
                Ok(Some(alias)) if self.is_defined_later(alias.definition.span) => return Ok(None),
                Ok(Some(alias)) => return self.define_alias(alias.definition, canonical).map(Some),
                Ok(None) => {}
                Err(failure) => return Err(self.load_failure(failure)),
            }
        }
        if let Some(declaration) = self.foreign.map(|foreign| foreign.data_type(canonical)).transpose()?.flatten() {
            return self.define_foreign(&declaration, canonical).map(Some);
        }
        if let Some(member) = self.type_set_member(canonical)? {
            return Ok(Some(member));
        }
        if self.resolving.is_some()
            && self.native_resource_type(canonical).is_none()
            && let Ok(Some(defined_type)) = self.definitions.defined_type(canonical)
            && self.is_defined_later(defined_type.definition.span)
        {
            return Ok(None);
        }
        // Nodes can be referred to although nothing can be made of their type.
        let is_known = canonical == "node" || self.is_resource_type(canonical)?;
        Ok(is_known.then(|| Type::resource(name, None)))
    }

    /// The type of this name if it is a resource type of the language, or if something has asked for it before.
    pub fn known_data_type(&self, name: &str) -> Option<Type> {
        let canonical: EcoString = name.to_lowercase().into();
        if RESOURCE_TYPES.contains(&canonical.as_str()) {
            return Some(Type::resource(name, None));
        }
        self.data_types.get(&canonical).cloned().flatten()
    }

    /// A name is first looked for as that of a defined type, which this tells. The manifests that this loads may define an
    /// alias of the same name.
    fn load_manifests_of_type(&mut self, canonical: &str) -> Outcome<bool> {
        if self.definitions.has_type_alias(canonical) || self.native_resource_type(canonical).is_some() {
            return Ok(false);
        }
        self.is_resource_type(canonical)
    }

    /// A type of the type set of a module.
    fn type_set_member(&mut self, canonical: &str) -> Outcome<Option<Type>> {
        let Some((module, member)) = canonical.split_once("::") else { return Ok(None) };
        let loaded = self.definitions.type_alias(module);
        self.log_load_warnings();
        match loaded {
            Ok(Some(definition)) if definition.module == Some(module) => {}
            // Compatibility: the types of a set that a manifest defines are there once the set was used.
            Ok(Some(_)) if self.data_types.get(module).is_some_and(Option::is_some) => {}
            _ => return Ok(None),
        }
        let Some(Type::TypeSet(type_set)) = self.data_type(module)? else { return Ok(None) };
        for reference in type_set.references() {
            let found = self.data_type(&reference.name)?;
            reference.resolve(&type_set, found)?;
        }
        Ok(type_set.get(member))
    }

    /// A type that foreign code declares.
    fn define_foreign(&mut self, declaration: &str, canonical: &EcoString) -> Outcome<Type> {
        let code = self.inline(declaration, Form::Manifest)?;
        self.check_code(code)?;
        let definition = code.program.definitions.iter().find_map(|definition| match definition {
            ast::Definition::TypeAlias(alias) => Some(alias),
            _ => None,
        });
        match definition {
            Some(definition) => self.define_alias(definition, canonical),
            None => Err(Issue::new("RUNTIME_ERROR", eco_format!("no type is declared by: {declaration}")).into()),
        }
    }

    /// A type is known under its name before its right side is read, so that it may refer to itself.
    pub(crate) fn define_anew(&mut self, definition: &ast::TypeAlias, canonical: &EcoString) -> Outcome<Type> {
        for span in parse::second_parents(definition) {
            let issue = duplicate_key("parent");
            match self.settings.strict {
                Strict::Error => return Err(issue.at(span).with_severity(Severity::Error).into()),
                Strict::Warning => self.warn(issue, span),
                Strict::Off => {}
            }
        }
        let declared = parse::declare(definition);
        self.data_types.insert(canonical.clone(), Some(declared.clone()));
        let (environment, regexps) = (self.environment, &self.library.regexps);
        let text = environment.source(definition.span.file).map_or("", |source| &source.text);
        let defined = parse::define(&declared, definition, text, regexps, &mut |name| self.named_type(name));
        match defined {
            Ok(()) => Ok(declared),
            Err(unwind) => {
                self.data_types.retain(|_, known| known.as_ref() != Some(&declared));
                Err(unwind)
            }
        }
    }
}

/// Where a type of the language comes from, as the reference tells it.
fn origin(name: &str) -> Option<&'static str> {
    let unknown = "Set at unknown location";
    match Type::by_name(name) {
        Some(Type::Object(object_type)) if object_type.type_name().is_some() => (name == "deferred").then_some(unknown),
        Some(Type::Alias(_)) => Some(unknown),
        Some(_) => Some("Originally set by Puppet-Type-System/Static-Loader."),
        None => RESOURCE_TYPES.contains(&name).then_some(unknown),
    }
}
