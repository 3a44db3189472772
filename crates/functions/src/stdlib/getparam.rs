//! `getparam`: an attribute of a resource.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the value of an attribute of a resource that is already in the catalog, or an empty string.
    ///
    /// ```puppet
    /// getparam(User['dan'], 'managehome')
    /// ```
    "getparam" of "stdlib" {
        "arity -1" as "(Any $reference, String $attribute) >> Any" => getparam(call, *args),
    }
}

fn getparam(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let Some(reference) = args.first().filter(|reference| reference.is_truthy()) else {
        return fail("Must specify a reference");
    };
    let Some(Value::String(name)) = args.get(1) else { return fail("Must specify name of a parameter") };
    if name.is_empty() {
        return Ok("".into());
    }
    let found = call.frame.resource_parameter(reference, name)?;
    Ok(found.filter(|value| !value.is_undef()).unwrap_or_else(|| "".into()))
}
