//! What Ruby code may ask of the compiler while it runs.

use serde_json::{Map, Value as Json, json};

use super::Sidecar;
use super::error::{RubyError, RubyErrorKind};

/// An answer to a question of Ruby code.
pub type HostResult = Result<Json, HostError>;

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
    },
    /// The compiler wants to leave the call; it keeps the reason itself.
    Unwind,
}

/// The outcome of looking up a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Variable {
    /// Its value.
    Found(Json),
    /// Why there is none, such as `class x has not been evaluated`.
    NotFound(Option<String>),
}

/// The compiler, as Ruby code sees it. Values are rich data: JSON in which `__ptype` marks what JSON does not have;
/// a data type is `{"__ptype": "Type", "__pvalue": "Integer[1]"}`. What a host does not offer is not there for Ruby.
pub trait Host {
    /// The value of a variable as code in the current scope sees it, qualified or not.
    fn variable(&mut self, name: &str) -> Variable;
    /// All variables with a value that the current scope sees by their plain names.
    fn variables(&mut self) -> Map<String, Json>;
    /// Assigns a variable in the current scope.
    fn set_variable(&mut self, _name: &str, _value: Json) -> HostResult {
        Err(HostError::message("variables cannot be assigned here"))
    }
    /// Whether there is a function of this name.
    fn has_function(&mut self, _name: &str) -> bool {
        false
    }
    /// Calls a function, with a block of Ruby if the caller gave one.
    fn call_function(&mut self, name: &str, args: Vec<Json>, block: Option<&RubyBlock<'_>>) -> HostResult;
    /// Calls the block that the running Ruby function was given.
    fn call_block(&mut self, args: Vec<Json>) -> HostResult;
    /// Logs a message: `debug`, `info`, `notice`, `warning`, `err` and so on; with a key only if it is the first.
    fn log(&mut self, level: &str, message: &str, once: Option<&str>);
    /// The names of the classes in the catalog.
    fn classes(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// The tags of the catalog.
    fn tags(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// The parameters of a resource of the catalog; null if it is not there.
    fn catalog_resource(&mut self, _resource_type: &str, _title: &str) -> Json {
        Json::Null
    }
    /// The reference of the resource the current scope belongs to, such as `Class[main]`.
    fn resource(&mut self) -> String {
        "Class[main]".to_string()
    }
    /// The name and module of the class or defined type the current scope belongs to.
    fn source(&mut self) -> (String, String) {
        (String::new(), String::new())
    }
    /// The value of a setting.
    fn setting(&mut self, _name: &str) -> Json {
        Json::Null
    }
    /// A fact of the machine that compiles; null if it is not known.
    fn fact(&mut self, _name: &str) -> Json {
        Json::Null
    }
    /// The path of a file of a module by `module/path`, below `files` or `templates`.
    fn find_file(&mut self, _folder: &str, _name: &str) -> Option<String> {
        None
    }
    /// The folder of a module.
    fn module_path(&mut self, _name: &str) -> Option<String> {
        None
    }
    /// The data type that a text means.
    fn parse_type(&mut self, _text: &str) -> HostResult {
        Err(HostError::message("data types cannot be read here"))
    }
    /// Whether a value is an instance of a data type.
    fn is_instance(&mut self, _data_type: &Json, _value: &Json) -> HostResult {
        Err(HostError::message("data types are not known here"))
    }
    /// The places of calls in Puppet code, innermost first, each `[file, line]`.
    fn stacktrace(&mut self) -> Vec<(String, u32)> {
        Vec::new()
    }
    /// A method of the lookup context that a Hiera backend was given.
    fn lookup_context(&mut self, _handle: &Json, _method: &str, _args: Vec<Json>) -> HostResult {
        Err(HostError::message("there is no lookup context here"))
    }
}

/// A block of Ruby that a function of Puppet may call.
pub struct RubyBlock<'s> {
    sidecar: &'s Sidecar,
    number: u64,
}

impl RubyBlock<'_> {
    /// Calls the block.
    pub fn call(&self, host: &mut dyn Host, args: &[Json]) -> Result<Json, RubyError> {
        let request = json!({ "op": "yield", "block": self.number, "args": args });
        self.sidecar.within(|| self.sidecar.converse(&request, host))
    }
}

impl HostError {
    /// An error without a place.
    pub fn message(message: impl Into<String>) -> Self {
        HostError::Message { message: message.into(), file: None, line: None }
    }
}

impl From<RubyError> for HostError {
    /// An error of nested Ruby code goes on to the Ruby code around it.
    fn from(error: RubyError) -> Self {
        match error.kind {
            RubyErrorKind::Unwound => HostError::Unwind,
            _ => HostError::Message { message: error.message, file: error.file, line: error.line },
        }
    }
}

/// Answers a callback of the helper.
pub(super) fn answer(sidecar: &Sidecar, callback: &str, args: Option<&Json>, host: &mut dyn Host) -> Json {
    let args = Arguments(args.and_then(Json::as_array).map_or(&[], Vec::as_slice));
    match reply(sidecar, callback, &args, host) {
        Ok(value) => json!({ "ok": value }),
        Err(HostError::Unwind) => json!({ "unwind": true }),
        Err(HostError::Message { message, file, line }) => json!({ "error": message, "file": file, "line": line }),
    }
}

fn reply(sidecar: &Sidecar, callback: &str, args: &Arguments<'_>, host: &mut dyn Host) -> HostResult {
    Ok(match callback {
        "variable" => match host.variable(args.text(0)) {
            Variable::Found(value) => json!({ "found": true, "value": value }),
            Variable::NotFound(reason) => json!({ "found": false, "reason": reason }),
        },
        "variables" => Json::Object(host.variables()),
        "set_variable" => host.set_variable(args.text(0), args.value(1))?,
        "has_function" => json!(host.has_function(args.text(0))),
        "call_function" => {
            let number = args.value(2).as_u64();
            let block = number.map(|number| RubyBlock { sidecar, number });
            host.call_function(args.text(0), args.list(1), block.as_ref())?
        }
        "call_block" => host.call_block(args.0.to_vec())?,
        "log" => {
            host.log(args.text(0), args.text(1), args.0.get(2).and_then(Json::as_str));
            Json::Null
        }
        "classes" => json!(host.classes()),
        "tags" => json!(host.tags()),
        "catalog_resource" => host.catalog_resource(args.text(0), args.text(1)),
        "resource" => json!(host.resource()),
        "source" => json!(host.source()),
        "setting" => host.setting(args.text(0)),
        "fact" => host.fact(args.text(0)),
        "find_file" => json!(host.find_file(args.text(0), args.text(1))),
        "module_path" => json!(host.module_path(args.text(0))),
        "parse_type" => host.parse_type(args.text(0))?,
        "is_instance" => host.is_instance(&args.value(0), &args.value(1))?,
        "stacktrace" => json!(host.stacktrace()),
        "context" => host.lookup_context(&args.value(0), args.text(1), args.list(2))?,
        other => return Err(HostError::message(format!("the compiler does not know the question '{other}'"))),
    })
}

/// The arguments of a callback.
struct Arguments<'a>(&'a [Json]);

impl Arguments<'_> {
    fn value(&self, index: usize) -> Json {
        self.0.get(index).cloned().unwrap_or(Json::Null)
    }

    fn text(&self, index: usize) -> &str {
        self.0.get(index).and_then(Json::as_str).unwrap_or_default()
    }

    fn list(&self, index: usize) -> Vec<Json> {
        self.0.get(index).and_then(Json::as_array).cloned().unwrap_or_default()
    }
}
