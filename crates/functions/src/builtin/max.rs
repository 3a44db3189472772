//! `max`: the largest of values.

use bunraku_compiler::function;

use crate::extreme::{by_block, of_any, of_any_in, of_comparable, of_comparable_in, of_texts, of_texts_in};

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
        "(Numeric *$values)" => of_comparable(call, *values),
        "(String *$values)" => of_texts(call, *values),
        "(SemVer *$values)" => of_comparable(call, *values),
        "(Timespan *$values)" => of_comparable(call, *values),
        "(Timestamp *$values)" => of_comparable(call, *values),
        "(Array[Numeric] $values, Callable[2, 2] &$block = undef)" => of_comparable_in(call, values),
        "(Array[String] $values, Callable[2, 2] &$block = undef)" => of_texts_in(call, values),
        "(Array[SemVer] $values, Callable[2, 2] &$block = undef)" => of_comparable_in(call, values),
        "(Array[Timespan] $values, Callable[2, 2] &$block = undef)" => of_comparable_in(call, values),
        "(Array[Timestamp] $values, Callable[2, 2] &$block = undef)" => of_comparable_in(call, values),
        "(Array $values, Callable[2, 2] &$block = undef)" => of_any_in(call, values),
        "(Any *$values, Callable[2, 2] &$block)" => by_block(call, *values),
        "(Any *$values)" => of_any(call, *values),
    }
}
