//! What the static checks can find wrong.

use ecow::{EcoString, eco_format};

use crate::ast::{BigInteger, Expr};
use crate::label::{a_an, a_an_upper, label};
use crate::validate::Product;
use bunraku_diagnostic::Issue;

pub(super) fn not_top_level() -> Issue {
    Issue::new("NOT_TOP_LEVEL", "Classes, definitions, and nodes may only appear at toplevel or inside other classes")
}

pub(super) fn not_absolute_top_level(label: &str) -> Issue {
    Issue::new("NOT_ABSOLUTE_TOP_LEVEL", eco_format!("{} may only appear at toplevel", a_an_upper(label)))
}

pub(super) fn cross_scope_assignment(name: &str) -> Issue {
    Issue::new(
        "CROSS_SCOPE_ASSIGNMENT",
        eco_format!("Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces"),
    )
}

pub(super) fn illegal_assignment(target: &Expr) -> Issue {
    Issue::new(
        "ILLEGAL_ASSIGNMENT",
        eco_format!("Illegal attempt to assign to '{}'. Not an assignable reference", a_an(&label(target))),
    )
}

pub(super) fn numeric_assignment(name: &str) -> Issue {
    Issue::new(
        "ILLEGAL_NUMERIC_ASSIGNMENT",
        eco_format!(
            "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable"
        ),
    )
}

pub(super) fn indexed_assignment() -> Issue {
    Issue::new("ILLEGAL_INDEXED_ASSIGNMENT", "Illegal attempt to assign via [index/key]. Not an assignable reference")
}

pub(super) fn assignment_not_allowed() -> Issue {
    Issue::new("ILLEGAL_ASSIGNMENT_CONTEXT", "Assignment not allowed here")
}

pub(super) fn no_longer_supported(operator: &str) -> Issue {
    Issue::new(
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        eco_format!("The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals"),
    )
}

pub(super) fn illegal_variable(name: &str) -> Issue {
    Issue::new(
        "ILLEGAL_VAR_NAME",
        eco_format!(
            "Illegal variable name, The given name '{name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/"
        ),
    )
}

pub(super) fn illegal_numeric_variable(name: &str) -> Issue {
    Issue::new(
        "ILLEGAL_NUMERIC_VAR_NAME",
        eco_format!(
            "Illegal numeric variable name, The given name '{name}' must be a decimal value if it starts with a digit 0-9"
        ),
    )
}

pub(super) fn numeric_parameter(name: &str) -> Issue {
    Issue::new(
        "ILLEGAL_NUMERIC_PARAMETER",
        eco_format!(
            "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)"
        ),
    )
}

pub(super) fn illegal_parameter_name(name: &str) -> Issue {
    Issue::new(
        "ILLEGAL_PARAM_NAME",
        eco_format!(
            "Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\\w*$/"
        ),
    )
}

pub(super) fn not_a_value(expr: &Expr) -> Issue {
    Issue::new(
        "NOT_RVALUE",
        eco_format!("Invalid use of expression. {} does not produce a value", a_an_upper(&label(expr))),
    )
}

pub(super) fn illegal_append(attribute: &str, container: &str) -> Issue {
    Issue::new(
        "ILLEGAL_ATTRIBUTE_APPEND",
        eco_format!(
            "Illegal +> operation on attribute {attribute}. This operator can not be used in {}",
            a_an(container)
        ),
    )
}

pub(super) fn multiple_unfolds() -> Issue {
    Issue::new(
        "MULTIPLE_ATTRIBUTES_UNFOLD",
        "Unfolding of attributes from Hash can only be used once per resource body",
    )
}

pub(super) fn not_virtualizable() -> Issue {
    Issue::new("NOT_VIRTUALIZEABLE", "Resource Defaults are not virtualizable")
}

pub(super) fn class_not_virtualizable() -> Issue {
    Issue::new("CLASS_NOT_VIRTUALIZABLE", "Classes are not virtualizable")
}

pub(super) fn illegal_query(expr: &Expr) -> Issue {
    Issue::new(
        "ILLEGAL_QUERY_EXPRESSION",
        eco_format!("Illegal query expression. {} cannot be used in a query", a_an_upper(&label(expr))),
    )
}

pub(super) fn illegal_expression(expr: &Expr, feature: &str, container: &str) -> Issue {
    Issue::new(
        "ILLEGAL_EXPRESSION",
        eco_format!(
            "Illegal expression. {} is unacceptable as {feature} in {}",
            a_an_upper(&label(expr)),
            a_an(container)
        ),
    )
}

pub(super) fn illegal_epp_parameters() -> Issue {
    Issue::new(
        "ILLEGAL_EPP_PARAMETERS",
        "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace",
    )
}

pub(super) fn illegal_hostname(name: &str) -> Issue {
    Issue::new(
        "ILLEGAL_HOSTNAME_CHARS",
        eco_format!(
            "The hostname '{name}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)"
        ),
    )
}

pub(super) fn interpolated_hostname() -> Issue {
    Issue::new("ILLEGAL_HOSTNAME_INTERPOLATION", "An interpolated expression is not allowed in a hostname of a node")
}

pub(super) fn node_inheritance() -> Issue {
    Issue::new(
        "ILLEGAL_NODE_INHERITANCE",
        "Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation",
    )
}

pub(super) fn illegal_definition_name(name: &str, definition: &str) -> Issue {
    Issue::new(
        "ILLEGAL_DEFINITION_NAME",
        eco_format!("Unacceptable name. The name '{name}' is unacceptable as the name of {}", a_an(definition)),
    )
}

pub(super) fn illegal_definition_location(name: &str, file: &str) -> Issue {
    Issue::new(
        "ILLEGAL_DEFINITION_LOCATION",
        eco_format!("Unacceptable location. The name '{name}' is unacceptable in file '{file}'"),
    )
}

pub(super) fn illegal_top_construct(statement: &Expr) -> Issue {
    Issue::new(
        "ILLEGAL_TOP_CONSTRUCT_LOCATION",
        eco_format!("This {} is unacceptable as a top level construct in this location", label(statement)),
    )
}

pub(super) fn reserved_type_name(name: &str, definition: &str) -> Issue {
    Issue::new(
        "RESERVED_TYPE_NAME",
        eco_format!(
            "The name: '{name}' is already defined by Puppet and can not be used as the name of {}.",
            a_an(definition)
        ),
    )
}

pub(super) fn future_reserved_word(word: &str) -> Issue {
    Issue::new("FUTURE_RESERVED_WORD", eco_format!("Use of future reserved word: '{word}'"))
}

pub(super) fn reserved_word(word: &str) -> Issue {
    Issue::new(
        "RESERVED_WORD",
        eco_format!("Use of reserved word: {word}, must be quoted if intended to be a String value"),
    )
}

pub(super) fn unsupported_expression(label: &str, product: Product) -> Issue {
    Issue::new(
        "UNSUPPORTED_EXPRESSION",
        eco_format!("Expressions of type {} are not supported in this version of {product}", a_an(label)),
    )
}

pub(super) fn only_when_compiling(label: &str) -> Issue {
    Issue::new(
        "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING",
        eco_format!("{} is only available when compiling a catalog", a_an_upper(label)),
    )
}

/// What a plan can do and a catalog cannot.
pub fn not_when_compiling(label: &str) -> Issue {
    Issue::new(
        "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING",
        eco_format!("{} is not available when compiling a catalog", a_an_upper(label)),
    )
}

pub(super) fn illegal_type_mapping(by_pattern: bool, label: &str) -> Issue {
    let expected = if by_pattern { "Tuple[Regexp,String]" } else { "Type" };
    Issue::new(
        "ILLEGAL_TYPE_MAPPING",
        eco_format!("Illegal type mapping. Expected a {expected} on the left side, got {}", a_an_upper(label)),
    )
}

pub(super) fn captures_rest_not_last(name: &str) -> Issue {
    Issue::new("CAPTURES_REST_NOT_LAST", eco_format!("Parameter ${name} is not last, and has 'captures rest'"))
}

pub(super) fn captures_rest_not_supported(name: &str, container: &str) -> Issue {
    Issue::new(
        "CAPTURES_REST_NOT_SUPPORTED",
        eco_format!("Parameter ${name} has 'captures rest' - not supported in {}", a_an(container)),
    )
}

pub(super) fn duplicate_parameter(name: &str) -> Issue {
    Issue::new(
        "DUPLICATE_PARAMETER",
        eco_format!("The parameter '{name}' is declared more than once in the parameter list"),
    )
}

pub(super) fn reserved_parameter(name: &str, container: &str) -> Issue {
    Issue::new(
        "RESERVED_PARAMETER",
        eco_format!("The parameter ${name} redefines a built in parameter in the {container}"),
    )
}

pub(super) fn nonliteral_parameter_type(name: &str) -> Issue {
    let message =
        eco_format!("The parameter '${name}' must be a literal type, not a Puppet::Pops::Model::AccessExpression");
    Issue::new("ILLEGAL_NONLITERAL_PARAMETER_TYPE", message)
}

/// A key that a hash has already.
pub fn duplicate_key(key: &str) -> Issue {
    Issue::new("DUPLICATE_KEY", eco_format!("The key '{key}' is declared more than once"))
}

pub(super) fn duplicate_default(container: &Expr) -> Issue {
    Issue::new(
        "DUPLICATE_DEFAULT",
        eco_format!("This {} already has a 'default' entry - this is a duplicate", label(container)),
    )
}

pub(super) fn idem_not_last(statement: &Expr) -> Issue {
    Issue::new(
        "IDEM_EXPRESSION_NOT_LAST",
        eco_format!(
            "This {} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)",
            label(statement)
        ),
    )
}

pub(super) fn idem_last(statement: &Expr, container: &str) -> Issue {
    Issue::new(
        "IDEM_NOT_ALLOWED_LAST",
        eco_format!(
            "This {} has no effect. {} can not end with a value-producing expression without other effect",
            label(statement),
            a_an_upper(container)
        ),
    )
}

pub(super) fn resource_without_title(name: &str) -> Issue {
    Issue::new(
        "RESOURCE_WITHOUT_TITLE",
        eco_format!("This expression is invalid. Did you try declaring a '{name}' resource without a title?"),
    )
}

pub(super) fn numeric_overflow(big: &BigInteger) -> Issue {
    Issue::new(
        "NUMERIC_OVERFLOW",
        eco_format!(
            "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x{}'",
            big.to_hexadecimal()
        ),
    )
}

/// Text that does not have the syntax it is declared to have.
pub(super) fn invalid_text(code: &'static str, syntax: &str, problem: EcoString) -> Issue {
    Issue::new(code, eco_format!("Invalid produced text having syntax: '{syntax}'. {problem}"))
}
