//! What keeps questions about recursive aliases from going round in circles.

use crate::data_type::Type;

/// How many questions may be open at once; types that go deeper are not assignable.
const LIMIT: usize = 250;

/// The questions "is this type assignable from that type?" about recursive aliases that are being answered. A question
/// that comes up again while it is open is answered with yes: nothing has been found that speaks against it.
#[derive(Default)]
pub struct Guard {
    open: Vec<(Type, Type)>,
}

impl Guard {
    /// Answers a question, unless it is already open.
    pub(crate) fn ask(&mut self, this: &Type, other: &Type, answer: impl FnOnce(&mut Guard) -> bool) -> bool {
        if self.open.iter().any(|(open, asked)| open.is_same(this) && asked.is_same(other)) {
            return true;
        }
        if self.open.len() >= LIMIT {
            return false;
        }
        self.open.push((this.clone(), other.clone()));
        let yes = answer(self);
        self.open.pop();
        yes
    }
}
