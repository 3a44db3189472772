//! The settings that change what a program means.

use bunraku_environment::Environment;
pub use bunraku_environment::Strict;
use bunraku_syntax::Issue;

/// The settings of a compilation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What becomes of code that is legal but most likely wrong.
    pub strict: Strict,
    /// Whether an unknown variable is an error.
    pub strict_variables: bool,
}

impl Settings {
    /// The settings of an environment.
    pub fn of(environment: &Environment) -> Result<Settings, Issue> {
        let settings = &environment.settings;
        Ok(Settings { strict: settings.strict()?, strict_variables: settings.boolean("strict_variables")? })
    }
}
