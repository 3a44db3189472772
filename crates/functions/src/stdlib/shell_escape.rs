//! `shell_escape`: a string for a Bourne shell.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};

use crate::shell;

function! {
    /// Escapes a string so that a Bourne shell takes it as one word.
    ///
    /// ```puppet
    /// shell_escape('a b') # 'a\\ b'
    /// ```
    "shell_escape" of "stdlib" {
        "(Any $string)" as ">> String" => shell_escape(string),
    }
}

function! {
    /// Escapes a string so that a Bourne shell takes it as one word.
    ///
    /// ```puppet
    /// shell_escape('a b') # 'a\\ b'
    /// ```
    NAMESPACED: "stdlib::shell_escape" of "stdlib" {
        "(Any $string)" as ">> String" => shell_escape(string),
    }
}

fn shell_escape(value: &Value) -> String {
    shell::escape(&inspect::to_s(value))
}
