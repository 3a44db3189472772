//! What to check, and how.

use crate::problem::Kind;
use crate::rules;

/// What to check, and how. The names are those of puppet-lint's settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Which checks are on, by their place in the list of checks.
    pub enabled: Vec<bool>,
    /// The checks whose problems are of another kind than usual.
    pub kinds: Vec<(&'static str, Kind)>,
    /// The directory that paths are relative to.
    pub current_dir: String,
    /// `autoloader_layout` compares without the directory of the module.
    pub relative: bool,
    /// How far `strict_indent` indents.
    pub chars_per_indent: usize,
    /// The styles that `parameter_documentation` accepts: `doc`, `kafo`, `strings`.
    pub docs_allowed_styles: Vec<String>,
    /// More variables that `top_scope_facts` accepts.
    pub top_scope_variables: Vec<String>,
    /// Whether problems come with their fixes.
    pub with_fixes: bool,
    /// Whether fixes that may change what code means are applied, too.
    pub unsafe_fixes: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: rules::ALL.iter().map(|rule| rule.is_on).collect(),
            kinds: Vec::new(),
            current_dir: String::new(),
            relative: false,
            chars_per_indent: 2,
            docs_allowed_styles: ["doc", "kafo", "strings"].map(str::to_owned).to_vec(),
            top_scope_variables: Vec::new(),
            with_fixes: false,
            unsafe_fixes: false,
        }
    }
}

impl Settings {
    /// Whether a check, by its place in the list, is on.
    pub fn is_enabled(&self, place: usize) -> bool {
        self.enabled.get(place).copied().unwrap_or_default()
    }

    /// Whether the check with this name is on.
    pub fn is_on(&self, check: &str) -> bool {
        rules::ALL.iter().position(|rule| rule.name == check).is_some_and(|place| self.is_enabled(place))
    }

    /// Switches a check on or off; whether there is such a check.
    pub fn set(&mut self, check: &str, is_on: bool) -> bool {
        let place = rules::ALL.iter().position(|rule| rule.name == check);
        match place.and_then(|place| self.enabled.get_mut(place)) {
            Some(enabled) => {
                *enabled = is_on;
                true
            }
            None => false,
        }
    }

    /// Switches exactly the checks on that a question is true for.
    pub fn only(&mut self, wanted: impl Fn(&str) -> bool) {
        self.enabled = rules::ALL.iter().map(|rule| wanted(rule.name)).collect();
    }

    /// Gives the problems of a check another kind; whether there is such a check.
    pub fn set_kind(&mut self, check: &str, kind: Kind) -> bool {
        let rule = rules::ALL.iter().find(|rule| rule.name == check);
        if let Some(rule) = rule {
            self.kinds.retain(|(name, _)| *name != rule.name);
            self.kinds.push((rule.name, kind));
        }
        rule.is_some()
    }

    /// The kind that the problems of a check have, if it is another than usual.
    pub(crate) fn kind_of(&self, check: &str) -> Option<Kind> {
        self.kinds.iter().find(|(name, _)| *name == check).map(|(_, kind)| *kind)
    }
}
