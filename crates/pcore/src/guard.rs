//! What keeps questions about recursive aliases from going round in circles, and from being asked again and again.

use std::mem::{Discriminant, discriminant};

use rustc_hash::FxHashMap;

use crate::data_type::Type;

/// How many questions may be open at once; types that go deeper are not assignable.
const LIMIT: usize = 250;

/// The questions "is this type assignable from that type?" about recursive aliases. One that comes up again while it is
/// open is answered with yes: nothing has been found that speaks against it. One that has been answered keeps its answer,
/// so that aliases of aliases do not take exponential time.
#[derive(Default)]
pub struct Guard {
    open: Vec<(Type, Type)>,
    answers: FxHashMap<Question, Answer>,
    /// The questions answered with yes, in order: they may depend on one that is open.
    yes: Vec<Question>,
}

/// Which two types are compared, by their places in memory.
type Question = (Place, Place);
type Place = (Discriminant<Type>, usize);

/// An answer, and the types it is about, which keep their places as long as it is there.
struct Answer {
    yes: bool,
    _types: (Type, Type),
}

impl Guard {
    /// Answers a question, unless it is already open or answered.
    pub(crate) fn ask(&mut self, this: &Type, other: &Type, answer: impl FnOnce(&mut Guard) -> bool) -> bool {
        if self.open.iter().any(|(open, asked)| open.is_same(this) && asked.is_same(other)) {
            return true;
        }
        let question = place(this).zip(place(other));
        if let Some(known) = question.and_then(|question| self.answers.get(&question)) {
            return known.yes;
        }
        if self.open.len() >= LIMIT {
            return false;
        }
        let before = self.yes.len();
        self.open.push((this.clone(), other.clone()));
        let yes = answer(self);
        let types = self.open.pop();
        if !yes {
            // What was said to fit may have relied on this question.
            for question in self.yes.drain(before..) {
                self.answers.remove(&question);
            }
        }
        if let (Some(question), Some(_types)) = (question, types) {
            self.answers.insert(question, Answer { yes, _types });
            if yes {
                self.yes.push(question);
            }
        }
        yes
    }
}

/// Where a type is in memory; those that are no more than a value of their own have no place.
fn place(data_type: &Type) -> Option<Place> {
    match data_type {
        Type::Boolean(_) => None,
        other => Some((discriminant(other), std::ptr::from_ref(other.data_type()).addr())),
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::expect_used, reason = "a test states its expectation")]
mod tests {
    use crate::data_type::Type;
    use crate::data_types::TypeAlias;

    /// `T0 = Variant[Integer, Array[T0]]`, `T1 = Variant[T0, Array[T1], Hash[String, T0]]` and so on.
    fn tower(height: usize) -> Vec<Type> {
        let mut tower: Vec<Type> = Vec::new();
        for level in 0..height {
            let alias = TypeAlias::new(format!("T{level}"));
            let this = Type::Alias(alias.clone());
            let mut options = vec![Type::array(this, None)];
            match tower.last() {
                None => options.push(Type::integer(crate::data_types::IntegerType::ANY)),
                Some(below) => options.extend([below.clone(), Type::hash(Type::string(), below.clone(), None)]),
            }
            alias.define(&Type::variant(options)).expect("a variant leads to no circle without end");
            tower.push(Type::Alias(alias));
        }
        tower
    }

    #[test]
    fn towers_of_aliases_take_no_exponential_time() {
        let tower = tower(60);
        let (low, high) = (&tower[20], &tower[59]);
        assert!(high.is_assignable(low));
        assert!(!low.is_assignable(high));
        assert!(high.is_assignable(&Type::array(low.clone(), None)));
    }
}
