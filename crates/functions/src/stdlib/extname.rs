//! `stdlib::extname`: the ending of a file name.

use bunraku_compiler::function;

use crate::path;

function! {
    /// Returns the ending of a file name with its dot, or an empty text.
    ///
    /// ```puppet
    /// stdlib::extname('/path/to/a.txt') # '.txt'
    /// ```
    "stdlib::extname" of "stdlib" {
        "(String $filename) >> String" => extname(filename),
    }
}

fn extname(name: &str) -> String {
    path::extname(name).to_owned()
}
