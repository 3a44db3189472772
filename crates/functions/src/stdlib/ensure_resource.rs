//! `ensure_resource`: a resource, unless it is there.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};

use crate::builtin::flatten::flatten;
use crate::legacy_arguments;
use crate::number::fail;
use crate::stdlib::defined_with_params::defined_with_params;
use crate::text;

function! {
    /// Declares a resource unless one with these attributes is already in the catalog. Several titles can be given.
    ///
    /// ```puppet
    /// ensure_resource('user', 'dan', { 'ensure' => 'present' })
    /// ```
    "ensure_resource" of "stdlib" {
        "arity -1" as "(String $type, Variant[String, Array] $title, Any $attributes = undef) >> Any" => ensure_resource(call, *args),
    }
}

/// Declares a resource unless one with these attributes is already there.
pub(crate) fn ensure_resource(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    let Some(type_name) = args.first().filter(|name| name.is_truthy()) else { return Ok(fail("Must specify a type")?) };
    let Some(titles) = args.get(1).filter(|title| title.is_truthy()) else { return Ok(fail("Must specify a title")?) };
    let parameters = args.get(2).cloned().unwrap_or_else(|| Value::hash([]));
    let name = inspect::to_s(type_name);
    for title in flatten(std::slice::from_ref(titles)) {
        let reference = format!("{name}[{}]", inspect::to_s(&title));
        if !defined_with_params(call, &[reference.into(), parameters.clone()])? {
            let (Value::String(_) | Value::Default) = type_name else {
                return Err(legacy_arguments::undefined_method("capitalize", type_name).into());
            };
            let resources = Value::hash([(title, parameters.clone())]);
            call.function("create_resources", vec![text::capitalize(&name).into(), resources], None)?;
        }
    }
    Ok(())
}
