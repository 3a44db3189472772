//! `range`: numbers or strings one after the other.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect, limits};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;
use crate::successor;

function! {
    /// Returns an array from the first to the last value, by steps. One argument such as `0-3` or `a..c` has both; `...` leaves
    /// the last one out.
    ///
    /// ```puppet
    /// range(0, 9, 3)  # [0, 3, 6, 9]
    /// range('a', 'c') # ['a', 'b', 'c']
    /// ```
    "range" of "stdlib" {
        "arity -1" as "(Any $first, Any $last = undef, Any $step = undef) >> Array" => range(*args),
    }
}

fn range(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let (start, stop, step, is_open) = match args {
        [] => return fail("range(): Wrong number of arguments given (0 for 1)"),
        [value] => {
            let Some(text) = legacy_arguments::name(value) else {
                return Err(legacy_arguments::undefined_method("match", value));
            };
            let (start, stop, is_open) = parse(text)?;
            (start, stop, 1, is_open)
        }
        [start, stop, rest @ ..] => {
            let step = rest.first().map_or(1, |step| legacy_arguments::integer(Some(step)).unsigned_abs());
            (start.clone(), stop.clone(), step, false)
        }
    };
    let Some(step) = usize::try_from(step).ok().filter(|step| *step > 0) else {
        return fail("range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)");
    };
    if legacy_arguments::is_digits(&inspect::to_s(&start)) {
        let (start, stop) = (legacy_arguments::integer(Some(&start)), legacy_arguments::integer(Some(&stop)));
        let stop = if is_open { stop.saturating_sub(1) } else { stop };
        return within_limits((start..=stop).step_by(step).map(Value::Integer));
    }
    let (start, stop) = (inspect::to_s(&start), inspect::to_s(&stop));
    let texts = successor::range(&start, &stop, is_open);
    within_limits(texts.step_by(step).map(Value::from))
}

fn within_limits(values: impl Iterator<Item = Value>) -> Result<Vec<Value>, Issue> {
    let most = usize::try_from(limits::ELEMENTS).unwrap_or(usize::MAX);
    let values: Vec<Value> = values.take(most.saturating_add(1)).collect();
    limits::check_elements(values.len() as u64)?;
    Ok(values)
}

/// Reads `0-3`, `a..c` or `a...c`.
fn parse(text: &str) -> Result<(Value, Value, bool), Issue> {
    let is_word =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    for (separator, is_open) in [("...", true), ("..", false), ("-", false)] {
        if let Some((start, stop)) = text.split_once(separator)
            && is_word(start)
            && is_word(stop)
        {
            return Ok((start.into(), stop.into(), is_open));
        }
    }
    if text.is_empty() {
        return fail(format!("range(): Unknown range format: {text}"));
    }
    fail(format!("range(): Unable to compute range from the value: {text}"))
}
