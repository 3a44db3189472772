//! The settings that change what a program means.

pub use bunraku_environment::Strict;
use bunraku_environment::{Environment, SettingValue};
use bunraku_syntax::Issue;

/// The settings of a compilation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What becomes of code that is legal but most likely wrong.
    pub strict: Strict,
    /// Whether an unknown variable is an error.
    pub strict_variables: bool,
    /// Whether a catalog may hold values that JSON does not have.
    pub rich_data: bool,
    /// Whether to warn of what later versions will not have.
    pub deprecations: bool,
    /// How many of the warnings about one file are logged.
    pub max_warnings: usize,
    /// How many of those about what later versions will not have.
    pub max_deprecations: usize,
}

impl Settings {
    /// The settings of an environment.
    pub fn of(environment: &Environment) -> Result<Settings, Issue> {
        let settings = &environment.settings;
        let count = |name: &str| match settings.value(name)? {
            SettingValue::Integer(number) => Ok(usize::try_from(number).unwrap_or(0)),
            _ => Ok(0),
        };
        let disabled = settings.text("disable_warnings")?;
        Ok(Settings {
            strict: settings.strict()?,
            strict_variables: settings.boolean("strict_variables")?,
            rich_data: settings.boolean("rich_data")?,
            max_warnings: count("max_warnings")?,
            max_deprecations: count("max_deprecations")?,
            deprecations: !disabled.split(',').any(|kind| kind.trim() == "deprecations"),
        })
    }
}
