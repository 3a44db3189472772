//! `stdlib::deferrable_epp`: a template that is rendered now or later.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Type, Value};

use crate::deferred;

function! {
    /// Renders a template, or defers that to the node if one of the variables is a `Deferred`.
    ///
    /// ```puppet
    /// stdlib::deferrable_epp('app/config.epp', { 'password' => Deferred('secret') })
    /// ```
    "stdlib::deferrable_epp" of "stdlib" {
        "(String $template, Hash $variables) >> Variant[String, Deferred]" => deferrable_epp(call, template, variables),
    }
}

fn deferrable_epp(call: &mut Call<'_, '_>, template: &str, variables: &Hash) -> Outcome {
    let variables_value = Value::from(variables.clone());
    if !variables.values().any(deferred::is_deferred_value) {
        return call.function("epp", vec![template.into(), variables_value], None);
    }
    let path = call.function("find_template", vec![template.into()], None)?;
    let text = call.function("file", vec![path], None)?;
    let arguments = Value::array([text, variables_value]);
    match Type::by_name("Deferred") {
        Some(deferred) => call.function("new", vec![deferred.into(), "inline_epp".into(), arguments], None),
        None => Ok(Value::Undef),
    }
}
