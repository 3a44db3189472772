//! `str2saltedsha512`: a hash of a password for older macOS.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::label::host_class;
use bunraku_syntax::Issue;
use sha2::{Digest, Sha512};

use crate::digest;
use crate::entropy::Entropy;
use crate::number::fail;

function! {
    /// Returns the SHA-512 hash of a password with a random salt, both as hexadecimal digits.
    ///
    /// ```puppet
    /// str2saltedsha512('password')
    /// ```
    "str2saltedsha512" of "stdlib" {
        "arity -1" as "(String $password) >> String" => str2saltedsha512(call, *args),
    }
}

fn str2saltedsha512(call: &mut Call<'_, '_>, args: &[Value]) -> Result<String, Issue> {
    let [password] = args else {
        let count = args.len();
        return fail(format!("str2saltedsha512(): Wrong number of arguments passed ({count} but we require 1)"));
    };
    let Value::String(password) = password else {
        let class = host_class(password);
        return fail(format!("str2saltedsha512(): Requires a String argument, you passed: {class}"));
    };
    let mut entropy = Entropy::new(call.frame.compilation.environment.world());
    let salt = u32::try_from(entropy.below(0x7fff_ffff)?).unwrap_or(0).to_le_bytes();
    let hash = Sha512::new().chain_update(salt).chain_update(password.as_bytes()).finalize();
    Ok(digest::hexadecimal(&salt) + &digest::hexadecimal(&hash))
}
