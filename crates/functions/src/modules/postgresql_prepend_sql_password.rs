//! `postgresql::prepend_sql_password`: the clause of a password.

use bunraku_compiler::function;

function! {
    /// Returns the clause that sets a hashed password.
    ///
    /// ```puppet
    /// postgresql::prepend_sql_password('md5…')
    /// ```
    "postgresql::prepend_sql_password" of "postgresql" {
        "(String $password) >> String" => prepend_sql_password(password),
    }
}

fn prepend_sql_password(password: &str) -> String {
    format!("ENCRYPTED PASSWORD '{password}'")
}
