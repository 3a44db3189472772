//! What systemd says of the units of a catalog: all are asked for at once, as long as nothing has changed since.

use rustc_hash::FxHashMap;

use super::run;
use crate::context::Context;
use crate::execution::Execution;
use crate::property::text_of;

/// The states that a unit may have at boot.
const AT_BOOT: [&str; 13] = [
    "enabled",
    "enabled-runtime",
    "linked",
    "linked-runtime",
    "alias",
    "masked",
    "masked-runtime",
    "static",
    "indirect",
    "disabled",
    "generated",
    "transient",
    "bad",
];

/// The states in which a unit may be.
const NOW: [&str; 7] = ["active", "reloading", "inactive", "failed", "activating", "deactivating", "maintenance"];

/// How many units are asked for at once.
const MOST: usize = 500;

/// What systemd said of units.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// How many changes the run had made by then.
    changes: usize,
    /// The states of the units by the question.
    states: FxHashMap<&'static str, FxHashMap<String, String>>,
}

/// The word that systemd has for a unit, if it was asked for with others.
pub(super) fn state(question: &'static str, name: &str, context: &mut Context<'_>) -> Option<String> {
    if context.units.changes != context.changes {
        context.units = Units { changes: context.changes, ..Units::default() };
    }
    if !context.units.states.contains_key(question) {
        let names = names(context);
        // Who is alone is asked in a way that says more.
        let states = if names.len() > 1 { ask(question, &names) } else { FxHashMap::default() };
        context.units.states.insert(question, states);
    }
    context.units.states.get(question)?.get(name).cloned()
}

/// The units of the catalog.
fn names(context: &Context<'_>) -> Vec<String> {
    let is_unit = |provider: Option<String>| provider.is_none_or(|provider| provider == "systemd");
    let declared = context.declared.of("service").iter();
    let units = declared.filter(|known| is_unit(known.parameters.get("provider").map(text_of)));
    units.map(|known| known.name.clone()).collect()
}

/// The states of units. Where systemd has more or less to say than a word for each, nothing is known.
fn ask(question: &str, names: &[String]) -> FxHashMap<String, String> {
    let known: &[&str] = if question == "is-active" { &NOW } else { &AT_BOOT };
    let mut states = FxHashMap::default();
    for names in names.chunks(MOST) {
        let arguments: Vec<String> =
            [question, "--"].map(str::to_owned).into_iter().chain(names.iter().cloned()).collect();
        let said = Execution::provider("systemctl", &arguments).and_then(|command| run(&command));
        let text = said.map(|output| output.text).unwrap_or_default();
        let words: Vec<&str> = text.lines().map(str::trim).collect();
        if words.len() == names.len() && words.iter().all(|word| known.contains(word)) {
            states.extend(names.iter().cloned().zip(words.into_iter().map(str::to_owned)));
        }
    }
    states
}
