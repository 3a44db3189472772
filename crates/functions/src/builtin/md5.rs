//! `md5`: the MD5 sum of a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::{digest, legacy_arguments};

function! {
    /// Returns the MD5 sum of a string as hexadecimal digits.
    ///
    /// ```puppet
    /// md5('secret')
    /// ```
    "md5" {
        "arity 1" as "(String $text) >> String" => md5(*args),
    }
}

fn md5(args: &[Value]) -> Result<String, Issue> {
    Ok(digest::md5(legacy_arguments::text(args.first())?.as_bytes()))
}
