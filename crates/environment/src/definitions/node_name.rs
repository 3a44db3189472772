//! The titles of nodes.

use bunraku_syntax::ast::{self, ExprKind};
use ecow::EcoString;

/// The title of a node.
pub(super) fn node_name(matcher: &ast::Expr) -> EcoString {
    match &matcher.kind {
        ExprKind::String(name) | ExprKind::Name(name) => name.to_lowercase(),
        ExprKind::Regexp(pattern) => node_name_of_regexp(pattern),
        _ => "default".into(),
    }
}

/// Only characters of names are kept; the operators of look-around are spelled out so that patterns that differ in
/// them alone stay different.
fn node_name_of_regexp(pattern: &str) -> EcoString {
    let mut kept = String::new();
    let mut look_around = false;
    let mut rest = pattern.chars().peekable();
    while let Some(it) = rest.next() {
        look_around |= it == '(' && rest.peek() == Some(&'?');
        let spelled = match it {
            '(' => "LP",
            '?' => "QU",
            '<' => "LT",
            '>' => "GT",
            '!' => "EX",
            '=' => "EQ",
            ')' => "RP",
            _ => "",
        };
        if look_around && !spelled.is_empty() {
            kept.push_str(spelled);
            look_around = it != ')';
        } else if it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | ':' | '.') {
            kept.extend(it.to_lowercase());
        }
    }
    ecow::eco_format!("__node_regexp__{}", kept.trim_start_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_node_patterns() {
        let check = |pattern, expected: &str| {
            assert_eq!(node_name_of_regexp(pattern), format!("__node_regexp__{expected}"));
        };
        check("^Web\\d+", "webd");
        check("..a-b:c_d", "a-b:c_d");
        check("a(b|c)", "abc");
        check("(?!a)b(c)", "LPQUEXaRPbc");
    }
}
