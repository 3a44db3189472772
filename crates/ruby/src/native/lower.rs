//! From the syntax tree of Ruby to the tree that is run: names become numbers, and what is not known here becomes a
//! node that leaves the template to Ruby when it is reached.

use bunraku_pcore::Regexps;
use bunraku_syntax::deep;
use ecow::EcoString;
use ruby_prism::{ConstantId, DefNode, Node as Syntax, NodeList, StatementsNode};
use rustc_hash::FxHashMap;

use super::class::Class;
use super::method::Method;
use super::pattern::{Options, Pattern};
use super::scanner::Scanned;
use super::tree::{Argument, Call, Definition, Node, Operator, Parameters, Rescue, Tree, Update};

/// Expressions nested deeper than this are left to Ruby.
const DEEPEST: usize = 150;

/// Reads the Ruby of a template; nothing where it is not correct.
pub(super) fn lower(scanned: &Scanned) -> Option<Tree> {
    let parsed = ruby_prism::parse(scanned.source.as_bytes());
    if parsed.errors().next().is_some() {
        return None;
    }
    let program = parsed.node().as_program_node()?;
    let mut lowering = Lowering::new(&scanned.texts, true);
    let body = lowering.statements(Some(program.statements()));
    Some(lowering.finish(body))
}

pub(super) struct Lowering<'t> {
    pub(super) texts: &'t [EcoString],
    variables: Vec<EcoString>,
    pub(super) definitions: Vec<Definition>,
    /// The local variables of the running method and of the blocks around.
    pub(super) scopes: Vec<FxHashMap<EcoString, usize>>,
    /// How many local variables the running method has.
    pub(super) locals: usize,
    depth: usize,
    pub(super) is_in_definition: bool,
    /// Whether this is a template, with the variables and methods that only templates have.
    pub(super) is_template: bool,
    pub(super) is_changing: bool,
    is_known: bool,
}

impl<'t> Lowering<'t> {
    pub(super) fn new(texts: &'t [EcoString], is_template: bool) -> Self {
        Lowering {
            texts,
            variables: Vec::new(),
            definitions: Vec::new(),
            scopes: vec![FxHashMap::default()],
            locals: 0,
            depth: 0,
            is_in_definition: false,
            is_template,
            is_changing: false,
            is_known: true,
        }
    }

    pub(super) fn finish(self, body: Node) -> Tree {
        let Lowering { variables, definitions, locals, is_changing, is_known, .. } = self;
        Tree { body, locals, variables, definitions, is_changing, is_known }
    }
}

impl Lowering<'_> {
    pub(super) fn statements(&mut self, statements: Option<StatementsNode<'_>>) -> Node {
        let Some(statements) = statements else { return Node::Nil };
        let mut nodes: Vec<Node> = statements.body().iter().map(|node| self.node(&node)).collect();
        match nodes.len() {
            0 => Node::Nil,
            1 => nodes.pop().unwrap_or(Node::Nil),
            _ => Node::Sequence(nodes),
        }
    }

    pub(super) fn optional(&mut self, node: Option<Syntax<'_>>) -> Node {
        node.map_or(Node::Nil, |node| self.node(&node))
    }

    fn boxed(&mut self, node: &Syntax<'_>) -> Box<Node> {
        Box::new(self.node(node))
    }

    pub(super) fn node(&mut self, node: &Syntax<'_>) -> Node {
        self.nested(|lowering| lowering.known(node)).unwrap_or_else(|| {
            self.is_known = false;
            Node::Unsupported
        })
    }

    /// Does something one level deeper, unless that is too deep.
    pub(super) fn nested<T>(&mut self, work: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let done = deep(|| work(self));
        self.depth -= 1;
        done
    }

    fn known(&mut self, node: &Syntax<'_>) -> Option<Node> {
        Some(match node {
            Syntax::CallNode { .. } => return self.call(&node.as_call_node()?),
            Syntax::StatementsNode { .. } => self.statements(node.as_statements_node()),
            Syntax::ParenthesesNode { .. } => self.optional(node.as_parentheses_node()?.body()),
            Syntax::IfNode { .. } | Syntax::UnlessNode { .. } | Syntax::ElseNode { .. } => return self.condition(node),
            Syntax::AndNode { .. } => {
                let and = node.as_and_node()?;
                Node::And(self.boxed(&and.left()), self.boxed(&and.right()))
            }
            Syntax::OrNode { .. } => {
                let or = node.as_or_node()?;
                Node::Or(self.boxed(&or.left()), self.boxed(&or.right()))
            }
            Syntax::CaseNode { .. } => return self.case(node),
            Syntax::WhileNode { .. } | Syntax::UntilNode { .. } => return self.repetition(node),
            Syntax::ForNode { .. } => return self.for_loop(&node.as_for_node()?),
            Syntax::BeginNode { .. } => return self.protected(&node.as_begin_node()?),
            Syntax::RescueModifierNode { .. } => {
                let modifier = node.as_rescue_modifier_node()?;
                let body = self.boxed(&modifier.expression());
                let otherwise = self.node(&modifier.rescue_expression());
                let rescue = Rescue { classes: Vec::new(), variable: None, body: otherwise };
                Node::Protected { body, rescues: vec![rescue], otherwise: None, ensure: None }
            }
            Syntax::BreakNode { .. } => Node::Break(self.jump(node.as_break_node()?.arguments())?),
            Syntax::NextNode { .. } => Node::Next(self.jump(node.as_next_node()?.arguments())?),
            Syntax::ReturnNode { .. } => Node::Return(self.jump(node.as_return_node()?.arguments())?),
            Syntax::DefNode { .. } => return self.definition(&node.as_def_node()?),
            Syntax::DefinedNode { .. } => return self.defined(&node.as_defined_node()?.value()),
            _ => return self.literal(node).or_else(|| self.variable_access(node)),
        })
    }

    fn literal(&mut self, node: &Syntax<'_>) -> Option<Node> {
        Some(match node {
            Syntax::NilNode { .. } => Node::Nil,
            Syntax::TrueNode { .. } => Node::Boolean(true),
            Syntax::FalseNode { .. } => Node::Boolean(false),
            Syntax::IntegerNode { .. } => Node::Integer(integer(node)?),
            Syntax::FloatNode { .. } => Node::Float(node.as_float_node()?.value()),
            Syntax::StringNode { .. } => Node::String(text(node.as_string_node()?.unescaped())?),
            Syntax::SymbolNode { .. } => Node::Symbol(text(node.as_symbol_node()?.unescaped())?),
            Syntax::InterpolatedStringNode { .. } => {
                Node::Interpolation(self.parts(&node.as_interpolated_string_node()?.parts()))
            }
            Syntax::InterpolatedSymbolNode { .. } => {
                Node::InterpolatedSymbol(self.parts(&node.as_interpolated_symbol_node()?.parts()))
            }
            Syntax::RegularExpressionNode { .. } => {
                let regexp = node.as_regular_expression_node()?;
                let options = Options {
                    multi_line: regexp.is_multi_line(),
                    ignore_case: regexp.is_ignore_case(),
                    extended: regexp.is_extended(),
                };
                Node::Regexp(Pattern::new(&text(regexp.unescaped())?, options, &Regexps::default()).ok()?)
            }
            Syntax::InterpolatedRegularExpressionNode { .. } => {
                let regexp = node.as_interpolated_regular_expression_node()?;
                let options = Options {
                    multi_line: regexp.is_multi_line(),
                    ignore_case: regexp.is_ignore_case(),
                    extended: regexp.is_extended(),
                };
                Node::InterpolatedRegexp(self.parts(&regexp.parts()), options)
            }
            Syntax::ArrayNode { .. } => Node::Array(self.list(&node.as_array_node()?.elements())),
            Syntax::HashNode { .. } => Node::Hash(self.pairs(&node.as_hash_node()?.elements())?),
            Syntax::KeywordHashNode { .. } => Node::Hash(self.pairs(&node.as_keyword_hash_node()?.elements())?),
            Syntax::RangeNode { .. } => {
                let range = node.as_range_node()?;
                let (start, end) = (self.optional(range.left()), self.optional(range.right()));
                Node::Range(Box::new(start), Box::new(end), range.is_exclude_end())
            }
            Syntax::ConstantReadNode { .. } => {
                Node::Constant(Class::named(&name(&node.as_constant_read_node()?.name())?)?)
            }
            Syntax::ConstantPathNode { .. } => {
                let path = node.as_constant_path_node()?;
                let parent = path.parent()?.as_constant_read_node()?;
                Node::Constant(Class::named(&format!("{}::{}", name(&parent.name())?, name(&path.name()?)?))?)
            }
            _ => return None,
        })
    }

    fn parts(&mut self, parts: &NodeList<'_>) -> Vec<Node> {
        let part = |part: Syntax<'_>| match part.as_embedded_statements_node() {
            Some(embedded) => self.statements(embedded.statements()),
            None => match part.as_embedded_variable_node() {
                Some(embedded) => self.node(&embedded.variable()),
                None => self.node(&part),
            },
        };
        parts.iter().map(part).collect()
    }

    pub(super) fn list(&mut self, nodes: &NodeList<'_>) -> Vec<Argument> {
        let argument = |node: Syntax<'_>| match node.as_splat_node() {
            Some(splat) => Argument::Splat(match splat.expression() {
                Some(expression) => self.node(&expression),
                None => Node::Unsupported,
            }),
            None => Argument::One(self.node(&node)),
        };
        let mut list: Vec<Argument> = nodes.iter().map(argument).collect();
        // Most lists are of one.
        list.shrink_to_fit();
        list
    }

    fn pairs(&mut self, nodes: &NodeList<'_>) -> Option<Vec<(Node, Node)>> {
        let pair = |node: Syntax<'_>| {
            let pair = node.as_assoc_node()?;
            Some((self.node(&pair.key()), self.node(&pair.value())))
        };
        nodes.iter().map(pair).collect()
    }

    fn variable_access(&mut self, node: &Syntax<'_>) -> Option<Node> {
        Some(match node {
            Syntax::LocalVariableReadNode { .. } => {
                let read = node.as_local_variable_read_node()?;
                Node::Local(self.local(&read.name(), read.depth())?)
            }
            Syntax::LocalVariableWriteNode { .. } => {
                let write = node.as_local_variable_write_node()?;
                let slot = self.local(&write.name(), write.depth())?;
                Node::SetLocal(slot, self.boxed(&write.value()))
            }
            Syntax::LocalVariableOrWriteNode { .. } => {
                let write = node.as_local_variable_or_write_node()?;
                let slot = self.local(&write.name(), write.depth())?;
                let assignment = Node::SetLocal(slot, self.boxed(&write.value()));
                Node::Or(Box::new(Node::Local(slot)), Box::new(assignment))
            }
            Syntax::LocalVariableAndWriteNode { .. } => {
                let write = node.as_local_variable_and_write_node()?;
                let slot = self.local(&write.name(), write.depth())?;
                let assignment = Node::SetLocal(slot, self.boxed(&write.value()));
                Node::And(Box::new(Node::Local(slot)), Box::new(assignment))
            }
            Syntax::LocalVariableOperatorWriteNode { .. } => {
                let write = node.as_local_variable_operator_write_node()?;
                let slot = self.local(&write.name(), write.depth())?;
                let result = self.operation(Node::Local(slot), &write.binary_operator(), &write.value())?;
                Node::SetLocal(slot, Box::new(result))
            }
            Syntax::InstanceVariableReadNode { .. } => {
                Node::Variable(self.variable(&node.as_instance_variable_read_node()?.name())?)
            }
            Syntax::InstanceVariableWriteNode { .. } => {
                let write = node.as_instance_variable_write_node()?;
                let variable = self.variable(&write.name())?;
                Node::SetVariable(variable, self.boxed(&write.value()))
            }
            Syntax::InstanceVariableOrWriteNode { .. } => {
                let write = node.as_instance_variable_or_write_node()?;
                let variable = self.variable(&write.name())?;
                let assignment = Node::SetVariable(variable, self.boxed(&write.value()));
                Node::Or(Box::new(Node::Variable(variable)), Box::new(assignment))
            }
            Syntax::InstanceVariableOperatorWriteNode { .. } => {
                let write = node.as_instance_variable_operator_write_node()?;
                let variable = self.variable(&write.name())?;
                let result = self.operation(Node::Variable(variable), &write.binary_operator(), &write.value())?;
                Node::SetVariable(variable, Box::new(result))
            }
            Syntax::NumberedReferenceReadNode { .. } => {
                Node::Group(usize::try_from(node.as_numbered_reference_read_node()?.number()).ok()?)
            }
            Syntax::MultiWriteNode { .. } => {
                let write = node.as_multi_write_node()?;
                let targets = self.targets(&write.lefts(), write.rest(), &write.rights())?;
                Node::Assign(Box::new(targets), self.boxed(&write.value()))
            }
            _ => return self.index_assignment(node),
        })
    }

    fn index_assignment(&mut self, node: &Syntax<'_>) -> Option<Node> {
        let (receiver, arguments, operator, value) = if let Some(write) = node.as_index_or_write_node() {
            (write.receiver()?, write.arguments()?, Operator::Or, write.value())
        } else if let Some(write) = node.as_index_and_write_node() {
            (write.receiver()?, write.arguments()?, Operator::And, write.value())
        } else {
            let write = node.as_index_operator_write_node()?;
            let method = Method::named(&name(&write.binary_operator())?)?;
            (write.receiver()?, write.arguments()?, Operator::Method(method), write.value())
        };
        self.is_changing = true;
        let arguments = arguments.arguments();
        let index =
            arguments.first().filter(|index| arguments.iter().count() == 1 && index.as_splat_node().is_none())?;
        Some(Node::UpdateAt(Box::new(Update {
            receiver: self.node(&receiver),
            index: self.node(&index),
            operator,
            value: self.node(&value),
        })))
    }

    fn operation(&mut self, left: Node, operator: &ConstantId<'_>, right: &Syntax<'_>) -> Option<Node> {
        let method = Method::named(&name(operator)?)?;
        let args = vec![Argument::One(self.node(right))];
        Some(Call { receiver: left, method, args, block: None, is_safe: false }.into_node())
    }

    /// The number of a local variable, `depth` blocks outside of here.
    pub(super) fn local(&mut self, id: &ConstantId<'_>, depth: u32) -> Option<usize> {
        let name = name(id).filter(|name| name != "_erbout")?;
        let depth = usize::try_from(depth).ok()?;
        let scope = self.scopes.iter_mut().rev().nth(depth)?;
        let next = &mut self.locals;
        Some(*scope.entry(name).or_insert_with(|| {
            *next += 1;
            *next - 1
        }))
    }

    /// The number of an instance variable.
    pub(super) fn variable(&mut self, id: &ConstantId<'_>) -> Option<usize> {
        let name: EcoString = name(id)?.strip_prefix('@')?.into();
        if name.starts_with("__") || !self.is_template {
            return None;
        }
        Some(self.variables.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        }))
    }

    fn definition(&mut self, definition: &DefNode<'_>) -> Option<Node> {
        if definition.receiver().is_some() || self.is_in_definition || self.scopes.len() > 1 {
            return None;
        }
        let number = self.declare(name(&definition.name())?);
        self.define(number, definition);
        Some(Node::Define(number))
    }

    /// A method that is not known yet.
    pub(super) fn declare(&mut self, name: EcoString) -> usize {
        let (parameters, body) = (Parameters::default(), Node::Unsupported);
        self.definitions.push(Definition { name, parameters, body, locals: 0 });
        self.definitions.len() - 1
    }

    /// Reads a method that is declared.
    pub(super) fn define(&mut self, number: usize, definition: &DefNode<'_>) {
        let scopes = std::mem::replace(&mut self.scopes, vec![FxHashMap::default()]);
        let locals = std::mem::take(&mut self.locals);
        self.is_in_definition = true;
        let parameters = match definition.parameters() {
            Some(parameters) => self.parameters(&parameters),
            None => Some(Parameters::default()),
        };
        let body = self.optional(definition.body());
        self.is_in_definition = false;
        self.scopes = scopes;
        let locals = std::mem::replace(&mut self.locals, locals);
        if let (Some(definition), Some(parameters)) = (self.definitions.get_mut(number), parameters) {
            definition.parameters = parameters;
            definition.body = body;
            definition.locals = locals;
        }
    }
}

/// The text of bytes that are UTF-8.
pub(super) fn text(bytes: &[u8]) -> Option<EcoString> {
    std::str::from_utf8(bytes).ok().map(EcoString::from)
}

pub(super) fn name(id: &ConstantId<'_>) -> Option<EcoString> {
    text(id.as_slice())
}

fn integer(node: &Syntax<'_>) -> Option<i64> {
    let integer = node.as_integer_node()?;
    let small: Result<i32, ()> = integer.value().try_into();
    match small {
        Ok(small) => Some(i64::from(small)),
        Err(()) if integer.is_decimal() => text(integer.location().as_slice())?.replace("_", "").parse().ok(),
        Err(()) => None,
    }
}
