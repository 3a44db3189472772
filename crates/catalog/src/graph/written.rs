//! Where relationships are written that are not written where a resource is declared: arrows, attributes on lines of their
//! own, `contain` and `require`.

use bunraku_syntax::Span;
use ecow::EcoString;

use super::{Cause, small};

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The file; nothing for code that is in none.
    pub file: Option<EcoString>,
    /// The number of the line.
    pub line: u32,
}

/// The places of the relationships of a catalog. Resources are named by their position in it.
#[derive(Debug, Clone, Default)]
pub struct Written {
    said: Vec<Said>,
}

/// A resource says something about another; without the latter, about all that an attribute of it names.
#[derive(Debug, Clone)]
struct Said {
    cause: Cause,
    span: Span,
    says: u32,
    about: Option<u32>,
}

impl Written {
    /// Makes room for this many more.
    pub fn reserve(&mut self, additional: usize) {
        self.said.reserve(additional);
    }

    /// Notes where a resource says something about another, or about all that an attribute names.
    pub fn add(&mut self, cause: Cause, span: Span, says: usize, about: Option<usize>) {
        self.said.push(Said { cause, span, says: small(says), about: about.map(small) });
    }

    /// Where a resource says something about another.
    pub(super) fn find(&self, cause: Cause, says: usize, about: usize) -> Option<Span> {
        let (says, about) = (small(says), small(about));
        let by_resource = || self.said.iter().filter(|said| said.cause == cause && said.says == says);
        let exact = by_resource().find(|said| said.about == Some(about));
        exact.or_else(|| by_resource().find(|said| said.about.is_none())).map(|said| said.span)
    }

    /// Resources have left the catalog; `position` tells where one that has not is now.
    pub(crate) fn moved(&mut self, position: impl Fn(usize) -> Option<usize>) {
        let moved = |at: u32| position(at as usize).map(small);
        self.said.retain_mut(|said| match (moved(said.says), said.about.map(&moved)) {
            (None, _) | (_, Some(None)) => false,
            (Some(says), about) => {
                (said.says, said.about) = (says, about.flatten());
                true
            }
        });
    }
}
