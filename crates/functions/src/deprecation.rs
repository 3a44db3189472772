//! Warnings about forms of a call that work today and will not in a later version.

use ecow::eco_format;

use bunraku_compiler::function::Call;

/// Warns once in a compilation for each key.
pub(crate) fn warn(call: &mut Call<'_, '_>, key: &str, message: &str) {
    call.frame.compilation.deprecate(key, |_| eco_format!("{message}\n   (file & line not available)"));
}

/// Warns once in a compilation for each key, and tells where the call is.
pub(crate) fn warn_here(call: &mut Call<'_, '_>, key: &str, message: &str) {
    let span = call.span;
    call.frame.compilation.deprecate(key, |compilation| {
        let code = compilation.environment.code(span.file);
        let file = code.and_then(|code| code.path.as_deref()).unwrap_or("unknown");
        let line = code.map_or(0, |code| code.line_number(span.start));
        eco_format!("{message}\n   (file: {file}, line: {line})")
    });
}
