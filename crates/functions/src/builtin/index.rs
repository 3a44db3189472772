//! `index`: where something is found first.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::compare::ruby_equals;
use bunraku_pcore::{Value, limits};
use bunraku_syntax::Issue;

use crate::iteration::{entries, has_keys};
use crate::search;

function! {
    /// Returns the index or key of the first element that is equal to a value or for which the lambda gives a true
    /// value; of a string the position of another string or of a match. It is `undef` if there is none.
    ///
    /// A lambda with one parameter gets the value, one with two gets the key or index before it.
    ///
    /// ```puppet
    /// ['a', 'b'].index('b')               # 1
    /// {'a' => 1}.index |$value| { $value > 0 } # 'a'
    /// 'abc'.index(/c/)                    # 2
    /// ```
    "index" {
        "(Hash $hash, Callable[2, 2] &$block)" as ">> Any" => by_entry(call, hash),
        "(Hash $hash, Callable[1, 1] &$block)" as ">> Any" => by_value(call, hash),
        "(Iterable $enumerable, Callable[2, 2] &$block)" as ">> Any" => by_entry(call, enumerable),
        "(Iterable $enumerable, Callable[1, 1] &$block)" as ">> Any" => by_value(call, enumerable),
        "(String $str, Variant[String, Regexp] $match)" as ">> Any" => in_text(str, r#match),
        "(Iterable $enumerable, Any $match)" as ">> Any" => equal_to(enumerable, r#match),
    }
}

fn by_entry(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<Option<Value>> {
    let found = search::first(call, collection, true, search::entry);
    or_break_of_entries(found, collection)
}

fn by_value(call: &mut Call<'_, '_>, collection: &Value) -> Outcome<Option<Value>> {
    let found = search::first(call, collection, true, |_, value| vec![value]);
    or_break_of_entries(found, collection)
}

/// Compatibility: a sequence of entries, unlike a hash, can be left with `break()`.
fn or_break_of_entries(found: Outcome<Option<Value>>, collection: &Value) -> Outcome<Option<Value>> {
    match found {
        Err(Unwind::Break(_)) if has_keys(collection) && matches!(collection, Value::Iterator(_)) => Ok(None),
        found => found,
    }
}

fn in_text(text: &str, wanted: &Value) -> Result<Option<Value>, Issue> {
    let at = match wanted {
        Value::Regexp(regexp) => regexp.captures(text)?.and_then(|captures| captures.range(0)).map(|(start, _)| start),
        other => other.as_str().and_then(|wanted| text.find(wanted)),
    };
    let position = at.and_then(|at| text.get(..at)).map(|before| before.chars().count());
    Ok(position.and_then(|position| i64::try_from(position).ok()).map(Value::Integer))
}

fn equal_to(collection: &Value, wanted: &Value) -> Result<Option<Value>, Issue> {
    for (count, (key, value)) in (1..).zip(entries(collection)) {
        if ruby_equals(&value, wanted) {
            return Ok(Some(key));
        }
        limits::check_elements(count)?;
    }
    Ok(None)
}
