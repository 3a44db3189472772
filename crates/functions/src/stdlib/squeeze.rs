//! `squeeze`: a string without repeated characters.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::character_set::CharacterSet;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Replaces runs of the same character by one; with a second argument only of the characters in that set.
    ///
    /// ```puppet
    /// squeeze('aabbcc')      # 'abc'
    /// squeeze('aabbcc', 'a') # 'abbcc'
    /// ```
    "squeeze" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $value, String $characters = undef) >> Variant[String, Array]" => squeeze(*args),
    }
}

fn squeeze(args: &[Value]) -> Result<Value, Issue> {
    if args.is_empty() || args.len() > 2 {
        return fail(format!("squeeze(): Wrong number of arguments given {} for 2 or 1", args.len()));
    }
    let set = args.get(1).filter(|set| set.is_truthy());
    match args.first() {
        Some(Value::Array(elements)) => {
            let squeezed = elements.iter().map(|element| squeeze_text(element, set));
            Ok(squeezed.collect::<Result<Vec<Value>, Issue>>()?.into())
        }
        other => squeeze_text(other.unwrap_or(&Value::Undef), set),
    }
}

fn squeeze_text(value: &Value, set: Option<&Value>) -> Result<Value, Issue> {
    let Value::String(text) = value else { return Err(legacy_arguments::undefined_method("squeeze", value)) };
    let set = match set {
        Some(set) => Some(CharacterSet::parse(legacy_arguments::text(Some(set))?)),
        None => None,
    };
    let mut squeezed = String::with_capacity(text.len());
    for letter in text.chars() {
        let is_repeated = squeezed.ends_with(letter) && set.as_ref().is_none_or(|set| set.contains(letter));
        squeezed.extend((!is_repeated).then_some(letter));
    }
    Ok(squeezed.into())
}
