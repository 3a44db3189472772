//! What can be wrong with a `hiera.yaml` and with interpolation. Codes and texts are those of the reference.

use bunraku_syntax::{Issue, Product};

const FUNCTION_KEYS: &str = "data_hash, lookup_key, data_dig, or hiera3_backend";
const LOCATION_KEYS: &str = "path, paths, glob, globs, uri, uris, or mapped_paths";

/// The version is none that can be read.
pub fn unsupported_version(version: i64) -> Issue {
    Issue::new("HIERA_UNSUPPORTED_VERSION", format!("This runtime does not support hiera.yaml version {version}"))
}

/// Version 3 is for the global layer only.
pub fn version_3_not_global(place: &str) -> Issue {
    let article = if place.starts_with('e') { "an" } else { "a" };
    Issue::new("HIERA_VERSION_3_NOT_GLOBAL", format!("hiera.yaml version 3 cannot be used in {article} {place}"))
}

/// Version 4 is for the other layers only.
pub fn unsupported_version_in_global() -> Issue {
    Issue::new("HIERA_UNSUPPORTED_VERSION_IN_GLOBAL", "hiera.yaml version 4 cannot be used in the global layer")
}

/// A path refers to a variable that does not exist.
pub fn undefined_variable(name: &str) -> Issue {
    Issue::new("HIERA_UNDEFINED_VARIABLE", format!("Undefined variable '{name}'"))
}

/// A backend of version 3 stands twice in the list.
pub fn backend_multiply_defined(name: &str, first_line: Option<u64>) -> Issue {
    let message = first_defined(format!("Backend '{name}' is defined more than once."), first_line);
    Issue::new("HIERA_BACKEND_MULTIPLY_DEFINED", message)
}

/// Version 4 knows three backends.
pub fn no_provider_for_backend(name: &str) -> Issue {
    Issue::new("HIERA_NO_PROVIDER_FOR_BACKEND", format!("No data provider is registered for backend '{name}'"))
}

/// Two levels have the same name.
pub fn hierarchy_name_multiply_defined(name: &str, first_line: Option<u64>) -> Issue {
    let message = first_defined(format!("Hierarchy name '{name}' defined more than once."), first_line);
    Issue::new("HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED", message)
}

fn first_defined(message: String, first_line: Option<u64>) -> String {
    match first_line {
        Some(line) => format!("{message} First defined at (line: {line})"),
        None => message,
    }
}

/// A level asks for a Hiera 3 backend outside of the global layer.
pub fn v3_backend_not_global() -> Issue {
    Issue::new("HIERA_V3_BACKEND_NOT_GLOBAL", "'hiera3_backend' is only allowed in the global layer")
}

/// A default hierarchy outside of a module.
pub fn default_hierarchy_not_in_module() -> Issue {
    Issue::new("HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE", "'default_hierarchy' is only allowed in the module layer")
}

/// A Hiera 3 backend that is a function now.
pub fn v3_backend_replaced_by_data_hash(name: &str) -> Issue {
    let message = format!("Use \"data_hash: {name}_data\" instead of \"hiera3_backend: {name}\"");
    Issue::new("HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH", message)
}

/// A level without a function, and none among the defaults.
pub fn missing_data_provider_function(name: &str) -> Issue {
    let message = format!("One of {FUNCTION_KEYS} must be defined in hierarchy '{name}'");
    Issue::new("HIERA_MISSING_DATA_PROVIDER_FUNCTION", message)
}

/// A level with two functions.
pub fn multiple_data_provider_functions(name: &str) -> Issue {
    let message = format!("Only one of {FUNCTION_KEYS} can be defined in hierarchy '{name}'");
    Issue::new("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS", message)
}

/// Defaults with two functions.
pub fn multiple_data_provider_functions_in_default() -> Issue {
    let message = format!("Only one of {FUNCTION_KEYS} can be defined in defaults");
    Issue::new("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT", message)
}

/// A level with two kinds of locations.
pub fn multiple_location_specs(name: &str) -> Issue {
    let message = format!("Only one of {LOCATION_KEYS} can be defined in hierarchy '{name}'");
    Issue::new("HIERA_MULTIPLE_LOCATION_SPECS", message)
}

/// An option that the lookup itself sets.
pub fn option_reserved_by_puppet(key: &str, name: &str, product: Product) -> Issue {
    let message = format!("Option key '{key}' used in hierarchy '{name}' is reserved by {product}");
    Issue::new("HIERA_OPTION_RESERVED_BY_PUPPET", message)
}

/// The same among the defaults.
pub fn default_option_reserved_by_puppet(key: &str, product: Product) -> Issue {
    let message = format!("Option key '{key}' used in defaults is reserved by {product}");
    Issue::new("HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET", message)
}

/// No function has the name a level gives.
pub fn data_provider_function_not_found(kind: &str, name: &str) -> Issue {
    let message = format!("Unable to find '{kind}' function named '{name}'");
    Issue::new("HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND", message)
}

/// An alias with other text around it.
pub fn alias_not_entire_string() -> Issue {
    let message = "'alias' interpolation is only permitted if the expression is equal to the entire string";
    Issue::new("HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING", message)
}

/// `%{name('…')}` with a name that means nothing.
pub fn unknown_interpolation_method(name: &str) -> Issue {
    let message = format!("Unknown interpolation method '{name}'");
    Issue::new("HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD", message)
}

/// A method in a configuration file.
pub fn method_syntax_not_allowed() -> Issue {
    let message = "Interpolation using method syntax is not allowed in this context";
    Issue::new("HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED", message)
}

/// A backend that is Ruby code.
pub fn backend_not_run(backend: &str) -> Issue {
    let message =
        format!("The Hiera 3 backend '{backend}' is written in Ruby and is not run, so nothing is found in it");
    Issue::new("HIERA_BACKEND_NOT_RUN", message)
}
