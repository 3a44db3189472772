//! Resource types that are applied by Ruby: those of which no native one is known.

use bunraku_catalog::resource_types::builtin;
use bunraku_catalog::setting_type::SettingType;
use bunraku_environment::Environment;
use bunraku_environment::world::{glob, join};
use bunraku_ruby::resource_types::read_setting_type;
use ecow::{EcoString, eco_format};

use super::Report;

/// A resource type that manifests declare resources of, and that only Ruby applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RubyType {
    /// Its name.
    pub name: EcoString,
    /// The file that defines it; empty for a type of Puppet itself.
    pub file: EcoString,
    /// How many statements declare resources of it.
    pub uses: usize,
    /// Why it is left to Ruby.
    pub reason: EcoString,
}

/// The paths of the providers of a type.
fn providers(name: &str, environment: &Environment) -> Vec<String> {
    let Some(declaration) = environment.ruby_files().resource_type(name) else { return Vec::new() };
    let Some((library, _)) = declaration.path.rsplit_once("/type/") else { return Vec::new() };
    glob(environment.world(), &join(library, &format!("provider/{name}/*.rb"))).unwrap_or_default()
}

/// What a resource type of a module is if it stands for settings of a file.
pub fn setting_type(name: &str, environment: &Environment) -> Option<SettingType> {
    let declaration = environment.ruby_files().resource_type(name)?;
    // With several providers it takes more to tell which one is meant.
    let [provider] = &*providers(name, environment) else { return None };
    let read = |path: &str| environment.world().read_text(path).ok();
    let library = declaration.path.rsplit_once("/puppet/type/").map(|(library, _)| library).unwrap_or_default();
    let other = |path: &str| {
        // The parent of a provider may be in another module.
        let type_name = path.strip_prefix("puppet/provider/").and_then(|rest| rest.split('/').next());
        let parent = type_name.and_then(|name| environment.ruby_files().resource_type(name));
        let of_parent = parent.and_then(|file| file.path.rsplit_once("/puppet/type/")).map(|(library, _)| library);
        read(&join(of_parent.unwrap_or(library), path))
    };
    read_setting_type(&read(&declaration.path)?, &read(provider)?, &other)
}

/// Adds a declaration of a resource.
pub(super) fn add(name: &str, environment: &Environment, report: &mut Report) {
    let name = name.trim_start_matches("::").to_lowercase();
    if let Some(known) = report.ruby_types.iter_mut().find(|it| *it.name == *name) {
        known.uses += 1;
        return;
    }
    let declaration = environment.ruby_files().resource_type(&name);
    let is_type = declaration.is_some() || builtin(&name).is_some();
    if !is_type || bunraku_apply::is_native(&name) || setting_type(&name, environment).is_some() {
        return;
    }
    let file = declaration.map(|file| EcoString::from(&*file.path)).unwrap_or_default();
    let reason = reason(&name, environment);
    report.ruby_types.push(RubyType { name: name.into(), file, uses: 1, reason });
}

fn reason(name: &str, environment: &Environment) -> EcoString {
    let providers = providers(name, environment);
    let parent = |path: &String| {
        let text = environment.world().read_text(path).ok()?;
        ["ini_setting", "openstack_config"].into_iter().find(|parent| text.contains(parent))
    };
    match (&*providers, providers.iter().find_map(parent)) {
        ([], _) => "it has no provider that could be read".into(),
        ([_], Some(parent)) => eco_format!("its provider adds code of its own to that of {parent}"),
        ([_], None) => "there is no native one".into(),
        (several, _) => eco_format!("there is no native one; it has {} providers", several.len()),
    }
}
