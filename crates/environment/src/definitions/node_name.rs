//! The titles of nodes.

use bunraku_syntax::ast::{self, ExprKind};
use ecow::EcoString;

use crate::settings::Target;

/// The title of a node.
pub(super) fn node_name(matcher: &ast::Expr, target: Target) -> EcoString {
    match &matcher.kind {
        ExprKind::String(name) | ExprKind::Name(name) => name.to_lowercase(),
        ExprKind::Regexp(pattern) => node_name_of_regexp(pattern, target),
        _ => "default".into(),
    }
}

/// Only characters of names are kept; the operators of look-around are spelled out so that patterns that differ in
/// them alone stay different: in upper case in Puppet 8, in lower case since.
fn node_name_of_regexp(pattern: &str, target: Target) -> EcoString {
    let mut kept = String::new();
    let mut look_around = false;
    let mut rest = pattern.chars().peekable();
    while let Some(it) = rest.next() {
        look_around |= it == '(' && rest.peek() == Some(&'?');
        let spelled = match it {
            '(' => ("LP", "lp"),
            '?' => ("QU", "qu"),
            '<' => ("LT", "lt"),
            '>' => ("GT", "gt"),
            '!' => ("EX", "ex"),
            '=' => ("EQ", "eq"),
            ')' => ("RP", "rp"),
            _ => ("", ""),
        };
        if look_around && !spelled.0.is_empty() {
            kept.push_str(if target == Target::Puppet8 { spelled.0 } else { spelled.1 });
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
        let check = |target, pattern, expected: &str| {
            assert_eq!(node_name_of_regexp(pattern, target), format!("__node_regexp__{expected}"));
        };
        for target in [Target::Puppet8, Target::OpenVox8, Target::OpenVox9] {
            check(target, "^Web\\d+", "webd");
            check(target, "..a-b:c_d", "a-b:c_d");
            check(target, "a(b|c)", "abc");
        }
        check(Target::Puppet8, "(?!a)b(c)", "LPQUEXaRPbc");
        check(Target::OpenVox8, "(?!a)b(c)", "lpquexarpbc");
        check(Target::OpenVox9, "(?!a)b(c)", "lpquexarpbc");
    }
}
