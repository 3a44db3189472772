//! `mysql_plugin` of the mysql module: a plugin of the server of this machine.

use super::mysql_database::requires;
use crate::context::Context;
use crate::fault::Outcome;
use crate::mysql;
use crate::property::{ABSENT, Property, Values, is_absent};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] = &["name", "ensure", "soname", "provider"];

struct Plugin {
    name: String,
    library: String,
    properties: Vec<Property>,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = given.name("name");
    let library = given.text("soname").unwrap_or_else(|| format!("{name}.so"));
    Ok(Box::new(Plugin { name, library, properties: given.properties_of_described(&["ensure", "soname"]) }))
}

impl Managed for Plugin {
    fn provider(&self) -> Option<&str> {
        Some("mysql")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn requires(&self) -> Vec<(String, String)> {
        requires()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let plugins = mysql::query("show plugins")?;
        let rows = plugins.lines().map(|row| row.split('\t').collect::<Vec<_>>());
        let found = rows.into_iter().find(|row| row.first() == Some(&self.name.as_str()));
        let ensure = if found.is_some() { "present" } else { ABSENT };
        let library: bunraku_pcore::Value = found.and_then(|row| row.get(3).map(|it| (*it).into())).unwrap_or_default();
        Values::of(&self.properties, Some(ensure.into()), |_| Ok(library.clone()))
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        let name = &self.name;
        let statement = match property.name {
            "ensure" if is_absent(&property.desired()) => format!("uninstall plugin {name}"),
            "ensure" => format!("install plugin {name} soname '{}'", self.library),
            // The library of a plugin that is installed cannot be changed.
            _ => return Ok(()),
        };
        mysql::query(&statement).map(drop)
    }
}
