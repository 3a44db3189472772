//! `postgresql::postgresql_password`: a password as PostgreSQL stores it.

use std::sync::Arc;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::data_types::Binary;
use bunraku_pcore::{Value, inspect};
use sha2::{Digest, Sha256};

use crate::digest;
use crate::json;
use crate::legacy_arguments;
use crate::stdlib::deprecation::forward;

function! {
    /// Returns the hash of a password of a user as PostgreSQL stores it. The third argument tells whether it is to be a
    /// `Sensitive`, the fourth is `md5` or `scram-sha-256`, the fifth the salt of the latter.
    ///
    /// ```puppet
    /// postgresql::postgresql_password('user', 'secret')
    /// ```
    "postgresql::postgresql_password" of "postgresql" {
        "(Variant[String[1], Integer] $username, Variant[String[1], Integer] $password)" as ">> Variant[String, Sensitive[String]]" => by_default(call, username, password),
        "hidden (Variant[String[1], Integer] $username, Variant[String[1], Sensitive[String[1]], Integer] $password, Boolean $sensitive = undef, Optional[Enum[\"md5\", \"scram-sha-256\"]] $hash = undef, Optional[Variant[String[1], Integer]] $salt = undef) >> Variant[String, Sensitive[String]]" => with_options(call, username, password, sensitive, hash, salt),
    }
}

function! {
    /// Returns the hash of a password. Deprecated: use `postgresql::postgresql_password`.
    ///
    /// ```puppet
    /// postgresql_password('user', 'secret')
    /// ```
    FLAT: "postgresql_password" of "postgresql" {
        "(Any *$args)" as "(Any $user, Any $password, Any $sensitive = undef) >> Variant[String, Sensitive[String]]" => flat(call, *args),
    }
}

/// How often PostgreSQL hashes.
const ITERATIONS: u32 = 4096;

/// The first version of the module that has a default of its own.
const VERSION_WITH_DEFAULT: i64 = 10;

fn by_default(call: &mut Call<'_, '_>, username: &Value, password: &Value) -> Outcome {
    with_options(call, username, password, None, None, None)
}

fn with_options(
    call: &mut Call<'_, '_>,
    username: &Value,
    password: &Value,
    is_sensitive: Option<bool>,
    hash: Option<&str>,
    salt: Option<&Value>,
) -> Outcome {
    let hash = match hash {
        Some(hash) => Value::from(hash),
        None if module_version(call) >= VERSION_WITH_DEFAULT => {
            call.function("postgresql::default", vec!["password_encryption".into()], None)?
        }
        None => Value::Undef,
    };
    let password = legacy_arguments::unwrapped(password);
    let stored = match (password.as_str().filter(|text| is_hash(text)), hash.as_str()) {
        (Some(hash), _) => hash.to_owned(),
        (None, Some("scram-sha-256")) => {
            scram(legacy_arguments::text(Some(password))?, legacy_arguments::text(Some(salt.unwrap_or(username)))?)
        }
        (None, _) => {
            let (password, username) = (inspect::to_s(password), inspect::to_s(username));
            format!("md5{}", digest::md5(format!("{password}{username}").as_bytes()))
        }
    };
    let stored = Value::from(stored);
    Ok(if is_sensitive == Some(true) { Value::Sensitive(Arc::new(stored)) } else { stored })
}

/// Whether a password is stored already.
fn is_hash(text: &str) -> bool {
    text.split('\n').any(|line| {
        let digits = line.strip_prefix("md5");
        let is_lower = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        line.starts_with("SCRAM-SHA-256$")
            || digits.is_some_and(|digits| digits.len() == 32 && digits.bytes().all(is_lower))
    })
}

fn scram(password: &str, salt: &str) -> String {
    let key = bunraku_pki::password::pbkdf2_sha256(password.as_bytes(), salt.as_bytes(), ITERATIONS);
    let client = Binary::new(Sha256::digest(bunraku_pki::password::hmac_sha256(&key, b"Client Key")).to_vec());
    let server = Binary::new(bunraku_pki::password::hmac_sha256(&key, b"Server Key"));
    let salt = Binary::new(salt.as_bytes());
    format!("SCRAM-SHA-256${ITERATIONS}:{salt}${client}:{server}")
}

/// The major version of the module, zero if it does not tell.
fn module_version(call: &mut Call<'_, '_>) -> i64 {
    let environment = call.frame.compilation.environment;
    let path = environment.module("postgresql").map(|module| format!("{}/metadata.json", module.path));
    let text = path.and_then(|path| environment.world().read_text(&path).ok());
    match text.and_then(|text| json::parse(&text).ok()) {
        Some(Value::Hash(metadata)) => legacy_arguments::integer(metadata.get_str("version")),
        _ => 0,
    }
}

fn flat(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    forward(call, "postgresql::postgresql_password", "method", args)
}
