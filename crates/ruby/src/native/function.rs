//! Functions of modules that are written in Ruby, as far as their Ruby is known here.
//!
//! A file must have nothing but `create_function` with dispatches whose parameters are written down, and methods. What it
//! declares becomes the same signature that the helper would give, so calls are dispatched in the same way.

use std::sync::Arc;

use bunraku_pcore::Value as PuppetValue;
use bunraku_syntax::with_ample_stack;
use ecow::EcoString;
use ruby_prism::{CallNode, Node as Syntax};

use super::Templates;
use super::interpret::Interpreter;
use super::lower::{Lowering, name, text};
use super::run::Run;
use super::tree::{Node, Tree};
use crate::sidecar::{Dispatch, Function, Host, Parameter, ParameterKind, Signature};

/// A function that can be called without Ruby.
#[derive(Debug)]
pub struct NativeFunction {
    tree: Tree,
    /// The method of each dispatch.
    methods: Vec<usize>,
}

impl NativeFunction {
    /// Reads the file of a function; nothing where only Ruby can.
    pub fn read(path: &str, source: &Arc<str>) -> Option<(Function, NativeFunction)> {
        with_ample_stack(|| {
            let parsed = ruby_prism::parse(source.as_bytes());
            if parsed.errors().next().is_some() {
                return None;
            }
            let program = parsed.node().as_program_node()?.statements().body();
            let mut statements = program.iter();
            let mut statement = statements.next()?;
            while is_require(&statement) {
                statement = statements.next()?;
            }
            let call = statement.as_call_node().filter(|_| statements.next().is_none())?;
            let receiver = call.receiver()?;
            if receiver.location().as_slice() != b"Puppet::Functions" || call.name().as_slice() != b"create_function" {
                return None;
            }
            let arguments = call.arguments()?.arguments();
            let function_name = literal(&arguments.first().filter(|_| arguments.iter().count() == 1)?)?;
            let body = call.block()?.as_block_node()?.body()?.as_statements_node()?.body();
            let statements: Vec<Syntax<'_>> = body.iter().collect();
            let mut lowering = Lowering::new(&[], false);
            let definitions: Vec<_> = statements.iter().filter_map(Syntax::as_def_node).collect();
            for definition in &definitions {
                lowering.declare(name(&definition.name())?);
            }
            for (number, definition) in definitions.iter().enumerate() {
                definition.receiver().is_none().then(|| lowering.define(number, definition))?;
            }
            let tree = lowering.finish(Node::Nil);
            let (mut methods, mut dispatches) = (Vec::new(), Vec::new());
            for statement in statements.iter().filter(|statement| statement.as_def_node().is_none()) {
                let (method, dispatch) = dispatch(&statement.as_call_node()?)?;
                methods.push(method_named(&tree, &method)?);
                dispatches.push(dispatch);
            }
            if dispatches.is_empty() {
                let number = method_named(&tree, function_name.rsplit("::").next()?)?;
                let parameters = definitions.get(number).map(|definition| definition.parameters())?;
                let names =
                    parameters.map_or_else(|| Some(Vec::new()), |parameters| default_parameters(&parameters))?;
                methods.push(number);
                dispatches.push(Dispatch { parameters: names, block: None, return_type: None, is_mismatch: false });
            }
            // Methods of the base class that the function defines anew mean something else.
            if tree.definitions.iter().any(|definition| definition.name == "call" || definition.name == "initialize") {
                return None;
            }
            let signature = Signature::New { dispatches, local_types: Vec::new(), has_own_call: false };
            let name = function_name.to_string();
            let function =
                Function { name, path: Arc::from(path), text: source.clone(), signature, others: Vec::new() };
            Some((function, NativeFunction { tree, methods }))
        })
    }

    /// Whether it has something in it that needs Ruby when it is reached.
    pub fn may_need_ruby(&self) -> bool {
        !self.tree.is_known
    }

    /// Calls a dispatch; nothing where only Ruby can, and then nothing has happened.
    pub fn call(&self, dispatch: usize, args: &[PuppetValue], host: &mut dyn Host) -> Option<PuppetValue> {
        let templates = Templates::default();
        let mut run = Run::new(host, &templates);
        let number = *self.methods.get(dispatch)?;
        let value = Interpreter::call_method(&self.tree, number, args, &mut run).ok()?.to_puppet().ok()?;
        run.finish().ok()?;
        Some(value)
    }
}

/// `require` of what is part of Ruby and known here.
fn is_require(node: &Syntax<'_>) -> bool {
    let required = node.as_call_node().filter(|call| call.name().as_slice() == b"require").and_then(|call| {
        let arguments = call.arguments()?.arguments();
        literal(&arguments.first()?)
    });
    required
        .is_some_and(|required| matches!(required.as_str(), "digest" | "digest/md5" | "digest/sha1" | "digest/sha2"))
}

/// The text of a string or symbol that is written down.
fn literal(node: &Syntax<'_>) -> Option<EcoString> {
    match node.as_symbol_node() {
        Some(symbol) => text(symbol.unescaped()),
        None => text(node.as_string_node()?.unescaped()),
    }
}

fn method_named(tree: &Tree, name: &str) -> Option<usize> {
    tree.definitions.iter().rposition(|definition| definition.name == name)
}

/// `dispatch :method do … end`.
fn dispatch(call: &CallNode<'_>) -> Option<(EcoString, Dispatch)> {
    if call.receiver().is_some() || call.name().as_slice() != b"dispatch" {
        return None;
    }
    let method = literal(&call.arguments()?.arguments().first()?)?;
    let mut dispatch = Dispatch { parameters: Vec::new(), block: None, return_type: None, is_mismatch: false };
    let body = call.block()?.as_block_node()?.body();
    let statements = body.and_then(|body| body.as_statements_node());
    for statement in statements.iter().flat_map(|statements| statements.body().iter()) {
        let call = statement.as_call_node().filter(|call| call.receiver().is_none() && call.block().is_none())?;
        let arguments: Vec<EcoString> =
            call.arguments()?.arguments().iter().map(|argument| literal(&argument)).collect::<Option<_>>()?;
        let kind = match (call.name().as_slice(), arguments.as_slice()) {
            (b"return_type", [data_type]) => {
                dispatch.return_type = Some(data_type.to_string());
                continue;
            }
            (b"param" | b"required_param", _) => ParameterKind::Required,
            (b"optional_param", _) => ParameterKind::Optional,
            (b"repeated_param" | b"optional_repeated_param", _) => ParameterKind::Repeated,
            (b"required_repeated_param", _) => ParameterKind::RequiredRepeated,
            _ => return None,
        };
        let [data_type, name] = arguments.as_slice() else { return None };
        let before = dispatch.parameters.last().map(|parameter: &Parameter| parameter.kind);
        let fits = match before {
            None | Some(ParameterKind::Required) => true,
            Some(ParameterKind::Optional) => matches!(kind, ParameterKind::Optional | ParameterKind::Repeated),
            Some(ParameterKind::Repeated | ParameterKind::RequiredRepeated) => false,
        };
        if !fits {
            return None;
        }
        dispatch.parameters.push(Parameter { name: name.to_string(), data_type: data_type.to_string(), kind });
    }
    Some((method, dispatch))
}

/// The parameters of a function without a dispatch: those of its method.
fn default_parameters(parameters: &ruby_prism::ParametersNode<'_>) -> Option<Vec<Parameter>> {
    let has_more = parameters.rest().is_some()
        || parameters.posts().iter().next().is_some()
        || parameters.keywords().iter().next().is_some()
        || parameters.block().is_some();
    if has_more {
        return None;
    }
    let parameter = |name: EcoString, kind| Parameter { name: name.to_string(), data_type: "Any".to_string(), kind };
    let mut all = Vec::new();
    for required in &parameters.requireds() {
        all.push(parameter(name(&required.as_required_parameter_node()?.name())?, ParameterKind::Required));
    }
    for optional in &parameters.optionals() {
        all.push(parameter(name(&optional.as_optional_parameter_node()?.name())?, ParameterKind::Optional));
    }
    Some(all)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::sidecar::{HostError, HostResult, RubyBlock, Variable};

    /// A compiler that knows nothing.
    struct Nothing;

    impl Host for Nothing {
        fn variable(&mut self, name: &str) -> Variable {
            Variable::NotFound { name: name.to_string(), reason: String::new() }
        }
        fn variables(&mut self) -> Vec<(String, PuppetValue)> {
            Vec::new()
        }
        fn call_function(&mut self, _: &str, _: Vec<PuppetValue>, _: Option<&dyn RubyBlock>) -> HostResult {
            Err(HostError::message("there are no functions"))
        }
        fn call_block(&mut self, _: Vec<PuppetValue>) -> HostResult {
            Err(HostError::message("there is no block"))
        }
        fn log(&mut self, _: &str, _: &str, _: Option<&str>) {}
    }

    /// Calls the first dispatch of a function.
    fn check(body: &str, args: &[PuppetValue], expected: Option<&str>) {
        let source =
            Arc::from(format!("require 'digest/sha1'\nPuppet::Functions.create_function(:'m::f') do\n{body}\nend\n"));
        let read = NativeFunction::read("f.rb", &source);
        let result = read.and_then(|(_, function)| function.call(0, args, &mut Nothing));
        assert_eq!(result.map(|value| value.to_string()).as_deref(), expected, "{body}");
    }

    #[test]
    fn functions_are_called() {
        let text = [PuppetValue::string("secret")];
        check(
            "def f(a)\n return 'Off' if a.nil? || a == false || a =~ %r{false}i || a == :undef\n a.to_s\nend",
            &text,
            Some("secret"),
        );
        check(
            "def f(a)\n '*' + Digest::SHA1.hexdigest(Digest::SHA1.digest(a)).upcase\nend",
            &text,
            Some("*14E65567ABDB5135D0CFD9A70B3032C179A49EE7"),
        );
        check(
            "dispatch :g do\n param 'String', :a\n optional_param 'Integer', :b\n return_type 'String'\nend\ndef g(a, b = 2)\n h(a) * b\nend\ndef h(a)\n a.upcase\nend",
            &text,
            Some("SECRETSECRET"),
        );
    }

    #[test]
    fn what_is_not_known_is_left_to_ruby() {
        let text = [PuppetValue::string("secret")];
        check("def f(a)\n raise 'no'\nend", &text, None);
        check("def f(a)\n open(a).read\nend", &text, None);
        check("dispatch :f do\n scope_param\nend\ndef f(a)\n a\nend", &text, None);
        check("include Puppet::Util\ndef f(a)\n a\nend", &text, None);
        check("def call(scope, a)\n a\nend\ndef f(a)\n a\nend", &text, None);
    }

    #[test]
    fn signatures_are_read() {
        let source = Arc::from("Puppet::Functions.create_function(:f) do\n def f(a, b = 1)\n a\n end\nend");
        let (function, _) = NativeFunction::read("f.rb", &source).unwrap();
        let dispatches = match function.signature {
            Signature::New { dispatches, .. } => dispatches,
            Signature::Old { .. } => Vec::new(),
        };
        let parameters = &dispatches.first().unwrap().parameters;
        let kinds: Vec<_> = parameters.iter().map(|parameter| (parameter.name.as_str(), parameter.kind)).collect();
        assert_eq!(kinds, [("a", ParameterKind::Required), ("b", ParameterKind::Optional)]);
    }
}
