//! `memcached::max_memory`: a share of the memory of the node.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::{fail, leading_float, to_integer};

function! {
    /// Returns a size in megabytes; one in percent is that share of the memory of the node.
    ///
    /// ```puppet
    /// memcached::max_memory('50%')
    /// ```
    "memcached::max_memory" of "memcached" {
        "(Any $arg) >> Integer" => max_memory(call, arg),
    }
}

const MEGABYTE: i64 = 1 << 20;

fn max_memory(call: &mut Call<'_, '_>, size: &Value) -> Result<Value, Issue> {
    if size.is_truthy() && !inspect::to_s(size).ends_with('%') {
        return legacy_arguments::to_i(size).map(Value::from);
    }
    let share = match size {
        Value::String(share) => leading_float(share),
        size if size.is_truthy() => return Err(legacy_arguments::undefined_method("to_f", size)),
        _ => 95.0,
    };
    let memory = match call.frame.compilation.node.facts.get_str("memorysize") {
        Some(Value::String(memory)) => bytes(memory)?,
        None | Some(Value::Undef) => return Err(legacy_arguments::undefined_method("[]", &Value::Undef)),
        other => {
            return Err(legacy_arguments::text(other)
                .err()
                .unwrap_or_else(|| legacy_arguments::undefined_method("match", size)));
        }
    };
    to_integer(((memory / MEGABYTE) as f64 * (share / 100.0)).floor())
}

/// How many bytes a string such as `1.5 GB` tells.
fn bytes(text: &str) -> Result<i64, Issue> {
    let is_numeral = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | '+' | '-');
    let unit = text.trim_start_matches(is_numeral).trim_start();
    let factor = match unit.chars().next() {
        None | Some('b' | 'B') => 1.0,
        Some('k') => f64::from(1 << 10),
        Some('M') => f64::from(1 << 20),
        Some('G') => f64::from(1 << 30),
        Some('T') => (1_i64 << 40) as f64,
        Some('E') => (1_i64 << 50) as f64,
        Some(unit) => return fail(format!("memcached_max_memory(): Unknown prefix {unit}")),
    };
    let number = text.strip_suffix(text.trim_start_matches(is_numeral)).unwrap_or_default();
    Ok((leading_float(number) * factor) as i64)
}
