//! Assignability and equality of types: the rules that concern every type, before the type itself is asked.

use crate::data_type::Type;
use crate::guard::Guard;
use bunraku_syntax::deep;

impl Type {
    /// Whether every instance of the other type is an instance of this one.
    pub fn is_assignable(&self, other: &Type) -> bool {
        self.accepts(other, &mut Guard::default())
    }

    /// The language's `==` of types: the same form, or each assignable to the other.
    pub fn equals(&self, other: &Type) -> bool {
        self == other || (other.is_assignable(self) && self.is_assignable(other))
    }

    /// Whether `undef` is an instance.
    pub fn accepts_undef(&self) -> bool {
        self.is_assignable(&Type::Undef)
    }

    /// Assignability within a question that is being answered. The most frequent questions are answered at once.
    #[inline]
    pub(crate) fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        match (self, other) {
            (Type::Integer(one), Type::Integer(other)) => one.covers(other),
            (Type::Array(_) | Type::Hash(_), Type::Integer(_) | Type::String(_)) => false,
            (Type::Variant(variant), other) if variant.whole.include_all_of(other) => true,
            _ => self.accepts_other(other, guard),
        }
    }

    #[inline(never)] // It would make the common cases slower.
    fn accepts_other(&self, other: &Type, guard: &mut Guard) -> bool {
        if self.is_same(other) {
            return true;
        }
        deep(|| self.accepts_different(other, guard))
    }

    fn accepts_different(&self, other: &Type, guard: &mut Guard) -> bool {
        let stands_for_others =
            matches!(other, Type::Unit | Type::Alias(_) | Type::Variant(_) | Type::Optional(_) | Type::NotUndef(_));
        match self {
            Type::Variant(variant) if !stands_for_others => variant.has(|option| option.accepts(other, guard)),
            Type::Unit => true,
            Type::Variant(variant) if variant.types.is_empty() && matches!(other, Type::Variant(_)) => true,
            Type::Alias(alias) if alias.whole().include_all_of(other) => true,
            Type::Alias(alias) if alias.is_recursive() => {
                guard.ask(self, other, |guard| self.accepts_each(other, guard))
            }
            _ => self.accepts_each(other, guard),
        }
    }

    /// Takes the other side apart: a type that stands for several must fit with all of them.
    fn accepts_each(&self, other: &Type, guard: &mut Guard) -> bool {
        match other {
            Type::Unit => true,
            // An alias on this side has opened the question already.
            Type::Alias(alias) if alias.is_recursive() && !matches!(self, Type::Alias(_)) => {
                guard.ask(self, other, |guard| self.accepts(alias.resolved(), guard))
            }
            Type::Alias(alias) => self.accepts(alias.resolved(), guard),
            Type::Variant(variant) => {
                if matches!(self, Type::Any) {
                    return true;
                }
                if variant.types.is_empty() {
                    return matches!(self, Type::NotUndef(_)) && self.data_type().is_assignable(other, guard);
                }
                variant.types.iter().all(|option| self.accepts(option, guard))
            }
            Type::Optional(optional) => {
                self.accepts(&Type::Undef, guard)
                    && optional.contained.as_ref().is_none_or(|contained| self.accepts(contained, guard))
            }
            Type::NotUndef(not_undef) => match &not_undef.contained {
                Some(contained) if !contained.accepts_undef() => self.accepts(contained, guard),
                _ => self.data_type().is_assignable(other, guard),
            },
            _ => self.data_type().is_assignable(other, guard),
        }
    }
}
