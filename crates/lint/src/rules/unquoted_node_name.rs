//! Names of nodes are quoted.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "unquoted_node_name",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Names of nodes are quoted.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for node in cx.tokens.of(Kind::Node) {
        let Some(brace) = node.after().find(|token| token.is(Kind::LBrace)) else {
            let message = "Syntax error (try running `puppet parser validate <file>`)";
            cx.problems.push(Problem::syntax(message, node.line, node.column, node.start));
            continue;
        };
        for name in cx.tokens.between(node.index, brace.index).filter(|token| token.is(Kind::Name)) {
            cx.report_fix(name, "unquoted node name found", || code(whole(name)));
        }
    }
    Ok(())
}

/// The whole name in quotes, with what stands next to this part of it: `foo.example.com`.
fn whole(part: Cursor<'_>) -> Edit {
    let belongs = |it: &Cursor<'_>| matches!(it.kind, Kind::Name | Kind::Number | Kind::Dot | Kind::Minus);
    let first = part.before().take_while(belongs).last().unwrap_or(part);
    let last = part.after().take_while(belongs).last().unwrap_or(part);
    Edit::new(first.start, last.end, format!("'{}'", first.between(last)))
}
