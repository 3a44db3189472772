//! `postgresql::postgresql_escape`: a string as a literal of PostgreSQL.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::digest;
use crate::stdlib::deprecation::forward;

function! {
    /// Returns a string between dollar quotes, with a tag where the string needs one.
    ///
    /// ```puppet
    /// postgresql::postgresql_escape('a') # '$$a$$'
    /// ```
    "postgresql::postgresql_escape" of "postgresql" {
        "(String[1] $input_string)" as ">> Variant[String, Sensitive[String]]" => postgresql_escape(input_string),
    }
}

function! {
    /// Returns a string between dollar quotes. Deprecated: use `postgresql::postgresql_escape`.
    ///
    /// ```puppet
    /// postgresql_escape('a') # '$$a$$'
    /// ```
    FLAT: "postgresql_escape" of "postgresql" {
        "(Any *$args)" as "(String $text) >> Variant[String, Sensitive[String]]" => flat(call, *args),
    }
}

fn postgresql_escape(text: &str) -> String {
    if !text.contains("$$") && !text.ends_with('$') {
        return format!("$${text}$$");
    }
    let mut tag = tag_of(text);
    // The chain of tags comes to one that the string does not have, or to an empty one, which every string has.
    for _ in 0..1_000 {
        if !text.contains(&tag) {
            break;
        }
        tag = tag_of(&tag);
    }
    format!("${tag}${text}${tag}$")
}

fn tag_of(text: &str) -> String {
    digest::md5(text.as_bytes()).chars().take(6).filter(|digit| !digit.is_ascii_digit()).collect()
}

fn flat(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    forward(call, "postgresql::postgresql_escape", "method", args)
}
