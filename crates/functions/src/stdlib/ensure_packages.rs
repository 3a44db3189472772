//! `ensure_packages`: packages, unless they are there.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Value};

use crate::legacy_arguments;
use crate::stdlib::ensure_resource::ensure_resource;
use crate::stdlib::ensure_resources::ensure_resources;

function! {
    /// Declares packages that are installed, unless they are already in the catalog: one, several, or a hash from titles to
    /// attributes.
    ///
    /// ```puppet
    /// ensure_packages(['nginx', 'curl'])
    /// ensure_packages('nginx', { 'ensure' => 'latest' })
    /// ```
    "ensure_packages" of "stdlib" {
        "(Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages, Hash $default_attributes = undef) >> Undef" => ensure_packages(call, packages, default_attributes),
    }
}

function! {
    /// Declares packages that are installed, unless they are already in the catalog: one, several, or a hash from titles to
    /// attributes.
    ///
    /// ```puppet
    /// ensure_packages(['nginx', 'curl'])
    /// ensure_packages('nginx', { 'ensure' => 'latest' })
    /// ```
    NAMESPACED: "stdlib::ensure_packages" of "stdlib" {
        "(Variant[String[1], Array[String[1]]] $packages, Hash $default_attributes = undef) >> Undef" => ensure_packages(call, packages, default_attributes),
        "(Hash[String[1], Any] $packages, Hash $default_attributes = undef) >> Undef" => ensure_packages(call, packages, default_attributes),
    }
}

fn ensure_packages(call: &mut Call<'_, '_>, packages: &Value, attributes: Option<&Hash>) -> Outcome<()> {
    let mut defaults = Hash::new();
    defaults.insert("ensure".into(), "installed".into());
    for (name, value) in attributes.into_iter().flat_map(Hash::iter) {
        defaults.insert(name.clone(), value.clone());
    }
    if defaults.get_str("ensure").and_then(Value::as_str) == Some("present") {
        defaults.insert("ensure".into(), "installed".into());
    }
    let defaults = Value::from(defaults);
    if let Value::Hash(_) = packages {
        return ensure_resources(call, &["package".into(), packages.clone(), defaults]);
    }
    for package in legacy_arguments::list(packages) {
        ensure_resource(call, &["package".into(), package, defaults.clone()])?;
    }
    Ok(())
}
