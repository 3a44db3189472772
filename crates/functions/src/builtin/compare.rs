//! `compare`: the order of two values as a number.

use bunraku_compiler::function;
use bunraku_pcore::compare::compare as order;
use bunraku_pcore::{Value, label};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Compares two values and returns -1, 0 or 1, which is what a lambda of `sort` gives.
    ///
    /// Numbers, strings, versions and times can be compared with their kind, times also with numbers. Strings are compared
    /// without regard to case unless the third argument is false.
    ///
    /// ```puppet
    /// compare(1, 2)            # -1
    /// compare('a', 'A')        # 0
    /// compare('a', 'A', false) # 1
    /// ```
    "compare" {
        "(Numeric $a, Numeric $b)" as ">> Integer[-1, 1]" => compare(a, b),
        "(String $a, String $b, Boolean $ignore_case = undef)" as ">> Integer[-1, 1]" => compare_texts(a, b, ignore_case),
        "(Semver $a, Semver $b)" as ">> Integer[-1, 1]" => compare(a, b),
        "(Numeric $a, Variant[Timespan, Timestamp] $b)" as ">> Integer[-1, 1]" => compare(a, b),
        "(Timestamp $a, Variant[Timestamp, Numeric] $b)" as ">> Integer[-1, 1]" => compare(a, b),
        "(Timespan $a, Variant[Timespan, Numeric] $b)" as ">> Integer[-1, 1]" => compare(a, b),
        "mismatch (Any $a, Any $b, Any *$ignore_case)" => mismatch(a, b, *ignore_case),
    }
}

fn compare(left: &Value, right: &Value) -> Result<Value, Issue> {
    // Compatibility: what has no order, such as a number that is none, gives no value.
    Ok(order(left, right).ok().map(|ordering| Value::Integer(ordering as i64)).unwrap_or_default())
}

fn compare_texts(left: &str, right: &str, ignore_case: Option<bool>) -> i64 {
    let ordering = if ignore_case == Some(false) {
        left.as_bytes().cmp(right.as_bytes())
    } else {
        let folded = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
        folded(left).cmp(&folded(right))
    };
    ordering as i64
}

/// Why two values cannot be compared.
fn mismatch(left: &Value, right: &Value, ignore_case: &[Value]) -> Result<Value, Issue> {
    let (left_label, right_label) = (label::label(left), label::label(right));
    if !is_comparable(left) || !is_comparable(right) {
        return fail(format!(
            "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp \
             can be compared. Got {left_label} and {right_label}"
        ));
    }
    match ignore_case {
        [] => {}
        _ if left.as_str().is_none() || right.as_str().is_none() => {
            return fail("compare(): The third argument (ignore case) can only be used when comparing strings");
        }
        [only] if !matches!(only, Value::Boolean(_)) => {
            let label = label::label(only);
            return fail(format!("compare(): The third argument (ignore case) must be a Boolean. Got {label}"));
        }
        [_] => {}
        _ => return fail(format!("compare(): Accepts at most 3 arguments, got {}", 2 + ignore_case.len())),
    }
    fail(format!(
        "compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got \
         {left_label} and {right_label}"
    ))
}

fn is_comparable(value: &Value) -> bool {
    matches!(
        value,
        Value::Integer(_)
            | Value::Float(_)
            | Value::String(_)
            | Value::SemVer(_)
            | Value::Timespan(_)
            | Value::Timestamp(_)
    )
}
