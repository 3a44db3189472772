//! What Ruby code may ask of the compiler while it runs.

use bunraku_compiler::Limits;
use bunraku_compiler::change::Replaced;
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
    /// Ruby code has changed arrays or hashes in place, by where they were: everybody who holds them sees that.
    fn values_changed(&mut self, _replaced: &Replaced) {}
    /// Whether there is a function of this name.
    fn has_function(&mut self, _name: &str) -> bool {
        false
    }
    /// Calls a function, with a block of Ruby if the caller gave one.
    fn call_function(&mut self, name: &str, args: Vec<Value>, block: Option<&dyn RubyBlock>) -> HostResult;
    /// Calls a function as a method of the scope: one written for the old interface goes first.
    fn call_legacy_function(&mut self, name: &str, args: Vec<Value>, block: Option<&dyn RubyBlock>) -> HostResult {
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
    /// Whether an array or a hash is one of the node's facts.
    fn is_fact(&self, _value: &Value) -> bool {
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
pub trait RubyBlock {
    /// How many parameters it has, as Ruby counts: below zero, at least `-arity - 1`.
    fn arity(&self) -> i64;

    /// Calls the block.
    fn call(&self, host: &mut dyn Host, args: &[Value]) -> Result<Value, RubyError>;
}

/// A block in the helper, by its number there.
struct HelperBlock<'s> {
    sidecar: &'s Sidecar,
    number: i64,
    arity: i64,
}

impl RubyBlock for HelperBlock<'_> {
    fn arity(&self) -> i64 {
        self.arity
    }

    fn call(&self, host: &mut dyn Host, args: &[Value]) -> Result<Value, RubyError> {
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
    let reply = sidecar.values.decode_all(args, host).and_then(|args| {
        let number = |index: usize| args.get(index).and_then(integer);
        let block = number(2).filter(|_| callback.starts_with("call_"));
        let block = block.map(|number| HelperBlock { sidecar, number, arity: number_or(&args, 3, -1) });
        reply(callback, &args, block.as_ref().map(|block| block as &dyn RubyBlock), host)
    });
    if is_at_top {
        host.at_top(false);
    }
    match reply {
        Ok(value) => json!({ "ok": sidecar.values.encode(&value) }),
        Err(HostError::Unwind) => json!({ "unwind": true }),
        Err(HostError::Message { message, file, line, number, is_lookup_error }) => {
            json!({ "error": message, "file": file, "line": line, "number": number, "data": is_lookup_error })
        }
    }
}

/// Answers a question of Ruby code, whoever runs it.
pub(crate) fn reply(question: &str, args: &[Value], block: Option<&dyn RubyBlock>, host: &mut dyn Host) -> HostResult {
    let text = |index: usize| match args.get(index) {
        Some(Value::String(text) | Value::Symbol(text)) => text.as_str(),
        _ => "",
    };
    let value = |index: usize| args.get(index).unwrap_or(&Value::Undef);
    let list = |index: usize| match args.get(index) {
        Some(Value::Array(items)) => items.to_vec(),
        _ => Vec::new(),
    };
    let texts = |texts: Vec<String>| Value::from(texts.into_iter().map(Value::from).collect::<Vec<_>>());
    let optional = |text: Option<String>| text.map_or(Value::Undef, Value::from);
    Ok(match question {
        "variable" => match host.variable(text(0)) {
            Variable::Found(value) => Value::hash([("found".into(), true.into()), ("value".into(), value)]),
            Variable::NotFound { name, reason } => Value::hash([
                ("found".into(), false.into()),
                ("name".into(), name.into()),
                ("reason".into(), reason.into()),
            ]),
        },
        "variables" => Value::hash(host.variables().into_iter().map(|(name, value)| (Value::from(name), value))),
        "set_variable" => host.set_variable(text(0), value(1).clone())?,
        "has_function" => host.has_function(text(0)).into(),
        "has_legacy_function" => host.has_legacy_function(text(0)).into(),
        "has_default" => host.has_default(text(0), text(1)).into(),
        "call_legacy_file" => host.call_legacy_file(text(0), list(1))?,
        "dispatch" => Value::Integer(i64::try_from(host.choose_dispatch(args)?).unwrap_or_default()),
        "call_function" => host.call_function(text(0), list(1), block)?,
        "call_legacy_function" => host.call_legacy_function(text(0), list(1), block)?,
        "call_block" => host.call_block(args.to_vec())?,
        "log" => {
            host.log(text(0), text(1), value(2).as_str());
            Value::Undef
        }
        "deprecate" => {
            host.deprecate(text(0), text(1));
            Value::Undef
        }
        "describe_mismatch" => host.describe_mismatch(text(0), value(1), value(2))?.into(),
        "classes" => texts(host.classes()),
        "tags" => texts(host.tags()),
        "catalog_resource" => host.catalog_resource(text(0), text(1)),
        "resource" => host.resource().into(),
        "source" => texts(host.source().into()),
        "setting" => host.setting(text(0)),
        "fact" => host.fact(text(0)),
        "find_file" => optional(host.find_file(text(0), text(1))),
        "module_path" => optional(host.module_path(text(0))),
        "parse_type" => host.parse_type(text(0))?,
        "is_instance" => host.is_instance(value(0), value(1))?.into(),
        "stacktrace" => {
            let places = host.stacktrace().into_iter();
            let places = places.map(|(file, line)| Value::array([file.into(), Value::Integer(i64::from(line))]));
            Value::from(places.collect::<Vec<_>>())
        }
        "context" => host.lookup_context(value(0), text(1), list(2))?,
        other => return Err(HostError::message(format!("the compiler does not know the question '{other}'"))),
    })
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        _ => None,
    }
}

fn number_or(args: &[Value], index: usize, otherwise: i64) -> i64 {
    args.get(index).and_then(integer).unwrap_or(otherwise)
}
