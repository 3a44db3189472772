//! `sha1`: the SHA-1 sum of a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::{digest, legacy_arguments};

function! {
    /// Returns the SHA-1 sum of a string as hexadecimal digits.
    ///
    /// ```puppet
    /// sha1('secret')
    /// ```
    "sha1" {
        "arity 1" as "(String $text) >> String" => sha1(*args),
    }
}

fn sha1(args: &[Value]) -> Result<String, Issue> {
    Ok(digest::sha1(legacy_arguments::text(args.first())?.as_bytes()))
}
