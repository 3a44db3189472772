//! `ensure_packages`: packages, unless they are there.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::label::in_conversion;
use bunraku_pcore::{Hash, Value};

use crate::legacy_arguments;
use crate::number::fail;

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
        "(Variant[String[1], Array[String[1]]] $packages, Hash $default_attributes = undef) >> Undef" => named(call, packages, default_attributes),
        "(Hash[String[1], Any] $packages, Hash $default_attributes = undef) >> Undef" => with_attributes(call, packages, default_attributes),
    }
}

/// What version 8.5 does: all packages have the same defaults.
fn ensure_packages(call: &mut Call<'_, '_>, packages: &Value, attributes: Option<&Hash>) -> Outcome<()> {
    let mut defaults = installed(attributes);
    if is_ensured(&defaults, &["present"]) {
        defaults.insert("ensure".into(), "installed".into());
    }
    let defaults = Value::from(defaults);
    if let Value::Hash(_) = packages {
        call.function("ensure_resources", vec!["package".into(), packages.clone(), defaults], None)?;
        return Ok(());
    }
    for package in legacy_arguments::list(packages) {
        call.function("ensure_resource", vec!["package".into(), package, defaults.clone()], None)?;
    }
    Ok(())
}

/// What later versions do: a package that is present already stays so.
fn named(call: &mut Call<'_, '_>, packages: &Value, attributes: Option<&Hash>) -> Outcome<()> {
    for package in legacy_arguments::list(packages) {
        let mut defaults = installed(attributes);
        if is_ensured(&defaults, &["present", "installed"]) {
            let reference = format!("Package[{package}]");
            let present = Value::hash([("ensure".into(), "present".into())]);
            let is_present = call.function("defined_with_params", vec![reference.into(), present], None)?.is_truthy();
            defaults.insert("ensure".into(), if is_present { "present" } else { "installed" }.into());
        }
        call.function("ensure_resource", vec!["package".into(), package, defaults.into()], None)?;
    }
    Ok(())
}

fn with_attributes(call: &mut Call<'_, '_>, packages: &Hash, attributes: Option<&Hash>) -> Outcome<()> {
    for (package, own) in packages.iter() {
        let Value::Hash(own) = own else {
            let class = in_conversion(own);
            return Ok(fail(format!("no implicit conversion of {class} into Hash"))?);
        };
        let pairs = attributes.into_iter().chain([&**own]).flat_map(Hash::iter);
        let merged: Hash = pairs.map(|(name, value)| (name.clone(), value.clone())).collect();
        named(call, package, Some(&merged))?;
    }
    Ok(())
}

/// Attributes over the default that the package is installed.
fn installed(attributes: Option<&Hash>) -> Hash {
    let mut defaults = Hash::new();
    defaults.insert("ensure".into(), "installed".into());
    for (name, value) in attributes.into_iter().flat_map(Hash::iter) {
        defaults.insert(name.clone(), value.clone());
    }
    defaults
}

fn is_ensured(attributes: &Hash, states: &[&str]) -> bool {
    attributes.get_str("ensure").and_then(Value::as_str).is_some_and(|state| states.contains(&state))
}
