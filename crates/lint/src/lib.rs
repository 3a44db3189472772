//! Checks of style and of frequent mistakes, under the names, with the messages and at the places of puppet-lint and the
//! plugins that Vox Pupuli uses. Checks look at tokens, never evaluate, and work on files with syntax errors elsewhere.

mod context;
mod control;
mod data;
mod fix;
mod index;
mod legacy;
mod lexer;
mod problem;
mod rules;
mod settings;
mod shared;
mod token;

use context::Context;
use control::Ignored;
use index::Index;

pub use fix::{Fixed, fix};
pub use legacy::LEGACY_FACTS;
pub use problem::{Detail, Edit, Effect, Fix, Kind, Problem, SYNTAX};
pub use rules::{ALL as RULES, Rule, listed};
pub use settings::Settings;

/// What the checks found in one source.
#[derive(Debug, Default)]
pub struct Report {
    /// The problems, in the order of the checks.
    pub problems: Vec<Problem>,
    /// What is wrong with control comments.
    pub warnings: Vec<String>,
}

impl Report {
    /// Whether the source could not be read.
    pub fn has_syntax_error(&self) -> bool {
        self.problems.iter().any(|problem| problem.check == SYNTAX)
    }
}

/// Checks the text of a manifest, or of a file of Hiera data. The path is what the file is called by the user.
pub fn check(text: &str, path: &str, settings: &Settings) -> Report {
    if text.is_empty() {
        return Report::default();
    }
    if data::is_data(path) {
        return data::check(text, settings);
    }
    let (tokens, mut problems) = match lexer::lex(text) {
        Ok(tokens) => (tokens, Vec::new()),
        Err(error) => {
            let message = if error.unterminated { "Syntax error (unterminated string)" } else { "Syntax error" };
            (token::Tokens::new(text), vec![Problem::syntax(message, error.line, error.column, 0)])
        }
    };
    let index = Index::new(&tokens);
    let ignored = Ignored::read(&tokens);
    let mut cx = Context { tokens: &tokens, index: &index, settings, path, rule: rules::FIRST, problems: Vec::new() };
    for (_, rule) in rules::ALL.iter().enumerate().filter(|(place, _)| settings.is_enabled(*place)) {
        cx.rule = rule;
        if let Err(syntax) = (rule.check)(&mut cx) {
            // Nothing else is worth saying about such a file.
            return Report { problems: vec![*syntax], warnings: ignored.warnings };
        }
    }
    for problem in &mut cx.problems {
        if let Some(kind) = settings.kind_of(problem.check) {
            problem.kind = kind;
        }
        ignored.apply(problem);
    }
    problems.append(&mut cx.problems);
    Report { problems, warnings: ignored.warnings }
}
