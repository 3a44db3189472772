//! Scopes and the layers on them: where variables live and how a name finds its value.
//!
//! A *scope* belongs to the top level, a node, a class or a defined type and lives as long as the compilation. A *layer*
//! is what the manual calls a local scope: the parameters of a lambda or function, or the result of a match. Layers form a
//! stack, because no block outlives the call it is given to.

use std::sync::{Arc, OnceLock};

use ecow::EcoString;
use smallvec::SmallVec;

use bunraku_pcore::{OrderMap, Regexp, Value};
use bunraku_syntax::Issue;

/// A scope of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeId(pub(crate) u32);

/// A layer of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerId(pub(crate) u32);

/// The scope of everything.
pub const TOP: ScopeId = ScopeId(0);

/// What a scope belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The top scope.
    Top,
    /// The body of a node definition.
    Node,
    /// The body of a class.
    Class {
        /// The name of the class.
        name: EcoString,
        /// The scope of the class it inherits from.
        inherits: Option<ScopeId>,
    },
    /// The body of a defined type.
    DefinedType,
}

/// Variables by name, in the order they were set.
pub type Variables = OrderMap<EcoString, Value>;

/// The variables of one body, and where to look further.
#[derive(Clone, Debug)]
pub struct Scope {
    /// What the scope belongs to.
    pub kind: ScopeKind,
    /// The scope that declared it: resource defaults are looked up along this chain, variables are not.
    pub parent: Option<ScopeId>,
    /// Its own variables.
    pub variables: Variables,
    /// The layers on it while something that was declared from there is evaluated.
    pub(crate) layer: Option<LayerId>,
}

/// What lies on top of a scope for a while.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// The scope it lies on.
    scope: ScopeId,
    /// The layer below, if any.
    pub(crate) below: Option<LayerId>,
    /// What it holds.
    pub(crate) content: Content,
}

/// Variables with their values; most lambdas have one or two.
pub(crate) type Locals = SmallVec<[(EcoString, Value); 2]>;

/// A successful match. Its groups are found when the first of them is asked for: few programs do.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    regexp: Arc<Regexp>,
    text: EcoString,
    groups: OnceLock<Box<[Value]>>,
}

impl Match {
    /// Matches a text, if it does.
    pub(crate) fn find(regexp: &Arc<Regexp>, text: &EcoString) -> Result<Option<Match>, Issue> {
        let is_match = regexp.is_match(text)?;
        Ok(is_match.then(|| Match { regexp: regexp.clone(), text: text.clone(), groups: OnceLock::new() }))
    }

    /// A group: 0 is the whole, the others belong to one pair of parentheses each.
    fn group(&self, number: usize) -> &Value {
        let groups = self.groups.get_or_init(|| match self.regexp.captures(&self.text) {
            Ok(Some(captures)) => captures.iter().map(|group| Value::from(group.map(Value::from))).collect(),
            // The same search has succeeded before.
            Ok(None) | Err(_) => Box::default(),
        });
        groups.get(number).unwrap_or(&Value::Undef)
    }
}

/// Parameters with their values, once they have one.
pub(crate) type Slots = SmallVec<[(EcoString, Option<Value>); 2]>;

/// What a layer holds.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Variables of a lambda, function or template.
    Local(Locals),
    /// A successful match.
    Match(Match),
    /// Parameters whose defaults are being evaluated: those already known, and those that are not.
    Parameters {
        /// Each parameter with its value, once it has one.
        parameters: Slots,
    },
}

/// All scopes and layers of a compilation.
#[derive(Debug)]
pub struct Scopes {
    scopes: Vec<Scope>,
    layers: Vec<Layer>,
}

/// What a name stands for.
#[derive(Debug)]
pub enum Lookup<'s> {
    /// A variable with this value.
    Found(&'s Value),
    /// Nothing.
    Unknown,
    /// A parameter of `callee` that has no value yet.
    Unevaluated,
}

impl Default for Scopes {
    fn default() -> Scopes {
        let top = Scope { kind: ScopeKind::Top, parent: None, variables: Variables::default(), layer: None };
        Scopes { scopes: vec![top], layers: Vec::new() }
    }
}

impl Scopes {
    /// Adds a scope.
    pub fn add(&mut self, scope: Scope) -> ScopeId {
        let id = ScopeId(u32::try_from(self.scopes.len()).unwrap_or(u32::MAX));
        self.scopes.push(scope);
        id
    }

    /// The scope with this id.
    pub fn get(&self, id: ScopeId) -> &Scope {
        #[expect(clippy::indexing_slicing, reason = "an id is made by `add` alone and scopes are never removed")]
        &self.scopes[id.0 as usize]
    }

    /// The scope with this id, to be changed.
    pub fn get_mut(&mut self, id: ScopeId) -> &mut Scope {
        #[expect(clippy::indexing_slicing, reason = "an id is made by `add` alone and scopes are never removed")]
        &mut self.scopes[id.0 as usize]
    }

    /// The nearest node or top scope around `id`, where unqualified names are looked up next.
    pub fn enclosing(&self, id: ScopeId) -> Option<ScopeId> {
        let mut parent = self.get(id).parent?;
        loop {
            match self.get(parent).kind {
                ScopeKind::Top | ScopeKind::Node => return Some(parent),
                _ => parent = self.get(parent).parent?,
            }
        }
    }

    /// The scope whose variables are visible after those of `id` itself.
    pub fn next(&self, id: ScopeId) -> Option<ScopeId> {
        match self.get(id).kind {
            ScopeKind::Class { inherits: Some(parent), .. } => Some(parent),
            _ => self.enclosing(id),
        }
    }

    /// Looks an unqualified name up, from the innermost layer to the top scope.
    pub fn lookup(&self, name: &str, scope: ScopeId, layer: Option<LayerId>) -> Lookup<'_> {
        let number = if name.starts_with(|c: char| c.is_ascii_digit()) { name.parse::<usize>().ok() } else { None };
        if let Some(found) = self.lookup_in_layers(name, number, layer) {
            return found;
        }
        let mut at = Some(scope);
        while let Some(id) = at {
            if let Some(value) = self.get(id).variables.get(name) {
                return Lookup::Found(value);
            }
            at = self.next(id);
            let layer = at.and_then(|id| self.get(id).layer);
            if let Some(found) = self.lookup_in_layers(name, number, layer) {
                return found;
            }
        }
        Lookup::Unknown
    }

    fn lookup_in_layers(&self, name: &str, number: Option<usize>, layer: Option<LayerId>) -> Option<Lookup<'_>> {
        let mut at = layer;
        while let Some(layer) = at.and_then(|id| self.layer(id)) {
            match &layer.content {
                Content::Local(variables) => {
                    if let Some((_, value)) = variables.iter().find(|(key, _)| key == name) {
                        return Some(Lookup::Found(value));
                    }
                }
                Content::Match(found) => {
                    if let Some(number) = number {
                        return Some(Lookup::Found(found.group(number)));
                    }
                }
                Content::Parameters { parameters, .. } => {
                    if let Some((_, value)) = parameters.iter().find(|(key, _)| key == name) {
                        return Some(value.as_ref().map_or(Lookup::Unevaluated, Lookup::Found));
                    }
                }
            }
            at = layer.below;
        }
        None
    }

    /// Whether `name` is already set where an assignment would set it: in the innermost layer that holds variables.
    pub fn is_bound(&self, name: &str, scope: ScopeId, layer: Option<LayerId>) -> bool {
        let mut at = layer;
        while let Some(layer) = at.and_then(|id| self.layer(id)) {
            match &layer.content {
                Content::Local(variables) => return variables.iter().any(|(key, _)| key == name),
                Content::Parameters { parameters, .. } => return parameters.iter().any(|(key, _)| key == name),
                Content::Match(_) => at = layer.below,
            }
        }
        self.get(scope).variables.contains_key(name)
    }

    /// Sets `name` in the innermost layer that holds variables, or in the scope itself.
    pub fn set(&mut self, name: EcoString, value: Value, scope: ScopeId, layer: Option<LayerId>) {
        let mut at = layer;
        while let Some(id) = at {
            let Some(layer) = self.layers.get_mut(id.0 as usize) else { break };
            match &mut layer.content {
                Content::Local(variables) => {
                    variables.push((name, value));
                    return;
                }
                Content::Parameters { .. } | Content::Match(_) => at = layer.below,
            }
        }
        self.get_mut(scope).variables.insert(name, value);
    }

    /// The value of a variable of this very layer.
    pub(crate) fn local(&self, name: &str, layer: Option<LayerId>) -> Option<&Value> {
        match &self.layer(layer?)?.content {
            Content::Local(variables) => variables.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Takes the value of a variable of this very layer away, when nothing will ask for it any more.
    pub(crate) fn forget(&mut self, name: &str, layer: Option<LayerId>) {
        let Some(layer) = layer.and_then(|id| self.layers.get_mut(id.0 as usize)) else { return };
        if let Content::Local(variables) = &mut layer.content
            && let Some((_, value)) = variables.iter_mut().find(|(key, _)| key == name)
        {
            *value = Value::Undef;
        }
    }

    /// Puts a layer on top of `below`.
    pub(crate) fn push(&mut self, scope: ScopeId, below: Option<LayerId>, content: Content) -> LayerId {
        let id = LayerId(u32::try_from(self.layers.len()).unwrap_or(u32::MAX));
        self.layers.push(Layer { scope, below, content });
        id
    }

    /// The innermost layer on a scope, wherever evaluation is.
    pub(crate) fn innermost(&self, scope: ScopeId) -> Option<LayerId> {
        let index = self.layers.iter().rposition(|layer| layer.scope == scope)?;
        Some(LayerId(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    /// Looks a name up in a scope and then in the layers on it, and nowhere else.
    pub(crate) fn lookup_here(&self, name: &str, scope: ScopeId) -> Lookup<'_> {
        let variable = self.get(scope).variables.get(name).map(Lookup::Found);
        variable.or_else(|| self.lookup_in_layers(name, None, self.innermost(scope))).unwrap_or(Lookup::Unknown)
    }

    /// How many layers there are: to be handed to [`Scopes::pop_to`] when the construct ends that adds some.
    pub(crate) fn height(&self) -> usize {
        self.layers.len()
    }

    /// Removes the layers added since `height` was taken.
    pub(crate) fn pop_to(&mut self, height: usize) {
        self.layers.truncate(height);
    }

    /// The layer with this id.
    pub(crate) fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id.0 as usize)
    }

    /// The parameters of a layer whose defaults are being evaluated.
    pub(crate) fn parameters_mut(&mut self, id: LayerId) -> Option<&mut Slots> {
        match &mut self.layers.get_mut(id.0 as usize)?.content {
            Content::Parameters { parameters, .. } => Some(parameters),
            _ => None,
        }
    }

    /// Gives the variable that a name stands for another value; tells the scope it belongs to, if it is not a local one.
    pub(crate) fn replace(
        &mut self,
        name: &str,
        value: &Value,
        scope: ScopeId,
        layer: Option<LayerId>,
    ) -> Option<ScopeId> {
        let mut at = layer;
        while let Some(layer) = at.and_then(|id| self.layers.get_mut(id.0 as usize)) {
            if let Content::Local(variables) = &mut layer.content
                && let Some((_, known)) = variables.iter_mut().find(|(key, _)| key == name)
            {
                *known = value.clone();
                return None;
            }
            at = layer.below;
        }
        let mut at = Some(scope);
        while let Some(id) = at {
            if let Some(known) = self.get_mut(id).variables.get_mut(name) {
                *known = value.clone();
                return Some(id);
            }
            at = self.next(id);
        }
        None
    }

    /// Does something with the value of every variable there is.
    pub(crate) fn each_value(&mut self, work: &mut dyn FnMut(&mut Value)) {
        for scope in &mut self.scopes {
            scope.variables.values_mut().for_each(&mut *work);
        }
        for layer in &mut self.layers {
            match &mut layer.content {
                Content::Local(variables) => variables.iter_mut().for_each(|(_, value)| work(value)),
                Content::Parameters { parameters } => {
                    parameters.iter_mut().filter_map(|(_, value)| value.as_mut()).for_each(&mut *work);
                }
                Content::Match(_) => {}
            }
        }
    }

    /// Every variable visible from a place, inner ones hiding outer ones.
    pub fn visible(&self, scope: ScopeId, layer: Option<LayerId>) -> Variables {
        let mut chain = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            chain.push(id);
            at = self.next(id);
        }
        let mut all = Variables::default();
        for id in chain.into_iter().rev() {
            all.extend(self.get(id).variables.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        let mut layers = Vec::new();
        let mut at = layer;
        while let Some(layer) = at.and_then(|id| self.layer(id)) {
            layers.push(layer);
            at = layer.below;
        }
        for layer in layers.into_iter().rev() {
            if let Content::Local(variables) = &layer.content {
                all.extend(variables.iter().cloned());
            }
        }
        all
    }
}
