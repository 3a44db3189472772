//! What Tab offers, and whether what was typed is finished.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use bunraku::catalog::resource_types::{builtin, builtin_names};
use bunraku::syntax::{ast, parse};
use bunraku::{Compiler, Disk, FileId, Hash, Node, Source, Type, Value};
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::walk::Walk;

/// Functions whose arguments are names of classes.
const OF_CLASSES: [&str; 4] = ["include", "contain", "require", "inherits"];

/// The commands of a session.
const COMMANDS: [&str; 9] =
    [":classes", ":facts", ":help", ":play", ":quit", ":reset", ":resources", ":set facts", ":variables"];

/// The words that can be completed.
pub(super) struct Words {
    /// Variables at top scope, without their `$`.
    pub(super) variables: Vec<String>,
    functions: Vec<&'static str>,
    data_types: Vec<String>,
    facts: Arc<Hash>,
    modules: Vec<String>,
    /// What the modules define, found out when it is asked for.
    defined: OnceCell<Vec<Defined>>,
}

/// A class or defined type.
struct Defined {
    name: String,
    is_class: bool,
    parameters: Vec<String>,
}

impl Words {
    pub(super) fn new(compiler: &Compiler, node: &Node) -> Words {
        let mut functions: Vec<&str> = compiler.library().iter().map(|native| native.function.name).collect();
        functions.sort_unstable();
        let mut data_types = Type::names();
        data_types.sort();
        let modules = compiler.environment().modules().map(|module| module.path.clone()).collect();
        let facts = node.facts.clone();
        Words { variables: Vec::new(), functions, data_types, facts, modules, defined: OnceCell::new() }
    }

    /// What fits what stands before the cursor, and where the word begins.
    fn candidates(&self, before: &str) -> (usize, Vec<String>) {
        if let Some(found) = self.facts_by_path(before) {
            return found;
        }
        if before.starts_with(':') && !before.contains(char::is_whitespace) {
            return (0, matching(before, COMMANDS.iter().map(|it| (*it).to_owned())));
        }
        let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':' | '$');
        let word = before.rsplit(|character| !is_word(character)).next().unwrap_or_default();
        let start = before.len() - word.len();
        let head = before.get(..start).unwrap_or_default();
        let functions = || self.functions.iter().map(|name| (*name).to_owned());
        let found = if word.starts_with('$') {
            matching(word, self.variables.iter().map(|name| format!("${name}")))
        } else if word.starts_with(char::is_uppercase) {
            let resources = builtin_names().map(str::to_owned).chain(self.defined(false));
            matching(word, self.data_types.iter().cloned().chain(resources.map(|name| capitalized(&name))))
        } else if names_a_class(head) {
            matching(word, self.defined(true))
        } else if head.ends_with('.') {
            matching(word, functions())
        } else if let Some(attributes) = self.attributes(before) {
            matching(word, attributes.into_iter())
        } else {
            let types = builtin_names().map(str::to_owned).chain(self.defined(false));
            matching(word, functions().chain(types))
        };
        (start, found)
    }

    /// The keys of a fact after `$facts['os']['`, if that is what is being typed.
    fn facts_by_path(&self, before: &str) -> Option<(usize, Vec<String>)> {
        let path = before.get(before.rfind("$facts[")? + "$facts[".len()..)?;
        let mut parts: Vec<&str> = path.split("][").collect();
        let last = parts.pop()?;
        let mut place = &Value::Hash(self.facts.clone());
        for part in parts {
            let Value::Hash(inner) = place else { return None };
            place = inner.get_str(part.trim_matches(['\'', '"']))?;
        }
        let (quote, word) = match last.chars().next() {
            Some(quote @ ('\'' | '"')) => (quote, last.get(1..)?),
            _ => ('\'', last),
        };
        if word.contains(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | ':' | '/'))) {
            return None;
        }
        let Value::Hash(inner) = place else { return Some((before.len() - last.len(), Vec::new())) };
        let keys = inner.iter().filter_map(|(key, _)| key.as_str()).filter(|key| key.starts_with(word));
        let found = keys.map(|key| format!("{quote}{key}{quote}]")).collect();
        Some((before.len() - last.len(), found))
    }

    /// The attributes of the resource whose body is open, if there is one.
    fn attributes(&self, before: &str) -> Option<Vec<String>> {
        let (head, body) = before.rsplit_once('{')?;
        if body.contains('}') || !body.contains(':') {
            return None;
        }
        let is_name = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':');
        let name = head.trim_end().rsplit(|character| !is_name(character)).next()?;
        if let Some(native) = builtin(name) {
            return Some(native.attributes.iter().map(|attribute| attribute.name.to_string()).collect());
        }
        let title = body.split_once(':').map(|(title, _)| title.trim().trim_matches(['\'', '"']))?;
        let wanted = if name == "class" { title } else { name };
        let found = self.definitions().iter().find(|it| it.name == wanted && it.is_class == (name == "class"))?;
        Some(found.parameters.clone())
    }

    /// The names of classes, or of defined types.
    fn defined(&self, classes: bool) -> impl Iterator<Item = String> {
        self.definitions().iter().filter(move |it| it.is_class == classes).map(|it| it.name.clone())
    }

    fn definitions(&self) -> &[Defined] {
        self.defined.get_or_init(|| self.modules.iter().flat_map(|path| defined_in(path)).collect())
    }
}

/// What the manifests of a module define. One that cannot be read defines nothing.
fn defined_in(module: &str) -> Vec<Defined> {
    let files = Walk::with_vendor().files(&Path::new(module).join("manifests"), &["pp"]).files;
    files.iter().flat_map(|path| in_file(path)).collect()
}

fn in_file(path: &Path) -> Vec<Defined> {
    let text = Disk.read_path(path).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let program = parse(&Source::string(FileId::default(), text)).program;
    let names = |parameters: &[ast::Parameter]| parameters.iter().map(|it| it.name.name.to_string()).collect();
    let defined = program.definitions.iter().filter_map(|definition| match definition {
        ast::Definition::Class(class) => Some(Defined {
            name: class.name.to_lowercase().to_string(),
            is_class: true,
            parameters: names(&class.parameters),
        }),
        ast::Definition::DefinedType(it) => Some(Defined {
            name: it.name.to_lowercase().to_string(),
            is_class: false,
            parameters: names(&it.parameters),
        }),
        _ => None,
    });
    defined.collect()
}

/// Whether a class is named here: after `include` and its kin, or as the title of a class that is declared.
fn names_a_class(head: &str) -> bool {
    let words = head.trim_end_matches(['\'', '"', '(', ' ', ',', '[']);
    let word = words.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
    let declared = head.trim_end_matches(['\'', '"', ' ']).strip_suffix('{').is_some_and(|it| it.trim_end() == "class");
    declared || words.len() < head.len() && OF_CLASSES.contains(&word)
}

fn matching(word: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = names.filter(|name| name.starts_with(word)).collect();
    found.sort();
    found.dedup();
    found
}

/// A name as references write it.
fn capitalized(name: &str) -> String {
    let segment = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.split("::").map(segment).collect::<Vec<String>>().join("::")
}

/// Whether code ends too early, so that it goes on in the next line.
pub(super) fn is_unfinished(text: &str) -> bool {
    if text.starts_with(':') {
        return false;
    }
    let ends_early = |message: &str| {
        message.starts_with("Syntax error at end of input")
            || message.starts_with("Unclosed")
            || message.starts_with("Heredoc without")
    };
    let parsed = parse(&Source::string(FileId::default(), text));
    parsed.first_error().is_some_and(|error| ends_early(error.issue.message()))
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, found) = self.candidates(line.get(..position).unwrap_or(line));
        let pairs = found.into_iter().map(|name| Pair { display: name.clone(), replacement: name }).collect();
        Ok((start, pairs))
    }
}

impl Validator for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        let os = Value::hash([("family".into(), "Debian".into()), ("name".into(), "Debian".into())]);
        let facts: Hash = [("os".into(), os), ("kernel".into(), "Linux".into())].into_iter().collect();
        let class =
            |name: &str, is_class| Defined { name: name.to_owned(), is_class, parameters: vec!["port".to_owned()] };
        let defined = OnceCell::new();
        _ = defined.set(vec![class("web", true), class("web::site", false)]);
        Words {
            variables: vec!["facts".to_owned(), "x".to_owned()],
            functions: vec!["map", "match", "notice"],
            data_types: vec!["Integer".to_owned()],
            facts: Arc::new(facts),
            modules: Vec::new(),
            defined,
        }
    }

    fn check(before: &str, start: usize, expected: &[&str]) {
        assert_eq!(
            words().candidates(before),
            (start, expected.iter().map(|it| (*it).to_owned()).collect()),
            "{before}"
        );
    }

    #[test]
    fn words_are_completed_by_their_place() {
        check("$facts['o", 7, &["'os']"]);
        check("notice($facts[os][", 18, &["'family']", "'name']"]);
        check("$facts['os']['f", 13, &["'family']"]);
        check("$facts['kernel']['", 17, &[]);
        check("[1].ma", 4, &["map", "match"]);
        check("include we", 8, &["web"]);
        check("class { 'w", 9, &["web"]);
        check("class { 'web': po", 15, &["port"]);
        check("web::site { 'a': p", 17, &["port"]);
        check("Web", 0, &["Web::Site"]);
        check("Int", 0, &["Integer"]);
        check(":re", 0, &[":reset", ":resources"]);
        check("$x", 0, &["$x"]);
        check("file { 'a': ensu", 12, &["ensure"]);
    }

    #[test]
    fn code_that_ends_too_early_goes_on() {
        for (text, expected) in
            [("[1,", true), ("[1]", false), ("$x = )", false), (":help", false), ("if true {", true)]
        {
            assert_eq!(is_unfinished(text), expected, "{text}");
        }
    }
}
