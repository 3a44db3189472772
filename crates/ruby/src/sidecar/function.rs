//! What a Ruby file tells about the function it defines, so that dispatch by data types happens on our side.

use std::sync::Arc;

use serde_json::Value as Json;

use super::error::RubyError;

/// A function defined in a Ruby file.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// The name, such as `stdlib::merge`.
    pub name: String,
    /// The file.
    pub path: Arc<str>,
    /// The text of the file.
    pub text: Arc<str>,
    /// How it may be called.
    pub signature: Signature,
    /// What else a file of the old kind defines.
    pub others: Vec<Function>,
}

/// How a function may be called.
#[derive(Debug, Clone, PartialEq)]
pub enum Signature {
    /// `Puppet::Parser::Functions.newfunction`: any values, a number of them.
    Old {
        /// The number of arguments; below zero, at least `-arity - 1`.
        arity: i64,
        /// Whether it gives a value.
        rvalue: bool,
        /// The documentation.
        doc: String,
        /// The class of what the file gives, if that is not what `newfunction` gives.
        result: Option<String>,
    },
    /// `Puppet::Functions.create_function`: dispatches by data types, in order.
    New {
        /// The dispatches.
        dispatches: Vec<Dispatch>,
        /// Type aliases that only this function knows, such as `Port = Integer[1]`.
        local_types: Vec<String>,
        /// Whether the function is called without a dispatch, because it chooses one itself.
        has_own_call: bool,
    },
}

/// One signature of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// The method that is called.
    pub method: String,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// The block it takes.
    pub block: Option<BlockParameter>,
    /// The data type of the result.
    pub return_type: Option<String>,
    /// Whether it matches wrong arguments and its result is the message about them.
    pub is_mismatch: bool,
}

/// A parameter of a dispatch.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The data type in Puppet's syntax.
    pub data_type: String,
    /// How many arguments it takes.
    pub kind: ParameterKind,
}

/// How many arguments a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// One.
    Required,
    /// None or one.
    Optional,
    /// Any number.
    Repeated,
    /// At least one.
    RequiredRepeated,
}

/// The block of a dispatch.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockParameter {
    /// The name.
    pub name: String,
    /// The data type in Puppet's syntax.
    pub data_type: String,
    /// Whether it may be left out.
    pub is_optional: bool,
}

impl Function {
    pub(crate) fn from_json(path: &str, text: &Arc<str>, json: &Json) -> Result<Self, RubyError> {
        let signature = signature(json).ok_or_else(|| RubyError::protocol(json))?;
        let name = string(json, "name").ok_or_else(|| RubyError::protocol(json))?;
        let others = json.get("others").and_then(Json::as_array).into_iter().flatten();
        let others = others.map(|other| Function::from_json(path, text, other)).collect::<Result<_, _>>()?;
        Ok(Function { name, path: Arc::from(path), text: text.clone(), signature, others })
    }
}

fn signature(json: &Json) -> Option<Signature> {
    if json.get("kind")?.as_str()? == "3x" {
        let arity = json.get("arity")?.as_i64()?;
        let rvalue = json.get("rvalue")?.as_bool()?;
        return Some(Signature::Old { arity, rvalue, doc: string(json, "doc")?, result: string(json, "result") });
    }
    let dispatches = json.get("dispatches")?.as_array()?.iter().map(dispatch).collect::<Option<_>>()?;
    let local_types = json.get("local_types")?.as_array()?;
    let local_types = local_types.iter().filter_map(Json::as_str).map(str::to_string).collect();
    let has_own_call = json.get("own_call")?.as_bool()?;
    Some(Signature::New { dispatches, local_types, has_own_call })
}

fn dispatch(json: &Json) -> Option<Dispatch> {
    let parameters = json.get("parameters")?.as_array()?.iter().map(parameter).collect::<Option<_>>()?;
    let block = json.get("block").filter(|block| !block.is_null());
    let block = block.map(|block| {
        Some(BlockParameter {
            name: string(block, "name")?,
            data_type: string(block, "type")?,
            is_optional: block.get("optional")?.as_bool()?,
        })
    });
    Some(Dispatch {
        method: string(json, "method")?,
        parameters,
        block: block.flatten(),
        return_type: string(json, "return_type"),
        is_mismatch: json.get("mismatch")?.as_bool()?,
    })
}

fn parameter(json: &Json) -> Option<Parameter> {
    let kind = match json.get("kind")?.as_str()? {
        "required" => ParameterKind::Required,
        "optional" => ParameterKind::Optional,
        "repeated" => ParameterKind::Repeated,
        "required_repeated" => ParameterKind::RequiredRepeated,
        _ => return None,
    };
    Some(Parameter { name: string(json, "name")?, data_type: string(json, "type")?, kind })
}

fn string(json: &Json, key: &str) -> Option<String> {
    json.get(key).and_then(Json::as_str).map(str::to_string)
}
