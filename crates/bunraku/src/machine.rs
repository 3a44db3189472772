//! The facts of this machine as an agent on it would send them.

use std::sync::Arc;

use bunraku_environment::{Environment, Settings, World};
use bunraku_facts::{Collector, CustomFacts, Facts, Level, Message, Options};
use bunraku_pcore::Value;
use bunraku_ruby::PUPPET_VERSION;

use crate::whole_file;

/// Facts with what Puppet adds to them: facts of modules, `puppetversion`, and what agents say about themselves.
pub fn machine_facts(
    world: &Arc<dyn World>,
    environment: &Environment,
    custom: &dyn CustomFacts,
    mut options: Options,
) -> Facts {
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
    let mut facts = Collector::new(&**world, custom, options).collect();
    keep_facts(&mut facts);
    facts.values = facts.values.iter().map(|(name, value)| (name.clone(), without_undef(value))).collect();
    facts
}

/// A fact as agents send it: nothing is the empty string.
fn without_undef(value: &Value) -> Value {
    match value {
        Value::Undef => Value::from(""),
        Value::Array(items) => Value::array(items.iter().map(without_undef)),
        Value::Hash(entries) => Value::hash(entries.iter().map(|(name, value)| (name.clone(), without_undef(value)))),
        other => other.clone(),
    }
}

/// Writes the facts that a configuration says are to be kept. What cannot be written is found out again next time; it is
/// told once.
pub fn keep_facts(facts: &mut Facts) {
    let written = facts.kept.iter().try_for_each(|(path, content)| {
        whole_file::write_with_directory(path.as_ref(), content)
            .map_err(|error| format!("Could not write cache: {path}: {}", bunraku_diagnostic::reason(&error)))
    });
    if let Err(text) = written {
        let source = "Facter::CacheManager".to_owned();
        facts.messages.push(Message { level: Level::Warn, source, text });
    }
}
