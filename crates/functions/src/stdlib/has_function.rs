//! `stdlib::has_function`: whether there is a function.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;

function! {
    /// Returns whether there is a function with a name.
    ///
    /// ```puppet
    /// stdlib::has_function('stdlib::has_function') # true
    /// ```
    "stdlib::has_function" of "stdlib" {
        "(String[1] $function_name) >> Boolean" => has_function(call, function_name),
    }
}

fn has_function(call: &mut Call<'_, '_>, name: &str) -> Outcome<bool> {
    call.frame.has_function(&name.to_lowercase())
}
