//! Patterns of `case … in`.

use ruby_prism::Node as Syntax;

use super::{Lowering, symbol};
use crate::interpreter::symbol::Sym;
use crate::interpreter::tree::{CaseIn, HashRest, Node, Pattern};

impl Lowering {
    pub(super) fn case_match(&mut self, node: &Syntax<'_>) -> Option<Node> {
        let node = node.as_case_match_node()?;
        let subject = self.optional(node.predicate());
        let mut branches = Vec::new();
        for condition in node.conditions().iter() {
            let branch = condition.as_in_node()?;
            let (pattern, guard) = self.guarded(&branch.pattern())?;
            branches.push((pattern, guard, self.statements(branch.statements())));
        }
        let otherwise = node.else_clause().map(|it| self.statements(it.statements()));
        Some(Node::Match(Box::new(CaseIn { subject, branches, otherwise })))
    }

    /// A pattern with the `if` or `unless` behind it.
    fn guarded(&mut self, node: &Syntax<'_>) -> Option<(Pattern, Option<Node>)> {
        if let Some(guard) = node.as_if_node() {
            let pattern = guard.statements()?.body().first()?;
            return Some((self.pattern(&pattern)?, Some(self.node(&guard.predicate()))));
        }
        if let Some(guard) = node.as_unless_node() {
            let pattern = guard.statements()?.body().first()?;
            let condition = Node::Not(self.boxed(&guard.predicate()));
            return Some((self.pattern(&pattern)?, Some(condition)));
        }
        Some((self.pattern(node)?, None))
    }

    fn splat(&mut self, node: &Syntax<'_>) -> Option<Option<(u32, u32)>> {
        let splat = node.as_splat_node()?;
        Some(match splat.expression() {
            Some(target) => Some(self.local(&target.as_local_variable_target_node()?.name())),
            None => None,
        })
    }

    pub(super) fn pattern(&mut self, node: &Syntax<'_>) -> Option<Pattern> {
        Some(match node {
            Syntax::LocalVariableTargetNode { .. } => {
                let (depth, slot) = self.local(&node.as_local_variable_target_node()?.name());
                Pattern::Bind(depth, slot)
            }
            Syntax::CapturePatternNode { .. } => {
                let node = node.as_capture_pattern_node()?;
                let (depth, slot) = self.local(&node.target().name());
                Pattern::Capture(Box::new(self.pattern(&node.value())?), depth, slot)
            }
            Syntax::AlternationPatternNode { .. } => {
                let node = node.as_alternation_pattern_node()?;
                Pattern::Either(Box::new(self.pattern(&node.left())?), Box::new(self.pattern(&node.right())?))
            }
            Syntax::PinnedVariableNode { .. } => Pattern::Value(self.node(&node.as_pinned_variable_node()?.variable())),
            Syntax::PinnedExpressionNode { .. } => {
                Pattern::Value(self.node(&node.as_pinned_expression_node()?.expression()))
            }
            Syntax::ParenthesesNode { .. } => {
                let body = node.as_parentheses_node()?.body()?;
                match body.as_statements_node() {
                    Some(statements) => self.pattern(&statements.body().first()?)?,
                    None => self.pattern(&body)?,
                }
            }
            Syntax::ArrayPatternNode { .. } => {
                let node = node.as_array_pattern_node()?;
                let constant = node.constant().map(|constant| self.node(&constant));
                let first = node.requireds().iter().map(|it| self.pattern(&it)).collect::<Option<_>>()?;
                let rest = match node.rest() {
                    Some(rest) if rest.as_implicit_rest_node().is_some() => Some(None),
                    Some(rest) => Some(self.splat(&rest)?),
                    None => None,
                };
                let last = node.posts().iter().map(|it| self.pattern(&it)).collect::<Option<_>>()?;
                Pattern::Array { constant, first, rest, last }
            }
            Syntax::FindPatternNode { .. } => {
                let node = node.as_find_pattern_node()?;
                let constant = node.constant().map(|constant| self.node(&constant));
                let before = self.splat(&node.left().as_node())?;
                let middle = node.requireds().iter().map(|it| self.pattern(&it)).collect::<Option<_>>()?;
                let after = self.splat(&node.right().as_node())?;
                Pattern::Find { constant, before, middle, after }
            }
            Syntax::HashPatternNode { .. } => return self.hash_pattern(&node.as_hash_pattern_node()?),
            _ => Pattern::Value(self.node(node)),
        })
    }

    fn hash_pattern(&mut self, node: &ruby_prism::HashPatternNode<'_>) -> Option<Pattern> {
        let constant = node.constant().map(|constant| self.node(&constant));
        let mut entries = Vec::new();
        for element in node.elements().iter() {
            let pair = element.as_assoc_node()?;
            let key = Sym::new(&String::from_utf8_lossy(pair.key().as_symbol_node()?.unescaped()));
            let value = pair.value();
            if let Some(implicit) = value.as_implicit_node() {
                let target = implicit.value();
                let name = symbol(&target.as_local_variable_target_node()?.name());
                entries.push((key, None, self.local_named(name)));
            } else {
                entries.push((key, Some(self.pattern(&value)?), None));
            }
        }
        let rest = match node.rest() {
            None => HashRest::Ignored,
            Some(rest) if rest.as_no_keywords_parameter_node().is_some() => HashRest::Refused,
            Some(rest) => match rest.as_assoc_splat_node()?.value() {
                Some(target) => {
                    let (depth, slot) = self.local(&target.as_local_variable_target_node()?.name());
                    HashRest::Bound(depth, slot)
                }
                None => HashRest::Ignored,
            },
        };
        Some(Pattern::Hash { constant, entries, rest })
    }
}
