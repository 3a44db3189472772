//! Types that the code of an environment defines, shared by its compilations.
//!
//! A type that contains itself is never freed, so that there must not be one for each compilation. What a definition means
//! depends on the types that it names: a type is used again only if these are the very ones it was made of. So the store
//! may outlive a generation of the environment.

use std::sync::Arc;

use bunraku_environment::Cache;
use bunraku_pcore::Type;
use bunraku_syntax::{Span, ast};
use ecow::EcoString;

use crate::compilation::Compilation;
use crate::unwind::Outcome;

/// How many types are kept.
const MOST: usize = 1 << 16;

/// Types by the place of their definition.
#[derive(Debug)]
pub struct SharedTypes(Cache<Span, Arc<Made>>);

impl Default for SharedTypes {
    fn default() -> Self {
        SharedTypes(Cache::new(MOST))
    }
}

/// A type, and those that its definition names.
#[derive(Debug)]
struct Made {
    data_type: Type,
    named: Vec<Named>,
}

type Named = (EcoString, Option<Type>);

/// The definitions that a compilation is reading, one inside of the other.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    depth: u32,
    /// What the innermost definition has named so far.
    named: Vec<Named>,
    /// What has been read since the outermost definition began.
    made: Vec<(Span, Arc<Made>)>,
    /// What has been taken from the store since then, still to be proved right.
    taken: Vec<Type>,
    /// Whether something that was taken is not right.
    is_wrong: bool,
}

impl Compilation<'_> {
    /// The type of a definition: a shared one if it means the same here.
    pub(crate) fn define_alias(&mut self, definition: &ast::TypeAlias, canonical: &EcoString) -> Outcome<Type> {
        let Some(shared) = self.shared_types else { return self.define_anew(definition, canonical) };
        let is_outermost = self.reading.depth == 0;
        self.reading.depth += 1;
        let mut outcome = match shared.0.get(&definition.span).filter(|_| !self.reading.is_wrong) {
            Some(known) => self.take(&known, canonical),
            None => self.read(definition, canonical),
        };
        if is_outermost && self.reading.is_wrong {
            self.forget_doubtful();
            self.reading = Reading { depth: 1, is_wrong: true, ..Reading::default() };
            outcome = self.read(definition, canonical);
        }
        if is_outermost && outcome.is_err() {
            self.forget_doubtful();
        }
        self.reading.depth = self.reading.depth.saturating_sub(1);
        if is_outermost {
            let Reading { made, .. } = std::mem::take(&mut self.reading);
            if outcome.is_ok() {
                made.into_iter().for_each(|(span, made)| shared.0.insert(span, 1, made));
            }
        }
        outcome
    }

    /// Forgets all types since the outermost definition began: those that refer to each other may have been made of a wrong
    /// one.
    fn forget_doubtful(&mut self) {
        let Reading { made, taken, .. } = &self.reading;
        let doubtful = made.iter().map(|(_, made)| &made.data_type).chain(taken);
        let is_doubtful = |known: &Type| doubtful.clone().any(|other| is_same(Some(known), Some(other)));
        self.data_types.retain(|_, known| !known.as_ref().is_some_and(is_doubtful));
    }

    /// Takes a type from the store and looks whether all that it was made of is the same here. That loads whatever reading
    /// the definition would load.
    fn take(&mut self, known: &Made, canonical: &EcoString) -> Outcome<Type> {
        self.data_types.insert(canonical.clone(), Some(known.data_type.clone()));
        self.reading.taken.push(known.data_type.clone());
        for (name, expected) in &known.named {
            let found = self.data_type(name)?;
            self.reading.is_wrong |= !is_same(found.as_ref(), expected.as_ref());
            if self.reading.is_wrong {
                break;
            }
        }
        Ok(known.data_type.clone())
    }

    /// Reads a definition and keeps what it names.
    fn read(&mut self, definition: &ast::TypeAlias, canonical: &EcoString) -> Outcome<Type> {
        let outer = std::mem::take(&mut self.reading.named);
        let outcome = self.define_anew(definition, canonical);
        let named = std::mem::replace(&mut self.reading.named, outer);
        let data_type = outcome?;
        self.reading.made.push((definition.span, Arc::new(Made { data_type: data_type.clone(), named })));
        Ok(data_type)
    }

    /// The type of a name in a definition.
    pub(crate) fn named_type(&mut self, name: &str) -> Outcome<Option<Type>> {
        let found = self.data_type(name)?;
        if self.reading.depth > 0 {
            self.reading.named.push((name.into(), found.clone()));
        }
        Ok(found)
    }
}

/// Whether two types are one. Types that code defines are equal by their names, whatever they stand for.
fn is_same(left: Option<&Type>, right: Option<&Type>) -> bool {
    match (left, right) {
        (Some(Type::Alias(left)), Some(Type::Alias(right))) => Arc::ptr_eq(left, right),
        (Some(Type::Object(left)), Some(Type::Object(right))) => Arc::ptr_eq(left, right),
        (Some(Type::TypeSet(left)), Some(Type::TypeSet(right))) => Arc::ptr_eq(left, right),
        (left, right) => left == right,
    }
}
