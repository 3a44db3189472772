//! `mysql::password`: a password as MySQL stores it.

use std::sync::Arc;

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use sha1::{Digest, Sha1};

use crate::digest;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the hash of a password as MySQL stores it. A hash is returned as it is, and so is an empty password.
    ///
    /// ```puppet
    /// mysql::password('secret')
    /// ```
    "mysql::password" of "mysql" {
        "(String $password) >> String" => hashed(password),
        "hidden (Variant[String, Sensitive[String]] $password, Boolean $sensitive = undef) >> Variant[String, Sensitive[String]]" => maybe_secret(password, sensitive),
    }
}

function! {
    /// Returns the hash of a password as MySQL stores it. An older name of `mysql::password`.
    ///
    /// ```puppet
    /// mysql_password('secret')
    /// ```
    FLAT: "mysql_password" of "mysql" {
        "arity -1" as "(Any $password, Any $sensitive = undef) >> Variant[String, Sensitive[String]]" => flat(*args),
    }
}

fn flat(args: &[Value]) -> Result<Value, Issue> {
    match args {
        [Value::String(password)] => Ok(hashed(password).into()),
        [secret @ Value::Sensitive(_)] => Ok(maybe_secret(secret, None)),
        [Value::Array(elements)] if elements.is_empty() => Ok("".into()),
        [Value::Hash(entries)] if entries.is_empty() => Ok("".into()),
        [value @ (Value::Array(_) | Value::Hash(_) | Value::Default)] => {
            legacy_arguments::text(Some(value)).map(Value::from)
        }
        [other] => Err(legacy_arguments::undefined_method("empty?", other)),
        _ => fail(format!("mysql_password(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}

fn hashed(text: &str) -> String {
    let is_hash = text.rsplit_once('*').is_some_and(|(_, digits)| {
        digits.len() == 40 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'))
    });
    if text.is_empty() || is_hash {
        return text.to_owned();
    }
    let twice = Sha1::digest(Sha1::digest(text.as_bytes()));
    format!("*{}", digest::hexadecimal(&twice).to_uppercase())
}

fn maybe_secret(value: &Value, sensitive: Option<bool>) -> Value {
    let hash = Value::from(hashed(legacy_arguments::unwrapped(value).as_str().unwrap_or_default()));
    if sensitive == Some(true) { Value::Sensitive(Arc::new(hash)) } else { hash }
}
