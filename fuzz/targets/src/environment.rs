//! What surrounds the code: settings, environments, the metadata of modules, facts.

use std::sync::Arc;

use bunraku::{Environment, Memory, RunMode, Settings, facts as facts_file};
use bunraku_environment::settings::Layer;

/// `puppet.conf`, and every setting it may have changed.
pub(crate) fn puppet_conf(bytes: &[u8]) {
    let world: Memory = [("/etc/puppetlabs/puppet/puppet.conf", bytes.to_vec())].into_iter().collect();
    for run_mode in [RunMode::Server, RunMode::User] {
        let Ok(settings) = Settings::load(&world, run_mode, Layer::default()) else { continue };
        let _ = settings.all().filter(|(_, value)| value.is_ok()).count();
        let _ = (settings.strict(), settings.paths("modulepath"), settings.boolean("strict_variables"));
    }
}

/// `environment.conf`, with a directory its patterns may find.
pub(crate) fn environment_conf(bytes: &[u8]) {
    let _ = open(&[("/production/environment.conf", bytes), ("/production/site/a/manifests/init.pp", b"class a { }")])
        .map(|environment| (environment.main().is_ok(), environment.config_version().is_ok()));
}

/// `metadata.json` of a module.
pub(crate) fn metadata(bytes: &[u8]) {
    let _ = open(&[("/production/modules/a/metadata.json", bytes)])
        .map(|environment| environment.modules().filter(|module| module.metadata.is_some()).count());
}

fn open(files: &[(&str, &[u8])]) -> Option<Environment> {
    let world: Memory = files.iter().map(|(path, content)| (path, content.to_vec())).collect();
    Environment::at(Arc::new(world), &Settings::new(RunMode::Server), "production", "/production").ok()
}

/// A file of facts.
pub(crate) fn facts(bytes: &[u8]) {
    let world: Memory = [("/facts", bytes.to_vec())].into_iter().collect();
    let _ = facts_file::read(&world, "/facts").map(|facts| facts.iter().count());
}
