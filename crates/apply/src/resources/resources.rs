//! `resources`: removes what is on the machine and not in the catalog, each as a resource of its own.

use bunraku_catalog::resource_types::builtin;
use bunraku_catalog::{Kind, Parameters, Reference, Resource as Declaration};

use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::property::{Property, Values, inspected};
use crate::resource::{Generated, Given, Managed, Site};

/// Users that are never removed.
const OF_THE_SYSTEM: [&str; 6] = ["root", "nobody", "bin", "noaccess", "daemon", "sys"];

/// The greatest number of users of the system where nothing is said about it.
const SYSTEM_UID: u32 = 499;

struct Resources {
    type_name: String,
    is_purged: bool,
    /// Users up to this number are kept.
    kept_uid: Option<u32>,
    kept_uids: Vec<u32>,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let type_name = given.name("name");
    if builtin(&type_name).is_none() && !super::is_known(&type_name) {
        return Err(given.refuse("name", &format!("Could not find resource type '{type_name}'")));
    }
    let is_purged = given.flag("purge") == Some(true);
    if is_purged && builtin(&type_name).is_some_and(|known| known.attribute("ensure").is_none()) {
        let reason = "Purging is only supported on types that accept 'ensure'";
        return Err(given.refuse("purge", reason));
    }
    let kept_uid = match given.text("unless_system_user").as_deref() {
        None if type_name == "user" => Some(system_uid()),
        None | Some("false") => None,
        Some("true") => Some(system_uid()),
        Some(number) => number.parse().ok(),
    };
    let uid = |text: String| {
        let shown = || inspected(&text.as_str().into());
        let invalid = || given.munging("unless_uid", &format!("invalid value for Integer(): {}", shown()));
        text.parse::<u32>().map_err(|_| invalid())
    };
    let kept_uids = given.texts("unless_uid").into_iter().map(uid).collect::<Outcome<Vec<u32>>>()?;
    Ok(Box::new(Resources { type_name, is_purged, kept_uid, kept_uids }))
}

/// The greatest number of users of the system.
fn system_uid() -> u32 {
    let text = std::fs::read_to_string("/etc/login.defs").unwrap_or_default();
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("UID_MIN"));
    let least = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u32>().ok());
    least.map_or(SYSTEM_UID, |least| least.saturating_sub(1))
}

impl Resources {
    /// Whether something may be removed.
    fn is_removable(&self, title: &str, context: &mut Context<'_>) -> bool {
        let (Some(kept), "user") = (self.kept_uid, self.type_name.as_str()) else { return true };
        let Some(user) = context.accounts.user(title) else { return false };
        !OF_THE_SYSTEM.contains(&title) && !self.kept_uids.contains(&user.uid) && user.uid > kept
    }
}

impl Managed for Resources {
    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        Ok(Values::new())
    }

    fn sync(&mut self, _: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        Ok(())
    }

    fn generate(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        if !self.is_purged {
            return Ok(Vec::new());
        }
        let type_name = self.type_name.clone();
        let found = super::instances(&type_name, context).ok_or_else(|| {
            Fault::new(format!("resources of type {type_name} cannot be purged: those on the machine cannot be listed"))
        })??;
        let mut generated = Vec::new();
        // Keys of hosts are told apart by more than their titles.
        let full = |reference: &Reference, parameters: &Parameters| {
            let mut declaration = Declaration::new(reference.clone(), Kind::CompilableType);
            declaration.parameters = parameters.clone();
            super::reference(&declaration)
        };
        let declared = context.declared.of(&type_name).iter();
        let declared: Vec<Reference> = declared.filter_map(|known| full(&known.reference, &known.parameters)).collect();
        for instance in found {
            let is_declared = match full(&Reference::new(&type_name, &instance.title), &instance.parameters) {
                Some(reference) => declared.contains(&reference),
                None => context.declared.find(&type_name, &instance.title).is_some(),
            };
            if is_declared || !self.is_removable(&instance.title, context) {
                continue;
            }
            let mut parameters = instance.parameters;
            parameters.extend(site.metaparameters());
            parameters.insert("ensure".into(), "absent".into());
            if type_name == "user" && self.kept_uid.is_some() {
                // Compatibility: what decides about a user is watched from then on.
                parameters.insert("audit".into(), "uid".into());
            }
            generated.push(Generated { reference: Reference::new(&type_name, &instance.title), parameters });
        }
        Ok(generated)
    }
}
