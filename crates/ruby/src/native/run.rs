//! What a template and the templates it renders share: the compiler, the limits, and what happens only at the end.

use std::sync::Arc;

use bunraku_pcore::Value as PuppetValue;
use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::Templates;
use super::interpret::Interpreter;
use super::pattern::{Options, Pattern};
use super::value::{Outcome, Stop, Value};
use crate::sidecar::{Host, Variable};

/// A template that takes more steps is left to Ruby, which has its own limit.
const MOST_STEPS: usize = 2_000_000;

/// How many steps are made until it is asked whether the compilation may go on. The helper tells if it may not.
const STEPS_TO_CHECK: usize = 4096;

/// A template while it runs, with those inside of it.
pub(super) struct Run<'h> {
    pub(super) host: &'h mut dyn Host,
    templates: &'h Templates,
    steps: usize,
    pub(super) depth: usize,
    /// Variables of the scope that the template has set, as it sees them.
    set: FxHashMap<EcoString, Value>,
    /// The same variables in order, as Puppet will see them.
    pending: Vec<(EcoString, PuppetValue)>,
    /// Variables of Puppet that may be changed in place: their names, values and copies.
    copies: Vec<(EcoString, PuppetValue, Value)>,
}

impl<'h> Run<'h> {
    pub(super) fn new(host: &'h mut dyn Host, templates: &'h Templates) -> Self {
        let (set, pending, copies) = (FxHashMap::default(), Vec::new(), Vec::new());
        Run { host, templates, steps: 0, depth: 0, set, pending, copies }
    }

    /// Lets the compiler know what the template did.
    pub(super) fn finish(self) -> Outcome<()> {
        let changes = self.changes()?;
        for (name, value) in self.pending {
            self.host.set_variable(&name, value).map_err(|_| Stop::Unsupported)?;
        }
        for (name, value) in changes {
            self.host.variable_changed(&name, value);
        }
        Ok(())
    }

    pub(super) fn step(&mut self) -> Outcome<()> {
        self.steps += 1;
        let is_over = self.steps % STEPS_TO_CHECK == 0 && self.host.limits().check().is_err();
        if self.steps > MOST_STEPS || is_over { Err(Stop::Unsupported) } else { Ok(()) }
    }

    /// A variable of Puppet by its plain name; nothing if there is none. If it may be changed, it is a copy that all who
    /// use the variable share.
    pub(super) fn variable(&mut self, name: &str, may_change: bool) -> Outcome<Option<Value>> {
        // Puppet does not know yet what the template has set.
        if self.set.contains_key(name) {
            return Err(Stop::Unsupported);
        }
        if let Some((_, _, copy)) = self.copies.iter().find(|(known, _, _)| known == name) {
            return Ok(Some(copy.clone()));
        }
        let Variable::Found(before) = self.host.variable(name) else { return Ok(None) };
        let value = Value::from_puppet(&before);
        if !may_change || !matches!(value, Value::Array(_) | Value::Hash(_)) {
            return Ok(Some(value));
        }
        let copy = value.own_copy()?;
        self.copies.push((name.into(), before, copy.clone()));
        Ok(Some(copy))
    }

    /// A variable of the scope by any name; nothing if there is none.
    pub(super) fn scope_variable(&mut self, name: &str, may_change: bool) -> Outcome<Option<Value>> {
        match self.set.get(name) {
            Some(value) => Ok(Some(value.clone())),
            None if !name.contains("::") => self.variable(name, may_change),
            None => match self.host.variable(name) {
                Variable::Found(value) if may_change => Value::from_puppet(&value).own_copy().map(Some),
                Variable::Found(value) => Ok(Some(Value::from_puppet(&value))),
                Variable::NotFound { .. } => Ok(None),
            },
        }
    }

    /// The variables whose values were changed in place.
    fn changes(&self) -> Outcome<Vec<(EcoString, PuppetValue)>> {
        let mut changes = Vec::new();
        for (name, before, copy) in &self.copies {
            let after = copy.to_puppet()?;
            if after != *before {
                changes.push((name.clone(), after));
            }
        }
        Ok(changes)
    }

    /// Sets a variable of the scope; one that is set already is an error, and so left to Ruby.
    pub(super) fn set_scope_variable(&mut self, name: EcoString, value: Value) -> Outcome<()> {
        if name.contains("::") || self.scope_variable(&name, false)?.is_some() {
            return Err(Stop::Unsupported);
        }
        self.pending.push((name.clone(), value.to_puppet()?));
        self.set.insert(name, value);
        Ok(())
    }

    /// Whether the template has set variables that only it can see.
    pub(super) fn has_set_variables(&self) -> bool {
        !self.pending.is_empty()
    }

    /// A pattern that is made while the template runs.
    pub(super) fn pattern(&self, source: &EcoString, options: Options) -> Outcome<Arc<Pattern>> {
        Pattern::new(source, options, &self.templates.regexps)
    }

    /// Renders another template in the same scope.
    pub(super) fn render(&mut self, text: &Arc<str>) -> Outcome<String> {
        let tree = self.templates.tree(text).ok_or(Stop::Unsupported)?;
        if self.depth >= 200 {
            return Err(Stop::Unsupported);
        }
        self.depth += 50;
        let rendered = Interpreter::render(&tree, self);
        self.depth -= 50;
        // What this template changes, the one around it would have to see.
        if tree.is_changing && !self.changes()?.is_empty() { Err(Stop::Unsupported) } else { rendered }
    }
}
