//! `min`: the smallest of values.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::extreme::Extreme::Min;

function! {
    /// Returns the smallest of the arguments, or of the elements of a single array.
    ///
    /// Numbers, texts, versions and times are compared with their kind, mixed values as text. A lambda can say which of
    /// two is larger, as for `sort`.
    ///
    /// ```puppet
    /// min(1, 3, 2)      # 1
    /// min(['b', 'a'])   # 'a'
    /// ```
    "min" {
        "(Numeric *$values)" => of_comparable(*values),
        "(String *$values)" => of_texts(call, *values),
        "(Array[Numeric] $values, Callable[2, 2] &$block = undef)" => of_numbers_in(call, values),
        "(Array[String] $values, Callable[2, 2] &$block = undef)" => of_texts_in(call, values),
        "(Array $values, Callable[2, 2] &$block = undef)" => of_any_in(call, values),
        "(Any *$values, Callable[2, 2] &$block)" => by_block(call, *values),
        "(Any *$values)" => of_any(call, *values),
    }
}

fn of_comparable(values: &[Value]) -> Outcome {
    Min.of_comparable(values)
}

fn of_texts(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    Min.of_texts(call, values)
}

fn of_numbers_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { Min.by_block(call, values) } else { Min.of_comparable(values) }
}

fn of_texts_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { Min.by_block(call, values) } else { Min.of_texts(call, values) }
}

fn of_any_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { Min.by_block(call, values) } else { of_any(call, values) }
}

fn by_block(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    Min.by_block(call, values)
}

/// Versions and times have an order of their own, everything else is compared as text.
fn of_any(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    let same_kind = |kind: fn(&Value) -> bool| !values.is_empty() && values.iter().all(kind);
    if same_kind(|value| matches!(value, Value::SemVer(_)))
        || same_kind(|value| matches!(value, Value::Timespan(_)))
        || same_kind(|value| matches!(value, Value::Timestamp(_)))
    {
        return Min.of_comparable(values);
    }
    Min.of_any(call, values)
}
