//! Every parameter is documented, once, in an accepted style.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "parameter_documentation",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "Every parameter is documented, once, in an accepted style.",
    help: None,
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    let comments: Vec<(Cursor<'t>, Option<(&'static str, &'t str)>)> =
        cx.tokens.of(Kind::Comment).map(|token| (token, style(token.value()))).collect();
    for definition in cx.definitions() {
        let Some(name) = cx.name_of(definition).map(|name| name.value()) else { continue };
        let label = definition.label();
        let mut is_private = false;
        // The documented parameters, the lowest comment first, each with further comments about it.
        let mut documented: Vec<(&str, Cursor<'t>, &str, Vec<Cursor<'t>>)> = Vec::new();
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let above = comments.partition_point(|(token, _)| token.index < definition.start);
        for (token, style) in comments.iter().take(above).rev() {
            is_private |= is_private_tag(token.value());
            let Some((style, parameter)) = *style else { continue };
            let parameter =
                if !definition.is_class && matches!(parameter, "name" | "title") { "name/title" } else { parameter };
            match places.get(parameter).and_then(|&place| documented.get_mut(place)) {
                Some(first) => first.3.push(*token),
                None => {
                    places.insert(parameter, documented.len());
                    documented.push((parameter, *token, style, Vec::new()));
                }
            }
        }
        let parameters = parameters(definition, cx.tokens, true);
        let known: FxHashSet<&str> = parameters.iter().map(|it| it.value()).collect();
        let mut duplicates: Vec<_> = documented.iter().filter(|it| !it.3.is_empty()).collect();
        duplicates.sort_by_key(|it| std::cmp::Reverse(it.3.first().map(|token| token.index)));
        for (parameter, first, _, more) in duplicates {
            for token in std::iter::once(first).chain(more) {
                cx.report(*token, format!("Duplicate {label} parameter documentation for {name}::{parameter}"));
                cx.place(token.line, name_column(*token));
            }
        }
        for (parameter, token, _, _) in &documented {
            if !known.contains(parameter) && (definition.is_class || *parameter != "name/title") {
                cx.report(*token, format!("No matching {label} parameter for documentation of {name}::{parameter}"));
                cx.place(token.line, name_column(*token));
            }
        }
        for parameter in parameters.iter().filter(|_| !is_private) {
            let style = places.get(parameter.value()).and_then(|&place| documented.get(place)).map(|it| it.2);
            match style {
                None => cx.report(
                    *parameter,
                    format!("missing documentation for {label} parameter {name}::{}", parameter.value()),
                ),
                Some(style) if !cx.settings.docs_allowed_styles.iter().any(|it| it == style) => {
                    cx.report(
                        *parameter,
                        format!(
                            "invalid documentation style for {label} parameter {name}::{} ({style})",
                            parameter.value()
                        ),
                    );
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// The style of a comment that documents a parameter, and the parameter.
fn style(comment: &str) -> Option<(&'static str, &str)> {
    let text = comment.trim_start();
    let word = |text: &'_ str| text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let split = |text| str::split_at_checked(text, word(text)).filter(|(name, _)| !name.is_empty());
    if let Some((name, rest)) = text.strip_prefix("[*").and_then(split) {
        return rest.starts_with("*]").then_some(("doc", name));
    }
    if let Some((name, rest)) = text.strip_prefix('$').and_then(split) {
        return rest.starts_with(":: ").then_some(("kafo", name));
    }
    let text = text.strip_prefix("@param ")?;
    let text = match text.strip_prefix('[') {
        Some(data_type) => data_type.rsplit_once("] ")?.1,
        None => text,
    };
    let (name, rest) = split(text)?;
    (rest.is_empty() || rest.starts_with(' ')).then_some(("strings", name))
}

fn is_private_tag(comment: &str) -> bool {
    comment.trim().strip_prefix("@api ").is_some_and(|rest| rest.trim() == "private")
}

/// Where the name of the parameter begins in a comment.
fn name_column(token: Cursor<'_>) -> u32 {
    let text = token.value();
    let bare = text.trim_start();
    let bare = bare.strip_prefix("@param").map_or(bare, str::trim_start);
    token.column + text.get(..text.len() - bare.len()).map_or(0, |before| before.chars().count()) as u32 + 1
}
