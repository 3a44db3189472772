//! From prism's tree of a file to the tree that is run.

mod assignment;
mod call;
mod parameters;
mod pattern;

use std::sync::{Arc, OnceLock};

use bunraku_syntax::{deep, with_ample_stack};
use num_bigint::{BigInt, Sign};
use ruby_prism::{ConstantId, ConstantList, Node as Syntax, NodeList, Options as ParseOptions, StatementsNode};

use super::regexp::Options;
use super::symbol::Sym;
use super::tree::{
    Argument, Case, ClassBody, ClassKind, Definition, Literal, Node, Pair, Protected, Rescue, StrKind, Tree, While,
};

/// Expressions nested deeper than this are refused.
const DEEPEST: usize = 2000;

/// Why a file cannot be read: the line and the message.
#[derive(Clone, Debug)]
pub(crate) struct SyntaxError {
    pub(crate) line: u32,
    pub(crate) message: String,
}

/// Reads a file. `outer` are the local variables around the code, innermost first.
pub(crate) fn lower(source: &str, path: &str, line: u32, outer: &[Arc<Vec<Sym>>]) -> Result<Tree, SyntaxError> {
    with_ample_stack(|| {
        let scopes = outer.iter().rev().map(|names| {
            let names = names.iter().map(|name| name.as_str().as_bytes().to_vec()).collect();
            ruby_prism::Scope::default().locals(names)
        });
        // The innermost scope that prism is given is that of the code itself.
        let own = (!outer.is_empty()).then(ruby_prism::Scope::default);
        let first = i32::try_from(line).unwrap_or(1);
        let options = ParseOptions::default().line(first).scopes(scopes.chain(own).collect()).build();
        let parsed = ruby_prism::parse_with_options(source.as_bytes(), &options);
        if let Some(error) = parsed.errors().next() {
            let line = u32::try_from(error.location().start_line()).unwrap_or(line);
            return Err(SyntaxError { line, message: String::from_utf8_lossy(error.message()).into_owned() });
        }
        let program = parsed.node();
        let refused = || SyntaxError { line, message: "this cannot be read".to_string() };
        let program = program.as_program_node().ok_or_else(refused)?;
        let mut scopes: Vec<Arc<Vec<Sym>>> = outer.iter().rev().cloned().collect();
        let locals = names(&program.locals());
        scopes.push(locals.clone());
        let mut lowering = Lowering { path: path.into(), scopes, depth: 0, blocks: 0, own_parameters: Vec::new() };
        let body = lowering.statements(Some(program.statements()));
        Ok(Tree { body, locals })
    })
}

/// The names of the local variables of a scope.
fn names(list: &ConstantList<'_>) -> Arc<Vec<Sym>> {
    Arc::new(list.iter().map(|name| symbol(&name)).collect())
}

pub(super) fn symbol(name: &ConstantId<'_>) -> Sym {
    Sym::new(&String::from_utf8_lossy(name.as_slice()))
}

pub(super) fn line_of(node: &Syntax<'_>) -> u32 {
    u32::try_from(node.location().start_line()).unwrap_or_default()
}

pub(super) struct Lowering {
    path: Arc<str>,
    /// The local variables of the scopes around, innermost last. A method begins a list of its own.
    scopes: Vec<Arc<Vec<Sym>>>,
    depth: usize,
    /// How many blocks of the method or file the code is inside of.
    blocks: u32,
    /// How the methods around pass on their own arguments, for `super` without any.
    own_parameters: Vec<(usize, Vec<OwnParameter>)>,
}

/// A parameter as `super` passes it on.
#[derive(Clone, Copy)]
enum OwnParameter {
    One(Sym),
    Splat(Sym),
    Keyword(Sym),
    KeywordSplat(Sym),
}

impl Lowering {
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

    pub(super) fn boxed(&mut self, node: &Syntax<'_>) -> Box<Node> {
        Box::new(self.node(node))
    }

    /// Where a local variable is: how many scopes outwards, and its number there.
    pub(super) fn local(&self, name: &ConstantId<'_>) -> (u32, u32) {
        self.local_named(symbol(name)).unwrap_or((u32::MAX, 0))
    }

    pub(super) fn local_named(&self, name: Sym) -> Option<(u32, u32)> {
        self.scopes.iter().rev().enumerate().find_map(|(depth, names)| {
            let slot = names.iter().position(|known| *known == name)?;
            Some((u32::try_from(depth).ok()?, u32::try_from(slot).ok()?))
        })
    }

    pub(super) fn node(&mut self, node: &Syntax<'_>) -> Node {
        if self.depth > DEEPEST {
            return Node::Refused("the code is nested too deeply");
        }
        self.depth += 1;
        let lowered = deep(|| {
            self.control(node)
                .or_else(|| self.literal(node))
                .or_else(|| self.assignment(node))
                .or_else(|| self.call_like(node))
        });
        self.depth -= 1;
        lowered.unwrap_or(Node::Refused("this part of Ruby is not supported"))
    }

    fn control(&mut self, node: &Syntax<'_>) -> Option<Node> {
        Some(match node {
            Syntax::StatementsNode { .. } => self.statements(node.as_statements_node()),
            Syntax::ParenthesesNode { .. } => self.optional(node.as_parentheses_node()?.body()),
            Syntax::IfNode { .. } => {
                let node = node.as_if_node()?;
                let condition = self.condition(&node.predicate());
                let then = self.statements(node.statements());
                Node::If(condition, Box::new(then), Box::new(self.optional(node.subsequent())))
            }
            Syntax::UnlessNode { .. } => {
                let node = node.as_unless_node()?;
                let condition = self.condition(&node.predicate());
                let then = self.statements(node.statements());
                let otherwise = node.else_clause().map_or(Node::Nil, |it| self.statements(it.statements()));
                Node::If(condition, Box::new(otherwise), Box::new(then))
            }
            Syntax::ElseNode { .. } => self.statements(node.as_else_node()?.statements()),
            Syntax::AndNode { .. } => {
                let node = node.as_and_node()?;
                Node::And(self.boxed(&node.left()), self.boxed(&node.right()))
            }
            Syntax::OrNode { .. } => {
                let node = node.as_or_node()?;
                Node::Or(self.boxed(&node.left()), self.boxed(&node.right()))
            }
            Syntax::CaseNode { .. } => return self.case(node),
            Syntax::CaseMatchNode { .. } => return self.case_match(node),
            Syntax::MatchRequiredNode { .. } => {
                let node = node.as_match_required_node()?;
                Node::MatchOne(self.boxed(&node.value()), Box::new(self.pattern(&node.pattern())?), false)
            }
            Syntax::MatchPredicateNode { .. } => {
                let node = node.as_match_predicate_node()?;
                Node::MatchOne(self.boxed(&node.value()), Box::new(self.pattern(&node.pattern())?), true)
            }
            Syntax::WhileNode { .. } => {
                let node = node.as_while_node()?;
                let (condition, body_first) = (*self.condition(&node.predicate()), node.is_begin_modifier());
                let body = self.statements(node.statements());
                Node::While(Box::new(While { condition, until: false, body, body_first }))
            }
            Syntax::UntilNode { .. } => {
                let node = node.as_until_node()?;
                let (condition, body_first) = (*self.condition(&node.predicate()), node.is_begin_modifier());
                let body = self.statements(node.statements());
                Node::While(Box::new(While { condition, until: true, body, body_first }))
            }
            Syntax::ForNode { .. } => return self.for_loop(&node.as_for_node()?),
            Syntax::BeginNode { .. } => return self.protected(&node.as_begin_node()?),
            Syntax::RescueModifierNode { .. } => {
                let node = node.as_rescue_modifier_node()?;
                let body = self.node(&node.expression());
                let rescue = Rescue { classes: Vec::new(), target: None, body: self.node(&node.rescue_expression()) };
                Node::Protected(Box::new(Protected { body, rescues: vec![rescue], otherwise: None, ensure: None }))
            }
            Syntax::BreakNode { .. } => Node::Break(self.jump(node.as_break_node()?.arguments())),
            Syntax::NextNode { .. } => Node::Next(self.jump(node.as_next_node()?.arguments())),
            Syntax::ReturnNode { .. } => Node::Return(self.jump(node.as_return_node()?.arguments())),
            Syntax::RedoNode { .. } => Node::Redo,
            Syntax::RetryNode { .. } => Node::Retry,
            Syntax::DefNode { .. } => return self.definition(&node.as_def_node()?),
            Syntax::ClassNode { .. } | Syntax::ModuleNode { .. } | Syntax::SingletonClassNode { .. } => {
                return self.class(node);
            }
            Syntax::DefinedNode { .. } => Node::Defined(self.boxed(&node.as_defined_node()?.value())),
            Syntax::AliasMethodNode { .. } => {
                let node = node.as_alias_method_node()?;
                Node::Alias(self.boxed(&node.new_name()), self.boxed(&node.old_name()))
            }
            Syntax::AliasGlobalVariableNode { .. } => {
                let node = node.as_alias_global_variable_node()?;
                let (new, old) = (global(&node.new_name())?, global(&node.old_name())?);
                Node::AliasGlobal(new, old)
            }
            Syntax::UndefNode { .. } => {
                Node::Undefine(node.as_undef_node()?.names().iter().map(|name| self.node(&name)).collect())
            }
            Syntax::PostExecutionNode { .. } => return self.at_exit(node),
            Syntax::PreExecutionNode { .. } => self.statements(node.as_pre_execution_node()?.statements()),
            Syntax::ShareableConstantNode { .. } => self.node(&node.as_shareable_constant_node()?.write()),
            Syntax::ImplicitNode { .. } => self.node(&node.as_implicit_node()?.value()),
            _ => return None,
        })
    }

    /// A condition: a regular expression alone asks for the last line read.
    fn condition(&mut self, node: &Syntax<'_>) -> Box<Node> {
        self.boxed(node)
    }

    fn literal(&mut self, node: &Syntax<'_>) -> Option<Node> {
        Some(match node {
            Syntax::NilNode { .. } => Node::Nil,
            Syntax::TrueNode { .. } => Node::True,
            Syntax::FalseNode { .. } => Node::False,
            Syntax::SelfNode { .. } => Node::This,
            Syntax::IntegerNode { .. } => integer(&node.as_integer_node()?.value()),
            Syntax::RationalNode { .. } => {
                let node = node.as_rational_node()?;
                own_call("Rational", vec![integer(&node.numerator()), integer(&node.denominator())])
            }
            Syntax::ImaginaryNode { .. } => {
                let part = self.node(&node.as_imaginary_node()?.numeric());
                own_call("Complex", vec![Node::Int(0), part])
            }
            Syntax::FloatNode { .. } => Node::Float(node.as_float_node()?.value()),
            Syntax::StringNode { .. } => {
                let node = node.as_string_node()?;
                let bytes: Box<[u8]> = node.unescaped().into();
                let kind = if node.is_frozen() {
                    StrKind::Frozen
                } else if node.is_forced_binary_encoding() && !node.is_forced_utf8_encoding() {
                    StrKind::Binary
                } else {
                    StrKind::Plain
                };
                Node::Str(bytes, kind)
            }
            Syntax::SymbolNode { .. } => {
                Node::Symbol(Sym::new(&String::from_utf8_lossy(node.as_symbol_node()?.unescaped())))
            }
            Syntax::InterpolatedStringNode { .. } => {
                Node::Interpolation(self.parts(&node.as_interpolated_string_node()?.parts()))
            }
            Syntax::InterpolatedSymbolNode { .. } => {
                Node::InterpolatedSymbol(self.parts(&node.as_interpolated_symbol_node()?.parts()))
            }
            Syntax::XStringNode { .. } => {
                let command = node.as_x_string_node()?.unescaped().into();
                own_call("`", vec![Node::Str(command, StrKind::Plain)])
            }
            Syntax::InterpolatedXStringNode { .. } => {
                let command = self.parts(&node.as_interpolated_x_string_node()?.parts());
                own_call("`", vec![Node::Interpolation(command)])
            }
            Syntax::RegularExpressionNode { .. } => {
                let node = node.as_regular_expression_node()?;
                let options = Options {
                    ignore_case: node.is_ignore_case(),
                    extended: node.is_extended(),
                    multi_line: node.is_multi_line(),
                };
                let source = String::from_utf8_lossy(node.unescaped()).into_owned();
                Node::Regexp(Box::new(Literal { source, options, compiled: OnceLock::new() }))
            }
            Syntax::MatchLastLineNode { .. } => {
                let node = node.as_match_last_line_node()?;
                let source = String::from_utf8_lossy(node.unescaped()).into_owned();
                Node::Regexp(Box::new(Literal { source, options: Options::default(), compiled: OnceLock::new() }))
            }
            Syntax::InterpolatedRegularExpressionNode { .. } => {
                let node = node.as_interpolated_regular_expression_node()?;
                let options = Options {
                    ignore_case: node.is_ignore_case(),
                    extended: node.is_extended(),
                    multi_line: node.is_multi_line(),
                };
                Node::InterpolatedRegexp(self.parts(&node.parts()), options)
            }
            Syntax::ArrayNode { .. } => Node::Array(self.list(&node.as_array_node()?.elements())),
            Syntax::HashNode { .. } => Node::Hash(self.pairs(&node.as_hash_node()?.elements())?),
            Syntax::KeywordHashNode { .. } => Node::Hash(self.pairs(&node.as_keyword_hash_node()?.elements())?),
            Syntax::RangeNode { .. } => {
                let node = node.as_range_node()?;
                let (start, end) = (self.optional(node.left()), self.optional(node.right()));
                Node::Range(Box::new(start), Box::new(end), node.is_exclude_end())
            }
            Syntax::LambdaNode { .. } => {
                let lambda = node.as_lambda_node()?;
                let block = self.block_code(&lambda.locals(), lambda.parameters(), lambda.body(), line_of(node))?;
                Node::Lambda(Arc::new(block))
            }
            Syntax::SourceFileNode { .. } => Node::File,
            Syntax::SourceEncodingNode { .. } => {
                let class = Node::Constant(Sym::new("Encoding"), line_of(node));
                Node::ScopedConstant(Some(Box::new(class)), Sym::new("UTF_8"), line_of(node))
            }
            Syntax::SourceLineNode { .. } => Node::Line(line_of(node)),
            _ => return None,
        })
    }

    pub(super) fn parts(&mut self, parts: &NodeList<'_>) -> Vec<Node> {
        let mut lowered = Vec::new();
        for part in parts.iter() {
            if let Some(embedded) = part.as_embedded_statements_node() {
                lowered.push(self.statements(embedded.statements()));
            } else if let Some(embedded) = part.as_embedded_variable_node() {
                lowered.push(self.node(&embedded.variable()));
            } else if let Some(nested) = part.as_interpolated_string_node() {
                lowered.extend(self.parts(&nested.parts()));
            } else {
                lowered.push(self.node(&part));
            }
        }
        lowered
    }

    pub(super) fn list(&mut self, nodes: &NodeList<'_>) -> Vec<Argument> {
        nodes.iter().map(|node| self.argument(&node)).collect()
    }

    pub(super) fn argument(&mut self, node: &Syntax<'_>) -> Argument {
        if let Some(splat) = node.as_splat_node() {
            return Argument::Splat(match splat.expression() {
                Some(expression) => self.node(&expression),
                // `f(*)` passes on what the method was given.
                None => self.named("*"),
            });
        }
        if let Some(keywords) = node.as_keyword_hash_node() {
            return match self.pairs(&keywords.elements()) {
                Some(pairs) => Argument::Keywords(pairs),
                None => Argument::One(Node::Refused("this part of Ruby is not supported")),
            };
        }
        Argument::One(self.node(node))
    }

    /// A variable without a name of its own: what `*`, `**` and `&` pass on.
    pub(super) fn named(&self, name: &str) -> Node {
        match self.local_named(Sym::new(name)) {
            Some((depth, slot)) => Node::Local(depth, slot),
            None => Node::Nil,
        }
    }

    pub(super) fn pairs(&mut self, nodes: &NodeList<'_>) -> Option<Vec<Pair>> {
        let pair = |node: Syntax<'_>| {
            if let Some(splat) = node.as_assoc_splat_node() {
                return Some(Pair::Splat(match splat.value() {
                    Some(value) => self.node(&value),
                    None => self.named("**"),
                }));
            }
            let pair = node.as_assoc_node()?;
            Some(Pair::One(self.node(&pair.key()), self.node(&pair.value())))
        };
        nodes.iter().map(pair).collect()
    }

    fn case(&mut self, node: &Syntax<'_>) -> Option<Node> {
        let node = node.as_case_node()?;
        let subject = node.predicate().map(|subject| self.node(&subject));
        let mut branches = Vec::new();
        for condition in node.conditions().iter() {
            let when = condition.as_when_node()?;
            branches.push((self.list(&when.conditions()), self.statements(when.statements())));
        }
        let otherwise = node.else_clause().map_or(Node::Nil, |it| self.statements(it.statements()));
        Some(Node::Case(Box::new(Case { subject, branches, otherwise })))
    }

    fn protected(&mut self, node: &ruby_prism::BeginNode<'_>) -> Option<Node> {
        let body = self.statements(node.statements());
        let mut rescues = Vec::new();
        let mut clause = node.rescue_clause();
        while let Some(rescue) = clause {
            let target = match rescue.reference() {
                Some(reference) => Some(self.target(&reference)?),
                None => None,
            };
            let classes = self.list(&rescue.exceptions());
            rescues.push(Rescue { classes, target, body: self.statements(rescue.statements()) });
            clause = rescue.subsequent();
        }
        let otherwise = node.else_clause().map(|it| self.statements(it.statements()));
        let ensure = node.ensure_clause().map(|it| self.statements(it.statements()));
        if rescues.is_empty() && otherwise.is_none() && ensure.is_none() {
            return Some(body);
        }
        Some(Node::Protected(Box::new(Protected { body, rescues, otherwise, ensure })))
    }

    fn definition(&mut self, node: &ruby_prism::DefNode<'_>) -> Option<Node> {
        let receiver = node.receiver().map(|receiver| self.node(&receiver));
        let locals = parameters::with_nameless(&node.locals(), node.parameters().as_ref());
        let outer = std::mem::replace(&mut self.scopes, vec![locals.clone()]);
        let parameters = match node.parameters() {
            Some(parameters) => self.parameters(&parameters),
            None => Some(super::tree::Parameters::default()),
        };
        let own = node.parameters().map(|parameters| own_parameters(&parameters)).unwrap_or_default();
        self.own_parameters.push((1, own));
        let blocks = std::mem::take(&mut self.blocks);
        let body = self.optional(node.body());
        self.blocks = blocks;
        self.own_parameters.pop();
        self.scopes = outer;
        let line = u32::try_from(node.location().start_line()).ok()?;
        let definition = Arc::new(Definition {
            name: symbol(&node.name()),
            parameters: parameters?,
            locals,
            body,
            path: self.path.clone(),
            line,
        });
        Some(match receiver {
            Some(receiver) => Node::DefineOn(Box::new(receiver), definition),
            None => Node::Define(definition),
        })
    }

    fn class(&mut self, node: &Syntax<'_>) -> Option<Node> {
        let (kind, path, superclass, body, list) = if let Some(class) = node.as_class_node() {
            let superclass = class.superclass().map(|it| self.node(&it));
            (ClassKind::Class, Some(class.constant_path()), superclass, class.body(), class.locals())
        } else if let Some(module) = node.as_module_node() {
            (ClassKind::Module, Some(module.constant_path()), None, module.body(), module.locals())
        } else {
            let class = node.as_singleton_class_node()?;
            let expression = Some(self.node(&class.expression()));
            (ClassKind::Singleton, None, expression, class.body(), class.locals())
        };
        let (scope, is_top, name) = match path {
            None => (None, false, Sym::new("")),
            Some(path) => match path.as_constant_path_node() {
                None => (None, false, symbol(&path.as_constant_read_node()?.name())),
                Some(path) => {
                    let scope = path.parent().map(|parent| self.node(&parent));
                    let is_top = scope.is_none();
                    (scope, is_top, symbol(&path.name()?))
                }
            },
        };
        let label = match kind {
            ClassKind::Class => Sym::new(&format!("<class:{}>", name.as_str())),
            ClassKind::Module => Sym::new(&format!("<module:{}>", name.as_str())),
            ClassKind::Singleton => Sym::new("singleton class"),
        };
        let locals = names(&list);
        let outer = std::mem::replace(&mut self.scopes, vec![locals.clone()]);
        let blocks = std::mem::take(&mut self.blocks);
        let body = self.optional(body);
        self.blocks = blocks;
        self.scopes = outer;
        Some(Node::Class(Box::new(ClassBody { kind, scope, is_top, name, superclass, label, body, locals })))
    }
}

/// A call of a function with plain arguments.
pub(super) fn own_call(name: &str, args: Vec<Node>) -> Node {
    Node::Call(Box::new(super::tree::Call {
        receiver: None,
        name: Sym::new(name),
        args: args.into_iter().map(Argument::One).collect(),
        block: None,
        is_safe: false,
        word: None,
        is_own: true,
        is_assignment: false,
        special: None,
        line: 0,
    }))
}

fn global(node: &Syntax<'_>) -> Option<Sym> {
    Some(symbol(&node.as_global_variable_read_node()?.name()))
}

/// The parameters of a method as `super` without arguments passes them on.
fn own_parameters(node: &ruby_prism::ParametersNode<'_>) -> Vec<OwnParameter> {
    let mut own = Vec::new();
    let one = |node: Syntax<'_>| {
        node.as_required_parameter_node()
            .map(|it| symbol(&it.name()))
            .or_else(|| Some(symbol(&node.as_optional_parameter_node()?.name())))
    };
    own.extend(node.requireds().iter().filter_map(one).map(OwnParameter::One));
    own.extend(node.optionals().iter().filter_map(one).map(OwnParameter::One));
    if let Some(rest) = node.rest().and_then(|rest| rest.as_rest_parameter_node()) {
        own.push(OwnParameter::Splat(rest.name().map_or_else(|| Sym::new("*"), |name| symbol(&name))));
    }
    own.extend(node.posts().iter().filter_map(one).map(OwnParameter::One));
    for keyword in node.keywords().iter() {
        let name = keyword
            .as_required_keyword_parameter_node()
            .map(|it| it.name())
            .or_else(|| Some(keyword.as_optional_keyword_parameter_node()?.name()));
        own.extend(name.map(|name| OwnParameter::Keyword(symbol(&name))));
    }
    if let Some(rest) = node.keyword_rest().and_then(|rest| rest.as_keyword_rest_parameter_node()) {
        own.push(OwnParameter::KeywordSplat(rest.name().map_or_else(|| Sym::new("**"), |name| symbol(&name))));
    }
    own
}

fn integer(value: &ruby_prism::Integer<'_>) -> Node {
    let (is_negative, digits) = value.to_u32_digits();
    let sign = if is_negative { Sign::Minus } else { Sign::Plus };
    let number = BigInt::from_slice(sign, digits);
    match i64::try_from(&number) {
        Ok(number) => Node::Int(number),
        Err(_) => Node::Big(Box::new(number)),
    }
}
