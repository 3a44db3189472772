//! Calls of methods.

use ruby_prism::{ArgumentsNode, Node as Syntax};

use super::{Lowering, OwnParameter, line_of, symbol};
use crate::interpreter::symbol::Sym;
use crate::interpreter::tree::{Argument, BlockArgument, Call, Node, Pair, StrKind, Super};

/// Words that are about the calling code.
const SPECIAL: &[&str] = &[
    "block_given?",
    "lambda",
    "proc",
    "__method__",
    "__callee__",
    "__dir__",
    "private",
    "public",
    "protected",
    "module_function",
    "binding",
    "eval",
    "local_variables",
    "require_relative",
];

impl Lowering {
    pub(super) fn arguments(&mut self, arguments: Option<ArgumentsNode<'_>>) -> Vec<Argument> {
        let mut all = Vec::new();
        for node in arguments.iter().flat_map(|it| it.arguments().iter().collect::<Vec<_>>()) {
            if node.as_forwarding_arguments_node().is_some() {
                all.push(Argument::Splat(self.named("*")));
                all.push(Argument::Keywords(vec![Pair::Splat(self.named("**"))]));
            } else {
                all.push(self.argument(&node));
            }
        }
        all
    }

    /// The value of `break`, `next` and `return`.
    pub(super) fn jump(&mut self, arguments: Option<ArgumentsNode<'_>>) -> Box<Node> {
        let mut arguments = self.arguments(arguments);
        Box::new(match (arguments.pop(), arguments.is_empty()) {
            (None, _) => Node::Nil,
            (Some(Argument::One(value)), true) => value,
            (Some(Argument::Keywords(pairs)), true) => Node::Hash(pairs),
            (Some(last), _) => {
                arguments.push(last);
                Node::Array(arguments)
            }
        })
    }

    pub(super) fn call_like(&mut self, node: &Syntax<'_>) -> Option<Node> {
        if let Some(call) = node.as_call_node() {
            return self.call(&call, line_of(node));
        }
        if let Some(call) = node.as_match_write_node() {
            let inner = self.node(&call.call().as_node());
            let targets = call.targets().iter().filter_map(|target| {
                let target = target.as_local_variable_target_node()?;
                let (depth, slot) = self.local(&target.name());
                Some((symbol(&target.name()), depth, slot))
            });
            return Some(Node::MatchWrite(Box::new(inner), targets.collect()));
        }
        if let Some(call) = node.as_yield_node() {
            return Some(Node::Yield(self.arguments(call.arguments()), line_of(node)));
        }
        if let Some(call) = node.as_super_node() {
            let args = Some(self.arguments(call.arguments()));
            let block = match call.block() {
                Some(block) => Some(self.block_argument(&block)?),
                None => None,
            };
            return Some(Node::Super(Box::new(Super { args, block, own: Vec::new(), line: line_of(node) })));
        }
        let call = node.as_forwarding_super_node()?;
        let block = match call.block() {
            Some(block) => Some(self.block_argument(&block.as_node())?),
            None => None,
        };
        let own = self.own_arguments();
        Some(Node::Super(Box::new(Super { args: None, block, own, line: line_of(node) })))
    }

    /// The arguments that `super` passes on: the variables of the parameters as they are now.
    fn own_arguments(&mut self) -> Vec<Argument> {
        let own = self.own_parameters.last().map(|(_, own)| own.clone()).unwrap_or_default();
        let mut args = Vec::new();
        let mut pairs = Vec::new();
        let read = |name: Sym| match self.local_named(name) {
            Some((depth, slot)) => Node::Local(depth, slot),
            None => Node::Nil,
        };
        for parameter in own {
            match parameter {
                OwnParameter::One(name) => args.push(Argument::One(read(name))),
                OwnParameter::Splat(name) => args.push(Argument::Splat(read(name))),
                OwnParameter::Keyword(name) => pairs.push(Pair::One(Node::Symbol(name), read(name))),
                OwnParameter::KeywordSplat(name) => pairs.push(Pair::Splat(read(name))),
            }
        }
        if !pairs.is_empty() {
            args.push(Argument::Keywords(pairs));
        }
        args
    }

    fn call(&mut self, call: &ruby_prism::CallNode<'_>, line: u32) -> Option<Node> {
        let name = symbol(&call.name());
        let receiver = call.receiver().map(|receiver| self.node(&receiver));
        let has_forwarding = call.arguments().is_some_and(|it| it.is_contains_forwarding());
        let args = self.arguments(call.arguments());
        let mut block = match call.block() {
            Some(block) => Some(self.block_argument(&block)?),
            None => None,
        };
        if has_forwarding && block.is_none() {
            block = Some(BlockArgument::Pass(self.named("&")));
        }
        if let (Some(_), "!", true, None) = (&receiver, name.as_str(), args.is_empty(), &block) {
            return Some(Node::Not(Box::new(receiver?)));
        }
        if let (Some(Node::Str(bytes, StrKind::Plain)), "freeze" | "-@", true, None) =
            (&receiver, name.as_str(), args.is_empty(), &block)
        {
            return Some(Node::Str(bytes.clone(), StrKind::Frozen));
        }
        let is_own = receiver.as_ref().is_none_or(|receiver| matches!(receiver, Node::This));
        // The line of a chain of calls is that of the name.
        let line = call.message_loc().map_or(line, |it| u32::try_from(it.start_line()).unwrap_or(line));
        let is_nesting = name.as_str() == "nesting"
            && matches!(&receiver, Some(Node::Constant(module, _)) if module.as_str() == "Module");
        let special = (is_nesting || receiver.is_none() && SPECIAL.contains(&name.as_str()))
            .then(|| self.scopes.iter().rev().cloned().collect());
        Some(Node::Call(Box::new(Call {
            receiver,
            name,
            args,
            block,
            is_safe: call.is_safe_navigation(),
            word: call.is_variable_call().then(|| self.scopes.iter().rev().cloned().collect()),
            is_own,
            is_assignment: call.is_attribute_write(),
            special,
            line,
        })))
    }
}
