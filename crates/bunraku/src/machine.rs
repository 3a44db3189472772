//! The facts of this machine as an agent on it would send them.

use std::sync::Arc;

use bunraku_environment::{Environment, Settings, World};
use bunraku_facts::{Collector, CustomFacts, Facts, Options};
use bunraku_pcore::Value;
use bunraku_ruby::PUPPET_VERSION;
use bunraku_syntax::Issue;

use crate::whole_file;

/// Facts with what Puppet adds to them: facts of modules, `puppetversion`, and what agents say about themselves.
pub fn machine_facts(
    world: &Arc<dyn World>,
    environment: &Environment,
    custom: &dyn CustomFacts,
    mut options: Options,
) -> Result<Facts, Issue> {
    for module in environment.modules() {
        options.custom_dirs.extend(["lib", "plugins"].map(|directory| format!("{}/{directory}/facter", module.path)));
        options.more_external_dirs.push(format!("{}/facts.d", module.path));
    }
    options.custom_dirs.retain(|directory| world.is_dir(directory));
    let settings: &Settings = &environment.settings;
    options.more_external_dirs.push(settings.text("pluginfactdest").unwrap_or_default());
    options.added.extend([
        ("puppetversion".to_owned(), Value::from(PUPPET_VERSION)),
        ("implementation".to_owned(), Value::from("openvox")),
        ("clientversion".to_owned(), Value::from(PUPPET_VERSION)),
        ("clientnoop".to_owned(), Value::from(false)),
        ("clientcert".to_owned(), settings.text("certname").map(Value::from).unwrap_or_default()),
    ]);
    options.added.retain(|(_, value)| !value.is_undef());
    let facts = Collector::new(&**world, custom, options).collect();
    keep_facts(&facts)?;
    Ok(facts)
}

/// Writes the facts that a configuration says are to be kept.
pub fn keep_facts(facts: &Facts) -> Result<(), Issue> {
    for (path, content) in &facts.kept {
        whole_file::write_with_directory(path.as_ref(), content)
            .map_err(|error| Issue::new("", format!("Could not write cache: {path}: {error}")))?;
    }
    Ok(())
}
