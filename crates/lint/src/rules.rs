//! The shelf of checks: one file for each, under its own name. The table is in the order in which problems are reported.

mod anchor_resource;
mod appends;
mod arrow_alignment;
mod arrow_on_right_operand_line;
mod autoloader_layout;
mod case_without_default;
mod chars140;
mod chars80;
mod class_inherits_from_params_class;
mod classes_and_types_beginning_with_digits;
mod code_on_top_scope;
mod documentation;
mod double_quoted_strings;
mod duplicate_params;
mod empty_string_assignment;
mod ensure_first_param;
mod ensure_not_symlink_target;
mod exec_idempotency;
mod file_ensure;
mod file_mode;
mod hard_tabs;
mod inherits_across_namespaces;
mod leading_zero;
mod legacy_facts;
mod lookup_in_parameter;
mod manifest_whitespace_arrows_single_space_after;
mod manifest_whitespace_class_name_single_space_after;
mod manifest_whitespace_class_name_single_space_before;
mod manifest_whitespace_closing_brace_after;
mod manifest_whitespace_closing_brace_before;
mod manifest_whitespace_closing_bracket_after;
mod manifest_whitespace_closing_bracket_before;
mod manifest_whitespace_double_newline_end_of_file;
mod manifest_whitespace_inherits_name_single_space_before;
mod manifest_whitespace_missing_newline_end_of_file;
mod manifest_whitespace_newline_beginning_of_file;
mod manifest_whitespace_opening_brace_after;
mod manifest_whitespace_opening_brace_before;
mod manifest_whitespace_opening_bracket_after;
mod manifest_whitespace_opening_bracket_before;
mod manifest_whitespace_two_empty_lines;
mod names_containing_dash;
mod names_containing_uppercase;
mod nested_classes_or_defines;
mod only_variable_string;
mod optional_default;
mod package_ensure;
mod parameter_documentation;
mod parameter_order;
mod parameter_types;
mod params_empty_string_assignment;
mod params_not_optional_with_undef;
mod puppet_url_without_modules;
mod quoted_booleans;
mod reference_on_declaration_outside_of_class;
mod reference_on_foreign_class;
mod relative_classname_inclusion;
mod relative_classname_reference;
mod resource_reference_chain_without_whitespace;
mod resource_reference_with_unquoted_title;
mod resource_reference_without_title_capital;
mod resource_reference_without_whitespace;
mod right_to_left_relationship;
mod selector_inside_resource;
mod single_quote_string_with_variables;
mod slash_comments;
mod soft_tabs_2sp;
mod space_before_arrow;
mod spaceship_operator_without_tag;
mod star_comments;
mod strict_indent;
mod top_scope_facts;
mod topscope_variable;
mod trailing_comma;
mod trailing_whitespace;
mod undef_in_function;
mod unquoted_file_mode;
mod unquoted_node_name;
mod unquoted_resource_title;
mod unquoted_string_in_case;
mod unquoted_string_in_selector;
mod variable_contains_dash;
mod variable_contains_upcase;
mod variable_is_lowercase;
mod variable_scope;
mod variables_not_enclosed;
mod version_comparison;

use crate::context::{Checked, Context};
use crate::problem::Kind as ProblemKind;

/// A check.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// How bad the problems are that it finds.
    pub kind: ProblemKind,
    /// Whether it is on unless somebody switches it off.
    pub is_on: bool,
    /// What it asks for, for reports.
    pub description: &'static str,
    /// The page of Puppet's manual that says more.
    pub help: Option<&'static str>,
    /// Looks for problems.
    pub(crate) check: for<'t> fn(&mut Context<'t>) -> Checked,
}

impl Rule {
    /// The address where to read more.
    pub fn help_uri(&self) -> Option<String> {
        self.help.map(|page| format!("https://puppet.com/docs/puppet/latest/{page}"))
    }
}

/// The checks that puppet-lint has with the plugins of Vox Pupuli, and which `--list-checks` lists.
pub fn listed() -> impl Iterator<Item = &'static Rule> {
    ALL.iter().copied().take_while(|rule| rule.name != appends::RULE.name)
}

/// All checks.
pub static ALL: &[&Rule] = &[
    &arrow_on_right_operand_line::RULE,
    &autoloader_layout::RULE,
    &class_inherits_from_params_class::RULE,
    &code_on_top_scope::RULE,
    &inherits_across_namespaces::RULE,
    &names_containing_dash::RULE,
    &names_containing_uppercase::RULE,
    &nested_classes_or_defines::RULE,
    &parameter_order::RULE,
    &right_to_left_relationship::RULE,
    &variable_scope::RULE,
    &slash_comments::RULE,
    &star_comments::RULE,
    &case_without_default::RULE,
    &selector_inside_resource::RULE,
    &documentation::RULE,
    &unquoted_node_name::RULE,
    &duplicate_params::RULE,
    &ensure_first_param::RULE,
    &ensure_not_symlink_target::RULE,
    &file_mode::RULE,
    &unquoted_file_mode::RULE,
    &unquoted_resource_title::RULE,
    &double_quoted_strings::RULE,
    &only_variable_string::RULE,
    &puppet_url_without_modules::RULE,
    &quoted_booleans::RULE,
    &single_quote_string_with_variables::RULE,
    &variables_not_enclosed::RULE,
    &variable_contains_dash::RULE,
    &variable_is_lowercase::RULE,
    &chars140::RULE,
    &soft_tabs_2sp::RULE,
    &chars80::RULE,
    &arrow_alignment::RULE,
    &hard_tabs::RULE,
    &space_before_arrow::RULE,
    &trailing_whitespace::RULE,
    &legacy_facts::RULE,
    &top_scope_facts::RULE,
    &relative_classname_inclusion::RULE,
    &relative_classname_reference::RULE,
    &anchor_resource::RULE,
    &exec_idempotency::RULE,
    &file_ensure::RULE,
    &leading_zero::RULE,
    &lookup_in_parameter::RULE,
    &manifest_whitespace_arrows_single_space_after::RULE,
    &manifest_whitespace_inherits_name_single_space_before::RULE,
    &manifest_whitespace_class_name_single_space_before::RULE,
    &manifest_whitespace_class_name_single_space_after::RULE,
    &manifest_whitespace_closing_brace_before::RULE,
    &manifest_whitespace_closing_brace_after::RULE,
    &manifest_whitespace_closing_bracket_before::RULE,
    &manifest_whitespace_closing_bracket_after::RULE,
    &manifest_whitespace_two_empty_lines::RULE,
    &manifest_whitespace_newline_beginning_of_file::RULE,
    &manifest_whitespace_missing_newline_end_of_file::RULE,
    &manifest_whitespace_double_newline_end_of_file::RULE,
    &manifest_whitespace_opening_brace_before::RULE,
    &manifest_whitespace_opening_brace_after::RULE,
    &manifest_whitespace_opening_bracket_before::RULE,
    &manifest_whitespace_opening_bracket_after::RULE,
    &optional_default::RULE,
    &package_ensure::RULE,
    &parameter_documentation::RULE,
    &parameter_types::RULE,
    &params_empty_string_assignment::RULE,
    &params_not_optional_with_undef::RULE,
    &resource_reference_chain_without_whitespace::RULE,
    &resource_reference_with_unquoted_title::RULE,
    &resource_reference_without_title_capital::RULE,
    &resource_reference_without_whitespace::RULE,
    &strict_indent::RULE,
    &topscope_variable::RULE,
    &trailing_comma::RULE,
    &unquoted_string_in_case::RULE,
    &unquoted_string_in_selector::RULE,
    &variable_contains_upcase::RULE,
    &version_comparison::RULE,
    // Of older plugins, which Vox Pupuli no longer lists.
    &appends::RULE,
    &classes_and_types_beginning_with_digits::RULE,
    &empty_string_assignment::RULE,
    &reference_on_declaration_outside_of_class::RULE,
    &reference_on_foreign_class::RULE,
    &spaceship_operator_without_tag::RULE,
    &undef_in_function::RULE,
];

/// What the files of the shelf use.
mod prelude {
    pub(super) use rustc_hash::{FxHashMap, FxHashSet};

    pub(super) use super::Rule;
    pub(super) use crate::context::{Checked, Context, code, layout, meaning};
    pub(super) use crate::legacy::*;
    pub(super) use crate::problem::{Detail, Edit, Effect, Fix, Kind as ProblemKind, Problem};
    pub(super) use crate::shared::*;
    pub(super) use crate::token::{Cursor, Kind, MaybeToken, Tokens};
}

/// The check that data files are looked at for.
pub(crate) static LEGACY_FACTS: &Rule = &legacy_facts::RULE;

/// The check that a context begins with.
pub(crate) static FIRST: &Rule = &arrow_on_right_operand_line::RULE;
