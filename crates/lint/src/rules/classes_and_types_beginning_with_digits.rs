//! Names of classes and defined types begin with a letter.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "classes_and_types_beginning_with_digits",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "Names of classes and defined types begin with a letter.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let mut keywords: Vec<usize> = cx.definitions().iter().map(|it| it.start).collect();
    keywords.sort_unstable();
    for keyword in keywords {
        let Some(keyword) = cx.tokens.get(keyword) else { continue };
        let Some(name) = keyword.next_code() else { continue };
        let bare = name.value().trim_start_matches(|letter: char| letter.is_ascii_digit());
        if bare.len() < name.value().len() {
            cx.report_fix(keyword, "class or defined type found beginning with a digit", || {
                // Whoever uses it must use the new name.
                (!bare.is_empty()).then(|| meaning(name.replace_value(bare)))?
            });
        }
    }
    Ok(())
}
