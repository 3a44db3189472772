//! The text of heredocs that declare a syntax: `json`, `base64`, `pp` and `epp` are checked, others are not known.

use ecow::{EcoString, eco_format};

use super::{Checker, ValidateOptions, issues, validate_nested};
use crate::ast::{ExprKind, Heredoc};
use crate::grammar::Grammar;
use crate::json;
use crate::parser::parse_as;
use bunraku_diagnostic::{Diagnostic, FileId, Issue, Severity, Source, giving_up};

/// Code in heredocs is checked within code in heredocs only so deeply.
const MAX_NESTING: u32 = 10;

impl Checker<'_> {
    /// Static text is checked here; text with interpolation when it is evaluated.
    pub(super) fn heredoc(&mut self, heredoc: &Heredoc) {
        if let ExprKind::String(text) = &heredoc.text.kind
            && let Err(issue) = check_nested(&heredoc.syntax, text, self.options.tasks, self.nesting)
        {
            self.invalid_text = Some(issue.at(heredoc.text.reported()));
        }
    }
}

/// Whether an issue is a text without its declared syntax, which ends validation at once.
pub fn is_invalid_text(issue: &Issue) -> bool {
    matches!(issue.code(), "ILLEGAL_JSON" | "ILLEGAL_BASE64" | "ILLEGAL_PP" | "ILLEGAL_EPP")
}

/// Whether a text has the syntax a heredoc declares; of `a+b` the last known part counts.
pub fn check_syntax(syntax: &str, text: &str) -> Result<(), Issue> {
    check_nested(syntax, text, false, 0)
}

fn check_nested(syntax: &str, text: &str, tasks: bool, nesting: u32) -> Result<(), Issue> {
    let mut rest = syntax;
    loop {
        let problem = match rest {
            "json" => json_problem(text),
            "base64" => base64_problem(text),
            // The reference's checkers for code refuse to be asked for anything but their own name.
            "pp" if nesting < MAX_NESTING => code_problem(text, Grammar { template: false, tasks }, nesting),
            "epp" if nesting < MAX_NESTING => code_problem(text, Grammar { template: true, tasks }, nesting),
            _ => match rest.split_once('+') {
                Some((_, tail)) => {
                    rest = tail;
                    continue;
                }
                None => None,
            },
        };
        return match problem {
            Some((code, problem)) => Err(issues::invalid_text(code, syntax, problem)),
            None => Ok(()),
        };
    }
}

/// A code and a sentence about what is wrong with a text.
type Problem = Option<(&'static str, EcoString)>;

fn json_problem(text: &str) -> Problem {
    let error = json::read(text).err()?.to_string();
    let shown: String = error.chars().take(100).collect();
    let shown = one_line(&shown);
    let problem = eco_format!("JSON syntax checker: Cannot parse invalid JSON string. \"{shown}\"");
    Some(("ILLEGAL_JSON", problem))
}

fn base64_problem(text: &str) -> Problem {
    let is_space = |character: char| matches!(character, '\r' | '\n' | '?' | ' ' | '\t');
    let cleaned: String = text.chars().filter(|&character| !is_space(character)).collect();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    let unpadded = cleaned.strip_suffix("==").or_else(|| cleaned.strip_suffix('=')).unwrap_or(&cleaned);
    let is_valid = cleaned.len().is_multiple_of(4) && unpadded.bytes().all(is_letter);
    if is_valid {
        return None;
    }
    let reason = if (cleaned.len() * 8).is_multiple_of(6) {
        "contains letters outside strict base 64 range (or whitespace)"
    } else {
        "padding is not correct"
    };
    let problem = eco_format!("Base64 syntax checker: Cannot parse invalid Base64 string - {reason}");
    Some(("ILLEGAL_BASE64", problem))
}

fn code_problem(text: &str, grammar: Grammar, nesting: u32) -> Problem {
    let source = Source::string(FileId(0), text);
    let parsed = parse_as(&source, grammar);
    let message = match parsed.first_error() {
        Some(error) => located_message(error, &source),
        None => {
            let options = ValidateOptions { tasks: grammar.tasks, ..ValidateOptions::default() };
            let found = validate_nested(&source, &parsed.program, &options, nesting + 1);
            let errors: Vec<_> = found.iter().filter(|found| found.severity == Severity::Error).collect();
            match errors.as_slice() {
                [] => return None,
                [error] => located_message(error, &source),
                _ => giving_up(errors.len(), 0),
            }
        }
    };
    let message: String = message.chars().take(500).collect();
    let (code, language) = if grammar.template { ("ILLEGAL_EPP", "EPP") } else { ("ILLEGAL_PP", "PP") };
    Some((code, eco_format!("{language} syntax checker: \"{}\"", one_line(&message))))
}

fn located_message(diagnostic: &Diagnostic, source: &Source) -> String {
    match diagnostic.span() {
        Some(span) => {
            let (line, column) = source.line_column(span.start);
            format!("{} (line: {line}, column: {column})", diagnostic.issue)
        }
        None => diagnostic.issue.message().into(),
    }
}

fn one_line(text: &str) -> String {
    text.replace("\r\n", "\\n").replace('\n', "\\n")
}
