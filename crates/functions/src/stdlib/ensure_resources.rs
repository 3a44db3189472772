//! `ensure_resources`: resources, unless they are there.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::label::in_conversion;

use crate::number::fail;
use crate::stdlib::ensure_resource::ensure_resource;
use crate::stdlib::merge::merge;

function! {
    /// Declares resources of a hash from titles to attributes, unless they are already in the catalog. The third argument has
    /// attributes for those that do not set them.
    ///
    /// ```puppet
    /// ensure_resources('user', { 'dan' => { 'uid' => '600' } }, { 'ensure' => 'present' })
    /// ```
    "ensure_resources" of "stdlib" {
        "arity -1" as "(String $type, Hash $resources, Any $defaults = undef) >> Any" => ensure_resources(call, *args),
    }
}

/// Declares resources unless they are already there.
pub(crate) fn ensure_resources(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    let Some(type_name) = args.first().filter(|name| name.is_truthy()) else { return Ok(fail("Must specify a type")?) };
    let Some(resources) = args.get(1).filter(|title| title.is_truthy()) else {
        return Ok(fail("Must specify a title")?);
    };
    let defaults = args.get(2).cloned().unwrap_or_else(|| Value::hash([]));
    let Value::Hash(resources) = resources else {
        return Ok(fail("ensure_resources(): Requires second argument to be a Hash")?);
    };
    for (title, parameters) in resources.iter() {
        let parameters = match parameters {
            Value::Hash(_) => merge(&[defaults.clone(), parameters.clone()]),
            unset if !unset.is_truthy() => merge(std::slice::from_ref(&defaults)),
            other => {
                let class = in_conversion(other);
                return Ok(fail(format!("no implicit conversion of {class} into Hash"))?);
            }
        };
        ensure_resource(call, &[type_name.clone(), title.clone(), parameters.into()])?;
    }
    Ok(())
}
