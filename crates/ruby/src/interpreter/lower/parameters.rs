//! Parameters of methods and blocks.

use std::sync::Arc;

use ruby_prism::{ConstantList, Node as Syntax, ParametersNode};

use super::{Lowering, line_of, symbol};
use crate::interpreter::symbol::Sym;
use crate::interpreter::tree::{Block, BlockArgument, Call, Keyword, Node, Parameters, Target};

/// The local variables of a scope, with places for parameters without a name, which calls inside may pass on.
pub(super) fn with_nameless(list: &ConstantList<'_>, parameters: Option<&ParametersNode<'_>>) -> Arc<Vec<Sym>> {
    let mut all: Vec<Sym> = list.iter().map(|name| symbol(&name)).collect();
    let Some(parameters) = parameters else { return Arc::new(all) };
    let mut add = |name: &str| {
        let name = Sym::new(name);
        if !all.contains(&name) {
            all.push(name);
        }
    };
    let is_forwarding = parameters.keyword_rest().is_some_and(|it| it.as_forwarding_parameter_node().is_some());
    if is_forwarding
        || parameters.rest().is_some_and(|it| it.as_rest_parameter_node().is_some_and(|it| it.name().is_none()))
    {
        add("*");
    }
    let nameless = |it: Syntax<'_>| it.as_keyword_rest_parameter_node().is_some_and(|it| it.name().is_none());
    if is_forwarding || parameters.keyword_rest().is_some_and(nameless) {
        add("**");
    }
    let nameless = |it: Syntax<'_>| it.as_block_parameter_node().is_some_and(|it| it.name().is_none());
    if is_forwarding || parameters.block().is_some_and(nameless) {
        add("&");
    }
    Arc::new(all)
}

impl Lowering {
    fn slot(&self, name: Sym) -> u32 {
        self.local_named(name).map_or(0, |(_, slot)| slot)
    }

    pub(super) fn parameters(&mut self, node: &ParametersNode<'_>) -> Option<Parameters> {
        let mut all = Parameters::default();
        for parameter in node.requireds().iter() {
            let name = name_of(&parameter);
            // Of several parameters `_` the first one counts.
            let is_again = name.is_some() && all.names.contains(&("req", name));
            all.required.push(if is_again { Target::Nothing } else { self.target(&parameter)? });
            all.names.push(("req", name));
        }
        for parameter in node.optionals().iter() {
            let parameter = parameter.as_optional_parameter_node()?;
            let name = symbol(&parameter.name());
            all.names.push(("opt", Some(name)));
            all.optional.push((self.slot(name), self.node(&parameter.value())));
        }
        match node.rest() {
            None => {}
            Some(rest) if rest.as_implicit_rest_node().is_some() => all.has_trailing_comma = true,
            Some(rest) => {
                let name = rest.as_rest_parameter_node()?.name().map(|name| symbol(&name));
                all.names.push(("rest", name.or(Some(Sym::new("*")))));
                let name = name.unwrap_or(Sym::new("*"));
                all.rest = Some(self.local_named(name).map(|(_, slot)| slot));
            }
        }
        for parameter in node.posts().iter() {
            all.names.push(("req", name_of(&parameter)));
            all.last.push(self.target(&parameter)?);
        }
        for keyword in node.keywords().iter() {
            let (name, default) = match keyword.as_optional_keyword_parameter_node() {
                Some(keyword) => (symbol(&keyword.name()), Some(self.node(&keyword.value()))),
                None => (symbol(&keyword.as_required_keyword_parameter_node()?.name()), None),
            };
            all.names.push((if default.is_some() { "key" } else { "keyreq" }, Some(name)));
            all.keywords.push(Keyword { name, slot: self.slot(name), default });
        }
        match node.keyword_rest() {
            None => {}
            Some(rest) if rest.as_no_keywords_parameter_node().is_some() => {
                all.names.push(("nokey", None));
                all.no_keywords = true;
            }
            Some(rest) if rest.as_forwarding_parameter_node().is_some() => {
                for (kind, name) in [("rest", "*"), ("keyrest", "**"), ("block", "&")] {
                    all.names.push((kind, Some(Sym::new(name))));
                }
                all.rest = Some(Some(self.slot(Sym::new("*"))));
                all.keyword_rest = Some(Some(self.slot(Sym::new("**"))));
                all.block = Some(self.slot(Sym::new("&")));
            }
            Some(rest) => {
                let name = rest.as_keyword_rest_parameter_node()?.name().map(|name| symbol(&name));
                all.names.push(("keyrest", name.or(Some(Sym::new("**")))));
                let name = name.unwrap_or(Sym::new("**"));
                all.keyword_rest = Some(self.local_named(name).map(|(_, slot)| slot));
            }
        }
        if let Some(block) = node.block().and_then(|block| block.as_block_parameter_node()) {
            let name = block.name().map_or_else(|| Sym::new("&"), |name| symbol(&name));
            all.names.push(("block", Some(name)));
            all.block = Some(self.slot(name));
        }
        Some(all)
    }

    pub(super) fn block_code(
        &mut self,
        list: &ConstantList<'_>,
        parameters: Option<Syntax<'_>>,
        body: Option<Syntax<'_>>,
        line: u32,
    ) -> Option<Block> {
        let inner = parameters.as_ref().and_then(|it| it.as_block_parameters_node()).and_then(|it| it.parameters());
        let locals = with_nameless(list, inner.as_ref());
        let locals = match &parameters {
            Some(it) if it.as_it_parameters_node().is_some() => {
                let mut all = vec![Sym::new("it")];
                all.extend(locals.iter().copied().filter(|name| *name != Sym::new("it")));
                Arc::new(all)
            }
            _ => locals,
        };
        self.scopes.push(locals.clone());
        let lowered = match &parameters {
            None => Some(Parameters::default()),
            Some(node) => self.block_parameters(node),
        };
        self.blocks += 1;
        let depth = self.blocks;
        let body = self.optional(body);
        self.blocks -= 1;
        self.scopes.pop();
        Some(Block { parameters: lowered?, locals, body, line, depth })
    }

    fn block_parameters(&mut self, node: &Syntax<'_>) -> Option<Parameters> {
        if let Some(numbered) = node.as_numbered_parameters_node() {
            let mut all = Parameters { numbered: u32::from(numbered.maximum()), ..Parameters::default() };
            for number in 1..=numbered.maximum() {
                let name = Sym::new(&format!("_{number}"));
                all.names.push(("req", Some(name)));
                all.required.push(Target::Local(0, self.slot(name)));
            }
            return Some(all);
        }
        if node.as_it_parameters_node().is_some() {
            let required = vec![Target::Local(0, self.slot(Sym::new("it")))];
            return Some(Parameters { required, numbered: 1, ..Parameters::default() });
        }
        match node.as_block_parameters_node()?.parameters() {
            Some(parameters) => self.parameters(&parameters),
            None => Some(Parameters::default()),
        }
    }

    /// `for a in list`: a block whose variables are those around.
    pub(super) fn for_loop(&mut self, node: &ruby_prism::ForNode<'_>) -> Option<Node> {
        let receiver = self.node(&node.collection());
        let locals = Arc::new(Vec::new());
        self.scopes.push(locals.clone());
        let target = self.target(&node.index())?;
        let parameters = match target {
            Target::Nested(targets) => {
                let targets = *targets;
                let rest = targets.rest.map(|_| None);
                Parameters { required: targets.first, rest, last: targets.last, ..Parameters::default() }
            }
            target => Parameters { required: vec![target], ..Parameters::default() },
        };
        let body = self.statements(node.statements());
        self.scopes.pop();
        let line = u32::try_from(node.location().start_line()).ok()?;
        let block = Block { parameters, locals, body, line, depth: self.blocks + 1 };
        Some(Node::Call(Box::new(Call {
            receiver: Some(receiver),
            name: Sym::new("each"),
            args: Vec::new(),
            block: Some(BlockArgument::Code(Arc::new(block))),
            is_safe: false,
            word: None,
            is_own: false,
            is_assignment: false,
            special: None,
            line,
        })))
    }

    /// `END { … }`: a block for `at_exit`.
    pub(super) fn at_exit(&mut self, node: &Syntax<'_>) -> Option<Node> {
        self.scopes.push(Arc::default());
        let body = self.statements(node.as_post_execution_node()?.statements());
        self.scopes.pop();
        let block = Block {
            parameters: Parameters::default(),
            locals: Arc::default(),
            body,
            line: line_of(node),
            depth: self.blocks + 1,
        };
        let block = Some(BlockArgument::Code(Arc::new(block)));
        Some(match super::own_call("at_exit", Vec::new()) {
            Node::Call(call) => Node::Sequence(vec![Node::Call(Box::new(Call { block, ..*call })), Node::Nil]),
            other => other,
        })
    }

    /// A block that a call has.
    pub(super) fn block_argument(&mut self, node: &Syntax<'_>) -> Option<BlockArgument> {
        if let Some(pass) = node.as_block_argument_node() {
            return Some(BlockArgument::Pass(match pass.expression() {
                Some(expression) => self.node(&expression),
                None => self.named("&"),
            }));
        }
        let block = node.as_block_node()?;
        let code = self.block_code(&block.locals(), block.parameters(), block.body(), line_of(node))?;
        Some(BlockArgument::Code(Arc::new(code)))
    }
}

fn name_of(node: &Syntax<'_>) -> Option<Sym> {
    Some(symbol(&node.as_required_parameter_node()?.name()))
}
