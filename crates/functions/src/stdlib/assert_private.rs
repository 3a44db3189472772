//! `assert_private`: fails if a class is used from another module.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::number::fail;

function! {
    /// Fails if the class or defined type is declared by another module than its own.
    ///
    /// ```puppet
    /// assert_private("You're not supposed to do that!")
    /// ```
    "assert_private" of "stdlib" {
        "arity -1" as "(String $message = undef) >> Any" => assert_private(call, *args),
    }
}

/// Fails if the body is evaluated for another module than its own.
pub(crate) fn assert_private(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    if args.len() > 1 {
        let count = args.len();
        fail(format!("assert_private(): Wrong number of arguments given ({count}}}) for 0 or 1)"))?;
    }
    let module = call.frame.variable("module_name")?.unwrap_or_default();
    let caller = call.frame.variable("caller_module_name")?.unwrap_or_default();
    if module == caller {
        return Ok(());
    }
    if let Some(Value::String(message)) = args.first() {
        return Ok(fail(message.clone())?);
    }
    let reference = call.frame.compilation.build.resource_of(call.frame.scope).map(ToString::to_string);
    let reference = reference.unwrap_or_default();
    let kind = if reference.starts_with("Class[") { "Class" } else { "Definition" };
    let name = match call.frame.variable("name")? {
        // Main has no name.
        Some(Value::String(name)) if kind == "Class" => {
            if name == "main" {
                String::new()
            } else {
                name.into()
            }
        }
        _ => reference.split('[').next().unwrap_or_default().to_lowercase(),
    };
    Ok(fail(format!("{kind} {name} is private"))?)
}
