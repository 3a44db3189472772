//! `apache::pw_hash`: a password as Apache stores it.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::data_types::Binary;
use sha1::{Digest, Sha1};

use crate::stdlib::deprecation::deprecate;

function! {
    /// Returns the hash of a password as Apache's files for basic authentication have it.
    ///
    /// ```puppet
    /// apache::pw_hash('secret')
    /// ```
    "apache::pw_hash" of "apache" {
        "(String[1] $password) >> String" => pw_hash(password),
    }
}

function! {
    /// Returns the hash of a password. Deprecated: use `apache::pw_hash`.
    ///
    /// ```puppet
    /// apache::apache_pw_hash('secret')
    /// ```
    LONG: "apache::apache_pw_hash" of "apache" {
        "(Any *$args)" as "(Any $password) >> String" => older_name(call, *args),
    }
}

function! {
    /// Returns the hash of a password. Deprecated: use `apache::pw_hash`.
    ///
    /// ```puppet
    /// apache_pw_hash('secret')
    /// ```
    FLAT: "apache_pw_hash" of "apache" {
        "(Any *$args)" as "(Any $password) >> String" => older_name(call, *args),
    }
}

fn pw_hash(password: &str) -> String {
    format!("{{SHA}}{}", Binary::new(Sha1::digest(password.as_bytes()).to_vec()))
}

fn older_name(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    let name = call.name;
    deprecate(call, name, "This function is deprecated, please use apache::pw_hash instead.")?;
    call.function("apache::pw_hash", args.to_vec(), None)
}
