//! What Ruby code may ask of the compiler while it runs.

use std::sync::Arc;

use bunraku_compiler::Limits;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use serde_json::{Value as Json, json};

use super::Sidecar;
use super::error::{RubyError, RubyErrorKind};

/// An answer to a question of Ruby code.
pub type HostResult = Result<Value, HostError>;

/// Why the compiler has no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum HostError {
    /// An error that Ruby code may rescue, with the place in Puppet code it belongs to.
    Message {
        /// The message.
        message: String,
        /// The file.
        file: Option<String>,
        /// The line.
        line: Option<u32>,
        /// The number by which the host knows the error itself, if it passes through Ruby code.
        number: Option<usize>,
        /// Whether it is about data that is looked up.
        is_lookup_error: bool,
    },
    /// The compiler wants to leave the call; it keeps the reason itself.
    Unwind,
}

/// The outcome of looking up a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Variable {
    /// Its value.
    Found(Value),
    /// There is none: the name as messages show it, and why, such as `class x has not been evaluated`.
    NotFound {
        /// The name.
        name: String,
        /// The reason, or nothing.
        reason: String,
    },
}

/// The compiler, as Ruby code sees it. What a host does not offer is not there for Ruby.
pub trait Host {
    /// When the compilation must end.
    fn limits(&self) -> Limits {
        Limits::default()
    }
    /// Whether what follows is asked from the current scope, or from the top scope instead.
    fn at_top(&mut self, _is_at_top: bool) {}
    /// The value of a variable as code in the current scope sees it, qualified or not.
    fn variable(&mut self, name: &str) -> Variable;
    /// All variables with a value that the current scope sees by their plain names.
    fn variables(&mut self) -> Vec<(String, Value)>;
    /// Assigns a variable in the current scope.
    fn set_variable(&mut self, _name: &str, _value: Value) -> HostResult {
        Err(HostError::message("variables cannot be assigned here"))
    }
    /// A template has changed the value of a variable in place.
    fn variable_changed(&mut self, _name: &str, _value: Value) {}
    /// Whether there is a function of this name.
    fn has_function(&mut self, _name: &str) -> bool {
        false
    }
    /// Whether the function of this name is one of the compiler's own, so that it is known what it does.
    fn is_native_function(&mut self, _name: &str) -> bool {
        false
    }
    /// Calls one of the compiler's own functions, even where the language does not see it.
    fn call_native_function(&mut self, _name: &str, _args: Vec<Value>) -> Option<Value> {
        None
    }
    /// Calls a function of a module that is written in Ruby, if that can be done without running Ruby.
    fn call_natively(&mut self, _name: &str, _args: &[Value]) -> Option<Value> {
        None
    }
    /// Calls a function, with a block of Ruby if the caller gave one.
    fn call_function(&mut self, name: &str, args: Vec<Value>, block: Option<&RubyBlock<'_>>) -> HostResult;
    /// Calls a function as a method of the scope: one written for the old interface goes first.
    fn call_legacy_function(&mut self, name: &str, args: Vec<Value>, block: Option<&RubyBlock<'_>>) -> HostResult {
        self.call_function(name, args, block)
    }
    /// Whether a module has a file for a function of the old interface.
    fn has_legacy_function(&mut self, _name: &str) -> bool {
        false
    }
    /// Calls the function of the old interface that a module has, even if there is a newer one of that name.
    fn call_legacy_file(&mut self, name: &str, args: Vec<Value>) -> HostResult {
        self.call_function(name, args, None)
    }
    /// Whether Ruby code calls the function as a method of the scope, so that arguments stay what they are in Ruby.
    fn is_called_by_ruby(&self) -> bool {
        false
    }
    /// Whether an attribute of a resource type has a default in the current scope.
    fn has_default(&mut self, _type_name: &str, _attribute: &str) -> bool {
        false
    }
    /// The dispatch of the running function that accepts the arguments.
    fn choose_dispatch(&mut self, _args: &[Value]) -> Result<usize, HostError> {
        Err(HostError::message("dispatches are not known here"))
    }
    /// Calls the block that the running Ruby function was given.
    fn call_block(&mut self, args: Vec<Value>) -> HostResult;
    /// Logs a message: `debug`, `info`, `notice`, `warning`, `err` and so on; with a key only if it is the first.
    fn log(&mut self, level: &str, message: &str, once: Option<&str>);
    /// Warns once for a key of something that a later version will not have, unless nobody wants to know.
    fn deprecate(&mut self, key: &str, message: &str) {
        self.log("warning", message, Some(key));
    }
    /// A string that is bytes for Ruby, although they are text.
    fn byte_text(&mut self, text: &str) -> Value {
        Value::string(text)
    }
    /// Why a value of one type is not of another.
    fn describe_mismatch(&mut self, _name: &str, _expected: &Value, _actual: &Value) -> Result<String, HostError> {
        Err(HostError::message("data types are not known here"))
    }
    /// The names of the classes in the catalog.
    fn classes(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// The tags of the catalog.
    fn tags(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// The parameters of a resource of the catalog; undef if it is not there.
    fn catalog_resource(&mut self, _resource_type: &str, _title: &str) -> Value {
        Value::Undef
    }
    /// The reference of the resource the current scope belongs to, such as `Class[main]`.
    fn resource(&mut self) -> String {
        "Class[main]".to_string()
    }
    /// The kind, the name and the module of what the current scope belongs to: a class, a defined type or a node.
    fn source(&mut self) -> [String; 3] {
        Default::default()
    }
    /// The value of a setting.
    fn setting(&mut self, _name: &str) -> Value {
        Value::Undef
    }
    /// A fact of the machine that compiles; undef if it is not known.
    fn fact(&mut self, _name: &str) -> Value {
        Value::Undef
    }
    /// The path of a file of a module by `module/path`, below `files` or `templates`.
    fn find_file(&mut self, _directory: &str, _name: &str) -> Option<String> {
        None
    }
    /// The text of a template by `module/path`.
    fn read_template(&mut self, _name: &str) -> Option<Arc<str>> {
        None
    }
    /// The directory of a module.
    fn module_path(&mut self, _name: &str) -> Option<String> {
        None
    }
    /// The data type that a text means.
    fn parse_type(&mut self, _text: &str) -> HostResult {
        Err(HostError::message("data types cannot be read here"))
    }
    /// Whether a value is an instance of a data type.
    fn is_instance(&mut self, _data_type: &Value, _value: &Value) -> Result<bool, HostError> {
        Err(HostError::message("data types are not known here"))
    }
    /// The places of calls in Puppet code, innermost first, each `[file, line]`.
    fn stacktrace(&mut self) -> Vec<(String, u32)> {
        Vec::new()
    }
    /// A method of the lookup context that a Hiera backend was given.
    fn lookup_context(&mut self, _context: &Value, _method: &str, _args: Vec<Value>) -> HostResult {
        Err(HostError::message("there is no lookup context here"))
    }
}

/// A block of Ruby that a function of Puppet may call.
pub struct RubyBlock<'s> {
    sidecar: &'s Sidecar,
    number: u64,
    arity: i64,
}

impl RubyBlock<'_> {
    /// How many parameters it has, as Ruby counts: below zero, at least `-arity - 1`.
    pub fn arity(&self) -> i64 {
        self.arity
    }

    /// Calls the block.
    pub fn call(&self, host: &mut dyn Host, args: &[Value]) -> Result<Value, RubyError> {
        let args = self.sidecar.values.encode_all(args);
        let request = json!({ "op": "yield", "block": self.number, "args": args });
        let result = self.sidecar.within(|| self.sidecar.converse(&request, host))?;
        Ok(self.sidecar.values.decode(&result, host)?)
    }
}

impl HostError {
    /// An error without a place.
    pub fn message(message: impl Into<String>) -> Self {
        HostError::Message { message: message.into(), file: None, line: None, number: None, is_lookup_error: false }
    }
}

impl From<Issue> for HostError {
    fn from(issue: Issue) -> Self {
        HostError::message(issue.message())
    }
}

impl From<RubyError> for HostError {
    /// An error of nested Ruby code goes on to the Ruby code around it.
    fn from(error: RubyError) -> Self {
        match error.kind {
            RubyErrorKind::Unwound => HostError::Unwind,
            _ => {
                let (file, line) = (error.file, error.line);
                HostError::Message { message: error.message, file, line, number: None, is_lookup_error: false }
            }
        }
    }
}

/// Answers a callback of the helper.
pub(super) fn answer(sidecar: &Sidecar, callback: &str, message: &Json, host: &mut dyn Host) -> Json {
    let args = message.get("args").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let is_at_top = message.get("top").is_some();
    if is_at_top {
        host.at_top(true);
    }
    let reply = reply(sidecar, callback, args, host);
    if is_at_top {
        host.at_top(false);
    }
    match reply {
        Ok(value) => json!({ "ok": value }),
        Err(HostError::Unwind) => json!({ "unwind": true }),
        Err(HostError::Message { message, file, line, number, is_lookup_error }) => {
            json!({ "error": message, "file": file, "line": line, "number": number, "data": is_lookup_error })
        }
    }
}

fn reply(sidecar: &Sidecar, callback: &str, args: &[Json], host: &mut dyn Host) -> Result<Json, HostError> {
    let values = &sidecar.values;
    let text = |index: usize| args.get(index).and_then(Json::as_str).unwrap_or_default();
    let number = |index: usize| args.get(index).and_then(Json::as_u64);
    let list = |index: usize| args.get(index).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let json = |index: usize| args.get(index).unwrap_or(&Json::Null);
    let value = match callback {
        "variable" => {
            return Ok(match host.variable(text(0)) {
                Variable::Found(value) => json!({ "found": true, "value": values.encode(&value) }),
                Variable::NotFound { name, reason } => json!({ "found": false, "name": name, "reason": reason }),
            });
        }
        "variables" => {
            let variables = host.variables();
            let variables = variables.iter().map(|(name, value)| (name.clone(), values.encode(value)));
            return Ok(Json::Object(variables.collect()));
        }
        "set_variable" => {
            let value = values.decode(json(1), host)?;
            host.set_variable(text(0), value)?
        }
        "has_function" => return Ok(json!(host.has_function(text(0)))),
        "has_legacy_function" => return Ok(json!(host.has_legacy_function(text(0)))),
        "has_default" => return Ok(json!(host.has_default(text(0), text(1)))),
        "call_legacy_file" => {
            let given = values.decode_all(list(1), host)?;
            host.call_legacy_file(text(0), given)?
        }
        "dispatch" => {
            let given = values.decode_all(args, host)?;
            return Ok(json!(host.choose_dispatch(&given)?));
        }
        "call_function" | "call_legacy_function" => {
            let given = values.decode_all(list(1), host)?;
            let arity = args.get(3).and_then(Json::as_i64).unwrap_or(-1);
            let block = number(2).map(|number| RubyBlock { sidecar, number, arity });
            match callback {
                "call_function" => host.call_function(text(0), given, block.as_ref())?,
                _ => host.call_legacy_function(text(0), given, block.as_ref())?,
            }
        }
        "call_block" => {
            let given = values.decode_all(args, host)?;
            host.call_block(given)?
        }
        "log" => {
            host.log(text(0), text(1), args.get(2).and_then(Json::as_str));
            Value::Undef
        }
        "deprecate" => {
            host.deprecate(text(0), text(1));
            Value::Undef
        }
        "describe_mismatch" => {
            let (expected, actual) = (values.decode(json(1), host)?, values.decode(json(2), host)?);
            return Ok(json!(host.describe_mismatch(text(0), &expected, &actual)?));
        }
        "classes" => return Ok(json!(host.classes())),
        "tags" => return Ok(json!(host.tags())),
        "catalog_resource" => host.catalog_resource(text(0), text(1)),
        "resource" => return Ok(json!(host.resource())),
        "source" => return Ok(json!(host.source())),
        "setting" => host.setting(text(0)),
        "fact" => host.fact(text(0)),
        "find_file" => return Ok(json!(host.find_file(text(0), text(1)))),
        "module_path" => return Ok(json!(host.module_path(text(0)))),
        "parse_type" => host.parse_type(text(0))?,
        "is_instance" => {
            let (data_type, value) = (values.decode(json(0), host)?, values.decode(json(1), host)?);
            return Ok(json!(host.is_instance(&data_type, &value)?));
        }
        "stacktrace" => return Ok(json!(host.stacktrace())),
        "context" => {
            let (context, given) = (values.decode(json(0), host)?, values.decode_all(list(2), host)?);
            host.lookup_context(&context, text(1), given)?
        }
        other => return Err(HostError::message(format!("the compiler does not know the question '{other}'"))),
    };
    Ok(values.encode(&value))
}
