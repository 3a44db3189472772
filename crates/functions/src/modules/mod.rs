//! Small functions of much used modules. They are seen where the module is installed.

pub(crate) mod mysql_password;
pub(crate) mod postgresql_password;

use bunraku_compiler::function::Function;

/// All functions on this shelf, by the names of their files.
pub const ALL: &[Function] = &[mysql_password::FUNCTION, postgresql_password::FUNCTION];
