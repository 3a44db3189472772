//! `assert_type`: a value that must be of a type.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Type, Value, mismatch};

use crate::number::fail;

function! {
    /// Returns the value if it is of the type. If not, it fails, or returns what the lambda gives for the expected and the
    /// actual type.
    ///
    /// ```puppet
    /// assert_type(String[1], 'hello')                                      # 'hello'
    /// assert_type(Integer, 'x') |$expected, $actual| { 0 }  # 0
    /// ```
    "assert_type" {
        "(Type $type, Any $value, Callable[Type, Type] &$block = undef)" as ">> Any" => assert_type(call, r#type, value),
        "(String $type_string, Any $value, Callable[Type, Type] &$block = undef)" as ">> Any" => by_text(call, type_string, value),
    }
}

fn assert_type(call: &mut Call<'_, '_>, expected: &Type, value: &Value) -> Outcome {
    expected.check_init()?;
    if expected.is_instance(value) {
        return Ok(value.clone());
    }
    expected.check_inits_for(value)?;
    let actual = Type::infer_detailed(value);
    if call.block.is_some() {
        return call.yield_to_block(vec![expected.clone().into(), actual.into()]);
    }
    Ok(fail(mismatch::describe_mismatch("assert_type():", expected, &actual))?)
}

fn by_text(call: &mut Call<'_, '_>, expected: &str, value: &Value) -> Outcome {
    let expected = call.frame.compilation.parse_type(expected)?;
    assert_type(call, &expected, value)
}
