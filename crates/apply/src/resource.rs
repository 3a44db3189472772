//! A resource that is being applied: where it stands, what applies to it, and how its type manages it.

use std::time::SystemTime;

use bunraku_catalog::resource_type;
use bunraku_catalog::{Parameters, Reference, Tags};
use bunraku_pcore::Value;

use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::log::{Entry, Level, Log};
use crate::property::{self, Property, Values};
use crate::status::Status;

/// A resource of the catalog, one that was generated, or an anchor of a container.
pub(crate) struct Resource {
    /// What is known about it apart from its state.
    pub(crate) site: Site,
    /// What it is.
    pub(crate) body: Body,
}

/// What a resource is.
pub(crate) enum Body {
    /// A class, a defined type or a stage: it has contents.
    Container,
    /// The beginning of a container.
    Begin,
    /// The end of a container.
    End,
    /// Nothing on the machine: `schedule`, `filebucket`.
    Passive,
    /// A state of the machine.
    Managed(Box<dyn Managed>),
    /// A type for which nothing on this machine can do the work; and what is said about it.
    Unmanageable(Unmanageable),
}

/// Why no provider manages a resource.
pub(crate) enum Unmanageable {
    /// The provider that is asked for does not work here.
    Provider(String),
    /// No provider of the type works here.
    Type,
}

/// Where a resource stands.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Its type and title.
    pub(crate) reference: Reference,
    /// How it is called where only its reference is shown; anchors go by the name of their container.
    pub(crate) label: String,
    /// Its path in the log.
    pub(crate) path: String,
    /// The containers around it, and itself.
    pub(crate) containment: Vec<String>,
    /// The file it was declared in.
    pub(crate) file: Option<String>,
    /// The line there.
    pub(crate) line: Option<u32>,
    /// Its tags.
    pub(crate) tags: Tags,
    /// Whether nothing may be changed.
    pub(crate) is_noop: bool,
    /// The level at which changes are told.
    pub(crate) loglevel: Level,
    /// The name of its schedule.
    pub(crate) schedule: Option<String>,
    /// The properties that are watched.
    pub(crate) audit: Vec<String>,
    /// What was declared.
    pub(crate) parameters: Parameters,
    /// The parameters whose values nobody may see.
    pub(crate) sensitive: Vec<String>,
}

impl Site {
    /// Says something about the resource.
    pub(crate) fn say(&self, log: &mut Log, level: Level, message: impl Into<String>) {
        self.say_as(log, level, self.path.clone(), message);
    }

    /// Says something about a property of it.
    pub(crate) fn say_of(&self, log: &mut Log, property: &str, level: Level, message: impl Into<String>) {
        self.say_as(log, level, format!("{}/{property}", self.path), message);
    }

    fn say_as(&self, log: &mut Log, level: Level, source: String, message: impl Into<String>) {
        if !log.shows(level) {
            return;
        }
        let tags = [level.name().to_owned()].into_iter().chain(self.tags.iter().map(ToString::to_string)).collect();
        let (file, line) = (self.file.clone(), self.line);
        log.write(Entry { level, source, message: message.into(), tags, time: SystemTime::now(), file, line });
    }

    /// The metaparameters that it hands on to resources it makes.
    pub(crate) fn metaparameters(&self) -> Parameters {
        let is_handed_on = |name: &str| name != "alias" && resource_type::is_metaparameter(name);
        self.parameters
            .iter()
            .filter(|(name, _)| is_handed_on(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The name of its type in lowercase.
    pub(crate) fn type_name(&self) -> String {
        self.reference.type_name.to_lowercase().into()
    }

    /// A fault of a machine that refused a change, told as the reference tells it.
    pub(crate) fn setting_failed(&self, property: &Property, fault: Fault, context: &mut Context<'_>) -> Fault {
        if !fault.is_raw {
            return fault;
        }
        let wanted = property::shown(&property.desired());
        let message = self.located(format!("Could not set {wanted} on {}: {fault}", property.name));
        context.log.say(Level::Err, message.clone());
        Fault { original: Some(fault.message), ..Fault::new(message) }
    }

    /// A fault with the place of the resource at its end.
    pub(crate) fn located(&self, message: impl Into<String>) -> String {
        located(message.into(), self.file.as_deref(), self.line)
    }
}

/// A message with a place at its end.
pub(crate) fn located(message: String, file: Option<&str>, line: Option<u32>) -> String {
    match (file.filter(|file| !file.is_empty()), line) {
        (Some(file), Some(line)) => format!("{message} (file: {file}, line: {line})"),
        (Some(file), None) => format!("{message} (file: {file})"),
        (None, Some(line)) => format!("{message} (line: {line})"),
        (None, None) => message,
    }
}

/// How a type manages one resource.
pub(crate) trait Managed {
    /// The provider, as reports name it.
    fn provider(&self) -> Option<&str> {
        None
    }

    /// The properties in the order of the type, those with a wanted state and those that are watched.
    fn properties(&self) -> Vec<Property>;

    /// Looks at the machine.
    fn retrieve(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Values>;

    /// Whether a property is as it should be.
    fn is_insync(
        &mut self,
        property: &Property,
        current: &Value,
        _site: &Site,
        _context: &mut Context<'_>,
    ) -> Outcome<bool> {
        Ok(property.matches(current))
    }

    /// Whether a property is as an earlier run wanted it: the states that the property has here are those of then.
    fn was_insync(
        &mut self,
        property: &Property,
        current: &Value,
        site: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<bool> {
        self.is_insync(property, current, site, context)
    }

    /// The states of a property that are kept for the next run; `None` if none was wanted.
    fn kept(&self, property: &Property, _context: &mut Context<'_>) -> Option<Vec<Value>> {
        property.should.clone()
    }

    /// Changes a property.
    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome;

    /// What is said about a change.
    fn change(&self, property: &Property, from: &Value, context: &mut Context<'_>) -> String {
        match property.name {
            "ensure" => property::ensure_change(from, &property.desired()),
            name => property::change(name, from, &property.desired(), |value| self.shown(name, value, context)),
        }
    }

    /// A state as it is shown.
    fn shown(&self, _property: &str, value: &Value, _context: &mut Context<'_>) -> String {
        property::shown(value)
    }

    /// What a change of a property is called.
    fn event_name(&self, type_name: &str, property: &Property) -> String {
        property::event_name(type_name, property.name, &property.desired())
    }

    /// Whether a change makes a refresh needless that is still to come.
    fn spares_refresh(&self, _property: &Property) -> bool {
        false
    }

    /// The desired state as reports have it.
    fn reported(&self, property: &Property) -> Value {
        property.desired()
    }

    /// Whether it can be applied at all; a fault ends the run before anything is changed.
    fn check(&mut self, _site: &Site, _context: &mut Context<'_>) -> Outcome {
        Ok(())
    }

    /// Applies it as a whole, where its properties are not known here.
    fn evaluate(&mut self, _site: &Site, _context: &mut Context<'_>) -> Outcome<Option<Status>> {
        Ok(None)
    }

    /// The resources that belong to it, made before anything is applied.
    fn generate(&mut self, _site: &Site, _context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        Ok(Vec::new())
    }

    /// Whether those come before it, not after it.
    fn is_depth_first(&self) -> bool {
        false
    }

    /// The resources that belong to it, made when its turn comes.
    fn generate_late(&mut self, _site: &Site, _context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        Ok(Vec::new())
    }

    /// The resources that come before it without being asked to, by type and title.
    fn requires(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The resources that are told of its changes without being asked to, by type and title.
    fn notifies(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether nobody may see the states of a property in reports.
    fn hides(&self, _property: &Property) -> bool {
        false
    }

    /// Writes down what several changes came to.
    fn flush(&mut self, _site: &Site, _context: &mut Context<'_>) -> Outcome {
        Ok(())
    }

    /// Whether it reacts to events.
    fn is_refreshable(&self) -> bool {
        false
    }

    /// Whether it reacts to its own changes.
    fn refreshes_itself(&self) -> bool {
        false
    }

    /// Reacts to events.
    fn refresh(&mut self, _site: &Site, _context: &mut Context<'_>) -> Outcome {
        Ok(())
    }
}

/// A resource that another one makes. It stands in the same container and has the tags of the one that makes it.
pub(crate) struct Generated {
    /// Its type and title.
    pub(crate) reference: Reference,
    /// What it is to be, with the metaparameters it takes over ([`Site::metaparameters`]).
    pub(crate) parameters: Parameters,
}

/// What was declared for a resource, as its type reads it.
pub(crate) struct Given<'a> {
    /// Its type and title.
    pub(crate) reference: &'a Reference,
    /// What was declared, in the spelling of the type.
    pub(crate) parameters: &'a Parameters,
    /// The parameters whose values nobody may see.
    pub(crate) sensitive: &'a [String],
    /// The properties that are watched.
    pub(crate) audit: &'a [String],
    /// The file it was declared in.
    pub(crate) file: Option<&'a str>,
    /// The line there.
    pub(crate) line: Option<u32>,
    /// Whether nothing may be changed.
    pub(crate) is_noop: bool,
    /// The parameters whose values are known only later.
    pub(crate) pending: &'a [String],
}

impl Given<'_> {
    /// A value that was given.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name).filter(|value| !value.is_undef())
    }

    /// The same as words; of a list, the first.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::Array(elements) => elements.iter().next().map(property::text_of),
            value => Some(property::text_of(value)),
        }
    }

    /// All words of a value that may be a list.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        match self.value(name) {
            Some(Value::Array(elements)) => elements.iter().map(property::text_of).collect(),
            Some(value) => vec![property::text_of(value)],
            None => Vec::new(),
        }
    }

    /// Whether something is turned on.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        match self.text(name)?.as_str() {
            "true" | "yes" => Some(true),
            _ => Some(false),
        }
    }

    /// The name of the resource: the value of the namevar, or the title.
    pub(crate) fn name(&self, namevar: &str) -> String {
        self.text(namevar).or_else(|| self.text("name")).unwrap_or_else(|| self.reference.title.to_string())
    }

    /// Whether nobody may see the value of a parameter.
    pub(crate) fn is_sensitive(&self, name: &str) -> bool {
        self.sensitive.iter().any(|known| known == name)
    }

    /// The properties with a wanted state, and those that are watched, in the order of the names.
    pub(crate) fn properties(&self, names: &[&'static str]) -> Vec<Property> {
        let property = |name: &'static str| {
            let property = match self.value(name) {
                Some(value) => Property::new(name, value.clone()),
                None if self.is_watched(name) => Property::watched(name),
                None => return None,
            };
            Some(Property { is_sensitive: self.is_sensitive(name), ..property })
        };
        names.iter().filter_map(|name| property(name)).collect()
    }

    /// The same of a type whose resources are there unless something else is said, if anything is said about them at all.
    pub(crate) fn properties_of_described(&self, names: &[&'static str]) -> Vec<Property> {
        let properties = self.properties(names);
        let is_described = properties.iter().any(|property| property.should.is_some());
        if is_described { self.properties_of_present(names) } else { properties }
    }

    /// The same of a type whose resources are there unless something else is said.
    pub(crate) fn properties_of_present(&self, names: &[&'static str]) -> Vec<Property> {
        let mut properties = self.properties(names);
        // Compatibility: what is watched has no default.
        if properties.first().is_none_or(|property| property.name != "ensure") {
            properties.insert(0, Property::new("ensure", "present".into()));
        }
        properties
    }

    /// Whether a property is watched.
    pub(crate) fn is_watched(&self, name: &str) -> bool {
        self.audit.iter().any(|known| known == name || known == "all")
    }

    /// What is said when a value cannot be put into the form of its parameter.
    pub(crate) fn munging(&self, parameter: &str, reason: &str) -> Fault {
        let value = self.value(parameter).map(property::inspected).unwrap_or_default();
        self.refuse(parameter, &format!("Munging failed for value {value} in class {parameter}: {reason}"))
    }

    /// What is said when a parameter is refused.
    pub(crate) fn refuse(&self, parameter: &str, reason: &str) -> Fault {
        let message = format!("Parameter {parameter} failed on {}: {reason}", self.reference);
        Fault::new(located(message, self.file, self.line))
    }

    /// What is said when the parameters do not go together.
    pub(crate) fn invalid(&self, reason: &str) -> Fault {
        let message = format!("Validation of {} failed: {reason}", self.reference);
        Fault::new(located(message, self.file, self.line))
    }
}
