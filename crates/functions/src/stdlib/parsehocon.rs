//! `parsehocon`: data from HOCON.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_notation::hocon;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the data of a HOCON string, or the default if it cannot be read.
    ///
    /// ```puppet
    /// parsehocon('a: 1') # {'a' => 1}
    /// ```
    "parsehocon" of "stdlib" {
        "(String $hocon_string, Any $default = undef)" as ">> Any" => parsehocon(call, hocon_string),
    }
}

function! {
    /// Returns the data of a HOCON string, or the default if it cannot be read.
    ///
    /// ```puppet
    /// parsehocon('a: 1') # {'a' => 1}
    /// ```
    NAMESPACED: "stdlib::parsehocon" of "stdlib" {
        "(String $hocon_string, Any $default = undef)" as ">> Any" => parsehocon(call, hocon_string),
    }
}

fn parsehocon(call: &mut Call<'_, '_>, text: &str) -> Result<Value, Issue> {
    let value = match hocon::value(text) {
        Ok(Value::Array(_)) => Err("String: 1:  has type LIST rather than object at file root".to_owned()),
        value => value,
    };
    match (value, call.args.get(1)) {
        (Ok(value), _) => Ok(value),
        (Err(_), Some(default)) => Ok(default.clone()),
        (Err(problem), None) => fail(problem),
    }
}
