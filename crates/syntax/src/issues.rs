//! What the lexer and the parser can find wrong. The static checks have their own list in `validate`.

use ecow::{EcoString, eco_format};

use bunraku_diagnostic::Issue;

/// The code of errors for which the reference has none.
const NO_CODE: &str = "";

pub(crate) fn syntax_error(found: &str) -> Issue {
    Issue::new("SYNTAX_ERROR", eco_format!("Syntax error at '{found}'"))
}

pub(crate) fn unexpected_end() -> Issue {
    Issue::new("SYNTAX_ERROR", "Syntax error at end of input")
}

pub(crate) fn nesting_too_deep(limit: u32) -> Issue {
    Issue::new("NESTING_TOO_DEEP", eco_format!("Code is nested more than {limit} levels deep"))
}

pub(crate) fn source_too_large() -> Issue {
    Issue::new("SOURCE_TOO_LARGE", "Sources of 4 GiB and more are not supported")
}

pub(crate) fn unclosed_quote(after: &str, followed_by: &str) -> Issue {
    Issue::new("UNCLOSED_QUOTE", eco_format!("Unclosed quote after {after} followed by '{followed_by}'"))
}

pub(crate) fn unclosed_comment() -> Issue {
    Issue::new("UNCLOSED_MLCOMMENT", "Unclosed multiline comment")
}

/// The reference has no code for it.
pub(crate) fn bad_regexp(reason: &str, pattern: &str) -> Issue {
    Issue::new("", eco_format!("{reason}: /{pattern}/"))
}

pub(crate) fn unrecognized_escape(character: char) -> Issue {
    Issue::new("UNRECOGNIZED_ESCAPE", eco_format!("Unrecognized escape sequence '\\{character}'"))
}

pub(crate) fn illegal_unicode_escape() -> Issue {
    Issue::new(
        "ILLEGAL_UNICODE_ESCAPE",
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff",
    )
}

pub(crate) fn illegal_class_reference() -> Issue {
    Issue::new("ILLEGAL_CLASS_REFERENCE", "Illegal class reference")
}

pub(crate) fn illegal_qualified_class_reference() -> Issue {
    Issue::new("ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE", "Illegal fully qualified class reference")
}

pub(crate) fn illegal_qualified_name() -> Issue {
    Issue::new("ILLEGAL_FULLY_QUALIFIED_NAME", "Illegal fully qualified name")
}

pub(crate) fn illegal_number(value: &str) -> Issue {
    Issue::new("ILLEGAL_NUMBER", eco_format!("Illegal number '{value}'"))
}

pub(crate) fn number_out_of_range(value: &str) -> Issue {
    Issue::new(NO_CODE, eco_format!("Internal Error, NUMBER token does not contain a valid number, {value}"))
}

/// What is wrong with the form of a number, if anything.
pub(crate) fn check_number(value: &str) -> Option<Issue> {
    let mut bytes = value.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    match (first, second) {
        (Some(b'0'), Some(b'x' | b'X')) => {
            let hex = value.get(2..).unwrap_or_default();
            let is_hex = !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            (!is_hex).then(|| Issue::new("INVALID_HEX_NUMBER", eco_format!("Not a valid hex number {value}")))
        }
        (Some(b'0'), Some(next)) if next != b'.' => {
            let is_octal = value.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
            (!is_octal).then(|| Issue::new("INVALID_OCTAL_NUMBER", eco_format!("Not a valid octal number {value}")))
        }
        _ if matches!(value.as_bytes().get(digits), Some(b'e' | b'E' | b'.')) => (!is_decimal(value))
            .then(|| Issue::new("INVALID_DECIMAL_NUMBER", eco_format!("Not a valid decimal number {value}"))),
        _ => (digits != value.len()).then(|| illegal_number(value)),
    }
}

/// `1`, `1.5`, `1e-3`, `1.5e3`
fn is_decimal(value: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match value.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (value, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    is_digits(whole)
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix('-').unwrap_or(exponent)))
}

pub(crate) fn heredoc_unclosed_parenthesis(followed_by: &str) -> Issue {
    Issue::new(
        "HEREDOC_UNCLOSED_PARENTHESIS",
        eco_format!("Unclosed parenthesis after '@(' followed by '{followed_by}'"),
    )
}

pub(crate) fn heredoc_invalid_syntax() -> Issue {
    Issue::new("HEREDOC_INVALID_SYNTAX", "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])")
}

pub(crate) fn heredoc_empty_endtag() -> Issue {
    Issue::new("HEREDOC_EMPTY_ENDTAG", "Heredoc with an empty endtag")
}

pub(crate) fn heredoc_repeated_escape(escapes: &str) -> Issue {
    Issue::new(
        "HEREDOC_MULTIPLE_AT_ESCAPES",
        eco_format!("An escape char for @() may only appear once. Got '{escapes}'"),
    )
}

pub(crate) fn heredoc_invalid_escape(escape: char) -> Issue {
    Issue::new(
        "HEREDOC_INVALID_ESCAPE",
        eco_format!("Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{escape}'"),
    )
}

pub(crate) fn heredoc_without_text() -> Issue {
    Issue::new("HEREDOC_WITHOUT_TEXT", "Heredoc without any following lines of text")
}

pub(crate) fn heredoc_without_end() -> Issue {
    Issue::new("HEREDOC_WITHOUT_END_TAGGED_LINE", "Heredoc without end-tagged line")
}

pub(crate) fn epp_unbalanced_tag() -> Issue {
    Issue::new("EPP_UNBALANCED_TAG", "Unbalanced epp tag, reached <eof> without closing tag.")
}

pub(crate) fn epp_unbalanced_comment() -> Issue {
    Issue::new("EPP_UNBALANCED_COMMENT", "Reaching end after opening <%# without seeing %>")
}

pub(crate) fn epp_unbalanced_expression() -> Issue {
    Issue::new("EPP_UNBALANCED_EXPRESSION", "Unbalanced embedded expression - opening <% and reaching end of input")
}

pub(crate) fn not_virtualizable(exported: bool) -> Issue {
    let form = if exported { "Exported (@@)" } else { "Virtual (@)" };
    Issue::new(NO_CODE, eco_format!("{form} can only be applied to a Resource Expression"))
}

pub(crate) fn append_without_title() -> Issue {
    Issue::new(NO_CODE, "Syntax error resource body without title or hash with +>")
}

pub(crate) fn not_a_resource() -> Issue {
    Issue::new(NO_CODE, "Expression is not valid as a resource, resource-default, or resource-override")
}

pub(crate) fn arguments_without_call(function: Option<&EcoString>) -> Issue {
    let message = match function {
        Some(name) => eco_format!(
            "attempt to pass argument list to the function '{name}' which cannot be called without parentheses"
        ),
        None => "illegal comma separated argument list".into(),
    };
    Issue::new(NO_CODE, message)
}

pub(crate) fn class_as_name() -> Issue {
    Issue::new(NO_CODE, "'class' keyword not allowed at this location")
}

pub(crate) fn string_as_name() -> Issue {
    Issue::new(NO_CODE, "A quoted string is not valid as a name here")
}
