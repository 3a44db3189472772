//! Branches, loops, calls and blocks on their way from Ruby's syntax tree to the tree that is run.

use ruby_prism::{ArgumentsNode, BeginNode, BlockNode, CallNode, ForNode, Node as Syntax, NodeList, ParametersNode};
use rustc_hash::FxHashMap;

use super::lower::{Lowering, name, text};
use super::method::Method;
use super::scanner::TEXT;
use super::tree::{Argument, Block, Call, Code, Kernel, Node, Parameters, Rescue, Target};

impl Lowering<'_> {
    pub(super) fn condition(&mut self, node: &Syntax<'_>) -> Option<Node> {
        if let Some(clause) = node.as_else_node() {
            return Some(self.statements(clause.statements()));
        }
        let (condition, then, otherwise) = if let Some(branch) = node.as_if_node() {
            let condition = self.node(&branch.predicate());
            (condition, self.statements(branch.statements()), self.optional(branch.subsequent()))
        } else {
            let branch = node.as_unless_node()?;
            let condition = self.node(&branch.predicate());
            let then = self.statements(branch.statements());
            let otherwise = branch.else_clause().map_or(Node::Nil, |clause| self.statements(clause.statements()));
            (condition, otherwise, then)
        };
        Some(Node::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    pub(super) fn case(&mut self, node: &Syntax<'_>) -> Option<Node> {
        let case = node.as_case_node()?;
        let subject = case.predicate().map(|subject| Box::new(self.node(&subject)));
        let branch = |condition: Syntax<'_>| {
            let branch = condition.as_when_node()?;
            Some((self.list(&branch.conditions()), self.statements(branch.statements())))
        };
        let branches = case.conditions().iter().map(branch).collect::<Option<_>>()?;
        let otherwise = case.else_clause().map_or(Node::Nil, |clause| self.statements(clause.statements()));
        Some(Node::Case { subject, branches, otherwise: Box::new(otherwise) })
    }

    pub(super) fn repetition(&mut self, node: &Syntax<'_>) -> Option<Node> {
        let (condition, body, until) = if let Some(repetition) = node.as_while_node() {
            if repetition.is_begin_modifier() {
                return None;
            }
            (self.node(&repetition.predicate()), self.statements(repetition.statements()), false)
        } else {
            let repetition = node.as_until_node()?;
            if repetition.is_begin_modifier() {
                return None;
            }
            (self.node(&repetition.predicate()), self.statements(repetition.statements()), true)
        };
        Some(Node::While { condition: Box::new(condition), until, body: Box::new(body) })
    }

    /// `begin` … `rescue` … `else` … `ensure`.
    pub(super) fn protected(&mut self, begin: &BeginNode<'_>) -> Option<Node> {
        let body = self.statements(begin.statements());
        let mut rescues = Vec::new();
        let mut clause = begin.rescue_clause();
        while let Some(rescue) = clause {
            let classes = self.list(&rescue.exceptions());
            let variable = match rescue.reference() {
                Some(reference) => Some(self.target(&reference)?),
                None => None,
            };
            rescues.push(Rescue { classes, variable, body: self.statements(rescue.statements()) });
            clause = rescue.subsequent();
        }
        if rescues.is_empty() && begin.ensure_clause().is_none() {
            return Some(body);
        }
        let otherwise = begin.else_clause().map(|clause| Box::new(self.statements(clause.statements())));
        let ensure = begin.ensure_clause().map(|clause| Box::new(self.statements(clause.statements())));
        Some(Node::Protected { body: Box::new(body), rescues, otherwise, ensure })
    }

    /// `for` is `each` with variables of the place around.
    pub(super) fn for_loop(&mut self, node: &ForNode<'_>) -> Option<Node> {
        let receiver = self.node(&node.collection());
        let index = node.index();
        let parameters = match index.as_multi_target_node() {
            Some(several) => self.targets(&several.lefts(), several.rest(), &several.rights())?,
            None => Parameters { required: vec![self.target(&index)?], ..Parameters::default() },
        };
        let body = self.statements(node.statements());
        let block = Some(Block::Code(Box::new(Code { parameters, locals: 0..0, body })));
        Some(Node::Call(Box::new(Call { receiver, method: Method::Each, args: Vec::new(), block, is_safe: false })))
    }

    /// The value of `break`, `next` and `return`.
    pub(super) fn jump(&mut self, arguments: Option<ArgumentsNode<'_>>) -> Option<Box<Node>> {
        let mut arguments = self.arguments(arguments);
        match (arguments.pop(), arguments.is_empty()) {
            (None, _) => Some(Box::new(Node::Nil)),
            (Some(Argument::One(value)), true) => Some(Box::new(value)),
            _ => None,
        }
    }

    pub(super) fn arguments(&mut self, arguments: Option<ArgumentsNode<'_>>) -> Vec<Argument> {
        arguments.map_or_else(Vec::new, |arguments| self.list(&arguments.arguments()))
    }

    /// `defined?`.
    pub(super) fn defined(&mut self, value: &Syntax<'_>) -> Option<Node> {
        if let Some(parentheses) = value.as_parentheses_node() {
            let body = parentheses.body()?.as_statements_node()?.body();
            let inner = body.first().filter(|_| body.iter().count() == 1)?;
            return self.nested(|lowering| lowering.defined(&inner));
        }
        if let Some(read) = value.as_instance_variable_read_node() {
            return Some(Node::DefinedVariable(self.variable(&read.name())?));
        }
        let is_local = value.as_local_variable_read_node().is_some();
        is_local.then_some(Node::Defined("local-variable"))
    }

    pub(super) fn call(&mut self, call: &CallNode<'_>) -> Option<Node> {
        let name = name(&call.name())?;
        let Some(receiver) = call.receiver() else {
            return self.function(&name, call);
        };
        let receiver = self.node(&receiver);
        if matches!(receiver, Node::Output) {
            return self.output(&name, call);
        }
        if matches!(receiver, Node::Scope)
            && let Some(function) = name.strip_prefix("function_")
        {
            let args = self.arguments(call.arguments());
            return call.block().is_none().then(|| Node::ScopeFunction(function.into(), args));
        }
        if name == "!" {
            return Some(Node::Not(Box::new(receiver)));
        }
        let method = Method::named(&name)?;
        self.is_changing |= method.is_changing();
        let args = self.arguments(call.arguments());
        let block = match call.block() {
            Some(block) => Some(self.block(&block)?),
            None => None,
        };
        Some(Call { receiver, method, args, block, is_safe: call.is_safe_navigation() }.into_node())
    }

    /// A call without a receiver.
    fn function(&mut self, name: &str, call: &CallNode<'_>) -> Option<Node> {
        let args = self.arguments(call.arguments());
        if call.block().is_some() {
            return None;
        }
        if let Some(number) = self.definitions.iter().rposition(|definition| definition.name == name) {
            return Some(Node::CallDefinition(number, args));
        }
        match name {
            "scope" if args.is_empty() && self.is_template => Some(Node::Scope),
            "closure_scope" if args.is_empty() && !self.is_template => Some(Node::Scope),
            "_erbout" if args.is_empty() && self.is_template && !self.is_in_definition => Some(Node::Output),
            _ => Some(Node::Kernel(Kernel::named(name, self.is_template)?, args)),
        }
    }

    /// `_erbout << …`: a text of the template, the value of a tag, or what the template itself adds.
    fn output(&mut self, name: &str, call: &CallNode<'_>) -> Option<Node> {
        let arguments = call.arguments()?.arguments();
        let argument = arguments.first().filter(|_| name == "<<" && arguments.iter().count() == 1)?;
        if let Some(inner) = argument.as_call_node() {
            if inner.name().as_slice() == TEXT.as_bytes() {
                let number = inner.arguments()?.arguments().first()?;
                let number: usize = text(number.location().as_slice())?.parse().ok()?;
                return Some(Node::Text(self.texts.get(number)?.clone()));
            }
            let shown = inner.receiver().filter(|receiver| receiver.as_parentheses_node().is_some());
            if let (Some(shown), b"to_s", None) = (shown, inner.name().as_slice(), inner.arguments()) {
                return Some(Node::Write(Box::new(self.node(&shown))));
            }
        }
        Some(Node::AppendToOutput(Box::new(self.node(&argument))))
    }

    fn block(&mut self, node: &Syntax<'_>) -> Option<Block> {
        if let Some(argument) = node.as_block_argument_node() {
            let symbol = argument.expression()?;
            let symbol = text(symbol.as_symbol_node()?.unescaped())?;
            let method = Method::named(&symbol)?;
            self.is_changing |= method.is_changing();
            return Some(Block::Symbol(method));
        }
        self.code(&node.as_block_node()?).map(|code| Block::Code(Box::new(code)))
    }

    fn code(&mut self, block: &BlockNode<'_>) -> Option<Code> {
        let start = self.locals;
        self.scopes.push(FxHashMap::default());
        let parameters = match block.parameters() {
            None => Some(Parameters::default()),
            Some(parameters) => self.block_parameters(&parameters),
        };
        let body = self.optional(block.body());
        self.scopes.pop();
        Some(Code { parameters: parameters?, locals: start..self.locals, body })
    }

    fn block_parameters(&mut self, node: &Syntax<'_>) -> Option<Parameters> {
        let block = node.as_block_parameters_node()?;
        if block.locals().iter().next().is_some() {
            return None;
        }
        block.parameters().map_or_else(|| Some(Parameters::default()), |parameters| self.parameters(&parameters))
    }

    pub(super) fn parameters(&mut self, node: &ParametersNode<'_>) -> Option<Parameters> {
        let has_keywords = node.keywords().iter().next().is_some() || node.keyword_rest().is_some();
        if has_keywords || node.block().is_some() {
            return None;
        }
        let required = node.requireds().iter().map(|parameter| self.target(&parameter)).collect::<Option<_>>()?;
        let mut optional = Vec::new();
        for parameter in &node.optionals() {
            let parameter = parameter.as_optional_parameter_node()?;
            let slot = self.local(&parameter.name(), 0)?;
            optional.push((slot, self.node(&parameter.value())));
        }
        let mut parameters = Parameters { required, optional, ..Parameters::default() };
        match node.rest() {
            None => {}
            Some(rest) if rest.as_implicit_rest_node().is_some() => parameters.has_trailing_comma = true,
            Some(rest) => {
                let rest = rest.as_rest_parameter_node()?;
                parameters.rest = Some(match rest.name() {
                    Some(name) => Some(self.local(&name, 0)?),
                    None => None,
                });
            }
        }
        parameters.last = node.posts().iter().map(|parameter| self.target(&parameter)).collect::<Option<_>>()?;
        Some(parameters)
    }

    /// The left side of an assignment to several variables.
    pub(super) fn targets(
        &mut self,
        lefts: &NodeList<'_>,
        rest: Option<Syntax<'_>>,
        rights: &NodeList<'_>,
    ) -> Option<Parameters> {
        let required = lefts.iter().map(|target| self.target(&target)).collect::<Option<_>>()?;
        let mut parameters = Parameters { required, ..Parameters::default() };
        match rest {
            None => {}
            Some(rest) if rest.as_implicit_rest_node().is_some() => parameters.has_trailing_comma = true,
            Some(rest) => {
                parameters.rest = Some(match rest.as_splat_node()?.expression() {
                    None => None,
                    Some(target) => match self.target(&target)? {
                        Target::Local(slot) => Some(slot),
                        _ => return None,
                    },
                });
            }
        }
        parameters.last = rights.iter().map(|target| self.target(&target)).collect::<Option<_>>()?;
        Some(parameters)
    }

    fn target(&mut self, node: &Syntax<'_>) -> Option<Target> {
        if let Some(parameter) = node.as_required_parameter_node() {
            return Some(Target::Local(self.local(&parameter.name(), 0)?));
        }
        if let Some(target) = node.as_local_variable_target_node() {
            return Some(Target::Local(self.local(&target.name(), target.depth())?));
        }
        if let Some(target) = node.as_instance_variable_target_node() {
            return Some(Target::Variable(self.variable(&target.name())?));
        }
        let nested = node.as_multi_target_node()?;
        self.nested(|lowering| lowering.targets(&nested.lefts(), nested.rest(), &nested.rights())).map(Target::Nested)
    }
}
