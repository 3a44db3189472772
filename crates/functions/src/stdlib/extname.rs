//! `stdlib::extname`: the ending of a file name.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::path;

function! {
    /// Returns the ending of a file name with its dot, or an empty string.
    ///
    /// ```puppet
    /// stdlib::extname('/path/to/a.txt') # '.txt'
    /// ```
    "stdlib::extname" of "stdlib" {
        "(String $filename) >> String" => extname(call, filename),
    }
}

fn extname(call: &mut Call<'_, '_>, name: &str) -> Value {
    match path::extname(name) {
        // Compatibility: a string that was made empty has no encoding.
        "" => call.frame.compilation.build.byte_text(""),
        ending => ending.into(),
    }
}
