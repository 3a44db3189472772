//! `defined_with_params`: whether the catalog has a resource with some attributes.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Type, Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns whether a resource with these attributes is already in the catalog.
    ///
    /// ```puppet
    /// defined_with_params(User['dan'], { 'ensure' => 'present' })
    /// ```
    "defined_with_params" of "stdlib" {
        "arity -1" as "(Any $reference, Any $attributes = undef) >> Boolean" => defined_with_params(call, *args),
    }
}

/// Whether a resource with attributes is in the catalog.
pub(crate) fn defined_with_params(call: &mut Call<'_, '_>, args: &[Value]) -> Result<bool, Issue> {
    let Some(reference) = args.first().filter(|reference| reference.is_truthy()) else {
        return fail("Must specify a reference");
    };
    let text = match reference {
        Value::String(text) => text.to_string(),
        Value::Type(Type::Resource(_) | Type::Class(_)) => reference.to_string(),
        other => return fail(format!("Reference is not understood: '{}'", host_class(other))),
    };
    let parts = text.strip_suffix(']').and_then(|text| text.split_once('['));
    let is_reference = |(name, title): &(&str, &str)| !name.is_empty() && !name.contains(']') && !title.is_empty();
    let Some((type_name, title)) = parts.filter(is_reference) else {
        return fail(format!(
            "No title provided and {} is not a valid resource reference",
            inspect::inspect_text(&text)
        ));
    };
    let empty = Hash::new();
    let parameters = match args.get(1) {
        Some(Value::Hash(parameters)) => parameters,
        Some(Value::String(text)) if !text.is_empty() => {
            return Err(legacy_arguments::undefined_method("map", &text.as_str().into()));
        }
        _ => &empty,
    };
    let title = title.trim_matches('\'');
    Ok(call.frame.is_declared_with(type_name, title, parameters))
}
