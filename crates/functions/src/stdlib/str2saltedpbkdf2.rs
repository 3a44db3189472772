//! `str2saltedpbkdf2`: a hash of a password for macOS.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::digest;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the PBKDF2 hash of a password as a hash with `password_hex`, `salt_hex` and `iterations`.
    ///
    /// ```puppet
    /// str2saltedpbkdf2('password', 'a salt of any length', 50000)
    /// ```
    "str2saltedpbkdf2" of "stdlib" {
        "arity -1" as "(String $password, String $salt, Any $iterations) >> Hash" => str2saltedpbkdf2(*args),
    }
}

fn str2saltedpbkdf2(args: &[Value]) -> Result<Value, Issue> {
    let args: Vec<&Value> = args.iter().map(legacy_arguments::unwrapped).collect();
    let [password, salt, iterations] = args.as_slice() else {
        return fail(format!("str2saltedpbkdf2(): wrong number of arguments ({} for 3)", args.len()));
    };
    let Value::String(password) = password else { return fail("str2saltedpbkdf2(): first argument must be a string") };
    let Value::String(salt) = salt else { return fail("str2saltedpbkdf2(): second argument must be a string") };
    if salt.len() < 8 {
        return fail("str2saltedpbkdf2(): second argument must be at least 8 bytes long");
    }
    let Value::Integer(iterations) = iterations else {
        return fail("str2saltedpbkdf2(): third argument must be an integer");
    };
    let rounds = u32::try_from(*iterations).ok().filter(|rounds| (40_001..70_000).contains(rounds));
    let Some(rounds) = rounds else {
        return fail("str2saltedpbkdf2(): third argument must be between 40,000 and 70,000");
    };
    let key = bunraku_pki::password::pbkdf2_sha512(password.as_bytes(), salt.as_bytes(), rounds);
    Ok(Value::hash([
        ("password_hex".into(), digest::hexadecimal(&key).into()),
        ("salt_hex".into(), digest::hexadecimal(salt.as_bytes()).into()),
        ("iterations".into(), Value::Integer(*iterations)),
    ]))
}
