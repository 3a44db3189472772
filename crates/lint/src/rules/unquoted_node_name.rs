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
            cx.report_fix(name, "unquoted node name found", || code(name.quoted()));
        }
    }
    Ok(())
}
