//! What can be wrong with settings, environments, modules and where code is found.
//! Codes and texts are those of the reference where it has them.

use bunraku_syntax::Issue;

use crate::settings::Kind;

fn placed(message: &str, path: &str, line: usize) -> String {
    format!("{message} (file: {path}, line: {line})")
}

/// A line of a configuration file is neither a section, a setting nor a comment.
pub fn configuration_line(text: &str, path: &str, line: usize) -> Issue {
    Issue::new("CONFIGURATION_LINE", placed(&format!("Could not match line {text}"), path, line))
}

/// The file options behind a path in a configuration file cannot be used.
pub fn configuration_value(message: &str, path: &str, line: usize) -> Issue {
    Issue::new("CONFIGURATION_VALUE", placed(message, path, line))
}

/// `puppet.conf` has a section of an unknown name.
pub fn configuration_section(name: &str, path: &str, line: usize) -> Issue {
    let message = format!(
        "Illegal section '{name}' in config file at (file: {path}, line: {line}). \
         The only valid puppet.conf sections are: [main, server, master, agent, user]. \
         Please use the directory environments feature to specify environments. \
         (See https://puppet.com/docs/puppet/latest/environments_about.html)"
    );
    Issue::new("CONFIGURATION_SECTION", message)
}

/// The text of a setting refers to something that is not a setting.
pub fn setting_not_converted(name: &str, detail: &str) -> Issue {
    Issue::new("SETTING_NOT_CONVERTED", format!("Error converting value for param '{name}': {detail}"))
}

/// A setting has a value that is not among those it can have.
pub fn setting_not_allowed(name: &str, value: &str, allowed: &[&str]) -> Issue {
    let allowed = allowed.join("', '");
    let message = format!("Invalid value '{value}' for parameter {name}. Allowed values are '{allowed}'");
    Issue::new("SETTING_NOT_ALLOWED", message)
}

/// A boolean setting has another value.
pub fn setting_not_boolean(name: &str, value: &str) -> Issue {
    Issue::new("SETTING_NOT_BOOLEAN", format!("Invalid value '\"{value}\"' for boolean parameter: {name}"))
}

/// A whole number was expected.
pub fn setting_not_integer(name: &str, value: &str) -> Issue {
    let message = format!("Cannot convert '\"{value}\"' to an integer for parameter: {name}");
    Issue::new("SETTING_NOT_INTEGER", message)
}

/// A number of seconds was expected.
pub fn setting_not_duration(name: &str, kind: Kind, value: &str) -> Issue {
    let format = match kind {
        Kind::TimeToLive => "'time to live'",
        _ => "duration",
    };
    Issue::new("SETTING_NOT_DURATION", format!("Invalid {format} format '\"{value}\"' for parameter: {name}"))
}

/// `environment.conf` has sections.
pub fn environment_conf_sections(path: &str, sections: &[&str]) -> Issue {
    let message = format!(
        "Invalid sections in environment.conf at '{path}'. Environment conf may not have sections. \
         The following sections are being ignored: '{}'",
        sections.join(",")
    );
    Issue::new("ENVIRONMENT_CONF_SECTIONS", message)
}

/// `environment.conf` has settings that an environment cannot have.
pub fn environment_conf_settings(path: &str, settings: &[&str]) -> Issue {
    let message = format!(
        "Invalid settings in environment.conf at '{path}'. The following unknown setting(s) are being ignored: {}",
        settings.join(", ")
    );
    Issue::new("ENVIRONMENT_CONF_SETTINGS", message)
}

/// An environment names a manifest although all environments share one.
pub fn manifest_setting_ignored(folder: &str, manifest: &str, default_manifest: &str) -> Issue {
    let message = format!(
        "The 'disable_per_environment_manifest' setting is true, but the environment located at {folder} has a \
         manifest setting in its environment.conf of '{manifest}' which does not match the default_manifest setting \
         '{default_manifest}'. If this environment is expecting to find modules in '{manifest}', they will not be \
         available!"
    );
    Issue::new("MANIFEST_SETTING_IGNORED", message)
}
