//! What every resource may have: its provider, how loudly it speaks, what is watched of it.

use std::path::Path;

use bunraku_catalog::resource_type::{ResourceType, is_metaparameter};
use bunraku_pcore::Value;

use crate::context::Host;
use crate::fault::Outcome;
use crate::log::Level;
use crate::property::inspected;
use crate::resource::Given;

/// The levels as the reference names them.
const LEVELS: &str = "debug, info, notice, warning, err, alert, emerg, crit, verbose";

/// Refuses values that no resource may have.
pub(crate) fn check(given: &Given<'_>, known: Option<&ResourceType>) -> Outcome {
    if let Some(level) = given.value("loglevel").filter(|_| level(given).is_none()) {
        let reason = format!("Invalid value {}. Valid values are {LEVELS}.", inspected(level));
        return Err(given.refuse("loglevel", &reason));
    }
    if let Some(noop) = given.value("noop").filter(|noop| !is_flag(noop)) {
        let reason = format!("Invalid value {}. Valid values are true, false.", inspected(noop));
        return Err(given.refuse("noop", &reason));
    }
    let Some(known) = known else { return Ok(()) };
    let is_attribute = |name: &str| is_metaparameter(name) || known.attribute(name).is_some();
    match given.audit.iter().find(|name| *name != "all" && !is_attribute(name)) {
        Some(name) => {
            let reason = format!("Cannot audit {name}: not a valid attribute for {}", given.reference);
            Err(given.refuse("audit", &reason))
        }
        None => Ok(()),
    }
}

fn level(given: &Given<'_>) -> Option<Level> {
    Level::named(&given.text("loglevel")?)
}

fn is_flag(value: &Value) -> bool {
    matches!(value, Value::Boolean(_)) || matches!(value.as_str(), Some("true" | "false"))
}

/// Refuses a provider that nobody knows.
pub(crate) fn check_provider(given: &Given<'_>, known: &ResourceType, host: &dyn Host) -> Outcome {
    let is_known = |name: &String| known.providers.is_empty() || known.providers.iter().any(|it| **it == **name);
    let Some(name) = given.text("provider").filter(|name| !is_known(name)) else { return Ok(()) };
    // Modules bring others along.
    let file = format!("puppet/provider/{}/{name}.rb", known.name);
    let is_plain = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    if is_plain && host.libraries().iter().any(|library| Path::new(library).join(&file).is_file()) {
        return Ok(());
    }
    Err(given.refuse("provider", &format!("Invalid {} provider '{name}'", known.name)))
}
