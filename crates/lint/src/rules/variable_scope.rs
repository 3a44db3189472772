//! Variables of the top scope are written with their namespace.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "variable_scope",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Variables of the top scope are written with their namespace.",
    help: Some("style_guide.html#namespacing-variables"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for definition in cx.definitions() {
        let mut known: FxHashSet<&str> = PREDEFINED.iter().copied().collect();
        for token in
            definition.parameter_tokens(cx.tokens).into_iter().flatten().filter(|token| token.is(Kind::Variable))
        {
            if token.next_code().is_any(&[Kind::Comma, Kind::Equals, Kind::RParen]) {
                known.insert(token.value());
            }
        }
        let mut used = Vec::new();
        let mut lambdas: FxHashMap<u32, Vec<&str>> = FxHashMap::default();
        let mut parameters: Option<Vec<&str>> = None;
        for token in cx.tokens.between(definition.start, definition.end) {
            match (token.kind, &mut parameters) {
                (Kind::Equals, _) => assigned(token, &mut known),
                (Kind::Variable, Some(parameters)) => parameters.push(token.value()),
                (Kind::Variable, None) => used.push(token),
                (Kind::Pipe, None) => parameters = Some(Vec::new()),
                (Kind::Pipe, Some(_)) => {
                    let brace = token.after().find(|it| matches!(it.kind, Kind::LBrace | Kind::RBrace));
                    let end =
                        brace.filter(|brace| brace.is(Kind::LBrace)).and_then(|brace| cx.index.brace(brace.index));
                    let parameters = parameters.take().unwrap_or_default();
                    for line in token.line..=end.map_or(token.line, |end| end.line) {
                        lambdas.entry(line).or_default().extend(&parameters);
                    }
                }
                _ => {}
            }
        }
        for token in used {
            let value = token.value();
            let name = value.split_once('[').filter(|_| value.ends_with(']')).map_or(value, |(name, _)| name);
            let is_known =
                value.contains("::") || known.contains(name) || name.bytes().all(|byte| byte.is_ascii_digit());
            if !is_known && !lambdas.get(&token.line).is_some_and(|names| names.contains(&name)) {
                cx.report(token, "top-scope variable being used without an explicit namespace");
            }
        }
    }
    Ok(())
}

/// What every class and defined type can use.
const PREDEFINED: &[&str] = &[
    "name",
    "title",
    "module_name",
    "environment",
    "clientcert",
    "clientversion",
    "servername",
    "serverip",
    "serverversion",
    "caller_module_name",
    "alias",
    "audit",
    "before",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
    "facts",
    "trusted",
    "server_facts",
];

/// The variables before an `=`: one, or several in brackets.
fn assigned<'t>(equals: Cursor<'t>, known: &mut FxHashSet<&'t str>) {
    let mut depth = 0_usize;
    let mut before = equals.prev_code();
    while let Some(token) = before {
        match token.kind {
            Kind::Variable => {
                known.insert(token.value());
            }
            Kind::RBrack => depth += 1,
            Kind::LBrack => depth = depth.saturating_sub(1),
            Kind::Comma => {}
            _ => return,
        }
        if depth == 0 {
            return;
        }
        before = token.prev_code();
    }
}
