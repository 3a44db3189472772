//! Bodies: main, classes, defined types and nodes, each known once however often it is declared.

use std::sync::Arc;

use ecow::EcoString;
use rustc_hash::FxHashMap;

use bunraku_environment::definitions::Defined;
use bunraku_pcore::data_types::StructType;
use bunraku_syntax::{Span, ast};

use crate::compilation::Compilation;
use crate::unwind::Outcome;

/// A body of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BodyId(u32);

/// The code outside of everything else.
pub(super) const MAIN: BodyId = BodyId(0);

/// What has code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    Main,
    Class,
    DefinedType,
    Node,
}

/// Something with code of its own.
#[derive(Clone, Debug)]
pub(super) struct Body<'e> {
    pub(super) kind: BodyKind,
    pub(super) name: EcoString,
    pub(super) module: Option<&'e str>,
    pub(super) parameters: &'e [ast::Parameter],
    pub(super) code: Option<&'e ast::Expr>,
    /// The class after `inherits`.
    pub(super) parent: Option<&'e EcoString>,
    pub(super) parent_id: Option<BodyId>,
    pub(super) span: Option<Span>,
    /// Whether a collector in it has overridden something: from then on it may override everything.
    pub(super) may_override_all: bool,
    /// The types of its parameters, once they are needed.
    pub(super) types: Option<Arc<StructType>>,
}

/// All bodies met so far.
#[derive(Debug)]
pub(super) struct Bodies<'e> {
    bodies: Vec<Body<'e>>,
    classes: FxHashMap<EcoString, Option<BodyId>>,
    defined_types: FxHashMap<EcoString, Option<BodyId>>,
}

impl Default for Bodies<'_> {
    fn default() -> Self {
        let main = Body::without_code(BodyKind::Main, "");
        Bodies { bodies: vec![main], classes: FxHashMap::default(), defined_types: FxHashMap::default() }
    }
}

impl<'e> Body<'e> {
    /// A body in which nothing is evaluated by itself.
    pub(super) fn without_code(kind: BodyKind, name: &str) -> Body<'e> {
        Body {
            kind,
            name: name.into(),
            module: None,
            parameters: &[],
            code: None,
            parent: None,
            parent_id: None,
            span: None,
            may_override_all: false,
            types: None,
        }
    }

    fn of_class(defined: &Defined<'e, ast::Class>) -> Body<'e> {
        let class = defined.definition;
        Body {
            name: defined.name.clone(),
            module: defined.module,
            parameters: &class.parameters,
            code: Some(&class.body),
            parent: class.parent.as_ref().map(|parent| &parent.name),
            span: Some(class.span),
            ..Body::without_code(BodyKind::Class, "")
        }
    }

    fn of_defined_type(defined: &Defined<'e, ast::DefinedType>) -> Body<'e> {
        let defined_type = defined.definition;
        Body {
            name: defined.name.clone(),
            module: defined.module,
            parameters: &defined_type.parameters,
            code: Some(&defined_type.body),
            span: Some(defined_type.span),
            ..Body::without_code(BodyKind::DefinedType, "")
        }
    }
}

impl<'e> Bodies<'e> {
    pub(super) fn add(&mut self, body: Body<'e>) -> BodyId {
        let id = BodyId(u32::try_from(self.bodies.len()).unwrap_or(u32::MAX));
        self.bodies.push(body);
        id
    }

    /// Makes a class known that no manifest defines.
    pub(super) fn add_class(&mut self, body: Body<'e>) -> BodyId {
        let name = body.name.clone();
        let id = self.add(body);
        self.classes.insert(name, Some(id));
        id
    }

    pub(super) fn get(&self, id: BodyId) -> &Body<'e> {
        #[expect(clippy::indexing_slicing, reason = "an id is made by `add` alone and bodies are never removed")]
        &self.bodies[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: BodyId) -> &mut Body<'e> {
        #[expect(clippy::indexing_slicing, reason = "an id is made by `add` alone and bodies are never removed")]
        &mut self.bodies[id.0 as usize]
    }

    /// Whether one inherits from the other, or may override everything anyway.
    pub(super) fn is_child_of(&self, id: BodyId, ancestor: BodyId) -> bool {
        let mut at = id;
        loop {
            let body = self.get(at);
            if body.may_override_all {
                return true;
            }
            match body.parent_id {
                Some(parent) if parent == ancestor => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
    }
}

impl<'e> Compilation<'e> {
    /// The class of a name in any case, with or without a leading `::`; loaded if need be.
    pub(super) fn find_class(&mut self, name: &str) -> Outcome<Option<BodyId>> {
        let name = canonical(name);
        if let Some(known) = self.build.bodies.classes.get(&name) {
            return Ok(*known);
        }
        let found = match self.definitions.class(&name) {
            Ok(found) => found.map(|defined| self.build.bodies.add(Body::of_class(&defined))),
            Err(failure) => return Err(self.load_failure(failure)),
        };
        self.log_load_warnings();
        self.build.bodies.classes.insert(name, found);
        self.resolve_parameter_types()?;
        Ok(found)
    }

    /// The defined type of a name in any case, with or without a leading `::`; loaded if need be.
    pub(super) fn find_defined_type(&mut self, name: &str) -> Outcome<Option<BodyId>> {
        let name = canonical(name);
        if let Some(known) = self.build.bodies.defined_types.get(&name) {
            return Ok(*known);
        }
        let found = match self.definitions.defined_type(&name) {
            Ok(found) => found.map(|defined| self.build.bodies.add(Body::of_defined_type(&defined))),
            Err(failure) => return Err(self.load_failure(failure)),
        };
        self.log_load_warnings();
        self.build.bodies.defined_types.insert(name, found);
        self.resolve_parameter_types()?;
        Ok(found)
    }
}

/// The name in lower case without a leading `::`.
pub(super) fn canonical(name: &str) -> EcoString {
    let name = name.strip_prefix("::").unwrap_or(name);
    match name.chars().any(char::is_uppercase) {
        true => name.to_lowercase().into(),
        false => name.into(),
    }
}
