//! Functions of modules: what a file says about those it defines, and calls of them.

use std::sync::Arc;

use bunraku_pcore::Value as PuppetValue;
use serde_json::Value as Json;

use super::ask::puppet_block;
use super::failure::{self, Failure};
use super::values;
use crate::interpreter::code::Args;
use crate::interpreter::lower::lower;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};
use crate::sidecar::Function;

/// Puppet's functions that do nothing but compute: calling them twice is calling them once.
pub(super) const PURE: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool2num",
    "bool2str",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "chop",
    "compare",
    "concat",
    "convert_base",
    "count",
    "defined",
    "delete",
    "dig",
    "downcase",
    "each",
    "empty",
    "ends_with",
    "filter",
    "flatten",
    "floor",
    "fqdn_rand",
    "get",
    "getvar",
    "group_by",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "index",
    "is_string",
    "join",
    "keys",
    "length",
    "lookup",
    "lstrip",
    "map",
    "match",
    "max",
    "md5",
    "member",
    "merge",
    "min",
    "new",
    "pick",
    "pick_default",
    "prefix",
    "reduce",
    "regsubst",
    "reject",
    "reverse_each",
    "round",
    "rstrip",
    "scanf",
    "sha1",
    "sha256",
    "shellquote",
    "size",
    "slice",
    "sort",
    "split",
    "sprintf",
    "starts_with",
    "step",
    "strftime",
    "strip",
    "suffix",
    "tagged",
    "then",
    "to_json",
    "to_yaml",
    "type",
    "unique",
    "unwrap",
    "upcase",
    "validate_hash",
    "validate_string",
    "values",
    "versioncmp",
    "with",
];

/// Loads a file that defines functions and tells what it defines.
pub(crate) fn describe(vm: &mut Vm, path: &str, text: &Arc<str>) -> Result<Function, Failure> {
    let effects = vm.puppet.effects;
    match load(vm, path, text) {
        Ok(description) => Ok(Function::from_json(path, text, &description)?),
        Err(stop) => Err(ended(vm, *stop, path, effects)),
    }
}

fn ended(vm: &mut Vm, stop: Stop, path: &str, effects: u64) -> Failure {
    let failure = failure::of(vm, stop, path);
    let told = values::tell_changes(vm).is_ok();
    failure.clean(told && vm.puppet.effects == effects)
}

fn load(vm: &mut Vm, path: &str, text: &Arc<str>) -> Outcome<Json> {
    let tree = lower(text, path, 1, &[]);
    let tree = tree
        .map_err(|error| vm.error("SyntaxError", &format!("{path}:{}: syntax error, {}", error.line, error.message)))?;
    let bunraku = vm.constant_at("Bunraku")?;
    vm.send(&bunraku, Sym::new("described="), &[Value::array(Vec::new())])?;
    let result = if path.contains("/parser/functions/") {
        vm.run_file(&tree, path)?
    } else {
        let around = vm.constant_at("Puppet::Pops::Loader::RubyFunctionInstantiator")?;
        let Value::Class(class) = &around else { return Err(vm.type_error("a class is expected")) };
        vm.run_in(&tree, path, &around, class, None)?
    };
    let described = vm.send(&bunraku, Sym::new("described"), &[])?;
    let functions = vm.items(&described)?;
    let mut descriptions = Vec::new();
    for function in functions {
        let description = vm.send(&function, Sym::new("description"), &[])?;
        let description = json(vm, &description)?;
        let name = description.get("name").and_then(Json::as_str).unwrap_or_default().to_string();
        vm.puppet.functions.insert((path.into(), name), (text.clone(), function));
        descriptions.push(description);
    }
    let Some(mut last) = descriptions.pop() else {
        let class = vm.constant_at("Puppet::Error")?;
        let Value::Class(class) = class else { return Ok(Json::Null) };
        return Err(vm.exception(&class, Value::str("the file does not define a function")));
    };
    let is_old = last.get("kind").and_then(Json::as_str) == Some("3x");
    let wrong = (is_old && !matches!(result, Value::Hash(_))).then(|| vm.class_name(&result));
    if let Some(last) = last.as_object_mut() {
        last.insert("others".into(), Json::Array(descriptions));
        last.insert("result".into(), wrong.map_or(Json::Null, Json::String));
    }
    Ok(last)
}

/// Calls a function by one of its dispatches, or by its own choice, with a block if the caller has one.
pub(crate) fn call(
    vm: &mut Vm,
    function: &Function,
    dispatch: Option<usize>,
    args: &[PuppetValue],
    block_arity: Option<i64>,
    is_by_ruby: bool,
) -> Result<PuppetValue, Failure> {
    let effects = vm.puppet.effects;
    vm.catching.push(Value::sym("no_such_key"));
    let outcome = run(vm, function, dispatch, args, block_arity, is_by_ruby);
    vm.catching.pop();
    outcome.map_err(|stop| ended(vm, *stop, &function.path, effects))
}

fn run(
    vm: &mut Vm,
    function: &Function,
    dispatch: Option<usize>,
    args: &[PuppetValue],
    block_arity: Option<i64>,
    is_by_ruby: bool,
) -> Outcome<PuppetValue> {
    let key = (function.path.clone(), function.name.clone());
    let known = |vm: &Vm| vm.puppet.functions.get(&key).filter(|(text, _)| *text == function.text).cloned();
    let callee = match known(vm) {
        Some((_, callee)) => callee,
        None => {
            load(vm, &function.path, &function.text)?;
            match known(vm) {
                Some((_, callee)) => callee,
                None => return Err(vm.error("NameError", "the file does not define the function")),
            }
        }
    };
    let args = values::all_from_puppet(vm, args)?;
    let dispatch = dispatch.map_or(Value::Nil, Value::int);
    let block = block_arity.map(puppet_block);
    let given = [dispatch, Value::array(args), Value::Bool(is_by_ruby)];
    let value = vm.send_with(&callee, Sym::new("call"), Args::with_block(&given, block.as_ref()), true)?;
    // First, for the result may hold what was changed.
    values::tell_changes(vm)?;
    values::to_puppet(vm, &value)
}

/// Plain data as JSON.
fn json(vm: &mut Vm, value: &Value) -> Outcome<Json> {
    Ok(match value {
        Value::Nil => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(number) => Json::from(*number),
        Value::Array(array) => {
            let items = array.items.borrow().clone();
            Json::Array(items.iter().map(|item| json(vm, item)).collect::<Outcome<_>>()?)
        }
        Value::Hash(table) => {
            let entries = table.entries.borrow().clone();
            let mut object = serde_json::Map::new();
            for (key, value) in &entries {
                object.insert(vm.to_s(&key.value)?, json(vm, value)?);
            }
            Json::Object(object)
        }
        other => Json::String(vm.to_s(other)?),
    })
}
