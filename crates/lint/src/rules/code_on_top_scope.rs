//! All code is in a class or defined type.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "code_on_top_scope",
    kind: ProblemKind::Warning,
    is_on: false,
    description: "All code is in a class or defined type.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let mut inside: Vec<(usize, usize)> = cx.definitions().iter().map(|it| (it.start, it.end)).collect();
    inside.sort_unstable();
    let mut covered = 0;
    let mut next = inside.into_iter().peekable();
    for token in cx.tokens.iter() {
        while let Some((_, end)) = next.next_if(|(start, _)| *start <= token.index) {
            covered = covered.max(end + 1);
        }
        if token.index >= covered && !token.kind.is_formatting() {
            cx.report(token, format!("code outside of class or define block - {}", token.value()));
        }
    }
    Ok(())
}
