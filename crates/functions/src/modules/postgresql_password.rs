//! `postgresql::postgresql_password`: a password as PostgreSQL stores it.

use std::sync::Arc;

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};

use crate::digest;
use crate::older;

function! {
    /// Returns the MD5 hash of a password of a user as PostgreSQL stores it.
    ///
    /// ```puppet
    /// postgresql::postgresql_password('user', 'secret')
    /// ```
    "postgresql::postgresql_password" of "postgresql" {
        "(Variant[String[1], Integer] $username, Variant[String[1], Integer] $password)" => postgresql_password(username, password),
        "hidden (Variant[String[1], Integer] $username, Variant[String[1], Sensitive[String[1]], Integer] $password, Boolean $sensitive = undef) >> Variant[String, Sensitive[String]]" => maybe_secret(username, password, sensitive),
    }
}

fn postgresql_password(username: &Value, password: &Value) -> String {
    let password = inspect::to_s(older::unwrapped(password)).into_owned();
    format!("md5{}", digest::md5(format!("{password}{}", inspect::to_s(username)).as_bytes()))
}

fn maybe_secret(username: &Value, password: &Value, sensitive: Option<bool>) -> Value {
    let hash = Value::from(postgresql_password(username, password));
    if sensitive == Some(true) { Value::Sensitive(Arc::new(hash)) } else { hash }
}
