//! `mongodb_password`: a password as MongoDB stores it.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::digest;
use crate::number::fail;

function! {
    /// Returns the hash of a password of a user as MongoDB stores it.
    ///
    /// ```puppet
    /// mongodb_password('user', 'secret')
    /// ```
    "mongodb_password" of "mongodb" {
        "arity -1" as "(Any $user, Any $password, Any $sensitive = undef) >> String" => mongodb_password(*args),
    }
}

fn mongodb_password(args: &[Value]) -> Result<String, Issue> {
    let [user, password] = args else {
        return fail(format!("mongodb_password(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    Ok(digest::md5(format!("{}:mongo:{}", inspect::to_s(user), inspect::to_s(password)).as_bytes()))
}
