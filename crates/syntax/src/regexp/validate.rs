//! What only the whole pattern tells: whether references have a target, and whether a look-behind has a fixed length.

use super::{Node, Pattern, Reference, Refusal};

/// Refuses a pattern that Ruby would refuse after reading it.
pub(super) fn validate(pattern: &Pattern) -> Result<(), Refusal> {
    check(&pattern.node, pattern)
}

fn check(node: &Node, pattern: &Pattern) -> Result<(), Refusal> {
    match node {
        Node::Sequence(nodes) | Node::Alternation(nodes) => nodes.iter().try_for_each(|node| check(node, pattern)),
        Node::Repeat { node, .. }
        | Node::Capture { node, .. }
        | Node::IgnoreCase { node, .. }
        | Node::Atomic(node)
        | Node::Absent(node) => check(node, pattern),
        Node::Look { behind, negative, node } => {
            if *behind && (!alternatives_are_fixed(node) || (*negative && captures(node, pattern))) {
                return Err("invalid pattern in look-behind".into());
            }
            check(node, pattern)
        }
        Node::Conditional { condition, node } => {
            check_reference(condition, pattern, false)?;
            check(node, pattern)
        }
        Node::Backreference(reference) => check_reference(reference, pattern, false),
        Node::Call(reference) => check_reference(reference, pattern, true),
        Node::Literal(_) | Node::Set(_) | Node::Any { .. } | Node::Fixed { .. } | Node::LineStart => Ok(()),
    }
}

fn check_reference(reference: &Reference, pattern: &Pattern, is_call: bool) -> Result<(), Refusal> {
    let has_names = pattern.groups.iter().any(Option::is_some);
    match reference {
        Reference::Number(0) if is_call => Ok(()),
        Reference::Number(_) if has_names => Err("numbered backref/call is not allowed. (use name)".into()),
        Reference::Number(number) if (1..=pattern.groups.len()).contains(number) => Ok(()),
        Reference::Number(number) if is_call => Err(format!("undefined group <{number}> reference")),
        Reference::Number(_) => Err("invalid backref number/name".into()),
        Reference::Name(name) if pattern.groups.iter().flatten().any(|group| group == name) => Ok(()),
        Reference::Name(name) => Err(format!("undefined name <{name}> reference")),
    }
}

/// Alternatives of a look-behind may differ in length, but only its outermost ones.
fn alternatives_are_fixed(node: &Node) -> bool {
    match node {
        Node::Alternation(nodes) => nodes.iter().all(|node| fixed_length(node).is_some()),
        Node::Sequence(nodes) if nodes.len() == 1 => nodes.iter().all(alternatives_are_fixed),
        node => fixed_length(node).is_some(),
    }
}

fn fixed_length(node: &Node) -> Option<usize> {
    match node {
        Node::Literal(_) | Node::Set(_) | Node::Any { .. } => Some(1),
        Node::LineStart | Node::Look { .. } => Some(0),
        Node::Fixed { takes, .. } => (*takes == 0).then_some(0),
        Node::Sequence(nodes) => nodes.iter().map(fixed_length).sum(),
        Node::Alternation(nodes) => {
            let mut lengths = nodes.iter().map(fixed_length);
            let first = lengths.next()??;
            lengths.all(|length| length == Some(first)).then_some(first)
        }
        Node::Repeat { node, minimum, maximum, .. } => {
            let count = usize::try_from(*minimum).ok().filter(|_| *maximum == Some(*minimum))?;
            fixed_length(node)?.checked_mul(count)
        }
        Node::Capture { node, .. } | Node::IgnoreCase { node, .. } | Node::Atomic(node) => fixed_length(node),
        Node::Absent(_) | Node::Conditional { .. } | Node::Backreference(_) | Node::Call(_) => None,
    }
}

fn captures(node: &Node, pattern: &Pattern) -> bool {
    let has_names = pattern.groups.iter().any(Option::is_some);
    match node {
        Node::Capture { group, node } => {
            let is_named = pattern.groups.get(*group).is_some_and(Option::is_some);
            is_named || !has_names || captures(node, pattern)
        }
        Node::Sequence(nodes) | Node::Alternation(nodes) => nodes.iter().any(|node| captures(node, pattern)),
        Node::Repeat { node, .. } | Node::IgnoreCase { node, .. } | Node::Atomic(node) | Node::Look { node, .. } => {
            captures(node, pattern)
        }
        _ => false,
    }
}

/// The fewest characters a part takes.
pub fn minimum_length(node: &Node) -> usize {
    match node {
        Node::Literal(_) | Node::Set(_) | Node::Any { .. } => 1,
        Node::Fixed { takes, .. } => *takes,
        Node::Sequence(nodes) => nodes.iter().map(minimum_length).fold(0, usize::saturating_add),
        Node::Alternation(nodes) => nodes.iter().map(minimum_length).min().unwrap_or(0),
        Node::Repeat { node, minimum, .. } => {
            minimum_length(node).saturating_mul(usize::try_from(*minimum).unwrap_or(usize::MAX))
        }
        Node::Capture { node, .. } | Node::IgnoreCase { node, .. } | Node::Atomic(node) => minimum_length(node),
        Node::LineStart
        | Node::Look { .. }
        | Node::Absent(_)
        | Node::Conditional { .. }
        | Node::Backreference(_)
        | Node::Call(_) => 0,
    }
}
