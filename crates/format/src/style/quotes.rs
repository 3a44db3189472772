//! `"x"` becomes `'x'` only if it holds no `$`, `'`, `\` or line break.

/// What is in double quotes for nothing, without them.
pub(crate) fn in_single_quotes(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = !inner.bytes().any(|byte| matches!(byte, b'$' | b'\'' | b'\\' | b'\n'));
    is_plain.then_some(inner)
}
