//! Single resources without a catalog: what is on the machine, and what becomes of one that is changed.

use bunraku_catalog::resource_types::builtin;
use bunraku_catalog::{Catalog, Kind, Parameters, Reference, Resource as Declaration};
use bunraku_pcore::Value;

use crate::build;
use crate::context::{Context, Declared, Host};
use crate::fault::{Fault, Outcome};
use crate::log::Log;
use crate::options::Options;
use crate::property::{is_absent, shown, text_of};
use crate::resource::{Body, Resource};
use crate::resources;
use crate::state::State;
use crate::transaction::Transaction;
use crate::write;

/// A resource as it is on the machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The title.
    pub title: String,
    /// What is known about it, `ensure` first and the rest by name.
    pub attributes: Vec<(String, Value)>,
}

impl Found {
    /// The resource as code.
    pub fn to_manifest(&self, type_name: &str) -> String {
        let width = self.attributes.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let line = |(name, value): &(String, Value)| format!("  {name:<width$} => {},\n", shown(value));
        let lines: String = self.attributes.iter().map(line).collect();
        format!("{type_name} {{ '{}':\n{lines}}}", self.title.replace('\'', "\\'"))
    }
}

/// Who looks at single resources.
pub struct Inspection<'r> {
    context: Context<'r>,
}

impl<'r> Inspection<'r> {
    /// Begins to look.
    pub fn new(options: &'r Options, host: &'r dyn Host, log: Log) -> Self {
        let environment = options.initial_environment.clone();
        Inspection { context: Context::new(log, options, host, environment) }
    }

    /// Everything of a type that is on the machine, by title.
    pub fn list(&mut self, type_name: &str) -> Result<Vec<Found>, Fault> {
        let Some(instances) = resources::instances(type_name, &mut self.context) else {
            return Err(unlisted(type_name));
        };
        let mut instances = instances?;
        instances.sort_by(|first, second| first.title.cmp(&second.title));
        instances.into_iter().map(|it| self.look(type_name, &it.title, it.parameters, true)).collect()
    }

    /// One resource, whether or not it is there.
    pub fn find(&mut self, type_name: &str, title: &str) -> Result<Found, Fault> {
        if type_name == "augeas" {
            return Err(unlisted(type_name));
        }
        let has_providers = builtin(type_name).is_none_or(|known| !known.providers.is_empty());
        if !has_providers && resources::instances(type_name, &mut self.context).is_none() {
            return Err(unlisted(type_name));
        }
        self.look(type_name, title, Parameters::default(), true)
    }

    /// Changes a resource, and tells what it is then. Whether it failed is told by the lines of the log, and by the second.
    pub fn change(&mut self, type_name: &str, title: &str, parameters: Parameters) -> Result<(Found, bool), Fault> {
        if let Some(known) = builtin(type_name) {
            let unknown = parameters.keys().find(|name| !known.has_attribute(name));
            if let Some(name) = unknown {
                return Err(Fault::new(format!("no parameter named '{name}'")));
            }
        }
        let built = build::build(alone(type_name, title, parameters.clone(), self.context.options), &mut self.context)?;
        let options = self.context.options;
        let state = State::load(&options.paths.state).unwrap_or_default();
        let mut transaction = Transaction::new(built, state, &mut self.context);
        transaction.run()?;
        let kept = write::replace(&options.paths.state, &transaction.state.to_yaml(options.state_ttl), 0o660);
        kept.map_err(|error| Fault::io(&error, &options.paths.state.display().to_string()))?;
        let is_failed = transaction.statuses.values().any(|status| status.is_failed || status.failed_to_restart);
        self.context.forget();
        self.look(type_name, title, parameters, false).map(|found| (found, is_failed))
    }

    /// Looks at a resource: at all its properties, or only at those that are given.
    fn look(&mut self, type_name: &str, title: &str, parameters: Parameters, is_complete: bool) -> Outcome<Found> {
        let mut parameters = parameters;
        if is_complete {
            parameters.insert("audit".into(), "all".into());
        }
        self.context.declared = Declared::default();
        let catalog = alone(type_name, title, parameters, self.context.options);
        let mut built = build::build(catalog, &mut self.context)?;
        let Some(Resource { site, body: Body::Managed(managed) }) = built.resources.first_mut() else {
            return Err(Fault::new(format!("Could not find a suitable provider for {type_name}")));
        };
        let values = managed.retrieve(site, &mut self.context)?;
        let names = ["ensure"].into_iter().chain(managed.properties().iter().map(|it| it.name).collect::<Vec<_>>());
        let mut attributes: Vec<(String, Value)> = Vec::new();
        for name in names {
            let value = match (type_name, name, values.get(name)) {
                ("host", "host_aliases", Value::String(names)) if !is_absent(&Value::String(names.clone())) => {
                    Value::array(names.split_whitespace().map(Value::from))
                }
                // What is no link has no target.
                ("file", "target", Value::String(target)) if target == "notlink" => continue,
                (_, _, value) => value,
            };
            let is_empty = text_of(&value).is_empty() || matches!(&value, Value::Array(list) if list.is_empty());
            let is_known = attributes.iter().any(|(known, _)| known == name);
            if !is_known && !is_empty && (name == "ensure" || !is_absent(&value)) {
                attributes.push((name.to_owned(), value));
            }
        }
        // What is not there has nothing else to be told.
        let is_gone = |value: &Value| matches!(value.as_str(), Some("absent" | "purged"));
        if attributes.first().is_some_and(|(name, value)| name == "ensure" && is_gone(value)) {
            attributes.truncate(1);
        }
        if let Some(provider) = managed.provider() {
            attributes.push(("provider".to_owned(), provider.into()));
        }
        attributes.sort_by(|(first, _), (second, _)| (first != "ensure", first).cmp(&(second != "ensure", second)));
        Ok(Found { title: title.to_owned(), attributes })
    }
}

impl std::fmt::Debug for Inspection<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Inspection").finish_non_exhaustive()
    }
}

fn unlisted(type_name: &str) -> Fault {
    if type_name == "augeas" {
        return Fault::new(
            "To support listing resources of this type the 'augeas' provider needs to implement an 'instances' class \
             method returning the current set of resources. We recommend porting your module to the simpler Resource \
             API instead: https://puppet.com/search/docs?keys=resource+api",
        );
    }
    Fault::new(format!("{type_name} has no providers and has not overridden 'instances'"))
}

/// A catalog of a single resource that stands in no class.
fn alone(type_name: &str, title: &str, parameters: Parameters, options: &Options) -> Catalog {
    let mut catalog = Catalog::new(options.host.as_str(), options.initial_environment.as_str());
    let mut declaration = Declaration::new(Reference::new(type_name, title), Kind::CompilableType);
    declaration.parameters = parameters;
    catalog.add_new(declaration);
    catalog
}
