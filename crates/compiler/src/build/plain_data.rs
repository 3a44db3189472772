//! The values of a catalog as an agent receives them. What has no form there is an error at its resource; without rich data,
//! what JSON does not have becomes text, which is a warning or, if that is wanted, an error.

use ecow::eco_format;

use bunraku_environment::Strict;
use bunraku_pcore::Value;
use bunraku_pcore::serialize::{to_data, to_plain_data};
use bunraku_syntax::Issue;

use super::convert::final_value;
use super::location::at_place;
use crate::compilation::Compilation;
use crate::log::{Level, Log};
use crate::unwind::Outcome;

impl Compilation<'_> {
    /// Gives all parameters of the catalog their plain form, unless it may hold rich data; then they must have a form.
    pub(crate) fn resolve_rich_data(&mut self) -> Outcome<()> {
        if self.settings.rich_data {
            return self.check_rich_data();
        }
        for id in self.build.table.ids() {
            let resource = self.build.table.get(id);
            if resource.is_virtual && !resource.is_exported {
                continue;
            }
            let mut found = Vec::new();
            let mut plain = Vec::with_capacity(resource.parameters.len());
            for (name, parameter) in &resource.parameters {
                let path = format!("{}['{name}']", resource.reference);
                let value = final_value(name, parameter.value.clone());
                plain.push(to_plain_data(&value, &path, &mut |issue| found.push(issue)));
            }
            let place = resource.place;
            if self.settings.strict == Strict::Error
                && let Some(first) = found.first()
            {
                let message = eco_format!("Evaluation Error: {}", first.message());
                return Err(at_place(Issue::new(first.code(), message), place));
            }
            let suffix = self.place_suffix(place);
            self.logs.extend(found.into_iter().map(|issue| Log {
                level: Level::Warning,
                message: eco_format!("{}{suffix}", issue.message()),
                source: None,
                issue: Some(issue.code()),
                span: None,
            }));
            let parameters = self.build.table.get_mut(id).parameters.values_mut();
            parameters.zip(plain).for_each(|(parameter, value)| parameter.value = value);
        }
        Ok(())
    }

    /// Refuses a value that cannot be written, such as a data type that has no end.
    fn check_rich_data(&self) -> Outcome<()> {
        let resources = self.build.table.ids().map(|id| self.build.table.get(id));
        for resource in resources.filter(|resource| !resource.is_virtual || resource.is_exported) {
            for parameter in resource.parameters.values().filter(|parameter| !refers(&parameter.value)) {
                if let Err(issue) = to_data(&parameter.value) {
                    let message = eco_format!("Evaluation Error: {}", issue.message());
                    return Err(at_place(Issue::new(issue.code(), message), resource.place));
                }
            }
        }
        Ok(())
    }
}

/// Whether a value is a reference, or a list of them: those have a form, their text.
fn refers(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(|element| !matches!(element, Value::Array(_)) && refers(element)),
        Value::Type(data_type) => data_type.is_held(),
        _ => false,
    }
}
