//! Variables and constants: how they are read and set.

use ruby_prism::{ConstantId, Node as Syntax, NodeList};

use super::{Lowering, line_of, symbol};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::tree::{Argument, Call, Node, Operator, Target, Targets, Update};

/// A variable or constant of which there are four ways to set it.
#[derive(Clone, Copy)]
enum Name {
    Local(u32, u32),
    Variable(Sym),
    Global(Sym),
    ClassVariable(Sym),
    Constant(Sym),
}

impl Name {
    fn read(self) -> Node {
        match self {
            Name::Local(depth, slot) => Node::Local(depth, slot),
            Name::Variable(name) => Node::Variable(name),
            Name::Global(name) => Node::Global(name),
            Name::ClassVariable(name) => Node::ClassVariable(name),
            Name::Constant(name) => Node::Constant(name, 0),
        }
    }

    fn set(self, value: Node) -> Node {
        let value = Box::new(value);
        match self {
            Name::Local(depth, slot) => Node::SetLocal(depth, slot, value),
            Name::Variable(name) => Node::SetVariable(name, value),
            Name::Global(name) => Node::SetGlobal(name, value),
            Name::ClassVariable(name) => Node::SetClassVariable(name, value),
            Name::Constant(name) => Node::SetConstant(None, name, value),
        }
    }
}

macro_rules! writes {
    ($self:ident, $node:ident, $($as:ident $how:ident $name:expr;)*) => {
        $(if let Some(write) = $node.$as() {
            let name: Name = $name(&*$self, &write.name());
            let value = $self.node(&write.value());
            return Some(writes!(@$how name, value, write));
        })*
    };
    (@set $name:ident, $value:ident, $write:ident) => { $name.set($value) };
    (@or $name:ident, $value:ident, $write:ident) => {
        Node::OrSet(Box::new($name.read()), Box::new($name.set($value)))
    };
    (@and $name:ident, $value:ident, $write:ident) => {
        Node::And(Box::new($name.read()), Box::new($name.set($value)))
    };
    (@operator $name:ident, $value:ident, $write:ident) => {
        $name.set(operation($name.read(), symbol(&$write.binary_operator()), $value))
    };
}

/// A global variable, also by the name that the library `English` has for it.
fn read_global(name: Sym) -> Node {
    Node::Global(match name.as_str() {
        "$MATCH" => return Node::MatchPart('&'),
        "$PREMATCH" => return Node::MatchPart('`'),
        "$POSTMATCH" => return Node::MatchPart('\''),
        "$LAST_PAREN_MATCH" => return Node::MatchPart('+'),
        "$LAST_MATCH_INFO" => Sym::new("$~"),
        "$ERROR_INFO" => Sym::new("$!"),
        "$ERROR_POSITION" => Sym::new("$@"),
        "$CHILD_STATUS" => Sym::new("$?"),
        "$PID" | "$PROCESS_ID" => Sym::new("$$"),
        "$INPUT_RECORD_SEPARATOR" | "$RS" => Sym::new("$/"),
        "$ARGV" => Sym::new("$*"),
        _ => name,
    })
}

fn operation(left: Node, name: Sym, right: Node) -> Node {
    Node::Call(Box::new(Call {
        receiver: Some(left),
        name,
        args: vec![Argument::One(right)],
        block: None,
        is_safe: false,
        word: None,
        is_own: false,
        is_assignment: false,
        special: None,
        line: 0,
    }))
}

fn local(lowering: &Lowering, name: &ConstantId<'_>) -> Name {
    let (depth, slot) = lowering.local(name);
    Name::Local(depth, slot)
}

fn variable(_: &Lowering, name: &ConstantId<'_>) -> Name {
    Name::Variable(symbol(name))
}

fn global(_: &Lowering, name: &ConstantId<'_>) -> Name {
    Name::Global(symbol(name))
}

fn class_variable(_: &Lowering, name: &ConstantId<'_>) -> Name {
    Name::ClassVariable(symbol(name))
}

fn constant(_: &Lowering, name: &ConstantId<'_>) -> Name {
    Name::Constant(symbol(name))
}

impl Lowering {
    pub(super) fn assignment(&mut self, node: &Syntax<'_>) -> Option<Node> {
        if let Some(read) = self.read(node) {
            return Some(read);
        }
        writes! { self, node,
            as_local_variable_write_node set local;
            as_local_variable_or_write_node or local;
            as_local_variable_and_write_node and local;
            as_local_variable_operator_write_node operator local;
            as_instance_variable_write_node set variable;
            as_instance_variable_or_write_node or variable;
            as_instance_variable_and_write_node and variable;
            as_instance_variable_operator_write_node operator variable;
            as_global_variable_write_node set global;
            as_global_variable_or_write_node or global;
            as_global_variable_and_write_node and global;
            as_global_variable_operator_write_node operator global;
            as_class_variable_write_node set class_variable;
            as_class_variable_or_write_node or class_variable;
            as_class_variable_and_write_node and class_variable;
            as_class_variable_operator_write_node operator class_variable;
            as_constant_write_node set constant;
            as_constant_or_write_node or constant;
            as_constant_and_write_node and constant;
            as_constant_operator_write_node operator constant;
        }
        if let Some(write) = node.as_constant_path_write_node() {
            let target = write.target();
            let scope = target.parent().map(|parent| self.boxed(&parent));
            return Some(Node::SetConstant(scope, symbol(&target.name()?), self.boxed(&write.value())));
        }
        if let Some(write) = node.as_constant_path_or_write_node() {
            let read = self.node(&write.target().as_node());
            let target = write.target();
            let scope = target.parent().map(|parent| self.boxed(&parent));
            let set = Node::SetConstant(scope, symbol(&target.name()?), self.boxed(&write.value()));
            return Some(Node::OrSet(Box::new(read), Box::new(set)));
        }
        if let Some(write) = node.as_multi_write_node() {
            let value = self.boxed(&write.value());
            let targets = self.targets(&write.lefts(), write.rest(), &write.rights())?;
            return Some(Node::Assign(Box::new(targets), value));
        }
        self.update(node)
    }

    fn read(&mut self, node: &Syntax<'_>) -> Option<Node> {
        Some(match node {
            Syntax::LocalVariableReadNode { .. } => local(self, &node.as_local_variable_read_node()?.name()).read(),
            Syntax::ItLocalVariableReadNode { .. } => self.named("it"),
            Syntax::InstanceVariableReadNode { .. } => {
                Node::Variable(symbol(&node.as_instance_variable_read_node()?.name()))
            }
            Syntax::GlobalVariableReadNode { .. } => read_global(symbol(&node.as_global_variable_read_node()?.name())),
            Syntax::ClassVariableReadNode { .. } => {
                Node::ClassVariable(symbol(&node.as_class_variable_read_node()?.name()))
            }
            Syntax::ConstantReadNode { .. } => {
                Node::Constant(symbol(&node.as_constant_read_node()?.name()), line_of(node))
            }
            Syntax::ConstantPathNode { .. } => {
                let path = node.as_constant_path_node()?;
                let scope = path.parent().map(|parent| self.boxed(&parent));
                Node::ScopedConstant(scope, symbol(&path.name()?), line_of(node))
            }
            Syntax::NumberedReferenceReadNode { .. } => Node::Group(node.as_numbered_reference_read_node()?.number()),
            Syntax::BackReferenceReadNode { .. } => {
                let name = symbol(&node.as_back_reference_read_node()?.name());
                Node::MatchPart(name.as_str().chars().nth(1)?)
            }
            _ => return None,
        })
    }

    /// `receiver[index] += 1`, `receiver.name ||= 1`.
    fn update(&mut self, node: &Syntax<'_>) -> Option<Node> {
        let line = line_of(node);
        let (receiver, names, args, operator, value, is_safe) = if let Some(it) = node.as_index_or_write_node() {
            (it.receiver(), None, it.arguments(), Operator::Or, it.value(), it.is_safe_navigation())
        } else if let Some(it) = node.as_index_and_write_node() {
            (it.receiver(), None, it.arguments(), Operator::And, it.value(), it.is_safe_navigation())
        } else if let Some(it) = node.as_index_operator_write_node() {
            let operator = Operator::Method(symbol(&it.binary_operator()));
            (it.receiver(), None, it.arguments(), operator, it.value(), it.is_safe_navigation())
        } else if let Some(it) = node.as_call_or_write_node() {
            let names = (symbol(&it.read_name()), symbol(&it.write_name()));
            (it.receiver(), Some(names), None, Operator::Or, it.value(), it.is_safe_navigation())
        } else if let Some(it) = node.as_call_and_write_node() {
            let names = (symbol(&it.read_name()), symbol(&it.write_name()));
            (it.receiver(), Some(names), None, Operator::And, it.value(), it.is_safe_navigation())
        } else {
            let it = node.as_call_operator_write_node()?;
            let names = (symbol(&it.read_name()), symbol(&it.write_name()));
            let operator = Operator::Method(symbol(&it.binary_operator()));
            (it.receiver(), Some(names), None, operator, it.value(), it.is_safe_navigation())
        };
        let (read, write) = names.unwrap_or((sym::AT, sym::SET_AT));
        let receiver = receiver.map(|receiver| self.node(&receiver));
        let args = self.arguments(args);
        let value = self.node(&value);
        Some(Node::Update(Box::new(Update { receiver, is_safe, read, write, args, operator, value, line })))
    }

    pub(super) fn targets(
        &mut self,
        lefts: &NodeList<'_>,
        rest: Option<Syntax<'_>>,
        rights: &NodeList<'_>,
    ) -> Option<Targets> {
        let first = lefts.iter().map(|target| self.target(&target)).collect::<Option<_>>()?;
        let rest = match rest {
            None => None,
            Some(rest) if rest.as_implicit_rest_node().is_some() => Some(None),
            Some(rest) => Some(match rest.as_splat_node()?.expression() {
                Some(target) => Some(self.target(&target)?),
                None => None,
            }),
        };
        let last = rights.iter().map(|target| self.target(&target)).collect::<Option<_>>()?;
        Some(Targets { first, rest, last })
    }

    pub(super) fn target(&mut self, node: &Syntax<'_>) -> Option<Target> {
        if let Some(parameter) = node.as_required_parameter_node() {
            let (depth, slot) = self.local(&parameter.name());
            return Some(Target::Local(depth, slot));
        }
        if let Some(target) = node.as_local_variable_target_node() {
            let (depth, slot) = self.local(&target.name());
            return Some(Target::Local(depth, slot));
        }
        if let Some(target) = node.as_instance_variable_target_node() {
            return Some(Target::Variable(symbol(&target.name())));
        }
        if let Some(target) = node.as_global_variable_target_node() {
            return Some(Target::Global(symbol(&target.name())));
        }
        if let Some(target) = node.as_class_variable_target_node() {
            return Some(Target::ClassVariable(symbol(&target.name())));
        }
        if let Some(target) = node.as_constant_target_node() {
            return Some(Target::Constant(None, symbol(&target.name())));
        }
        if let Some(target) = node.as_constant_path_target_node() {
            let scope = target.parent().map(|parent| self.node(&parent));
            return Some(Target::Constant(scope, symbol(&target.name()?)));
        }
        if let Some(target) = node.as_call_target_node() {
            let receiver = self.node(&target.receiver());
            let call = (receiver, symbol(&target.name()), Vec::new(), target.is_safe_navigation());
            return Some(Target::Call(Box::new(call)));
        }
        if let Some(target) = node.as_index_target_node() {
            let receiver = self.node(&target.receiver());
            let args = self.arguments(target.arguments());
            return Some(Target::Call(Box::new((receiver, sym::SET_AT, args, false))));
        }
        if let Some(splat) = node.as_splat_node() {
            let rest = match splat.expression() {
                Some(target) => Some(self.target(&target)?),
                None => None,
            };
            return Some(Target::Nested(Box::new(Targets { rest: Some(rest), ..Targets::default() })));
        }
        let nested = node.as_multi_target_node()?;
        let targets = self.targets(&nested.lefts(), nested.rest(), &nested.rights())?;
        Some(Target::Nested(Box::new(targets)))
    }
}
