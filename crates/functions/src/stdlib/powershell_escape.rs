//! `powershell_escape`: a string for PowerShell.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};

function! {
    /// Escapes what has a meaning in PowerShell.
    ///
    /// ```puppet
    /// powershell_escape('a b') # 'a` b'
    /// ```
    "powershell_escape" of "stdlib" {
        "(Any $string)" as ">> String" => powershell_escape(string),
    }
}

function! {
    /// Escapes what has a meaning in PowerShell.
    ///
    /// ```puppet
    /// powershell_escape('a b') # 'a` b'
    /// ```
    NAMESPACED: "stdlib::powershell_escape" of "stdlib" {
        "(Any $string)" as ">> String" => powershell_escape(string),
    }
}

fn powershell_escape(value: &Value) -> String {
    let mut escaped = String::new();
    for letter in inspect::to_s(value).chars() {
        match letter {
            ' ' | '\'' | '`' | '|' | '\n' | '$' => escaped.extend(['`', letter]),
            '"' => escaped.push_str("\\`\""),
            other => escaped.push(other),
        }
    }
    escaped
}
