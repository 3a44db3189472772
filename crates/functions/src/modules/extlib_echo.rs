//! `extlib::echo`: a value in the debug log.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect};

function! {
    /// Logs a value with its class at the level debug, after a comment.
    ///
    /// ```puppet
    /// extlib::echo($value, 'Value is')
    /// ```
    "extlib::echo" of "extlib" {
        "(Any $value, String $comment = undef)" as ">> Any" => echo(call, value, comment),
    }
}

fn echo(call: &mut Call<'_, '_>, value: &Value, comment: Option<&str>) {
    let shown = format!("({}) {}", host_class(value), inspect::inspect(value));
    let message = comment.map_or_else(|| shown.clone(), |comment| format!("{comment} {shown}"));
    call.frame.compilation.log(Level::Debug, &message);
}
