//! The definitions one compilation has met: looked up by name, loaded when missing, checked against each other.
//!
//! What is defined depends on which files have been loaded so far, as in the reference; the files themselves are
//! parsed once per environment.

mod node_name;
mod single;

use bunraku_syntax::ast;
use bunraku_syntax::{Diagnostic, FileId, Issue, Severity, Span};
use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::autoload;
use crate::environment::{Environment, Manifest};
use crate::files::Code;
use crate::issues::{self, Entity};
use node_name::node_name;

/// A definition under its canonical name.
#[derive(Debug)]
pub struct Defined<'e, T> {
    /// The name in lower case without a leading `::`.
    pub name: EcoString,
    /// The module it belongs to; nothing for the environment.
    pub module: Option<&'e str>,
    /// What was written.
    pub definition: &'e T,
}

impl<T> Clone for Defined<'_, T> {
    fn clone(&self) -> Self {
        Defined { name: self.name.clone(), module: self.module, definition: self.definition }
    }
}

/// One name of a node definition.
#[derive(Debug, Clone)]
pub struct DefinedNode<'e> {
    /// The title of the node: the name in lower case, `default`, or one made from a regular expression.
    pub name: EcoString,
    /// The string, regular expression or `default`.
    pub matcher: &'e ast::Expr,
    /// What was written.
    pub definition: &'e ast::Node,
}

/// Why something could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadFailure {
    /// It belongs to the place that asked.
    Issue(Issue),
    /// The code has errors of its own; what is questionable about it is among them.
    Diagnostics(Vec<Diagnostic>),
}

impl From<Issue> for LoadFailure {
    fn from(issue: Issue) -> Self {
        LoadFailure::Issue(issue)
    }
}

impl From<Diagnostic> for LoadFailure {
    fn from(diagnostic: Diagnostic) -> Self {
        LoadFailure::Diagnostics(vec![diagnostic])
    }
}

type ByName<T> = FxHashMap<EcoString, T>;

/// The definitions known to one compilation.
#[derive(Debug)]
pub struct Definitions<'e> {
    environment: &'e Environment,
    metaparameters: &'static [&'static str],
    main: Vec<&'e Code>,
    added: Vec<&'e Code>,
    loaded: FxHashSet<FileId>,
    classes: ByName<Defined<'e, ast::Class>>,
    defined_types: ByName<Defined<'e, ast::DefinedType>>,
    nodes: IndexMap<EcoString, DefinedNode<'e>, FxBuildHasher>,
    /// Nothing stands for a name that was looked for in vain.
    functions: ByName<Option<Defined<'e, ast::Function>>>,
    type_aliases: ByName<Option<Defined<'e, ast::TypeAlias>>>,
    type_mappings: Vec<&'e ast::TypeMapping>,
    warnings: Vec<Diagnostic>,
}

impl<'e> Definitions<'e> {
    /// Loads the main manifests. Parameters may not have the names of metaparameters, which are given here.
    pub fn new(environment: &'e Environment, metaparameters: &'static [&'static str]) -> Result<Self, LoadFailure> {
        let mut definitions = Definitions {
            environment,
            metaparameters,
            main: environment.main()?,
            added: Vec::new(),
            loaded: FxHashSet::default(),
            classes: ByName::default(),
            defined_types: ByName::default(),
            nodes: IndexMap::default(),
            functions: ByName::default(),
            type_aliases: ByName::default(),
            type_mappings: Vec::new(),
            warnings: Vec::new(),
        };
        // All main manifests are parsed before anything in them is defined.
        for code in &definitions.main {
            usable(code)?;
        }
        for code in definitions.main.clone() {
            // Nobody asked for the main manifests, so what would be the fault of the one who asks has no code.
            definitions.add(code).map_err(|failure| match failure {
                LoadFailure::Issue(issue) => LoadFailure::Issue(issues::uncoded(issue.message())),
                other => other,
            })?;
        }
        Ok(definitions)
    }

    /// The code that is evaluated first.
    pub fn main(&self) -> &[&'e Code] {
        &self.main
    }

    /// The node definitions in order, one entry for each name.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &DefinedNode<'e>> {
        self.nodes.values()
    }

    /// The node definition of this exact title.
    pub fn node(&self, name: &str) -> Option<&DefinedNode<'e>> {
        self.nodes.get(name)
    }

    /// The type mappings met so far.
    pub fn type_mappings(&self) -> &[&'e ast::TypeMapping] {
        &self.type_mappings
    }

    /// Takes the warnings about code loaded since the last time.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    /// Takes the code that was loaded since the last time.
    pub fn take_added(&mut self) -> Vec<&'e Code> {
        std::mem::take(&mut self.added)
    }

    /// The class of a canonical name, loaded if need be.
    pub fn class(&mut self, name: &str) -> Result<Option<Defined<'e, ast::Class>>, LoadFailure> {
        self.find(name, |definitions| definitions.classes.get(name).cloned())
    }

    /// The defined type of a canonical name, loaded if need be.
    pub fn defined_type(&mut self, name: &str) -> Result<Option<Defined<'e, ast::DefinedType>>, LoadFailure> {
        self.find(name, |definitions| definitions.defined_types.get(name).cloned())
    }

    /// The names of the classes that have been loaded, in order.
    pub fn class_names(&self) -> Vec<&str> {
        sorted(self.classes.keys())
    }

    /// The names of the defined types that have been loaded, in order.
    pub fn defined_type_names(&self) -> Vec<&str> {
        sorted(self.defined_types.keys())
    }

    /// The names of the functions that have been loaded, in order.
    pub fn function_names(&self) -> Vec<&str> {
        sorted(self.functions.iter().filter(|(_, found)| found.is_some()).map(|(name, _)| name))
    }

    /// Loads one candidate after the other until the thing is there.
    fn find<T>(&mut self, name: &str, get: impl Fn(&Self) -> Option<T>) -> Result<Option<T>, LoadFailure> {
        if let Some(found) = get(self) {
            return Ok(Some(found));
        }
        let manifests = self.environment.manifests(name);
        let mut manifests = manifests.iter();
        // `init.pp` and the most specific file are read together.
        for manifest in manifests.by_ref().take(2) {
            self.load(manifest)?;
        }
        loop {
            match (get(self), manifests.next()) {
                (None, Some(manifest)) => self.load(manifest)?,
                (found, _) => return Ok(found),
            }
        }
    }

    fn load(&mut self, manifest: &Manifest) -> Result<(), LoadFailure> {
        match manifest.code(self.environment) {
            Some(code) => self.add(code?),
            None => Ok(()),
        }
    }

    /// The function of this name, if code that is already loaded defines it.
    pub fn loaded_function(&self, name: &str) -> Option<&Defined<'e, ast::Function>> {
        self.functions.get(name)?.as_ref()
    }

    /// The function of this name written in the Puppet language, loaded if need be.
    pub fn function(&mut self, name: &str) -> Result<Option<Defined<'e, ast::Function>>, LoadFailure> {
        if let Some(known) = self.functions.get(name) {
            return Ok(known.clone());
        }
        let found = match autoload::function(name).and_then(|candidate| self.environment.load(&candidate)) {
            None => None,
            Some(code) => Some(single::function(name, self.noticed(code?)?)?),
        };
        self.functions.insert(name.into(), found.clone());
        Ok(found)
    }

    /// Whether code that is already loaded defines a type alias of this name.
    pub fn has_type_alias(&self, name: &str) -> bool {
        self.type_aliases.get(name).is_some_and(Option::is_some)
    }

    /// The type alias of this name in lower case, loaded if need be.
    pub fn type_alias(&mut self, name: &str) -> Result<Option<Defined<'e, ast::TypeAlias>>, LoadFailure> {
        if let Some(known) = self.type_aliases.get(name) {
            return Ok(known.clone());
        }
        let candidates = autoload::type_alias(name);
        let found = match candidates.iter().find_map(|candidate| self.environment.load(candidate)) {
            None => None,
            Some(code) => Some(single::type_alias(name, self.noticed(code?)?)?),
        };
        self.type_aliases.insert(name.into(), found.clone());
        Ok(found)
    }

    /// Code without errors, whose warnings have been taken down.
    fn noticed(&mut self, code: &'e Code) -> Result<&'e Code, LoadFailure> {
        usable(code)?;
        self.warnings.extend(code.warnings().cloned());
        Ok(code)
    }

    /// Adds everything a file defines, once.
    pub fn add(&mut self, code: &'e Code) -> Result<(), LoadFailure> {
        if !self.loaded.insert(code.id) {
            return Ok(());
        }
        let code = self.noticed(code)?;
        let module = code.module.as_deref();
        self.added.push(code);
        for definition in code.definitions() {
            match definition {
                ast::Definition::Class(class) => self.add_class(class, module)?,
                ast::Definition::DefinedType(defined_type) => self.add_defined_type(defined_type, module)?,
                ast::Definition::Node(node) => self.add_node(node)?,
                ast::Definition::Function(function) => self.add_function(function, module)?,
                ast::Definition::TypeAlias(alias) => self.add_type_alias(alias, module)?,
                ast::Definition::TypeMapping(mapping) => self.type_mappings.push(mapping),
                // Validation has refused the one, and only plans have the other.
                ast::Definition::TypeDefinition(_) | ast::Definition::Plan(_) => {}
            }
        }
        Ok(())
    }

    fn add_class(&mut self, class: &'e ast::Class, module: Option<&'e str>) -> Result<(), LoadFailure> {
        let name = canonical(&class.name);
        self.check_parameters(&name, &class.parameters)?;
        if let Some(other) = self.classes.get(&name) {
            let place = self.place(other.definition.span);
            return Err(issues::class_twice(&name, &place).on_line(class.span).into());
        }
        if let Some(other) = self.nodes.get(&name) {
            let place = self.place(other.definition.span);
            return Err(issues::node_as_class(&name, &place).on_line(class.span).into());
        }
        if let Some(other) = self.defined_types.get(&name) {
            let place = self.place(other.definition.span);
            return Err(issues::defined_type_as_class(&name, &place).on_line(class.span).into());
        }
        self.classes.insert(name.clone(), Defined { name, module, definition: class });
        Ok(())
    }

    fn add_defined_type(
        &mut self,
        defined_type: &'e ast::DefinedType,
        module: Option<&'e str>,
    ) -> Result<(), LoadFailure> {
        let name = canonical(&defined_type.name);
        self.check_parameters(&name, &defined_type.parameters)?;
        if let Some(other) = self.classes.get(&name) {
            let place = self.place(other.definition.span);
            return Err(issues::class_as_defined_type(&name, &place).on_line(defined_type.span).into());
        }
        if let Some(other) = self.defined_types.get(&name) {
            let origin = self.origin(other.definition.span);
            return Err(issues::entity_twice(Entity::Type, &name, &origin).into());
        }
        self.defined_types.insert(name.clone(), Defined { name, module, definition: defined_type });
        Ok(())
    }

    fn add_node(&mut self, node: &'e ast::Node) -> Result<(), LoadFailure> {
        for matcher in &node.matches {
            let name = node_name(matcher, self.environment.settings.target);
            if let Some(other) = self.nodes.get(&name) {
                let place = self.place(other.definition.span);
                return Err(issues::node_twice(&name, &place).on_line(node.span).into());
            }
            if let Some(other) = self.classes.get(&name) {
                let place = self.place(other.definition.span);
                return Err(issues::class_as_node(&name, &place).on_line(node.span).into());
            }
            self.nodes.insert(name.clone(), DefinedNode { name, matcher, definition: node });
        }
        Ok(())
    }

    fn add_function(&mut self, function: &'e ast::Function, module: Option<&'e str>) -> Result<(), LoadFailure> {
        if let Some(Some(other)) = self.functions.get(&function.name.name) {
            let origin = self.origin(other.definition.span);
            return Err(issues::entity_twice(Entity::Function, &function.name, &origin).into());
        }
        let defined = Defined { name: function.name.name.clone(), module, definition: function };
        self.functions.insert(function.name.name.clone(), Some(defined));
        Ok(())
    }

    fn add_type_alias(&mut self, alias: &'e ast::TypeAlias, module: Option<&'e str>) -> Result<(), LoadFailure> {
        let name: EcoString = alias.name.to_lowercase();
        let alias_before = self.type_aliases.get(&name).and_then(Option::as_ref).map(|it| it.definition.reported());
        let define_before = self.defined_types.get(&name).map(|it| it.definition.span);
        if let Some(span) = alias_before.or(define_before) {
            return Err(issues::entity_twice(Entity::Type, &name, &self.origin(span)).into());
        }
        let defined = Defined { name: name.clone(), module, definition: alias };
        self.type_aliases.insert(name, Some(defined));
        Ok(())
    }

    fn check_parameters(&mut self, name: &str, parameters: &[ast::Parameter]) -> Result<(), LoadFailure> {
        let named = |it: &&ast::Parameter| self.metaparameters.contains(&it.name.as_str());
        for parameter in parameters.iter().filter(named) {
            if parameter.default.is_none() {
                return Err(issues::metaparameter(&parameter.name, name).into());
            }
            let warning = issues::metaparameter_with_default(&parameter.name, name);
            self.warnings.push(warning.nowhere().with_severity(Severity::Warning));
        }
        Ok(())
    }

    /// A place as messages show it: `(file: /a.pp, line: 1)`.
    fn place(&self, span: Span) -> String {
        let Some(code) = self.environment.code(span.file) else {
            return String::new();
        };
        let line = code.line_number(span.start);
        match &code.path {
            Some(path) => format!("(file: {path}, line: {line})"),
            None => format!("(line: {line})"),
        }
    }

    /// A place as an address.
    fn origin(&self, span: Span) -> String {
        let Some(source) = self.environment.source(span.file) else {
            return String::new();
        };
        let (line, column) = source.line_column(span.start);
        let address = source.path.as_ref().map_or("string:".to_owned(), |path| format!("file://{path}"));
        format!("{address}?line={line}&pos={column}")
    }
}

fn usable(code: &Code) -> Result<(), LoadFailure> {
    match code.errors().next() {
        None => Ok(()),
        Some(_) => Err(LoadFailure::Diagnostics(code.diagnostics.clone())),
    }
}

/// The name in lower case without a leading `::`.
fn canonical(name: &str) -> EcoString {
    let name = name.strip_prefix("::").unwrap_or(name);
    match name.chars().any(char::is_uppercase) {
        true => name.to_lowercase().into(),
        false => name.into(),
    }
}

fn sorted<'n>(names: impl Iterator<Item = &'n EcoString>) -> Vec<&'n str> {
    let mut names: Vec<&str> = names.map(EcoString::as_str).collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::settings::{RunMode, Settings};
    use crate::world::Memory;

    fn environment<const N: usize>(code: &str, files: [(&str, &str); N]) -> Environment {
        let world: Memory = files.into_iter().map(|(path, text)| (format!("/production/{path}"), text)).collect();
        let mut settings = Settings::new(RunMode::Server);
        settings.set("code", code);
        Environment::at(Arc::new(world), &settings, "production", "/production").unwrap()
    }

    /// Looks names up, separated by spaces: `class:a`, `define:a`, `function:a`, `type:a`.
    fn check<const N: usize>(code: &str, files: [(&str, &str); N], lookups: &str, expected: &str) {
        let environment = environment(code, files);
        assert_eq!(look_up(&environment, lookups).unwrap_or_else(|failure| show(&failure)), expected);
    }

    fn look_up(environment: &Environment, lookups: &str) -> Result<String, LoadFailure> {
        let mut definitions = Definitions::new(environment, &["noop", "tag"])?;
        let mut found = Vec::new();
        for (kind, name) in lookups.split_whitespace().filter_map(|it| it.split_once(':')) {
            let span = match kind {
                "class" => definitions.class(name)?.map(|it| it.definition.span),
                "define" => definitions.defined_type(name)?.map(|it| it.definition.span),
                "function" => definitions.function(name)?.map(|it| it.definition.span),
                _ => definitions.type_alias(name)?.map(|it| it.definition.span),
            };
            found.push(span.map_or("none".to_owned(), |span| definitions.place(span)));
        }
        let warnings = definitions.take_warnings();
        found.extend(warnings.iter().map(|warning| warning.issue.message().to_owned()));
        Ok(found.join(" "))
    }

    fn show(failure: &LoadFailure) -> String {
        match failure {
            LoadFailure::Issue(issue) => issue.message().to_owned(),
            LoadFailure::Diagnostics(list) => {
                list.iter().map(|it| it.issue.message().to_owned()).collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn names_are_found_where_they_belong() {
        check("class a {}\nclass b { class c {} }", [], "class:a class:b::c class:d", "(line: 1) (line: 2) none");
        let files = [
            ("modules/m/manifests/init.pp", "class m {}"),
            ("modules/m/manifests/a.pp", "class m::a {}\ndefine m::a::d {}"),
            ("modules/m/manifests/a/b.pp", "\nclass m::a::b {}"),
            ("modules/m/functions/f.pp", "function m::f() {}"),
            ("modules/m/types/t/u.pp", "type M::T::U = Integer"),
            ("functions/f.pp", "function f() {}"),
        ];
        check(
            "",
            files,
            "class:m class:m::a::b define:m::a::d class:m::x",
            "(file: /production/modules/m/manifests/init.pp, line: 1) \
             (file: /production/modules/m/manifests/a/b.pp, line: 2) \
             (file: /production/modules/m/manifests/a.pp, line: 2) none",
        );
        check(
            "",
            files,
            "function:m::f function:f function:m::g type:m::t::u",
            "(file: /production/modules/m/functions/f.pp, line: 1) (file: /production/functions/f.pp, line: 1) none \
             (file: /production/modules/m/types/t/u.pp, line: 1)",
        );
    }

    #[test]
    fn a_name_is_defined_once() {
        let check = |code, expected| check(code, [], "", expected);
        check("class a {}\nclass a {}", "Class 'a' is already defined (line: 1); cannot redefine");
        check(
            "class a {} define a() {}",
            "'a' is already defined (line: 1) as a class; cannot redefine as a definition",
        );
        check("define a {} class a {}", "Definition 'a' is already defined (line: 1); cannot be redefined as a class");
        let twice = "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/a'. \
                     Originally set at string:?line=1&pos=1.";
        check("define a {} define a {}", twice);
        check("define a {} type A = Integer", twice);
        check("node a {} node 'A' {}", "Node 'a' is already defined (line: 1); cannot redefine");
        check("node a {} class a {}", "Node 'a' is already defined (line: 1); cannot be redefined as a class");
        check("class a {} node a {}", "Class 'a' is already defined (line: 1); cannot be redefined as a node");
        check(
            "node /a.b/ {} node /(?!a)b/, /a.b/ {}",
            "Node '__node_regexp__a.b' is already defined (line: 1); cannot redefine",
        );
        check(
            "function f() {} function f() {}",
            "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/function/f'. \
             Originally set at string:?line=1&pos=1.",
        );
        check("class a($noop) {}", "noop is a metaparameter; please choose another parameter name in the a definition");
        check(
            "class a($noop = 1) {}",
            "noop is a metaparam; this value will inherit to all contained resources in the a definition",
        );
    }

    #[test]
    fn a_file_of_its_own_holds_one_definition() {
        let check = |text, expected| {
            let expected = format!("The code loaded from /production/modules/m/types/t.pp {expected}");
            check("", [("modules/m/types/t.pp", text)], "type:m::t", &expected);
        };
        check("", "does not define the type 'm::t' - it is empty.");
        check("class m::t {}", "does not define the type 'm::t' - no type alias or type definition found.");
        check("type M::X = Integer", "produced type with the wrong name, expected 'm::t', actual 'M::X'");
        check(
            "type M::T = Integer\ntype M::X = Integer",
            "must contain only the type 'm::t' - it has additional definitions.",
        );
    }

    #[test]
    fn changes_are_noticed_and_the_rest_is_shared() {
        let world = Arc::new(Memory::from([
            ("/e/manifests/site.pp", "include m"),
            ("/e/modules/m/manifests/init.pp", "class m {}"),
        ]));
        let settings = Settings::new(RunMode::Server);
        let first = Environment::at(world.clone(), &settings, "e", "/e").unwrap();
        assert_eq!(
            look_up(&first, "class:m class:m::x").unwrap(),
            "(file: /e/modules/m/manifests/init.pp, line: 1) none"
        );
        assert!(!first.has_changed());
        world.write("/e/modules/m/manifests/x.pp", "class m::x {}");
        assert!(first.has_changed());
        let second = first.successor().unwrap();
        assert_eq!(
            look_up(&second, "class:m class:m::x").unwrap(),
            "(file: /e/modules/m/manifests/init.pp, line: 1) (file: /e/modules/m/manifests/x.pp, line: 1)"
        );
        let definition = |environment: &Environment| {
            let class = Definitions::new(environment, &[]).unwrap().class("m").unwrap().unwrap();
            std::ptr::from_ref(class.definition)
        };
        assert_eq!(definition(&first), definition(&second));
    }
}
