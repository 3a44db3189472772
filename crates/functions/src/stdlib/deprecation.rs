//! `deprecation`: a warning of what will go away.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::settings::Strict;
use bunraku_pcore::Value;

use crate::deprecation;
use crate::number::fail;

function! {
    /// Warns of something that a later version will not have, or fails if `strict` says so.
    ///
    /// ```puppet
    /// deprecation('my::function', 'please use another one')
    /// ```
    "deprecation" of "stdlib" {
        "(String $key, String $message)" => deprecation(call, key, message),
        "hidden (String $key, String $message, Boolean $use_strict_setting)" => deprecation_unless(call, key, message, use_strict_setting),
    }
}

fn deprecation(call: &mut Call<'_, '_>, key: &str, message: &str) -> Outcome<()> {
    deprecate(call, key, message)
}

fn deprecation_unless(call: &mut Call<'_, '_>, key: &str, message: &str, use_strict_setting: bool) -> Outcome<()> {
    if use_strict_setting {
        return deprecate(call, key, message);
    }
    deprecation::warn(call, message);
    Ok(())
}

/// Warns of something that a later version will not have, or fails if `strict` says so.
pub(crate) fn deprecate(call: &mut Call<'_, '_>, key: &str, message: &str) -> Outcome<()> {
    let environment = call.frame.compilation.environment;
    let source = environment.source(call.span.file);
    let file = source.and_then(|source| source.path.as_deref()).unwrap_or("unknown");
    let line = source.map_or(1, |source| source.line_column(call.span.start).0);
    let message = format!("{message} at [\"{file}\", {line}]:[\"unknown\", 0]");
    match call.frame.compilation.settings.strict {
        Strict::Off => {}
        Strict::Error => fail(format!("deprecation. {key}. {message}"))?,
        Strict::Warning => deprecation::warn(call, &message),
    }
    Ok(())
}

/// Calls a function of a module by its full name, after a warning that its flat name will go away.
pub(crate) fn forward(call: &mut Call<'_, '_>, full_name: &str, noun: &str, args: &[Value]) -> Outcome {
    let flat_name = call.name;
    deprecate(call, flat_name, &format!("This {noun} is deprecated, please use {full_name} instead."))?;
    call.function(full_name, args.to_vec(), None)
}
