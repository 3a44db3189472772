//! Resource types of modules that stand for settings of a file, such as those that configure OpenStack.

/// A resource type that stands for settings of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SettingType {
    /// The name of its provider.
    pub provider: String,
    /// How the file is kept.
    pub keeping: Keeping,
    /// The file; with `takes_path` only where no `path` is given.
    pub path: Option<String>,
    /// Whether a parameter `path` names the file.
    pub takes_path: bool,
    /// Whether names are `section/setting`; otherwise they are settings outside of sections.
    pub has_sections: bool,
    /// What stands between setting and value.
    pub separator: String,
    /// Whether a parameter `key_val_separator` may say otherwise.
    pub takes_separator: bool,
    /// How values that are true or false are spelled.
    pub spelling: Spelling,
    /// Whether a setting may have several values.
    pub is_list: bool,
    /// Whether values are shown as they are, and not at all if the parameter `secret` says so.
    pub has_secrets: bool,
    /// Whether the parameter `quote` puts values in quotes.
    pub has_quotes: bool,
    /// The value that means that the setting is not there.
    pub absent_value: Option<String>,
    /// What values look like.
    pub pattern: Option<String>,
    /// Whether a value may say that the setting is left as it is.
    pub may_be_immutable: bool,
    /// Resources that come before, by type and title.
    pub requires: Vec<(String, String)>,
    /// Resources that are told of changes, by type and title.
    pub notifies: Vec<(String, String)>,
}

/// How a file of settings is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keeping {
    /// As `ini_setting` does.
    #[default]
    Ini,
    /// As `openstack_config` does.
    OpenStack,
}

/// How values that are true or false are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// As they are given.
    #[default]
    Kept,
    /// `True` and `False`.
    Capitalized,
    /// `true` and `false`.
    Lowercase,
}
