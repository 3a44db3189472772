//! In which of its forms the language is written.

use crate::lexer;
use crate::token::TokenKind;
use bunraku_diagnostic::Source;

/// The directory of a module in which plans are.
const PLANS: &str = "plans";

/// How to read a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grammar {
    /// Whether the source is a template: text with code between `<%` and `%>`.
    pub template: bool,
    /// Whether `plan` and `apply` are keywords, as with the setting `tasks`.
    pub tasks: bool,
}

impl Grammar {
    /// The grammar of manifests.
    pub const MANIFEST: Self = Self { template: false, tasks: false };
    /// The grammar of templates.
    pub const TEMPLATE: Self = Self { template: true, tasks: false };
    /// The grammar of plans.
    pub const PLAN: Self = Self { template: false, tasks: true };

    /// The grammar of a source by its place and its first words: a template has the extension `epp`, and what begins with
    /// `plan NAME` in a directory `plans` is a plan. No manifest begins so, for a name alone has no effect.
    pub fn of(source: &Source) -> Self {
        let path = source.path.as_deref().unwrap_or_default();
        if path.ends_with(".epp") {
            return Self::TEMPLATE;
        }
        let is_below_plans = path.split('/').rev().skip(1).any(|directory| directory == PLANS);
        if is_below_plans && begins_with_plan(source) { Self::PLAN } else { Self::MANIFEST }
    }
}

fn begins_with_plan(source: &Source) -> bool {
    let lexed = lexer::lex(source, Grammar::PLAN);
    matches!(&*lexed.tokens, [first, second, ..] if first.kind == TokenKind::Plan && second.kind == TokenKind::Name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bunraku_diagnostic::FileId;

    #[test]
    fn plans_are_known_by_place_and_first_words() {
        let of = |path: &str, code: &str| Grammar::of(&Source::file(FileId(0), path, code));
        let plan = "# A plan.\nplan m::a() { }";
        assert_eq!(of("m/plans/a.pp", plan), Grammar::PLAN);
        assert_eq!(of("m/plans/sub/a.pp", plan), Grammar::PLAN);
        assert_eq!(of("m/manifests/a.pp", plan), Grammar::MANIFEST);
        assert_eq!(of("plans/m/manifests/a.pp", "class m::a { }"), Grammar::MANIFEST);
        assert_eq!(of("m/plans", plan), Grammar::MANIFEST);
        assert_eq!(of("m/templates/a.epp", ""), Grammar::TEMPLATE);
    }
}
