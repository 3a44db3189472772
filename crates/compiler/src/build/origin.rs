//! Who set a parameter, and where: held once for all resources for which the same attribute sets it.

use std::hash::{Hash, Hasher};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use bunraku_syntax::Span;

use super::body::BodyId;

/// Where a parameter comes from: a number of an attribute, or of the body that set it without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin(u32);

/// Tells numbers of attributes from those of bodies; there is never room for half as many of either.
const ATTRIBUTE: u32 = 1 << 31;

impl Origin {
    /// The origin of what no attribute sets.
    pub(super) fn body(source: BodyId) -> Origin {
        Origin(source.number())
    }
}

/// An attribute that a body evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) span: Span,
    /// Who set it.
    pub(super) source: BodyId,
    /// Whether it is to be added to the value that is there: `+>`.
    pub(super) is_appended: bool,
}

/// Where it begins tells nearly all of them apart, and is one number.
impl Hash for Attribute {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.span.file.0) << 32 | u64::from(self.span.start));
    }
}

/// The attributes that were evaluated.
#[derive(Debug, Default)]
pub(super) struct Origins {
    attributes: IndexSet<Attribute, FxBuildHasher>,
}

impl Origins {
    /// The origin of what an attribute sets.
    pub(super) fn add(&mut self, attribute: Attribute) -> Origin {
        let (number, _) = self.attributes.insert_full(attribute);
        Origin(u32::try_from(number).unwrap_or(u32::MAX) | ATTRIBUTE)
    }

    /// The attribute, if it was one.
    pub(super) fn attribute(&self, origin: Origin) -> Option<&Attribute> {
        match origin.0 & ATTRIBUTE {
            0 => None,
            _ => self.attributes.get_index((origin.0 & !ATTRIBUTE) as usize),
        }
    }

    /// Who set it.
    pub(super) fn source(&self, origin: Origin) -> BodyId {
        self.attribute(origin).map_or(BodyId::numbered(origin.0), |attribute| attribute.source)
    }

    /// Where it was set; nothing if no attribute did it.
    pub(super) fn place(&self, origin: Origin) -> Option<Span> {
        self.attribute(origin).map(|attribute| attribute.span)
    }
}
