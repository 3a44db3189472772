//! ERB templates: read once, rendered with the variables they name.

use std::rc::Rc;
use std::sync::Arc;

use bunraku_environment::Cache;

use super::ask::host;
use super::failure::{self, Failure};
use super::values;
use crate::forecast;
use crate::interpreter::code::Locals;
use crate::interpreter::lower::{SyntaxError, lower};
use crate::interpreter::symbol::Sym;
use crate::interpreter::tree::Tree;
use crate::interpreter::value::{Object, Value};
use crate::interpreter::{Outcome, Stop, Vm};
use crate::library::erb_source;
use crate::sidecar::Variable;

/// How many templates are remembered, in bytes of their text.
const MOST_BYTES: usize = 32 << 20;
/// What a template costs beyond its length.
const BYTES_EACH: usize = 1024;

/// Compatibility: the variables of the method that renders are visible in a template.
const AROUND: [&str; 5] = ["_erbout", "string", "template_source", "result", "template"];

/// Words with which a template may reach variables that its text does not name.
const REFLECTION: [&str; 3] = ["instance_variable", "binding", "eval"];

/// Templates that were read, by their text.
pub(crate) struct Templates {
    read: Cache<Arc<str>, Arc<Template>>,
}

/// A template that was read.
pub(crate) struct Template {
    tree: Result<Tree, SyntaxError>,
    /// The variables its text names; nothing if it may use any.
    variables: Option<Vec<String>>,
    /// Whether it is left to Ruby from the start, if there is one.
    pub(crate) is_left: bool,
}

impl Default for Templates {
    fn default() -> Self {
        Templates { read: Cache::new(MOST_BYTES) }
    }
}

impl Templates {
    /// The template of a text.
    pub(crate) fn read(&self, text: &Arc<str>, path: Option<&str>) -> Arc<Template> {
        self.read.get(&**text).unwrap_or_else(|| {
            let around: Arc<Vec<Sym>> = Arc::new(AROUND.iter().map(|name| Sym::new(name)).collect());
            // The line before the first of the template is a comment.
            let source = erb_source::source(text.as_bytes(), "-", "_erbout");
            let source = String::from_utf8_lossy(&source);
            let tree = lower(&source, path.unwrap_or("(erb)"), 0, &[around]);
            let template =
                Arc::new(Template { tree, variables: variables(text), is_left: forecast::leaves_template(text) });
            self.read.insert(text.clone(), text.len().saturating_add(BYTES_EACH), template.clone());
            template
        })
    }
}

/// The variables that a template names, or nothing where only all of them will do.
fn variables(text: &str) -> Option<Vec<String>> {
    if REFLECTION.iter().any(|word| text.contains(word)) {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for part in text.split('@').skip(1) {
        let name: String = part.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
        if name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') && !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

impl Template {
    /// Renders the template with the variables of the host.
    pub(crate) fn render(&self, vm: &mut Vm, path: Option<&str>, text: &str) -> Result<String, Failure> {
        let shown = path.unwrap_or("inline template");
        let tree = match &self.tree {
            Ok(tree) => tree,
            Err(error) => {
                let message = format!("{}:{}: syntax error, {}", path.unwrap_or("(erb)"), error.line, error.message);
                let stop = vm.error("SyntaxError", &message);
                return Err(failure::of(vm, *stop, shown));
            }
        };
        let effects = vm.puppet.effects;
        match self.run(vm, tree, path, text) {
            Ok(rendered) => Ok(rendered),
            Err(stop) => {
                let failure = failure::of(vm, *stop, shown);
                // What code has changed until then stays changed.
                let told = values::tell_changes(vm).is_ok();
                Err(failure.clean(told && vm.puppet.effects == effects))
            }
        }
    }

    fn run(&self, vm: &mut Vm, tree: &Tree, path: Option<&str>, text: &str) -> Outcome<String> {
        let Value::Class(class) = vm.constant_at("Puppet::Parser::TemplateWrapper")? else { return Ok(String::new()) };
        let scope = vm.constant_at("Puppet::Parser::Scope")?;
        let scope = vm.send(&scope, Sym::new("new"), &[])?;
        let object = Object::new(class.clone());
        object.set(Sym::new("@__scope__"), scope);
        object.set(Sym::new("@__file__"), path.map_or(Value::Nil, Value::from));
        let mut texts = Vec::new();
        for (name, value) in self.given(vm) {
            let given = values::from_puppet(vm, &value)?;
            if given.is_nil() {
                continue;
            }
            if let Value::Str(string) = &given {
                string.head.given.set(true);
                texts.push((name.clone(), given.clone()));
            }
            let name: String = name.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
            object.set(Sym::new(&format!("@{name}")), given);
        }
        let around = Locals::new(AROUND.len(), None);
        around.set(0, 0, Value::str(""));
        around.set(0, 1, Value::str(text));
        around.set(0, 2, Value::str(path.unwrap_or("inline template")));
        let this = Value::Object(Rc::new(object));
        let outcome = vm.run_in(tree, path.unwrap_or("(erb)"), &this, &class, Some(around));
        let value = match outcome.map_err(|stop| *stop) {
            Ok(value) | Err(Stop::Return(_, value)) => value,
            Err(stop) => return Err(Box::new(stop)),
        };
        for (name, value) in texts {
            if vm.puppet.changed.iter().any(|changed| changed.is_same(&value)) {
                let value = values::to_puppet(vm, &value)?;
                host(vm, |host| host.variable_changed(&name, value));
            }
        }
        values::tell_changes(vm)?;
        vm.to_s(&value)
    }

    /// The variables that the template may use.
    fn given(&self, vm: &mut Vm) -> Vec<(String, bunraku_pcore::Value)> {
        host(vm, |host| match &self.variables {
            None => host.variables(),
            Some(names) => {
                let found = names.iter().filter_map(|name| match host.variable(name) {
                    Variable::Found(value) => Some((name.clone(), value)),
                    Variable::NotFound { .. } => None,
                });
                found.collect()
            }
        })
    }
}
