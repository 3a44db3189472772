//! The release whose behaviour is wanted. The language is nearly the same in all of them; settings and some words are not.

use bunraku_syntax::{Issue, Product};

use crate::issues;

/// A release to be compatible with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// Puppet 8.
    Puppet8,
    /// OpenVox 8, which is Puppet 8 under another name.
    #[default]
    OpenVox8,
    /// OpenVox 9.
    OpenVox9,
}

impl Target {
    /// The names, as the option `--target` takes them.
    pub const NAMES: [&'static str; 3] = ["puppet8", "openvox8", "openvox9"];

    /// The release of a name.
    pub fn parse(name: &str) -> Result<Target, Issue> {
        match name {
            "puppet8" => Ok(Target::Puppet8),
            "openvox8" => Ok(Target::OpenVox8),
            "openvox9" => Ok(Target::OpenVox9),
            other => Err(issues::setting_not_allowed("target", other, &Target::NAMES)),
        }
    }

    /// The version that servers and agents of the release tell.
    pub fn version(self) -> &'static str {
        match self {
            Target::Puppet8 => "8.10.0",
            Target::OpenVox8 => "8.28.1",
            Target::OpenVox9 => "9.0.0",
        }
    }

    /// What the release calls itself in messages.
    pub fn product(self) -> Product {
        match self {
            Target::Puppet8 | Target::OpenVox8 => Product::Puppet,
            Target::OpenVox9 => Product::OpenVox,
        }
    }

    /// Whether the release has a setting that Puppet 8 has.
    pub(super) fn has_setting(self, name: &str) -> bool {
        let removed = ["configprint", "data_binding_terminus", "environment_data_provider", "pluginsync"];
        self != Target::OpenVox9 || !removed.contains(&name)
    }

    /// The default of a setting, where it is not that of Puppet 8.
    pub(super) fn default_of(self, name: &str) -> Option<&'static str> {
        match (self, name) {
            (Target::OpenVox9, "reports") => Some("none"),
            (Target::OpenVox9, "preprocess_deferred") => Some("true"),
            _ => None,
        }
    }
}
