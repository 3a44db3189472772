//! `sysctl_runtime` of the sysctl module: a kernel parameter as it is now.

use crate::context::Context;
use crate::execution::{Execution, which};
use crate::fault::{Fault, Outcome};
use crate::property::{Property, Values, text_of};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] = &["name", "val", "provider"];

struct Parameter {
    name: String,
    properties: Vec<Property>,
}

/// Whether this machine has the command.
pub(super) fn is_suitable() -> bool {
    which("sysctl", None).is_some()
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    Ok(Box::new(Parameter { name: given.name("name"), properties: given.properties(&["val"]) }))
}

impl Managed for Parameter {
    fn provider(&self) -> Option<&str> {
        Some("sysctl_runtime")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let output = Execution::provider("sysctl", &["-n".to_owned(), self.name.clone()])?.drop_errors().succeed();
        let unknown = |_| Fault::new(format!("sysctl parameter {} wasn't found on this system", self.name));
        let value = output.map_err(unknown)?;
        let mut values = Values::new();
        values.set("val", value.trim_end_matches('\n').into());
        Ok(values)
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        let setting = format!("{}={}", self.name, text_of(&property.desired()));
        Execution::provider("sysctl", &[setting])?.succeed().map(drop)
    }
}
