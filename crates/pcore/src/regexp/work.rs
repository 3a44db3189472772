//! How much work a pattern may make. The linear engine takes time by the size of the pattern and of the text; the other one
//! counts its steps back, but one step may go over the whole text.

use bunraku_syntax::regexp::{Mode, Node};

/// How often all parts of a pattern may be repeated, each in its own place.
const MOST_PARTS: u64 = 20_000;

/// Patterns of so many parts are small: what they take grows with the text alone.
const FEW_PARTS: u64 = 1_000;

/// How many parts times characters a large pattern may look at.
const MOST_PARTS_TIMES_TEXT: u64 = 200_000_000;

/// In texts up to this size a pattern that goes over the text again and again is no trouble.
const MOST_SQUARED: usize = 1 << 16;

/// What is known of the work that a pattern makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// How many parts it has when everything is written as often as it is repeated.
    parts: u64,
    /// Whether the linear engine is no help.
    pub(super) is_hard: bool,
    /// How often the text is gone over from one place: not at all, once, or once for each of its characters.
    degree: u32,
}

impl Work {
    /// The work of a pattern, which may look ahead for the end of the text besides what is written.
    pub(super) fn of(node: &Node, looks_for_end: bool) -> Work {
        let is_hard = looks_for_end || is_hard(node);
        Work { parts: parts(node), is_hard, degree: if is_hard { degree(node) } else { 1 } }
    }

    /// Whether the pattern is too large to be compiled.
    pub(super) fn is_too_big(self) -> bool {
        self.parts > MOST_PARTS
    }

    /// Whether a text of this size is too long for the pattern.
    pub(super) fn is_too_much(self, size: usize) -> bool {
        let is_large = self.parts > FEW_PARTS && self.parts.saturating_mul(size as u64) > MOST_PARTS_TIMES_TEXT;
        is_large || (self.degree > 1 && size > MOST_SQUARED)
    }
}

fn inner(node: &Node) -> &[Node] {
    match node {
        Node::Sequence(nodes) | Node::Alternation(nodes) => nodes,
        Node::Repeat { node, .. }
        | Node::Capture { node, .. }
        | Node::IgnoreCase { node, .. }
        | Node::Look { node, .. }
        | Node::Conditional { node, .. }
        | Node::Atomic(node)
        | Node::Absent(node) => std::slice::from_ref(node),
        Node::Literal(_)
        | Node::Set(_)
        | Node::Any { .. }
        | Node::Fixed { .. }
        | Node::LineStart
        | Node::Backreference(_)
        | Node::Call(_) => &[],
    }
}

fn parts(node: &Node) -> u64 {
    let all = inner(node).iter().fold(0_u64, |sum, node| sum.saturating_add(parts(node))).max(1);
    match node {
        Node::Repeat { minimum, maximum, .. } => all.saturating_mul(u64::from(maximum.unwrap_or(*minimum).max(1))),
        _ => all,
    }
}

fn is_hard(node: &Node) -> bool {
    let own = matches!(
        node,
        Node::Look { .. }
            | Node::Atomic(_)
            | Node::Absent(_)
            | Node::Conditional { .. }
            | Node::Backreference(_)
            | Node::Call(_)
            | Node::Repeat { mode: Mode::Possessive, .. }
    );
    own || inner(node).iter().any(is_hard)
}

fn degree(node: &Node) -> u32 {
    let within = inner(node).iter().map(degree).max().unwrap_or(0);
    match node {
        Node::Backreference(_) => 1,
        // What calls itself may do anything.
        Node::Call(_) => 2,
        Node::Absent(_) => within + 1,
        Node::Repeat { maximum: None, node, .. } if is_hard(node) => within + 1,
        Node::Repeat { maximum: None, .. } => 1,
        _ => within,
    }
}
