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
        let source = compilation.environment.source(span.file);
        let file = source.and_then(|source| source.path.as_deref()).unwrap_or("unknown");
        let line = source.map_or(0, |source| source.line_column(span.start).0);
        eco_format!("{message}\n   (file: {file}, line: {line})")
    });
}
