//! `type3x`: the name of the kind of a value.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number;
use crate::number::fail;

function! {
    /// Returns the kind of a value as a string; strings that are numbers count as such.
    ///
    /// ```puppet
    /// type3x('1') # 'integer'
    /// ```
    "type3x" of "stdlib" {
        "arity -1" as "(Any $value) >> String" => type3x(*args),
    }
}

fn type3x(args: &[Value]) -> Result<&'static str, Issue> {
    let [value] = args else {
        return fail(format!("type3x(): Wrong number of arguments given ({} for 1)", args.len()));
    };
    Ok(match value {
        Value::Boolean(_) => "boolean",
        Value::Integer(_) => "integer",
        Value::Float(_) => "float",
        Value::Array(_) => "array",
        Value::Hash(_) => "hash",
        Value::String(text) if number::leading_integer(text).to_string() == text.as_str() => "integer",
        Value::String(text) if Value::Float(number::leading_float(text)).to_string() == text.as_str() => "float",
        Value::String(_) => "string",
        _ => return fail("type3x(): Unknown type"),
    })
}
