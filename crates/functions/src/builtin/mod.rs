//! The functions every program can call.

use bunraku_compiler::function::Function;

/// All of them, in the order of their names.
pub const ALL: &[Function] = &[];
