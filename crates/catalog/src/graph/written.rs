//! Where relationships are written that are not written where a resource is declared: arrows, attributes on lines of their
//! own, `contain` and `require`.

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

/// The lines of the relationships of a catalog. Resources are named by their position in it.
#[derive(Debug, Clone, Default)]
pub struct Written {
    places: Vec<Place>,
}

/// What one line says. An arrow between collectors is one line for many pairs.
#[derive(Debug, Clone)]
struct Place {
    cause: Cause,
    line: Line,
    /// Who says it and about whom; without the latter, it is all that the resource says by an attribute.
    pairs: Vec<(u32, Option<u32>)>,
}

impl Written {
    /// Notes where resources say something about others, or about all that their attribute names.
    pub fn add(&mut self, cause: Cause, line: Line, pairs: impl IntoIterator<Item = (usize, Option<usize>)>) {
        let pairs = pairs.into_iter().map(|(says, about)| (small(says), about.map(small)));
        match self.places.last_mut() {
            Some(last) if last.cause == cause && last.line == line => last.pairs.extend(pairs),
            _ => self.places.push(Place { cause, line, pairs: pairs.collect() }),
        }
    }

    /// Where a resource says something about another.
    pub(super) fn find(&self, cause: Cause, says: usize, about: usize) -> Option<&Line> {
        let of_cause = || self.places.iter().filter(|place| place.cause == cause);
        let find = |pair| of_cause().find(|place| place.pairs.contains(&pair)).map(|place| &place.line);
        find((small(says), Some(small(about)))).or_else(|| find((small(says), None)))
    }

    /// Resources have left the catalog; `position` tells where one that has not is now.
    pub(crate) fn moved(&mut self, position: impl Fn(usize) -> Option<usize>) {
        let moved = |at: u32| position(at as usize).map(small);
        for place in &mut self.places {
            let pairs = std::mem::take(&mut place.pairs).into_iter().filter_map(|(says, about)| match about {
                Some(about) => Some((moved(says)?, Some(moved(about)?))),
                None => Some((moved(says)?, None)),
            });
            place.pairs = pairs.collect();
        }
    }
}
