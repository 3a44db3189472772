//! Warnings about forms of a call that work today and will not in a later version.

use bunraku_compiler::function::Call;

/// Warns once in a compilation.
pub(crate) fn warn(call: &mut Call<'_, '_>, message: &str) {
    call.frame.compilation.deprecate(message, None);
}

/// Warns once for each place of a call.
pub(crate) fn warn_here(call: &mut Call<'_, '_>, message: &str) {
    call.frame.compilation.deprecate(message, Some(call.span));
}
