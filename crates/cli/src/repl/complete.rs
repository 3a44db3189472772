//! What Tab offers, and whether what was typed is finished.

use bunraku::catalog::resource_types::{builtin, builtin_names};
use bunraku::syntax::parse;
use bunraku::{Compiler, FileId, Source, Type};
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

/// The words that can be completed.
pub(super) struct Words {
    /// Variables at top scope, without their `$`.
    pub(super) variables: Vec<String>,
    functions: Vec<&'static str>,
    data_types: Vec<String>,
}

impl Words {
    pub(super) fn new(compiler: &Compiler) -> Words {
        let mut functions: Vec<&str> = compiler.library().iter().map(|native| native.function.name).collect();
        functions.sort_unstable();
        let mut data_types = Type::names();
        data_types.sort();
        Words { variables: Vec::new(), functions, data_types }
    }

    /// What fits what stands before the cursor, and where the word begins.
    fn candidates(&self, before: &str) -> (usize, Vec<String>) {
        let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':' | '$');
        let word = before.rsplit(|character| !is_word(character)).next().unwrap_or_default();
        let start = before.len() - word.len();
        let matching = |names: &mut dyn Iterator<Item = String>| names.filter(|name| name.starts_with(word)).collect();
        let found: Vec<String> = if word.starts_with('$') {
            matching(&mut self.variables.iter().map(|name| format!("${name}")))
        } else if word.starts_with(char::is_uppercase) {
            let resources = builtin_names().map(capitalized);
            matching(&mut self.data_types.iter().cloned().chain(resources))
        } else if let Some(attributes) = Self::attributes(before) {
            matching(&mut attributes.into_iter())
        } else {
            let functions = self.functions.iter().map(|name| (*name).to_owned());
            matching(&mut functions.chain(builtin_names().map(str::to_owned)))
        };
        (start, found)
    }

    /// The attributes of the resource whose body is open, if there is one.
    fn attributes(before: &str) -> Option<Vec<String>> {
        let (head, body) = before.rsplit_once('{')?;
        if body.contains('}') || !body.contains(':') {
            return None;
        }
        let name = head.trim_end().rsplit(|character: char| !character.is_alphanumeric() && character != '_').next()?;
        Some(builtin(name)?.attributes.iter().map(|attribute| attribute.name.to_string()).collect())
    }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, found) = self.candidates(line.get(..position).unwrap_or(line));
        let pairs = found.into_iter().map(|name| Pair { display: name.clone(), replacement: name }).collect();
        Ok((start, pairs))
    }
}

impl Validator for Words {
    /// Code that ends too early goes on in the next line.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        if text.starts_with(':') {
            return Ok(ValidationResult::Valid(None));
        }
        let parsed = parse(&Source::string(FileId::default(), text));
        let unfinished = |message: &str| {
            message.starts_with("Syntax error at end of input")
                || message.starts_with("Unclosed")
                || message.starts_with("Heredoc without")
        };
        Ok(match parsed.first_error() {
            Some(error) if unfinished(error.issue.message()) => ValidationResult::Incomplete,
            _ => ValidationResult::Valid(None),
        })
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Helper for Words {}
