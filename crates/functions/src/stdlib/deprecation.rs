//! `deprecation`: a warning of what will go away.

use ecow::eco_format;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::settings::Strict;
use bunraku_pcore::Value;

use crate::number::fail;

function! {
    /// Warns of something that a later version will not have, or fails if `strict` says so.
    ///
    /// ```puppet
    /// deprecation('my::function', 'please use another one')
    /// ```
    "deprecation" of "stdlib" {
        "(String $key, String $message)" as ">> Any" => deprecation(call, key, message),
        "hidden (String $key, String $message, Boolean $use_strict_setting)" as ">> Any" => deprecation_unless(call, key, message, use_strict_setting),
    }
}

fn deprecation(call: &mut Call<'_, '_>, key: &str, message: &str) -> Outcome<()> {
    deprecate(call, key, message)
}

fn deprecation_unless(call: &mut Call<'_, '_>, key: &str, message: &str, use_strict_setting: bool) -> Outcome<()> {
    if use_strict_setting {
        return deprecate(call, key, message);
    }
    warn(call, key, message);
    Ok(())
}

/// Warns of something that a later version will not have, or fails if `strict` says so.
pub(crate) fn deprecate(call: &mut Call<'_, '_>, key: &str, message: &str) -> Outcome<()> {
    let mut callers = call.frame.compilation.callers().map(|(path, line)| format!("[\"{path}\", {line}]"));
    let (innermost, outer) = (callers.next().unwrap_or_default(), callers.next().unwrap_or_default());
    let message = format!("{message} at {innermost}:{outer}");
    drop(callers);
    match call.frame.compilation.settings.strict {
        Strict::Off => {}
        Strict::Error => fail(format!("deprecation. {key}. {message}"))?,
        Strict::Warning => warn(call, key, &message),
    }
    Ok(())
}

/// Warns once for each key, and tells which line of the module's own function does.
fn warn(call: &mut Call<'_, '_>, key: &str, message: &str) {
    call.frame.compilation.deprecate(key, |compilation| {
        let module = compilation.environment.module("stdlib");
        let path = format!("{}/lib/puppet/functions/deprecation.rb", module.map_or("stdlib", |module| &module.path));
        let text = compilation.environment.world().read_text(&path).unwrap_or_default();
        let line =
            text.lines().position(|line| line.contains("Puppet.deprecation_warning")).map_or(0, |index| index + 1);
        eco_format!("{message}\n   (location: {path}:{line}:in `deprecation')")
    });
}

/// Calls a function of a module by its full name, after a warning that its flat name will go away.
pub(crate) fn forward(call: &mut Call<'_, '_>, full_name: &str, noun: &str, args: &[Value]) -> Outcome {
    let flat_name = call.name;
    deprecate(call, flat_name, &format!("This {noun} is deprecated, please use {full_name} instead."))?;
    call.function(full_name, args.to_vec(), None)
}
