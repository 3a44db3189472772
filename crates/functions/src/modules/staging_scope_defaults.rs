//! `scope_defaults`: whether an attribute has a default.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;
use crate::text::capitalize;

function! {
    /// Returns whether an attribute of a resource type has a default here.
    ///
    /// ```puppet
    /// scope_defaults('file', 'mode')
    /// ```
    "scope_defaults" of "staging" {
        "arity -1" as "(String $type, String $attribute) >> Boolean" => scope_defaults(call, *args),
    }
}

fn scope_defaults(call: &mut Call<'_, '_>, args: &[Value]) -> Result<bool, Issue> {
    let [type_name, attribute] = args else {
        return fail(format!("scope_defaults(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let Value::String(type_name) = type_name else {
        return Err(legacy_arguments::undefined_method("split", type_name));
    };
    let type_name: Vec<String> = type_name.split("::").map(capitalize).collect();
    let Some(attribute) = legacy_arguments::name(attribute) else {
        return Err(legacy_arguments::undefined_method("to_sym", attribute));
    };
    Ok(call.frame.has_default(&type_name.join("::"), attribute))
}
