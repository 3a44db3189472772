//! External node classifiers: a program that tells the classes, parameters and environment of a node.

use std::sync::Arc;

use bunraku_compiler::Node;
use bunraku_environment::world::Command;
use bunraku_environment::{Settings, World};
use bunraku_notation::yaml;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;
use ecow::EcoString;

/// What a classifier says about a node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Classification {
    /// The environment, if it is not the one that was asked for.
    pub environment: Option<String>,
    /// Classes, some with parameters.
    pub classes: Vec<(EcoString, Option<Arc<Hash>>)>,
    /// Variables at top scope.
    pub parameters: Vec<(EcoString, Value)>,
}

impl Classification {
    /// Asks the classifier of the settings `node_terminus` and `external_nodes`. Without one nothing is said.
    pub fn of(name: &str, settings: &Settings, world: &dyn World) -> Result<Classification, Issue> {
        match settings.text("node_terminus")?.as_str() {
            "plain" => Ok(Classification::default()),
            "exec" => Classification::read(name, &run(name, &settings.text("external_nodes")?, world)?),
            other => Err(failed(format!("Could not find terminus {other} for indirection node"))),
        }
    }

    /// Reads what a classifier has printed.
    fn read(name: &str, output: &[u8]) -> Result<Classification, Issue> {
        let wrong = |detail: &str| failed(format!("Could not load external node results for {name}: {detail}"));
        if output.trim_ascii().is_empty() {
            return Err(failed(format!("Could not find node '{name}'; cannot compile")));
        }
        let document = yaml::load(output, "<unknown>").map_err(|error| wrong(&error.message))?;
        let Some(Value::Hash(answer)) = document.value else {
            return Err(wrong("a hash with classes, parameters and environment is expected"));
        };
        if let Some(key) = answer.keys().find(|key| key.as_str().is_none()) {
            return Err(wrong(&format!("key is a {}, not a string or symbol", host_class(key))));
        }
        let unexpected = |what: &str, value: &Value| {
            wrong(&format!("'{what}' cannot be {}", bunraku_pcore::label::a_an(&host_class(value))))
        };
        let classes = match answer.get_str("classes") {
            None | Some(Value::Undef) => Vec::new(),
            Some(Value::Array(names)) => names.iter().map(|name| (text(name), None)).collect(),
            Some(Value::Hash(classes)) => {
                let class = |(name, parameters): (&Value, &Value)| match parameters {
                    Value::Undef => Ok((text(name), None)),
                    Value::Hash(parameters) => Ok((text(name), Some(Arc::clone(parameters)))),
                    other => Err(unexpected("classes", other)),
                };
                classes.iter().map(class).collect::<Result<_, Issue>>()?
            }
            Some(other) => return Err(unexpected("classes", other)),
        };
        let parameters = match answer.get_str("parameters") {
            None | Some(Value::Undef) => Vec::new(),
            Some(Value::Hash(all)) => all.iter().map(|(name, value)| (text(name), value.clone())).collect(),
            Some(other) => return Err(unexpected("parameters", other)),
        };
        let environment = answer.get_str("environment").filter(|it| !it.is_undef()).map(ToString::to_string);
        Ok(Classification { environment, classes, parameters })
    }

    /// Gives the node its classes and parameters, and puts it into the environment that is said to be its own, if one is.
    pub fn apply(self, node: &mut Node) {
        if let Some(environment) = &self.environment {
            node.move_to(environment);
        }
        node.classes = self.classes;
        node.parameters = self.parameters;
    }
}

fn run(name: &str, command: &str, world: &dyn World) -> Result<Vec<u8>, Issue> {
    if command == "none" {
        return Err(failed("You must set the 'external_nodes' parameter to use the external node terminus"));
    }
    let mut words = command.split_whitespace();
    let program = words.next().filter(|program| program.starts_with('/'));
    let program = program.ok_or_else(|| failed("You must set the exec parameter to a fully qualified command"))?;
    let arguments: Vec<&str> = words.chain([name]).collect();
    let shown = || format!("Failed to find {name} via exec: Execution of '{command} {name}' returned");
    let output = world.run(&Command { program, arguments: &arguments, ..Command::default() });
    let output = output.map_err(|error| failed(format!("{} 1: {error}", shown())))?;
    match output.code {
        Some(0) => Ok(output.stdout),
        code => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            Err(failed(format!("{} {}: {}", shown(), code.unwrap_or(1), said.trim_end())))
        }
    }
}

fn failed(message: impl Into<EcoString>) -> Issue {
    Issue::new("", message)
}

fn text(value: &Value) -> EcoString {
    ecow::eco_format!("{value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let check = |output: &str, expected: &str| {
            let shown = match Classification::read("n", output.as_bytes()) {
                Ok(it) => {
                    let class = |(name, parameters): &(EcoString, Option<Arc<Hash>>)| match parameters {
                        Some(parameters) => format!("{name}{}", Value::Hash(Arc::clone(parameters))),
                        None => name.to_string(),
                    };
                    let classes: Vec<String> = it.classes.iter().map(class).collect();
                    let parameters: Vec<String> =
                        it.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
                    format!("{} | {} | {}", classes.join(" "), parameters.join(" "), it.environment.unwrap_or_default())
                }
                Err(issue) => issue.message().to_owned(),
            };
            assert_eq!(shown, expected, "{output}");
        };
        check("classes: [a, b]\nparameters: {p: 1}", "a b | p=1 | ");
        check("classes: {a: {x: 5}, b: }\nenvironment: other", "a{x => 5} b |  | other");
        check(
            "---\n",
            "Could not load external node results for n: a hash with classes, parameters and environment is expected",
        );
        check("1: 2", "Could not load external node results for n: key is a Integer, not a string or symbol");
        check("classes: a", "Could not load external node results for n: 'classes' cannot be a String");
        check(" \n", "Could not find node 'n'; cannot compile");
        check(
            "a: [unclosed",
            "Could not load external node results for n: (<unknown>): did not find expected ',' or ']' while parsing a \
             flow sequence at line 1 column 4",
        );
    }
}
