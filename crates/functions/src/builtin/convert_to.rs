//! `convert_to`: a value as an instance of another data type.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Converts a value to a data type, as `new` does it with the type first, or calls the lambda with the result.
    ///
    /// ```puppet
    /// '42'.convert_to(Integer)                            # 42
    /// 'a'.convert_to(Array, true) |$list| { $list + 'b' } # ['a', 'b']
    /// ```
    "convert_to" {
        "(Any $value, Type $type, Any *$args, Callable[1, 1] &$block = undef)" as ">> Any" => convert_to(call, value, r#type, *args),
    }
}

fn convert_to(call: &mut Call<'_, '_>, value: &Value, data_type: &Value, args: &[Value]) -> Outcome {
    let arguments = [data_type, value].into_iter().chain(args).cloned().collect();
    let converted = call.function("new", arguments, None)?;
    if call.block.is_some() { call.yield_to_block(vec![converted]) } else { Ok(converted) }
}
