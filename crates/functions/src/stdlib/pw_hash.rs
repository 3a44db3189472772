//! `pw_hash`: a hash of a password for Unix.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Regexp, Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;
use crate::text;

function! {
    /// Returns the hash of a password as the file `shadow` has it. The type is `MD5`, `SHA-256`, `SHA-512` or `bcrypt`; the
    /// third argument is the salt. `undef` and an empty password give `undef`.
    ///
    /// ```puppet
    /// pw_hash('password', 'SHA-512', 'salt')
    /// ```
    "pw_hash" of "stdlib" {
        "arity 3" as "(Any $password, Any $algorithm, Any $salt) >> Any" => pw_hash(call, *args),
    }
}

fn pw_hash(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Option<Value>, Issue> {
    let shown_kind = args.get(1).map(inspect::to_s).unwrap_or_default();
    let args: Vec<&Value> = args.iter().map(legacy_arguments::unwrapped).collect();
    let [password, kind, salt] = args.as_slice() else {
        return fail(format!("pw_hash(): wrong number of arguments ({} for 3)", args.len()));
    };
    let password = match password {
        Value::String(password) => password.as_str(),
        Value::Undef => "",
        _ => return fail("pw_hash(): first argument must be a string"),
    };
    let Value::String(kind) = kind else { return fail("pw_hash(): second argument must be a string") };
    let (prefix, is_bcrypt) = match text::downcase(kind).as_str() {
        "md5" => ("1", false),
        "sha-256" => ("5", false),
        "sha-512" => ("6", false),
        "bcrypt" => ("2b", true),
        "bcrypt-a" => ("2a", true),
        "bcrypt-x" => ("2x", true),
        "bcrypt-y" => ("2y", true),
        _ => return fail(format!("pw_hash(): {shown_kind} is not a valid hash type")),
    };
    let Value::String(salt) = salt else { return fail("pw_hash(): third argument must be a string") };
    check_salt(salt, is_bcrypt)?;
    if password.is_empty() {
        return Ok(None);
    }
    if password.contains('\0') {
        return fail("string contains null byte");
    }
    let hash = bunraku_pki::password::crypt(password.as_bytes(), prefix, salt);
    // Compatibility: what the system gives has no encoding.
    Ok(Some(call.frame.compilation.build.byte_text(&hash)))
}

fn check_salt(salt: &str, is_bcrypt: bool) -> Result<(), Issue> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/');
    if salt.is_empty() {
        return fail("pw_hash(): third argument must not be empty");
    }
    if is_bcrypt {
        let pattern = r"^[0-9]{2}\$[./A-Za-z0-9]{22}";
        if !Regexp::new(pattern)?.is_match(salt)? {
            return fail(format!("pw_hash(): characters in salt must match (?-mix:{})", pattern.replace("./", r".\/")));
        }
    } else if !salt.bytes().all(is_letter) {
        return fail("pw_hash(): characters in salt must be in the set [a-zA-Z0-9./]");
    }
    Ok(())
}
