//! `min`: the smallest of values.

use bunraku_compiler::function;

use crate::extreme::{by_block, of_any, of_any_in, of_comparable, of_comparable_in, of_texts, of_texts_in};

function! {
    /// Returns the smallest of the arguments, or of the elements of a single array.
    ///
    /// Numbers, strings, versions and times are compared with their kind, mixed values as strings. A lambda can say which of
    /// two is larger, as for `sort`.
    ///
    /// ```puppet
    /// min(1, 3, 2)      # 1
    /// min(['b', 'a'])   # 'a'
    /// ```
    "min" {
        "(Numeric *$values)" as ">> Numeric" => of_comparable(call, *values),
        "(String *$values)" as ">> String" => of_texts(call, *values),
        "(SemVer *$values)" as ">> SemVer" => of_comparable(call, *values),
        "(Timespan *$values)" as ">> Timespan" => of_comparable(call, *values),
        "(Timestamp *$values)" as ">> Timestamp" => of_comparable(call, *values),
        "(Array[Numeric] $values, Callable[2, 2] &$block = undef)" as ">> Optional[Numeric]" => of_comparable_in(call, values),
        "(Array[SemVer] $values, Callable[2, 2] &$block = undef)" as ">> Optional[SemVer]" => of_comparable_in(call, values),
        "(Array[Timespan] $values, Callable[2, 2] &$block = undef)" as ">> Optional[Timespan]" => of_comparable_in(call, values),
        "(Array[Timestamp] $values, Callable[2, 2] &$block = undef)" as ">> Optional[Timestamp]" => of_comparable_in(call, values),
        "(Array[String] $values, Callable[2, 2] &$block = undef)" as ">> Optional[String]" => of_texts_in(call, values),
        "(Array $values, Callable[2, 2] &$block = undef)" as ">> Any" => of_any_in(call, values),
        "(Any *$values, Callable[2, 2] &$block)" as ">> Any" => by_block(call, *values),
        "(Any *$values)" as ">> Any" => of_any(call, *values),
    }
}
