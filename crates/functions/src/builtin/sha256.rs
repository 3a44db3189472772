//! `sha256`: the SHA-256 sum of a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::{digest, legacy_arguments};

function! {
    /// Returns the SHA-256 sum of a string as hexadecimal digits.
    ///
    /// ```puppet
    /// sha256('secret')
    /// ```
    "sha256" {
        "arity 1" as "(String $text) >> String" => sha256(*args),
    }
}

fn sha256(args: &[Value]) -> Result<String, Issue> {
    Ok(digest::sha256(legacy_arguments::text(args.first())?.as_bytes()))
}
