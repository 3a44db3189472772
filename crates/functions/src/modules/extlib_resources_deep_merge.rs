//! `extlib::resources_deep_merge`: resources with nested defaults.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Value};

function! {
    /// Returns resources whose attributes are merged into defaults at every depth.
    ///
    /// ```puppet
    /// extlib::resources_deep_merge({ 'a' => { 'b' => { 'c' => 1 } } }, { 'b' => { 'd' => 2 } })
    /// ```
    "extlib::resources_deep_merge" of "extlib" {
        "(Hash $resources, Hash $defaults) >> Hash" => resources_deep_merge(call, resources, defaults),
    }
}

fn resources_deep_merge(call: &mut Call<'_, '_>, resources: &Hash, defaults: &Hash) -> Outcome {
    let mut merged = Hash::with_capacity(resources.len());
    for (title, attributes) in resources.iter() {
        let args = vec![Value::from(defaults.clone()), attributes.clone()];
        merged.insert(title.clone(), call.function("deep_merge", args, None)?);
    }
    Ok(merged.into())
}
