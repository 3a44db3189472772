//! What can be wrong with settings, environments, modules and where code is found.
//! Codes and texts are those of the reference where it has them; where it has a text only, the code is empty.

use bunraku_syntax::Issue;
use ecow::EcoString;

use crate::settings::Kind;

/// An issue the reference has no code for.
pub(crate) fn uncoded(message: impl Into<EcoString>) -> Issue {
    Issue::new("", message)
}

/// An issue the reference reports as a failure of whoever asked.
fn runtime_error(message: impl Into<EcoString>) -> Issue {
    Issue::new("RUNTIME_ERROR", message)
}

fn placed(message: &str, path: &str, line: usize) -> String {
    format!("{message} (file: {path}, line: {line})")
}

/// A line of a configuration file is neither a section, a setting nor a comment.
pub fn configuration_line(text: &str, path: &str, line: usize) -> Issue {
    uncoded(placed(&format!("Could not match line {text}"), path, line))
}

/// The file options behind a path in a configuration file cannot be used.
pub fn configuration_value(message: &str, path: &str, line: usize) -> Issue {
    uncoded(placed(message, path, line))
}

/// `puppet.conf` has a section of an unknown name.
pub fn configuration_section(name: &str, path: &str, line: usize) -> Issue {
    let message = format!(
        "Illegal section '{name}' in config file at (file: {path}, line: {line}). \
         The only valid puppet.conf sections are: [main, server, master, agent, user]. \
         Please use the directory environments feature to specify environments. \
         (See https://puppet.com/docs/puppet/latest/environments_about.html)"
    );
    uncoded(message)
}

/// The text of a setting refers to something that is not a setting.
pub fn setting_not_converted(name: &str, detail: &str) -> Issue {
    uncoded(format!("Error converting value for param '{name}': {detail}"))
}

/// A setting has a value that is not among those it can have.
pub fn setting_not_allowed(name: &str, value: &str, allowed: &[&str]) -> Issue {
    let allowed = allowed.join("', '");
    let message = format!("Invalid value '{value}' for parameter {name}. Allowed values are '{allowed}'");
    uncoded(message)
}

/// A boolean setting has another value.
pub fn setting_not_boolean(name: &str, value: &str) -> Issue {
    uncoded(format!("Invalid value '\"{value}\"' for boolean parameter: {name}"))
}

/// A whole number was expected.
pub fn setting_not_integer(name: &str, value: &str) -> Issue {
    let message = format!("Cannot convert '\"{value}\"' to an integer for parameter: {name}");
    uncoded(message)
}

/// A number of seconds was expected.
pub fn setting_not_duration(name: &str, kind: Kind, value: &str) -> Issue {
    let format = match kind {
        Kind::TimeToLive => "'time to live'",
        _ => "duration",
    };
    uncoded(format!("Invalid {format} format '\"{value}\"' for parameter: {name}"))
}

/// `environment.conf` has sections.
pub fn environment_conf_sections(path: &str, sections: &[&str]) -> Issue {
    let message = format!(
        "Invalid sections in environment.conf at '{path}'. Environment conf may not have sections. \
         The following sections are being ignored: '{}'",
        sections.join(",")
    );
    uncoded(message)
}

/// `environment.conf` has settings that an environment cannot have.
pub fn environment_conf_settings(path: &str, settings: &[&str]) -> Issue {
    let message = format!(
        "Invalid settings in environment.conf at '{path}'. The following unknown setting(s) are being ignored: {}\n   \
         (file & line not available)",
        settings.join(", ")
    );
    uncoded(message)
}

/// An environment names a manifest although all environments share one.
pub fn manifest_setting_ignored(directory: &str, manifest: &str, default_manifest: &str) -> Issue {
    let message = format!(
        "The 'disable_per_environment_manifest' setting is true, but the environment located at {directory} has a \
         manifest setting in its environment.conf of '{manifest}' which does not match the default_manifest setting \
         '{default_manifest}'. If this environment is expecting to find modules in '{manifest}', they will not be \
         available!"
    );
    uncoded(message)
}

/// A directory is there and cannot be read.
pub fn unreadable_directory(path: &str, error: &std::io::Error) -> Issue {
    uncoded(format!("Could not read the directory {path}: {}", bunraku_diagnostic::reason(error)))
}

/// A pattern stands for more paths than can be meant.
pub fn too_many_matches(pattern: &str, limit: usize) -> Issue {
    uncoded(format!("The pattern {pattern} stands for more than {limit} paths"))
}

/// There is no directory for the environment.
pub fn environment_not_found(name: &str, path: &[String]) -> Issue {
    let message = format!(
        "Could not find a directory environment named '{name}' anywhere in the path: {}. Does the directory exist?",
        path.join(":")
    );
    uncoded(message)
}

/// The name of an environment has characters that no environment has.
pub fn environment_name(name: &str) -> Issue {
    uncoded(format!("The environment must be purely alphanumeric, not '{name}'"))
}

/// The command that tells the version of the code failed.
pub fn config_version(command: &str, message: &str) -> Issue {
    uncoded(format!("Execution of config_version command `{command}` failed: {message}"))
}

/// The metadata of a module is not JSON.
pub fn metadata_unparsable(module: &str, error: &str) -> Issue {
    let message = format!("{module} has an invalid and unparsable metadata.json file. The parse error: {error}");
    uncoded(message)
}

/// The metadata of a module lacks a key.
pub fn metadata_missing(key: &str, module: &str) -> Issue {
    uncoded(format!("No {key} module metadata provided for {module}"))
}

/// The dependencies of a module are not a list.
pub fn metadata_dependencies(module: &str, found: &str) -> Issue {
    let message = format!(
        "The value for the key dependencies in the file metadata.json of the module {module} must be an array, \
         not: '{found}'"
    );
    uncoded(message)
}

/// A file of code cannot be read.
pub fn unreadable(path: &str, error: &std::io::Error) -> Issue {
    uncoded(format!("Could not read '{path}': {}", bunraku_diagnostic::reason(error)))
}

/// An environment cannot have more than four thousand million files.
pub fn too_many_files() -> Issue {
    uncoded("There are too many files")
}

/// Code made up at run time exceeds what is kept of it.
pub fn too_much_inline_code(limit: usize) -> Issue {
    uncoded(format!("Templates that are in no file have more than {limit} bytes"))
}

/// What a file with one definition of its own defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entity {
    /// A function.
    Function,
    /// A type alias.
    Type,
}

impl Entity {
    fn name(self) -> &'static str {
        match self {
            Entity::Function => "function",
            Entity::Type => "type",
        }
    }
}

/// A file for one definition has none.
pub fn loaded_empty(entity: Entity, name: &str, path: &str) -> Issue {
    let entity = entity.name();
    let message = format!("The code loaded from {path} does not define the {entity} '{name}' - it is empty.");
    runtime_error(message)
}

/// A file for one definition has several.
pub fn loaded_more(entity: Entity, name: &str, path: &str) -> Issue {
    let entity = entity.name();
    let message =
        format!("The code loaded from {path} must contain only the {entity} '{name}' - it has additional definitions.");
    runtime_error(message)
}

/// A file for one definition has one of another kind.
pub fn loaded_other(entity: Entity, name: &str, path: &str) -> Issue {
    let missing = match entity {
        Entity::Function => "no function found.",
        Entity::Type => "no type alias or type definition found.",
    };
    let entity = entity.name();
    runtime_error(format!("The code loaded from {path} does not define the {entity} '{name}' - {missing}"))
}

/// A file for one definition has one of another name.
pub fn loaded_wrong_name(entity: Entity, expected: &str, actual: &str, path: &str) -> Issue {
    let quote = match entity {
        Entity::Function => "",
        Entity::Type => "'",
    };
    let entity = entity.name();
    let message = format!(
        "The code loaded from {path} produced {entity} with the wrong name, expected {quote}{expected}{quote}, \
         actual {quote}{actual}{quote}"
    );
    runtime_error(message)
}

/// A file for one definition has other code too.
pub fn loaded_logic(entity: Entity, name: &str, path: &str) -> Issue {
    let quote = match entity {
        Entity::Function => "",
        Entity::Type => "'",
    };
    let entity = entity.name();
    let message = format!(
        "The code loaded from {path} contains additional logic - can only contain the {entity} {quote}{name}{quote}"
    );
    runtime_error(message)
}

/// A function, type alias or defined type is defined twice.
pub fn entity_twice(entity: Entity, name: &str, origin: &str) -> Issue {
    let entity = entity.name();
    runtime_error(format!(
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{entity}/{name}'. Originally set at {origin}."
    ))
}

/// A class is defined twice. Here and below, `place` is that of the first definition.
pub fn class_twice(name: &str, place: &str) -> Issue {
    uncoded(format!("Class '{name}' is already defined {place}; cannot redefine"))
}

/// A node has the name of the class.
pub fn node_as_class(name: &str, place: &str) -> Issue {
    uncoded(format!("Node '{name}' is already defined {place}; cannot be redefined as a class"))
}

/// A defined type has the name of the class.
pub fn defined_type_as_class(name: &str, place: &str) -> Issue {
    let message = format!("Definition '{name}' is already defined {place}; cannot be redefined as a class");
    uncoded(message)
}

/// A class has the name of the defined type.
pub fn class_as_defined_type(name: &str, place: &str) -> Issue {
    let message = format!("'{name}' is already defined {place} as a class; cannot redefine as a definition");
    uncoded(message)
}

/// A node is defined twice.
pub fn node_twice(name: &str, place: &str) -> Issue {
    uncoded(format!("Node '{name}' is already defined {place}; cannot redefine"))
}

/// A class has the name of the node.
pub fn class_as_node(name: &str, place: &str) -> Issue {
    uncoded(format!("Class '{name}' is already defined {place}; cannot be redefined as a node"))
}

/// A parameter has the name of a metaparameter and must be given.
pub fn metaparameter(parameter: &str, name: &str) -> Issue {
    runtime_error(format!(
        "{parameter} is a metaparameter; please choose another parameter name in the {name} definition"
    ))
}

/// A parameter has the name of a metaparameter and a default.
pub fn metaparameter_with_default(parameter: &str, name: &str) -> Issue {
    let message = format!(
        "{parameter} is a metaparam; this value will inherit to all contained resources in the {name} definition"
    );
    uncoded(message)
}
