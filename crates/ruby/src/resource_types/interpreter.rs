//! Evaluates the Ruby of a type declaration: statements, branches, variables and literals.
//!
//! It never fails: what it does not understand has an unknown value. Where a condition is unknown both branches
//! are followed, because an attribute that exists only on some platforms is still an attribute of the type.

use bunraku_syntax::deep;
use std::collections::HashMap;
use std::rc::Rc;

use ruby_prism::{Node, NodeList, StatementsNode};

use super::library::{Library, Method, constant_name, join, text};
use super::type_dsl::TypeBuilder;
use super::value::{Closure, This, Value};
use super::{Pattern, ResourceType};

/// Steps after which a declaration is taken to never end.
const MOST_STEPS: usize = 200_000;
/// Expressions nested deeper than this are not evaluated.
const DEEPEST: usize = 200;

/// A value, or a jump out of the method or block being run.
pub(super) type Outcome<'pr> = Result<Value<'pr>, Jump<'pr>>;

/// A jump of control.
pub(super) enum Jump<'pr> {
    Return(Value<'pr>),
    Next(Value<'pr>),
    Break,
}

/// Where evaluation is.
#[derive(Clone)]
pub(super) struct Frame<'pr> {
    pub(super) this: This,
    /// Index of the variables in `Interpreter::scopes`.
    pub(super) scope: usize,
    pub(super) nesting: Rc<str>,
    pub(super) file: usize,
    /// The block given to the method being run.
    pub(super) block: Option<Rc<Closure<'pr>>>,
}

/// Variables, and those of the place around.
struct Scope<'pr> {
    parent: Option<usize>,
    variables: HashMap<Vec<u8>, Value<'pr>>,
}

/// The state of reading one declaration.
pub(super) struct Interpreter<'l, 'pr> {
    pub(super) library: &'l Library<'pr>,
    pub(super) types: Vec<TypeBuilder<'pr>>,
    constants: HashMap<String, Value<'pr>>,
    scopes: Vec<Scope<'pr>>,
    steps: usize,
    depth: usize,
}

impl<'l, 'pr> Interpreter<'l, 'pr> {
    pub(super) fn new(library: &'l Library<'pr>) -> Self {
        Interpreter { library, types: Vec::new(), constants: HashMap::new(), scopes: Vec::new(), steps: 0, depth: 0 }
    }

    /// Runs a file from its top.
    pub(super) fn run_file(&mut self, index: usize) {
        if let Some(file) = self.library.files.get(index) {
            let frame = self.top_frame(index);
            // A jump out of a whole file means nothing to a declaration.
            let _ = self.evaluate(&file.tree.node(), &frame);
        }
    }

    /// Evaluates an expression without any surroundings.
    pub(super) fn evaluate_alone(&mut self, node: &Node<'pr>) -> Value<'pr> {
        let frame = self.top_frame(0);
        self.evaluate(node, &frame).unwrap_or(Value::Unknown)
    }

    /// The types declared so far, completed.
    pub(super) fn into_types(mut self) -> Vec<ResourceType> {
        for index in 0..self.types.len() {
            self.finish_type(index);
        }
        self.types.into_iter().map(|builder| builder.declared).collect()
    }

    fn top_frame(&mut self, file: usize) -> Frame<'pr> {
        let scope = self.new_scope(None);
        Frame { this: This::Object, scope, nesting: Rc::from(""), file, block: None }
    }

    pub(super) fn new_scope(&mut self, parent: Option<usize>) -> usize {
        self.scopes.push(Scope { parent, variables: HashMap::new() });
        self.scopes.len() - 1
    }

    pub(super) fn declare(&mut self, scope: usize, name: &[u8], value: Value<'pr>) {
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.variables.insert(name.to_vec(), value);
        }
    }

    /// Assigns where the variable lives, or here if it is new.
    pub(super) fn assign(&mut self, scope: usize, name: &[u8], value: Value<'pr>) {
        let owner = self.owner_of(scope, name).unwrap_or(scope);
        self.declare(owner, name, value);
    }

    fn owner_of(&self, scope: usize, name: &[u8]) -> Option<usize> {
        let mut current = Some(scope);
        while let Some(index) = current {
            let scope = self.scopes.get(index)?;
            if scope.variables.contains_key(name) {
                return Some(index);
            }
            current = scope.parent;
        }
        None
    }

    fn variable(&self, scope: usize, name: &[u8]) -> Value<'pr> {
        let owner = self.owner_of(scope, name).and_then(|owner| self.scopes.get(owner));
        owner.and_then(|scope| scope.variables.get(name)).cloned().unwrap_or(Value::Nil)
    }

    /// Evaluates one node; beyond the limits of steps and depth everything is unknown.
    pub(super) fn evaluate(&mut self, node: &Node<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.depth > DEEPEST {
            return Ok(Value::Unknown);
        }
        self.depth += 1;
        let outcome = deep(|| self.evaluate_node(node, frame));
        self.depth -= 1;
        outcome
    }

    fn evaluate_node(&mut self, node: &Node<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        if let Some(call) = node.as_call_node() {
            return self.evaluate_call(&call, frame);
        }
        if let Some(value) = self.literal(node, frame)? {
            return Ok(value);
        }
        if let Some(value) = self.definition(node, frame)? {
            return Ok(value);
        }
        if let Some(value) = self.variable_access(node, frame)? {
            return Ok(value);
        }
        self.control(node, frame)
    }

    fn literal(&mut self, node: &Node<'pr>, frame: &Frame<'pr>) -> Result<Option<Value<'pr>>, Jump<'pr>> {
        Ok(Some(if let Some(symbol) = node.as_symbol_node() {
            Value::symbol(text(symbol.unescaped()))
        } else if let Some(string) = node.as_string_node() {
            Value::string(text(string.unescaped()))
        } else if let Some(integer) = node.as_integer_node() {
            let number: Result<i32, ()> = integer.value().try_into();
            number.map_or(Value::Unknown, |number| Value::Integer(i64::from(number)))
        } else if let Some(array) = node.as_array_node() {
            Value::array(self.list(&array.elements(), frame)?)
        } else if let Some(hash) = node.as_hash_node() {
            self.hash(&hash.elements(), frame)?
        } else if let Some(hash) = node.as_keyword_hash_node() {
            self.hash(&hash.elements(), frame)?
        } else if let Some(regexp) = node.as_regular_expression_node() {
            Value::Regexp(Rc::new(Pattern {
                source: regexp_source(regexp.content_loc().as_slice(), regexp.opening_loc().as_slice()),
                ignore_case: regexp.is_ignore_case(),
                extended: regexp.is_extended(),
                multi_line: regexp.is_multi_line(),
            }))
        } else if let Some(regexp) = node.as_interpolated_regular_expression_node() {
            let opening = regexp.opening_loc();
            let source = self.interpolate(&regexp.parts(), frame, Some(opening.as_slice()))?;
            source.map_or(Value::Unknown, |source| {
                Value::Regexp(Rc::new(Pattern {
                    source,
                    ignore_case: regexp.is_ignore_case(),
                    extended: regexp.is_extended(),
                    multi_line: regexp.is_multi_line(),
                }))
            })
        } else if let Some(string) = node.as_interpolated_string_node() {
            self.interpolate(&string.parts(), frame, None)?.map_or(Value::Unknown, Value::string)
        } else if let Some(symbol) = node.as_interpolated_symbol_node() {
            self.interpolate(&symbol.parts(), frame, None)?.map_or(Value::Unknown, Value::symbol)
        } else if let Some(lambda) = node.as_lambda_node() {
            Value::Block(Rc::new(Closure::of_lambda(&lambda, frame)))
        } else if node.as_true_node().is_some() {
            Value::Boolean(true)
        } else if node.as_false_node().is_some() {
            Value::Boolean(false)
        } else if node.as_nil_node().is_some() {
            Value::Nil
        } else if node.as_source_file_node().is_some() {
            self.library.files.get(frame.file).map_or(Value::Unknown, |file| Value::String(file.path.clone()))
        } else {
            return Ok(None);
        }))
    }

    /// The text of an interpolated literal; nothing where a part is unknown.
    fn interpolate(
        &mut self,
        parts: &NodeList<'pr>,
        frame: &Frame<'pr>,
        regexp: Option<&[u8]>,
    ) -> Result<Option<String>, Jump<'pr>> {
        let mut whole = Some(String::new());
        for part in parts {
            let piece = if let Some(string) = part.as_string_node() {
                // A regular expression keeps its escapes; a string has them resolved.
                Some(match regexp {
                    Some(opening) => regexp_source(string.content_loc().as_slice(), opening),
                    None => text(string.unescaped()),
                })
            } else if let Some(embedded) = part.as_embedded_statements_node() {
                self.statements(embedded.statements(), frame)?.interpolated()
            } else {
                self.evaluate(&part, frame)?.interpolated()
            };
            whole = whole.zip(piece).map(|(whole, piece)| whole + &piece);
        }
        Ok(whole)
    }

    pub(super) fn list(&mut self, nodes: &NodeList<'pr>, frame: &Frame<'pr>) -> Result<Vec<Value<'pr>>, Jump<'pr>> {
        let mut values = Vec::with_capacity(nodes.len());
        for node in nodes {
            if let Some(splat) = node.as_splat_node() {
                let value = splat.expression().map_or(Ok(Value::Nil), |inner| self.evaluate(&inner, frame))?;
                values.extend(value.items());
            } else {
                values.push(self.evaluate(&node, frame)?);
            }
        }
        Ok(values)
    }

    fn hash(&mut self, nodes: &NodeList<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        let mut entries = Vec::with_capacity(nodes.len());
        for node in nodes {
            if let Some(pair) = node.as_assoc_node() {
                let key = self.evaluate(&pair.key(), frame)?;
                entries.push((key, self.evaluate(&pair.value(), frame)?));
            } else if let Some(splat) = node.as_assoc_splat_node() {
                let value = splat.value().map_or(Ok(Value::Nil), |inner| self.evaluate(&inner, frame))?;
                if let Value::Hash(more) = value {
                    entries.extend(more.iter().cloned());
                }
            }
        }
        Ok(Value::Hash(Rc::new(entries)))
    }

    /// Modules, classes, methods and constants.
    fn definition(&mut self, node: &Node<'pr>, frame: &Frame<'pr>) -> Result<Option<Value<'pr>>, Jump<'pr>> {
        if let Some(module) = node.as_module_node() {
            let name = join(&frame.nesting, &constant_name(&module.constant_path()).unwrap_or_default());
            self.module_body(module.body(), name, frame)?;
        } else if let Some(class) = node.as_class_node() {
            let name = join(&frame.nesting, &constant_name(&class.constant_path()).unwrap_or_default());
            self.module_body(class.body(), name, frame)?;
        } else if let Some(singleton) = node.as_singleton_class_node() {
            self.singleton_body(singleton.body(), frame);
        } else if let Some(definition) = node.as_def_node() {
            let owned = definition.receiver().is_some_and(|receiver| receiver.as_self_node().is_some());
            if let (true, This::Type(index)) = (owned, &frame.this) {
                let method = Method { definition, file: frame.file, nesting: frame.nesting.clone() };
                self.add_type_method(*index, method);
            }
        } else if let Some(write) = node.as_constant_write_node() {
            let value = self.evaluate(&write.value(), frame)?;
            self.constants.insert(join(&frame.nesting, &text(write.name().as_slice())), value);
        } else {
            return Ok(None);
        }
        Ok(Some(Value::Nil))
    }

    fn module_body(&mut self, body: Option<Node<'pr>>, name: String, frame: &Frame<'pr>) -> Outcome<'pr> {
        let scope = self.new_scope(None);
        let name: Rc<str> = Rc::from(name);
        let inner = Frame { this: This::Module(name.clone()), scope, nesting: name, file: frame.file, block: None };
        body.map_or(Ok(Value::Nil), |body| self.evaluate(&body, &inner))
    }

    /// `class << self` inside a type adds methods to the type.
    fn singleton_body(&mut self, body: Option<Node<'pr>>, frame: &Frame<'pr>) {
        let This::Type(index) = frame.this else {
            return;
        };
        let statements = body.and_then(|body| body.as_statements_node());
        for statement in statements.iter().flat_map(|statements| statements.body().iter()) {
            if let Some(definition) = statement.as_def_node() {
                let method = Method { definition, file: frame.file, nesting: frame.nesting.clone() };
                self.add_type_method(index, method);
            }
        }
    }

    fn variable_access(&mut self, node: &Node<'pr>, frame: &Frame<'pr>) -> Result<Option<Value<'pr>>, Jump<'pr>> {
        Ok(Some(if let Some(read) = node.as_local_variable_read_node() {
            self.variable(frame.scope, read.name().as_slice())
        } else if let Some(write) = node.as_local_variable_write_node() {
            let value = self.evaluate(&write.value(), frame)?;
            self.assign(frame.scope, write.name().as_slice(), value.clone());
            value
        } else if let Some(write) = node.as_local_variable_operator_write_node() {
            let left = self.variable(frame.scope, write.name().as_slice());
            let right = self.evaluate(&write.value(), frame)?;
            let operator = text(write.binary_operator().as_slice());
            let value = super::builtins::call(&left, &operator, std::slice::from_ref(&right)).unwrap_or(Value::Unknown);
            self.assign(frame.scope, write.name().as_slice(), value.clone());
            value
        } else if let Some(write) = node.as_local_variable_or_write_node() {
            let value = self.variable(frame.scope, write.name().as_slice());
            if value.truth() == Some(true) {
                value
            } else {
                let value = self.evaluate(&write.value(), frame)?;
                self.assign(frame.scope, write.name().as_slice(), value.clone());
                value
            }
        } else if let Some(write) = node.as_instance_variable_write_node() {
            let value = self.evaluate(&write.value(), frame)?;
            self.set_type_variable(&frame.this, write.name().as_slice(), &value);
            value
        } else if node.as_self_node().is_some() {
            match &frame.this {
                This::Object => Value::Unknown,
                This::Module(name) => Value::Constant(name.clone()),
                this => Value::This(this.clone()),
            }
        } else if let Some(name) = constant_name(node) {
            self.constant(&name, frame)
        } else {
            return Ok(None);
        }))
    }

    fn constant(&mut self, name: &str, frame: &Frame<'pr>) -> Value<'pr> {
        let full = self.library.resolve(name, &frame.nesting);
        let full = full.unwrap_or_else(|| name.to_string());
        if let Some(value) = self.constants.get(&full).or_else(|| self.constants.get(&join(&frame.nesting, name))) {
            return value.clone();
        }
        let Some(constant) = self.library.constant(&full) else {
            if matches!(full.as_str(), "Puppet::PUPPETVERSION" | "PUPPETVERSION") {
                return Value::string(crate::PUPPET_VERSION);
            }
            return Value::Constant(Rc::from(full));
        };
        // Unknown until it is computed, so that a constant defined by itself ends.
        self.constants.insert(full.clone(), Value::Unknown);
        let scope = self.new_scope(None);
        let frame = Frame {
            this: This::Module(constant.nesting.clone()),
            scope,
            nesting: constant.nesting.clone(),
            file: constant.file,
            block: None,
        };
        let value = self.evaluate(&constant.definition.value(), &frame).unwrap_or(Value::Unknown);
        self.constants.insert(full, value.clone());
        value
    }

    pub(super) fn statements(&mut self, statements: Option<StatementsNode<'pr>>, frame: &Frame<'pr>) -> Outcome<'pr> {
        let mut last = Value::Nil;
        for statement in statements.iter().flat_map(|statements| statements.body().iter()) {
            last = self.evaluate(&statement, frame)?;
        }
        Ok(last)
    }

    /// Branches, jumps and grouping.
    fn control(&mut self, node: &Node<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        if let Some(program) = node.as_program_node() {
            self.statements(Some(program.statements()), frame)
        } else if let Some(statements) = node.as_statements_node() {
            self.statements(Some(statements), frame)
        } else if let Some(parentheses) = node.as_parentheses_node() {
            parentheses.body().map_or(Ok(Value::Nil), |body| self.evaluate(&body, frame))
        } else if let Some(branch) = node.as_if_node() {
            let truth = self.evaluate(&branch.predicate(), frame)?.truth();
            self.branch(truth, branch.statements(), branch.subsequent(), frame)
        } else if let Some(branch) = node.as_unless_node() {
            let truth = self.evaluate(&branch.predicate(), frame)?.truth();
            let otherwise = branch.else_clause().map(|clause| clause.as_node());
            self.branch(truth.map(|truth| !truth), branch.statements(), otherwise, frame)
        } else if let Some(clause) = node.as_else_node() {
            self.statements(clause.statements(), frame)
        } else if let Some(case) = node.as_case_node() {
            self.case(&case, frame)
        } else if let Some(and) = node.as_and_node() {
            let left = self.evaluate(&and.left(), frame)?;
            if left.truth() == Some(false) { Ok(left) } else { self.evaluate_either(&left, &and.right(), frame) }
        } else if let Some(or) = node.as_or_node() {
            let left = self.evaluate(&or.left(), frame)?;
            if left.truth() == Some(true) { Ok(left) } else { self.evaluate_either(&left, &or.right(), frame) }
        } else if let Some(begin) = node.as_begin_node() {
            self.statements(begin.statements(), frame)
        } else if let Some(modifier) = node.as_rescue_modifier_node() {
            self.evaluate(&modifier.expression(), frame)
        } else if let Some(jump) = node.as_return_node() {
            let arguments = jump.arguments().map_or(Ok(Vec::new()), |list| self.list(&list.arguments(), frame))?;
            Err(Jump::Return(one_of(arguments)))
        } else if let Some(jump) = node.as_next_node() {
            let arguments = jump.arguments().map_or(Ok(Vec::new()), |list| self.list(&list.arguments(), frame))?;
            Err(Jump::Next(one_of(arguments)))
        } else if node.as_break_node().is_some() {
            Err(Jump::Break)
        } else if let Some(yielded) = node.as_yield_node() {
            let arguments = yielded.arguments().map_or(Ok(Vec::new()), |list| self.list(&list.arguments(), frame))?;
            match &frame.block {
                Some(block) => self.call_block(&block.clone(), arguments, None),
                None => Ok(Value::Unknown),
            }
        } else {
            Ok(Value::Unknown)
        }
    }

    /// The right side of `and`/`or`, which decides only where the left side is known.
    fn evaluate_either(&mut self, left: &Value<'pr>, right: &Node<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        let right = self.evaluate(right, frame)?;
        Ok(if left.truth().is_none() { Value::Unknown } else { right })
    }

    fn branch(
        &mut self,
        truth: Option<bool>,
        then: Option<StatementsNode<'pr>>,
        otherwise: Option<Node<'pr>>,
        frame: &Frame<'pr>,
    ) -> Outcome<'pr> {
        match truth {
            Some(true) => self.statements(then, frame),
            Some(false) => otherwise.map_or(Ok(Value::Nil), |node| self.evaluate(&node, frame)),
            None => {
                // Whether a jump in here is taken is as unknown as the condition.
                let _ = self.statements(then, frame);
                if let Some(node) = otherwise {
                    let _ = self.evaluate(&node, frame);
                }
                Ok(Value::Unknown)
            }
        }
    }

    fn case(&mut self, case: &ruby_prism::CaseNode<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        let subject = case.predicate().map_or(Ok(Value::Unknown), |node| self.evaluate(&node, frame))?;
        let mut certain = case.predicate().is_some();
        for when in case.conditions().iter().filter_map(|node| node.as_when_node()) {
            let tests = self.list(&when.conditions(), frame)?;
            let answers: Vec<_> = tests.iter().map(|test| test.equals(&subject)).collect();
            if certain && answers.contains(&Some(true)) {
                return self.statements(when.statements(), frame);
            }
            if !certain || answers.contains(&None) {
                certain = false;
                let _ = self.statements(when.statements(), frame);
            }
        }
        let otherwise = case.else_clause().and_then(|clause| clause.statements());
        let value = self.statements(otherwise, frame)?;
        Ok(if certain { value } else { Value::Unknown })
    }
}

/// The source of a regular expression: between slashes, an escaped slash is just a slash.
fn regexp_source(content: &[u8], opening: &[u8]) -> String {
    let source = text(content);
    if opening == b"/" { source.replace("\\/", "/") } else { source }
}

/// What `return a, b` gives.
fn one_of(mut values: Vec<Value<'_>>) -> Value<'_> {
    match values.len() {
        0 => Value::Nil,
        1 => values.pop().unwrap_or(Value::Nil),
        _ => Value::array(values),
    }
}
