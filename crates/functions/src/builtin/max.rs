//! `max`: the largest of values.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::extreme::Extreme::Max;

function! {
    /// Returns the largest of the arguments, or of the elements of a single array.
    ///
    /// Numbers, texts, versions and times are compared with their kind, mixed values as text. A lambda can say which of
    /// two is larger, as for `sort`.
    ///
    /// ```puppet
    /// max(1, 3, 2)      # 3
    /// max(['b', 'a'])   # 'b'
    /// ```
    "max" {
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
    Max.of_comparable(values)
}

fn of_texts(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    Max.of_texts(call, values)
}

fn of_numbers_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { Max.by_block(call, values) } else { Max.of_comparable(values) }
}

fn of_texts_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { Max.by_block(call, values) } else { Max.of_texts(call, values) }
}

fn of_any_in(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    if call.block.is_some() { Max.by_block(call, values) } else { of_any(call, values) }
}

fn by_block(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    Max.by_block(call, values)
}

/// Versions and times have an order of their own, everything else is compared as text.
fn of_any(call: &mut Call<'_, '_>, values: &[Value]) -> Outcome {
    let same_kind = |kind: fn(&Value) -> bool| !values.is_empty() && values.iter().all(kind);
    if same_kind(|value| matches!(value, Value::SemVer(_)))
        || same_kind(|value| matches!(value, Value::Timespan(_)))
        || same_kind(|value| matches!(value, Value::Timestamp(_)))
    {
        return Max.of_comparable(values);
    }
    Max.of_any(call, values)
}
