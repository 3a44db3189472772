//! What keeps questions about recursive aliases from going round in cycles, and from being asked again and again.

use std::collections::hash_map::Entry;
use std::mem::{Discriminant, discriminant};

use rustc_hash::FxHashMap;

use crate::data_type::Type;
use crate::data_types::InitType;

/// How many questions may be open at once; types that go deeper are not assignable.
const LIMIT: usize = 250;
/// How many questions there is room for at first.
const USUAL_QUESTIONS: usize = 28;

/// The questions "is this type assignable from that type?" about recursive aliases. One that comes up again while it is
/// open is answered with yes: nothing has been found that speaks against it. One that has been answered keeps its answer,
/// so that aliases of aliases do not take exponential time; answers about two aliases are kept for good.
#[derive(Default)]
pub struct Guard {
    answers: FxHashMap<Question, Answer>,
    /// The questions answered with yes, in order: they may depend on one that is open.
    yes: Vec<Question>,
    open: usize,
    /// Whether some question was too deep to be answered.
    is_cut: bool,
    /// The `Init` types that are being asked about a type.
    inits: Vec<Question>,
}

/// Which two types are compared.
type Question = (Place, Place);
/// What a type is and where it is in memory.
type Place = (Discriminant<Type>, usize);

/// An answer, or the assumption of one, and the types it is about, which keep their places as long as it is there.
struct Answer {
    yes: bool,
    types: (Type, Type),
}

impl Guard {
    /// Answers a question, unless it is already open or answered.
    #[inline(never)] // It would make the common cases of those who ask slower.
    pub(crate) fn ask(&mut self, this: &Type, other: &Type, answer: impl FnOnce(&mut Guard) -> bool) -> bool {
        if let (Type::Alias(this), Type::Alias(other)) = (this, other)
            && let Some(known) = this.known_answer(other)
        {
            return known;
        }
        let question = (place(this), place(other));
        if self.answers.is_empty() {
            self.answers.reserve(USUAL_QUESTIONS);
        }
        match self.answers.entry(question) {
            Entry::Occupied(known) => return known.get().yes,
            Entry::Vacant(_) if self.open >= LIMIT => {
                self.is_cut = true;
                return false;
            }
            Entry::Vacant(unasked) => _ = unasked.insert(Answer { yes: true, types: (this.clone(), other.clone()) }),
        }
        let before = self.yes.len();
        self.open += 1;
        let yes = answer(self);
        self.open -= 1;
        if yes {
            self.yes.push(question);
        } else {
            // What was said to fit may have relied on this question.
            for question in self.yes.drain(before..) {
                self.answers.remove(&question);
            }
            if let Some(answer) = self.answers.get_mut(&question) {
                answer.yes = false;
            }
        }
        if self.open == 0 && !self.is_cut {
            self.keep();
        }
        yes
    }

    /// Answers a question about an `Init` type. One that comes up again while it is open is answered with no: an `Init` of
    /// a type that has it in its own attributes accepts nothing by that.
    pub(crate) fn open_init(&mut self, init: &InitType, other: &Type, answer: impl FnOnce(&mut Guard) -> bool) -> bool {
        let question = ((discriminant(other), std::ptr::from_ref(init).addr()), place(other));
        if self.inits.contains(&question) {
            return false;
        }
        self.inits.push(question);
        let yes = answer(self);
        self.inits.pop();
        yes
    }

    /// Keeps what was found out about two aliases, now that nothing is assumed any more.
    fn keep(&self) {
        #[expect(clippy::iter_over_hash_type, reason = "the order of what is kept does not matter")]
        for answer in self.answers.values() {
            if let (Type::Alias(this), Type::Alias(other)) = &answer.types {
                this.keep_answer(other, answer.yes);
            }
        }
    }
}

/// What tells a type from all others while it lives.
fn place(data_type: &Type) -> Place {
    let address = match data_type {
        // A truth value is no more than its content.
        Type::Boolean(boolean) => boolean.value.map_or(0, |value| 1 + usize::from(value)),
        other => std::ptr::from_ref(other.data_type()).addr(),
    };
    (discriminant(data_type), address)
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
            alias.define(&Type::variant(options)).expect("a variant leads to no cycle without end");
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
