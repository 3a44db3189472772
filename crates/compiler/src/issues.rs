//! What can go wrong while a program is evaluated. Codes and texts are those of the reference implementation.

use std::fmt::Display;

use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use bunraku_syntax::ast::BinaryOperator;

use crate::label;

/// The code of an error whose message only gets its beginning from the expression it happens in.
pub const RUNTIME_ERROR: &str = "RUNTIME_ERROR";

/// What the reference puts before the errors of evaluation.
pub(crate) const EVALUATION: &str = "Evaluation Error: ";

/// An error that a function or a conversion reports; the expression around it says the rest.
pub fn runtime(detail: impl Into<ecow::EcoString>) -> Issue {
    Issue::new(RUNTIME_ERROR, detail)
}

/// The code with which foreign code says that what it gives is no value of the language.
pub(crate) const NO_VALUE: &str = "NO_VALUE";

/// What foreign code gives is no value of the language.
pub fn no_value(message: impl Into<ecow::EcoString>) -> Issue {
    Issue::new(NO_VALUE, message)
}

/// The code with which a data function says that it has no value for the key.
pub(crate) const LOOKUP_NOT_FOUND: &str = "LOOKUP_NOT_FOUND";

/// A data function has no value for the key.
pub fn lookup_not_found() -> Issue {
    Issue::new(LOOKUP_NOT_FOUND, "")
}

macro_rules! issues {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident),*) $code:ident $text:literal;)*) => {$(
        $(#[$doc])*
        pub fn $name($($parameter: impl Display),*) -> Issue {
            Issue::new(stringify!($code), format!($text))
        }
    )*};
}

issues! {
    /// A variable is set a second time.
    illegal_reassignment(name) ILLEGAL_REASSIGNMENT "Cannot reassign variable '${name}'";
    /// `$name` or `$title` is set.
    illegal_builtin_reassignment(name) ILLEGAL_REASSIGNMENT "Cannot reassign built in (or already assigned) variable '${name}'";
    /// `$facts` and its kin are set.
    illegal_reserved_assignment(name) ILLEGAL_RESERVED_ASSIGNMENT "Attempt to assign to a reserved variable name: '${name}'";
    /// What is assigned to is no variable.
    illegal_assignment(label) ILLEGAL_ASSIGNMENT "Illegal attempt to assign to '{label}'. Not an assignable reference";
    /// A variable of another namespace is set.
    cross_scope_assignment(name) CROSS_SCOPE_ASSIGNMENT "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces";
    /// `+=` or `-=`.
    appends_deletes_no_longer_supported(operator) APPENDS_DELETES_NO_LONGER_SUPPORTED "The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals";
    /// More or fewer values than variables.
    illegal_multi_assignment_size(expected, actual) ILLEGAL_MULTI_ASSIGNMENT_SIZE "Mismatched number of assignable entries and values, expected {expected}, got {actual}";
    /// A hash lacks a key for a variable.
    missing_multi_assignment_key(key) MISSING_MULTI_ASSIGNMENT_KEY "No value for required key '{key}' in assignment to variables from hash";
    /// A class lacks a variable.
    missing_multi_assignment_variable(name) MISSING_MULTI_ASSIGNMENT_VARIABLE "No value for required variable '${name}' in assignment to variables from class reference";
    /// A value is not a number.
    not_numeric(value) NOT_NUMERIC "The value '{value}' cannot be converted to Numeric.";
    /// A string was used as a number.
    numeric_coercion(before, after) NUMERIC_COERCION "The string '{before}' was automatically coerced to the numerical value {after}";
    /// Division by zero.
    div_by_zero() DIV_BY_ZERO "Division by 0";
    /// A float got too large.
    result_is_infinity(operator) RESULT_IS_INFINITY "The result of the {operator} expression is Infinity";
    /// A variable is not known.
    unknown_variable(name) UNKNOWN_VARIABLE "Unknown variable: '{name}'.";
    /// A function is not known.
    unknown_function(name) UNKNOWN_FUNCTION "Unknown function: '{name}'.";
    /// A data type or resource type is not known.
    unknown_resource_type(name) UNKNOWN_RESOURCE_TYPE "Resource type not found: {name}";
    /// A resource is not known.
    unknown_resource(type_name, title) UNKNOWN_RESOURCE "Resource not found: {type_name}['{title}']";
    /// A resource lacks a parameter that is asked for.
    unknown_resource_parameter(type_name, title, parameter) UNKNOWN_RESOURCE_PARAMETER "The resource {type_name}['{title}'] does not have a parameter called '{parameter}'";
    /// No entry of a selector fits.
    unmatched_selector(value) UNMATCHED_SELECTOR "No matching entry for selector parameter with value '{value}'";
    /// The right side of a match is no regular expression.
    match_not_regexp(detail) MATCH_NOT_REGEXP "Can not convert right match operand to a regular expression. Caused by '{detail}'.";
    /// The left side of a match is no text.
    match_not_string(label) MATCH_NOT_STRING "Left match operand must result in a String value. Got {label}.";
    /// Two values have no order.
    comparison_not_possible(left, operator, right, detail) COMPARISON_NOT_POSSIBLE "Comparison of: {left} {operator} {right}, is not possible. Caused by '{detail}'.";
    /// Something that is not a name is called.
    illegal_expression(expression, feature, container) ILLEGAL_EXPRESSION "Illegal expression. {expression} is unacceptable as {feature} in {container}";
    /// Text before the parameters of a template.
    illegal_epp_parameters() ILLEGAL_EPP_PARAMETERS "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace";
    /// A word kept for later use.
    reserved_word(word) RESERVED_WORD "Use of reserved word: {word}, must be quoted if intended to be a String value";
    /// A required parameter after an optional one.
    required_parameter_after_optional(name) REQUIRED_PARAMETER_AFTER_OPTIONAL "Parameter ${name} is required but appears after optional parameters";
    /// A required parameter without a value.
    missing_required_parameter(name) MISSING_REQUIRED_PARAMETER "Parameter ${name} is required but no value was given";
    /// A value of the wrong type.
    type_mismatch(expected, actual) TYPE_MISMATCH "Expected value of type {expected}, got {actual}";
    /// A string is cut with the wrong number of keys.
    bad_string_slice_arity(actual) BAD_STRING_SLICE_ARITY "String supports [] with one or two arguments. Got {actual}";
    /// A string is cut by something that is no index.
    bad_string_slice_key_type(actual) BAD_STRING_SLICE_KEY_TYPE "A substring operation does not accept {actual} as a character index. Expected an Integer";
    /// An array is cut with the wrong number of keys.
    bad_array_slice_arity(actual) BAD_ARRAY_SLICE_ARITY "Array supports [] with one or two arguments. Got {actual}";
    /// A key of the wrong type.
    bad_slice_key_type(left, actual, expected) BAD_SLICE_KEY_TYPE "{left}[] cannot use {actual} where {expected} is expected";
    /// An integer that does not fit 64 bits; the sign of the value tells which end.
    numeric_overflow_max(expression, value) NUMERIC_OVERFLOW "{expression} resulted in a value outside of Puppet Integer max range, got '{value}'";
    /// An integer that does not fit 64 bits.
    numeric_overflow_min(expression, value) NUMERIC_OVERFLOW "{expression} resulted in a value outside of Puppet Integer min range, got '{value}'";
}

/// An operator that its left operand does not have.
pub fn operator_not_applicable(operator: &str, left: &Value) -> Issue {
    let label = label::a_an(&label::value(left));
    Issue::new("OPERATOR_NOT_APPLICABLE", format!("Operator '{operator}' is not applicable to {label}."))
}

/// An operator that its left operand does not have for such a right operand.
pub fn operator_not_applicable_when(operator: BinaryOperator, left: &Value, right: &Value) -> Issue {
    let (operator, left, right) =
        (operator.as_str(), label::a_an(&label::value(left)), label::a_an(&label::value(right)));
    let message = format!("Operator '{operator}' is not applicable to {left} when right side is {right}.");
    Issue::new("OPERATOR_NOT_APPLICABLE_WHEN", message)
}

/// An integer result that does not fit 64 bits, written as signed hexadecimal.
pub fn numeric_overflow(expression: &str, value: &str) -> Issue {
    if value.starts_with('-') {
        numeric_overflow_min(expression, value)
    } else {
        numeric_overflow_max(expression, value)
    }
}

/// A reference to resources or classes that names none.
pub(crate) fn empty_resource_specialization() -> Issue {
    Issue::new("EMPTY_RESOURCE_SPECIALIZATION", "Arguments to Resource[] are all empty/undefined")
}
