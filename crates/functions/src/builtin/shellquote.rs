//! `shellquote`: words for a Bourne shell.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Quotes each argument for a Bourne shell where that is needed, and joins them with blanks. Arrays are flattened.
    ///
    /// ```puppet
    /// shellquote('ls', 'my file') # 'ls "my file"'
    /// ```
    "shellquote" {
        "arity -1" as "(Any *$args) >> String" => shellquote(*words),
    }
}

fn shellquote(words: &[Value]) -> Result<String, Issue> {
    let quoted: Result<Vec<String>, Issue> = flatten(words).iter().map(quote).collect();
    Ok(quoted?.join(" "))
}

fn quote(word: &Value) -> Result<String, Issue> {
    let word = match word {
        Value::String(word) => word,
        Value::Hash(_) => return fail("no implicit conversion of Hash into String"),
        Value::Type(data_type) if data_type.is_held() => {
            return fail("no implicit conversion of Puppet::Resource into String");
        }
        other => return Err(legacy_arguments::undefined_method("length", other)),
    };
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "@%_+=:,./-".contains(letter);
    // Inside of double quotes these still have a meaning.
    let is_dangerous = |letter: char| "!\"`$\\".contains(letter);
    Ok(if !word.is_empty() && word.chars().all(is_safe) {
        word.to_string()
    } else if !word.contains(is_dangerous) {
        format!("\"{word}\"")
    } else if !word.contains('\'') {
        format!("'{word}'")
    } else {
        let escaped: String =
            word.chars().flat_map(|letter| is_dangerous(letter).then_some('\\').into_iter().chain([letter])).collect();
        format!("\"{escaped}\"")
    })
}
