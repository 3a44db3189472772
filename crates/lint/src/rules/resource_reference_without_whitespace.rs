//! No white space stands between the type of a reference and its title.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "resource_reference_without_whitespace",
    kind: ProblemKind::Error,
    is_on: true,
    description: "No white space stands between the type of a reference and its title.",
    help: None,
    check,
};

/// How many reports there are at most of places that have been reported already.
const MOST_REPEATED: usize = 10_000;

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let is_wrong = |token: &Cursor<'t>| token.next().is(Kind::Whitespace) && token.next_code().is(Kind::LBrack);
    let places: Vec<Cursor<'t>> = cx.tokens.of(Kind::ClassRef).filter(is_wrong).collect();
    // Compatibility: once for every resource of the file.
    let resources = cx.resources()?.len();
    let times = if places.len().saturating_mul(resources) > MOST_REPEATED { 1 } else { resources };
    for _ in 0..times {
        for &token in &places {
            cx.report(token, "whitespce between reference type and title");
        }
    }
    Ok(())
}
