//! Method calls inside a type declaration: its own methods, those of its mixins, blocks, and Ruby's own.

use std::rc::Rc;

use ruby_prism::{CallNode, Node, ParametersNode};

use super::builtins;
use super::interpreter::{Frame, Interpreter, Jump, Outcome};
use super::library::{Method, text};
use super::value::{Closure, This, Value};

/// A call with its arguments evaluated.
pub(super) struct Call<'pr> {
    pub(super) name: String,
    pub(super) arguments: Vec<Value<'pr>>,
    pub(super) block: Option<Rc<Closure<'pr>>>,
}

impl<'pr> Call<'pr> {
    /// The argument at `index`, or nil.
    pub(super) fn argument(&self, index: usize) -> Value<'pr> {
        self.arguments.get(index).cloned().unwrap_or(Value::Nil)
    }
}

impl<'pr> Interpreter<'_, 'pr> {
    pub(super) fn evaluate_call(&mut self, node: &CallNode<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        let receiver = match node.receiver() {
            Some(receiver) => Some(self.evaluate(&receiver, frame)?),
            None => None,
        };
        let arguments = match node.arguments() {
            Some(list) => self.list(&list.arguments(), frame)?,
            None => Vec::new(),
        };
        let mut call = Call { name: text(node.name().as_slice()), arguments, block: None };
        let mut symbol = None;
        if let Some(block) = node.block() {
            if let Some(block) = block.as_block_node() {
                call.block = Some(Rc::new(Closure::of_block(&block, frame)));
            } else if let Some(expression) = block.as_block_argument_node().and_then(|block| block.expression()) {
                match self.evaluate(&expression, frame)? {
                    Value::Block(block) => call.block = Some(block),
                    Value::Symbol(name) => symbol = Some(name),
                    _ => {}
                }
            }
        }
        match receiver {
            None => self.call_on(&frame.this.clone(), call, frame),
            Some(Value::This(this)) => self.call_on(&this, call, frame),
            Some(Value::Constant(name)) => self.call_on_constant(&name, call),
            Some(value) => {
                let result = self.call_on_value(&value, &call, symbol.as_deref())?;
                self.keep_mutation(node, &call, &value, frame);
                Ok(result)
            }
        }
    }

    /// Sends a message to `self` or to the class of a type or attribute.
    pub(super) fn call_on(&mut self, this: &This, mut call: Call<'pr>, frame: &Frame<'pr>) -> Outcome<'pr> {
        if matches!(call.name.as_str(), "send" | "public_send" | "__send__") && !call.arguments.is_empty() {
            let name = call.arguments.remove(0);
            let Some(name) = name.text() else {
                return Ok(Value::Unknown);
            };
            call.name = name.to_string();
            return self.call_on(this, call, frame);
        }
        if let Some(block) = call.block.clone()
            && matches!(
                call.name.as_str(),
                "class_eval" | "instance_eval" | "class_exec" | "instance_exec" | "module_eval"
            )
        {
            return self.call_block(&block, call.arguments, Some(this.clone()));
        }
        if let Some(method) = self.method_of(this, &call.name) {
            return self.call_method(&method, this.clone(), call);
        }
        if let Some(value) = self.declare_in(this, &call)? {
            return Ok(value);
        }
        Ok(match (call.name.as_str(), &call.block) {
            ("Array", _) => Value::array(call.argument(0).items()),
            ("String" | "_", _) => call.argument(0),
            ("lambda" | "proc", Some(block)) => Value::Block(block.clone()),
            ("block_given?", _) => Value::Boolean(frame.block.is_some()),
            ("__dir__", _) => self.directory(frame),
            _ => Value::Unknown,
        })
    }

    pub(super) fn method_of(&self, this: &This, name: &str) -> Option<Rc<Method<'pr>>> {
        match this {
            This::Type(index) => {
                let builder = self.types.get(*index)?;
                builder.method(name).or_else(|| {
                    builder.extended.iter().rev().find_map(|module| self.library.instance_method(module, name))
                })
            }
            This::Module(module) => self.library.singleton_method(module, name),
            This::Object => self.library.instance_method("", name),
            This::Attribute(..) => None,
        }
    }

    pub(super) fn call_on_constant(&mut self, constant: &Rc<str>, call: Call<'pr>) -> Outcome<'pr> {
        if let Some(method) = self.library.singleton_method(constant, &call.name) {
            return self.call_method(&method, This::Module(constant.clone()), call);
        }
        match (&**constant, call.name.as_str()) {
            ("Puppet::Type" | "Type", "newtype") => self.new_type(&call),
            ("Puppet::ResourceApi" | "ResourceApi", "register_type") => {
                self.register_type(&call.argument(0));
                Ok(Value::Nil)
            }
            ("Proc", "new") => Ok(call.block.map_or(Value::Unknown, Value::Block)),
            (constant, name) => Ok(builtins::call_constant(constant, name, &call.arguments).unwrap_or(Value::Unknown)),
        }
    }

    fn call_on_value(&mut self, value: &Value<'pr>, call: &Call<'pr>, symbol: Option<&str>) -> Outcome<'pr> {
        match (value, call.name.as_str(), &call.block) {
            (Value::Block(block), "call" | "()" | "[]", _) => self.call_block(block, call.arguments.clone(), None),
            (Value::Array(_) | Value::Hash(_), name, Some(block)) => self.iterate(value, name, &block.clone()),
            (Value::Integer(count), "times", Some(block)) => {
                let numbers = (0..(*count).clamp(0, 1000)).map(Value::Integer).collect();
                self.iterate(&Value::array(numbers), "each", &block.clone())
            }
            (value, "tap" | "then", Some(block)) => {
                self.call_block(&block.clone(), vec![value.clone()], None)?;
                Ok(value.clone())
            }
            (Value::Array(items), "map" | "collect", None) if symbol.is_some() => {
                let name = symbol.unwrap_or_default();
                let mapped = items.iter().map(|item| builtins::call(item, name, &[]).unwrap_or(Value::Unknown));
                Ok(Value::array(mapped.collect()))
            }
            _ => Ok(builtins::call(value, &call.name, &call.arguments).unwrap_or(Value::Unknown)),
        }
    }

    /// The methods of arrays and hashes that take a block.
    fn iterate(&mut self, value: &Value<'pr>, name: &str, block: &Rc<Closure<'pr>>) -> Outcome<'pr> {
        let mut results = Vec::new();
        for (index, item) in value.items().into_iter().enumerate() {
            let number = Value::Integer(i64::try_from(index).unwrap_or(i64::MAX));
            let arguments = match name {
                "each_with_index" | "each_with_object" => vec![item.clone(), number],
                _ => vec![item.clone()],
            };
            match self.call_block(block, arguments, None) {
                Ok(result) => results.push((item, result)),
                Err(Jump::Break) => break,
                Err(jump) => return Err(jump),
            }
        }
        let chosen = |wanted: bool| {
            let kept = results.iter().filter(|(_, result)| result.truth().unwrap_or(true) == wanted);
            Value::array(kept.map(|(item, _)| item.clone()).collect())
        };
        Ok(match name {
            "each" | "each_pair" | "each_with_index" => value.clone(),
            "map" | "collect" => Value::array(results.into_iter().map(|(_, result)| result).collect()),
            "flat_map" => Value::array(results.iter().flat_map(|(_, result)| result.items()).collect()),
            "select" | "filter" | "find_all" if matches!(value, Value::Array(_)) => chosen(true),
            "reject" if matches!(value, Value::Array(_)) => chosen(false),
            _ => Value::Unknown,
        })
    }

    /// Runs a block, in its own surroundings or with another `self`.
    pub(super) fn call_block(
        &mut self,
        closure: &Rc<Closure<'pr>>,
        arguments: Vec<Value<'pr>>,
        this: Option<This>,
    ) -> Outcome<'pr> {
        let scope = self.new_scope(Some(closure.frame.scope));
        let mut frame = closure.frame.clone();
        frame.scope = scope;
        if let Some(this) = this {
            frame.this = this;
        }
        if let Some(parameters) = closure.parameters.as_ref().and_then(|node| node.as_block_parameters_node()) {
            let list = parameters.parameters();
            // One array given to several parameters is spread over them.
            let wanted = list.as_ref().map_or(0, |list| list.requireds().len() + list.optionals().len());
            let arguments = match arguments.as_slice() {
                [Value::Array(items)] if wanted > 1 => items.to_vec(),
                _ => arguments,
            };
            self.bind(list, arguments, None, &frame)?;
        }
        match closure.body.as_ref().map_or(Ok(Value::Nil), |body| self.evaluate(body, &frame)) {
            Err(Jump::Next(value)) => Ok(value),
            outcome => outcome,
        }
    }

    pub(super) fn call_method(&mut self, method: &Rc<Method<'pr>>, this: This, call: Call<'pr>) -> Outcome<'pr> {
        let scope = self.new_scope(None);
        let frame =
            Frame { this, scope, nesting: method.nesting.clone(), file: method.file, block: call.block.clone() };
        self.bind(method.definition.parameters(), call.arguments, call.block, &frame)?;
        match method.definition.body().map_or(Ok(Value::Nil), |body| self.evaluate(&body, &frame)) {
            Err(Jump::Return(value)) => Ok(value),
            Err(_) => Ok(Value::Unknown),
            Ok(value) => Ok(value),
        }
    }

    /// Gives arguments to parameters.
    fn bind(
        &mut self,
        parameters: Option<ParametersNode<'pr>>,
        arguments: Vec<Value<'pr>>,
        block: Option<Rc<Closure<'pr>>>,
        frame: &Frame<'pr>,
    ) -> Result<(), Jump<'pr>> {
        let Some(parameters) = parameters else {
            return Ok(());
        };
        let mut arguments = arguments.into_iter();
        for parameter in &parameters.requireds() {
            let value = arguments.next().unwrap_or(Value::Nil);
            if let Some(parameter) = parameter.as_required_parameter_node() {
                self.declare(frame.scope, parameter.name().as_slice(), value);
            }
        }
        for parameter in parameters.optionals().iter().filter_map(|node| node.as_optional_parameter_node()) {
            let value = match arguments.next() {
                Some(value) => value,
                None => self.evaluate(&parameter.value(), frame)?,
            };
            self.declare(frame.scope, parameter.name().as_slice(), value);
        }
        let rest: Vec<_> = arguments.collect();
        let keywords = rest.last().cloned().unwrap_or(Value::Nil);
        for node in &parameters.keywords() {
            self.bind_keyword(&node, &keywords, frame)?;
        }
        let name_of_rest = parameters.rest().and_then(|node| node.as_rest_parameter_node()?.name());
        if let Some(name) = name_of_rest {
            self.declare(frame.scope, name.as_slice(), Value::array(rest));
        }
        let name_of_block = parameters.block().and_then(|node| node.as_block_parameter_node()?.name());
        if let Some(name) = name_of_block {
            self.declare(frame.scope, name.as_slice(), block.map_or(Value::Nil, Value::Block));
        }
        Ok(())
    }

    fn bind_keyword(&mut self, node: &Node<'pr>, given: &Value<'pr>, frame: &Frame<'pr>) -> Result<(), Jump<'pr>> {
        let (name, default) = if let Some(keyword) = node.as_optional_keyword_parameter_node() {
            (text(keyword.name().as_slice()), Some(keyword.value()))
        } else if let Some(keyword) = node.as_required_keyword_parameter_node() {
            (text(keyword.name().as_slice()), None)
        } else {
            return Ok(());
        };
        let value = match (given.entry(&name), default) {
            (Some(value), _) => value.clone(),
            (None, Some(default)) => self.evaluate(&default, frame)?,
            (None, None) => Value::Unknown,
        };
        self.declare(frame.scope, name.as_bytes(), value);
        Ok(())
    }

    /// Values are immutable here: what `list << item` changes is assigned to the variable anew.
    fn keep_mutation(&mut self, node: &CallNode<'pr>, call: &Call<'pr>, value: &Value<'pr>, frame: &Frame<'pr>) {
        let variable = node.receiver().and_then(|receiver| receiver.as_local_variable_read_node());
        let (Some(variable), Value::Array(items)) = (variable, value) else {
            return;
        };
        let mut items = items.to_vec();
        match call.name.as_str() {
            "<<" | "push" | "append" => items.extend(call.arguments.iter().cloned()),
            "unshift" | "prepend" => items.splice(0..0, call.arguments.iter().cloned()).for_each(drop),
            "concat" => items.extend(call.arguments.iter().flat_map(Value::items)),
            _ => return,
        }
        self.assign(frame.scope, variable.name().as_slice(), Value::array(items));
    }

    fn directory(&self, frame: &Frame<'pr>) -> Value<'pr> {
        let file = self.library.files.get(frame.file);
        file.map_or(Value::Unknown, |file| Value::string(builtins::dirname(&file.path)))
    }
}
