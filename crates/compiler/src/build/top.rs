//! What comes first: the variables of the node, the settings, and the code outside of everything else.

use std::sync::Arc;

use ecow::EcoString;

use bunraku_catalog::Reference;
use bunraku_environment::SettingValue;
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::ast;

use super::Owner;
use super::body::{Body, BodyKind, MAIN};
use super::issues;
use super::location::illegal_jump;
use super::resource::{Definition, Place, Resource};
use crate::compilation::Compilation;
use crate::eval::assignment::RESERVED;
use crate::eval::eval;
use crate::frame::Frame;
use crate::log::Level;
use crate::scope::TOP;
use crate::unwind::Outcome;

impl Compilation<'_> {
    /// The stage in which everything is unless it says otherwise.
    pub(crate) fn add_main_stage(&mut self) -> Outcome<()> {
        self.set_owner(TOP, Owner { resource: None, body: MAIN });
        if let Some(definition) = self.find_resource_type("stage")? {
            let mut stage = Resource::new(Reference::new("Stage", "main"), definition, TOP, MAIN);
            // Its title is not a text for the reference, and so no tag.
            stage.tags.add("stage");
            self.insert_resource(stage)?;
        }
        for (name, _) in &self.node.classes {
            self.build.classes.push(name.clone());
            self.build.tags.add(name);
        }
        Ok(())
    }

    /// Facts and other parameters of the node become variables at top scope.
    pub(crate) fn set_node_parameters(&mut self) -> Outcome<()> {
        let node = self.node;
        let parameters: Hash =
            node.parameters.iter().map(|(name, value)| (name.as_str().into(), value.clone())).collect();
        let environment = Value::from(self.environment.name.as_str());
        for (name, fact) in node.facts.iter() {
            let is_environment = name.as_str() == Some("environment");
            self.warn_of_second(name, if is_environment { Some(&environment) } else { parameters.get(name) }, fact);
        }
        for (name, value) in node.server_facts.iter().filter(|(name, _)| name.as_str() != Some("environment")) {
            self.warn_of_second(name, parameters.get(name).or_else(|| node.facts.get(name)), value);
        }
        // A fact of the name is as good as none: `$trusted` is what the server knows.
        let is_parameter = |name: &&str| parameters.get_str(name).is_some();
        let is_given = |name: &&str| is_parameter(name) || *name != "trusted" && node.facts.get_str(name).is_some();
        if let Some(name) = RESERVED.into_iter().find(is_given) {
            return Err(issues::reserved_variable(name).into());
        }
        // The main manifests are the body of a class, which has these variables at top scope.
        if let Some(name) = ["module_name", "title", "name"].into_iter().find(is_given) {
            return Err(issues::reassigned_variable(name).into());
        }
        let variables = &mut self.scopes.get_mut(TOP).variables;
        // What the server says of itself gives way to facts, as those do to the classifier.
        for (name, value) in node.server_facts.iter().chain(node.facts.iter()) {
            if let Value::String(name) = name {
                variables.insert(name.clone(), value.clone());
            }
        }
        variables.extend(node.parameters.iter().cloned());
        variables.insert("environment".into(), environment);
        let reserved = [("trusted", &node.trusted), ("server_facts", &node.server_facts), ("facts", &node.facts)];
        variables.extend(reserved.map(|(name, hash)| (name.into(), Value::Hash(Arc::clone(hash)))));
        Ok(())
    }

    /// A parameter that the node has already stays as it is.
    fn warn_of_second(&mut self, name: &Value, known: Option<&Value>, second: &Value) {
        let Some(known) = known else { return };
        let (known, second) = (inspect::to_s(known), inspect::to_s(second));
        let message = format!(
            "The node parameter '{name}' for node '{}' was already set to '{known}'. It could not be set to '{second}'",
            self.node.name
        );
        self.log(Level::Warning, &message);
    }

    /// The class `settings`, whose variables are the settings. A class of that name in the main manifests gives it a body.
    pub(crate) fn create_settings_scope(&mut self) -> Outcome<()> {
        let mut definitions = self.definitions.main().iter().flat_map(|code| code.definitions());
        let is_settings = |name: &EcoString| name.trim_start_matches("::").eq_ignore_ascii_case("settings");
        let own = match definitions.find(|definition| definition.name().is_some_and(is_settings)) {
            Some(ast::Definition::Class(_)) => self.find_class("settings")?,
            Some(ast::Definition::DefinedType(defined_type)) => {
                let place = self.place_suffix(Some(Place::of(defined_type.span)));
                return Err(issues::settings_redefined(place).nowhere().into());
            }
            _ => None,
        };
        let standard = || Body::without_code(BodyKind::Class, "settings");
        let body = own.unwrap_or_else(|| self.build.bodies.add_class(standard()));
        let mut resource = Resource::new(Reference::new("Class", "settings"), Definition::Body(body), TOP, MAIN);
        resource.add_own_tags();
        let id = self.insert_resource(resource)?;
        self.evaluate_resource(id)?;
        Ok(())
    }

    /// Makes the settings variables of their class, where one that inherits from it sees them.
    pub(super) fn fill_settings_scope(&mut self) {
        let Some(scope) = self.class_scope("settings") else { return };
        let variables = &mut self.scopes.get_mut(scope).variables;
        for (name, value) in self.environment.settings.all() {
            if let (Ok(value), false) = (value, variables.contains_key(name)) {
                variables.insert(name.into(), setting_value(value));
            }
        }
    }

    /// The value of `$settings::name`.
    pub(crate) fn setting(&self, name: &str) -> Option<Value> {
        if name == "all_local" {
            let all = self.environment.settings.all();
            let known = all.filter_map(|(name, value)| Some((Value::from(name), setting_value(value.ok()?))));
            return Some(Value::from(known.collect::<Hash>()));
        }
        if matches!(name, "name" | "title") {
            return Some(Value::from("settings"));
        }
        let settings = &self.environment.settings;
        settings.is_known(name).then(|| settings.value(name).ok().map(setting_value)).flatten()
    }

    /// Evaluates the main manifests one after the other; gives the value of the last statement.
    pub(crate) fn evaluate_main(&mut self) -> Outcome {
        let mut main = Resource::new(Reference::main_class(), Definition::Body(MAIN), TOP, MAIN);
        // The title of the main class is not a text for the reference, and so no tag.
        main.tags.add("class");
        let id = self.insert_resource(main)?;
        self.build.table.list(id);
        self.set_owner(TOP, Owner { resource: Some(id), body: MAIN });
        self.evaluate_resource(id)?;
        let mut value = Value::Undef;
        for code in self.definitions.main().to_vec() {
            let body = &code.program.body;
            self.calls.enter_manifest(body.span.file);
            let outcome = eval(body, &mut Frame::top(self));
            self.calls.leave();
            value = outcome.map_err(illegal_jump)?;
        }
        Ok(value)
    }
}

fn setting_value(value: SettingValue) -> Value {
    match value {
        SettingValue::Absent => Value::Undef,
        SettingValue::Boolean(value) => Value::Boolean(value),
        SettingValue::Integer(value) => Value::Integer(value),
        SettingValue::Unlimited => Value::Float(f64::INFINITY),
        SettingValue::Text(text) => Value::from(text),
        SettingValue::List(list) => Value::array(list.into_iter().map(Value::from)),
    }
}
