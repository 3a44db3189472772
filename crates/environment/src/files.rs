//! All code of an environment: every file and every text given at run time has a number and is parsed once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bunraku_syntax::{
    Diagnostic, FileId, FileNamespace, Issue, Lines, Product, Severity, Source, Strict, Token, TokenKind,
    ValidateOptions, ast, validate,
};
use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::issues;
use crate::slots::Slots;
use crate::world::{Observer, Stamp, World};

/// A text of code that has been read and parsed. It lives as long as the environment, so that what nobody asks for once
/// there is a tree is not kept: tokens, comments, and the text, which is still in its file.
#[derive(Debug)]
pub struct Code {
    /// How spans refer to the text.
    pub id: FileId,
    /// The path as messages show it; none for code given as a string.
    pub path: Option<EcoString>,
    lines: Lines,
    /// The text, once somebody wants to see it.
    source: OnceLock<Source>,
    /// The file as it was when it was parsed.
    stamp: Option<Stamp>,
    /// What the text says.
    pub program: ast::Program,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// The regular expressions in it, if it belongs to no module.
    pub regexps: Box<[EcoString]>,
    /// The module it belongs to.
    pub module: Option<EcoString>,
}

impl Code {
    /// What makes the code unusable.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// What is questionable about the code.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Error)
    }

    /// The line of a byte, from 1.
    pub fn line_number(&self, offset: u32) -> u32 {
        self.lines.number(offset)
    }

    /// The text with its lines. That of a file which has changed since it was parsed is gone.
    pub(crate) fn source(&self, world: &dyn World) -> &Source {
        self.source.get_or_init(|| {
            let is_same = |path: &&EcoString| world.stamp(path) == self.stamp;
            match self.path.as_ref().filter(is_same).map(|path| (path, world.read_text(path))) {
                Some((path, Ok(text))) => Source::file(self.id, path.clone(), text),
                _ => Source::blank(self.id, self.path.clone(), self.lines.clone()),
            }
        })
    }

    /// The definitions of the file, nested ones included.
    pub fn definitions(&self) -> &[ast::Definition] {
        &self.program.definitions
    }
}

/// Which of the two languages a text is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Puppet code.
    Manifest,
    /// A template: text with Puppet code in it.
    Template,
}

/// What a template is called that was given at run time.
const INLINE_TEMPLATE: &str = "inlined-epp-text";

/// What identifies a text: its path, or its content if it was given at run time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    File(EcoString, Form),
    Text(EcoString, Form),
}

#[derive(Debug)]
struct Slot {
    key: Key,
    module: Option<EcoString>,
    namespace: FileNamespace,
    code: OnceLock<Result<Arc<Code>, Issue>>,
}

/// Texts given at run time are kept as long as the environment, for code refers to them; a program that makes up new ones
/// without end must stop somewhere.
const MOST_INLINE_BYTES: usize = 64 << 20;

/// The numbered texts of an environment.
#[derive(Debug, Default)]
pub(crate) struct Files {
    strict: Strict,
    product: Product,
    slots: Slots<Slot>,
    numbers: Mutex<Numbers>,
}

/// Which text has which number.
#[derive(Debug, Default)]
struct Numbers {
    by_key: FxHashMap<Key, u32>,
    /// The length of all texts given at run time.
    inline_bytes: usize,
}

impl Numbers {
    fn insert(&mut self, key: Key, number: u32) {
        if let Key::Text(text, _) = &key {
            self.inline_bytes = self.inline_bytes.saturating_add(text.len());
        }
        self.by_key.insert(key, number);
    }

    fn has_room(&self, key: &Key) -> bool {
        match key {
            Key::Text(text, _) => self.inline_bytes.saturating_add(text.len()) <= MOST_INLINE_BYTES,
            Key::File(..) => true,
        }
    }
}

impl Files {
    /// No texts yet; the ones to come are validated as `strict` says.
    pub(crate) fn new(strict: Strict, product: Product) -> Files {
        Files { strict, product, ..Files::default() }
    }

    /// The code of a file, read and parsed when first asked for.
    pub(crate) fn load(
        &self,
        world: &dyn World,
        path: &str,
        form: Form,
        module: Option<&str>,
        namespace: FileNamespace,
    ) -> Result<&Code, Issue> {
        let (id, slot) = self.slot(Key::File(path.into(), form), module, namespace)?;
        let code = slot.code.get_or_init(|| {
            let stamp = world.stamp(path);
            let text = world.read_text(path).map_err(|error| issues::unreadable(path, &error))?;
            Ok(Arc::new(Code { stamp, ..self.parse(Source::file(id, path, text), form, slot) }))
        });
        code.as_deref().map_err(Clone::clone)
    }

    /// The code of a text that is in no file; the same text is the same code.
    pub(crate) fn inline(&self, text: &str, form: Form) -> Result<&Code, Issue> {
        let (id, slot) = self.slot(Key::Text(text.into(), form), None, FileNamespace::Any)?;
        let source = || match form {
            Form::Manifest => Source::string(id, text),
            Form::Template => Source::file(id, INLINE_TEMPLATE, text),
        };
        let code = slot.code.get_or_init(|| Ok(Arc::new(self.parse(source(), form, slot))));
        code.as_deref().map_err(Clone::clone)
    }

    /// The code with a number.
    pub(crate) fn get(&self, id: FileId) -> Option<&Code> {
        self.slots.get(id.0)?.code.get()?.as_deref().ok()
    }

    /// The same numbers, with the code of all files that have not changed.
    pub(crate) fn unchanged(&self, observer: &Observer, strict: Strict) -> Files {
        let files = Files::new(strict, self.product);
        let mut numbers = Numbers::default();
        for slot in self.slots.iter() {
            let keeps = match &slot.key {
                _ if strict != self.strict => false,
                Key::File(path, _) => observer.is_unchanged(path),
                Key::Text(..) => true,
            };
            let code = slot.code.get().filter(|_| keeps).and_then(|code| code.clone().ok());
            let code = code.map_or_else(OnceLock::new, |code| OnceLock::from(Ok(code)));
            let (module, namespace) = (slot.module.clone(), slot.namespace.clone());
            let copy = Slot { key: slot.key.clone(), module, namespace, code };
            if let Some((number, copy)) = files.slots.push(|_| copy) {
                numbers.insert(copy.key.clone(), number);
            }
        }
        Files { numbers: Mutex::new(numbers), ..files }
    }

    fn slot(&self, key: Key, module: Option<&str>, namespace: FileNamespace) -> Result<(FileId, &Slot), Issue> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match numbers.by_key.get(&key) {
            Some(&number) => self.slots.get(number).map(|slot| (number, slot)),
            None if !numbers.has_room(&key) => return Err(issues::too_much_inline_code(MOST_INLINE_BYTES)),
            None => {
                let module = module.map(Into::into);
                let make = |_| Slot { key: key.clone(), module, namespace, code: OnceLock::new() };
                let pushed = self.slots.push(make);
                if let Some((number, _)) = pushed {
                    numbers.insert(key, number);
                }
                pushed
            }
        };
        found.map(|(number, slot)| (FileId(number), slot)).ok_or_else(issues::too_many_files)
    }

    /// Parses a text; if that succeeds it is validated. Of several syntax errors only the first counts, as in the
    /// reference.
    fn parse(&self, source: Source, form: Form, slot: &Slot) -> Code {
        let mut parsed = match form {
            Form::Manifest => bunraku_syntax::parse(&source),
            Form::Template => bunraku_syntax::parse_epp(&source),
        };
        match parsed.first_error().cloned() {
            Some(error) => {
                parsed.diagnostics.retain(|diagnostic| diagnostic.severity != Severity::Error);
                parsed.diagnostics.push(error);
            }
            None => {
                let options =
                    ValidateOptions { strict: self.strict, namespace: slot.namespace.clone(), product: self.product };
                let found = validate(&source, &parsed.program, &options);
                parsed.diagnostics.extend(found);
            }
        }
        let regexps = match slot.module {
            None => regexps(&source, &parsed.tokens),
            Some(_) => Box::default(),
        };
        let (program, diagnostics) = (parsed.program, parsed.diagnostics);
        let (id, path, lines) = (source.id, source.path.clone(), source.lines().clone());
        let has_alias = program.definitions.iter().any(|it| matches!(it, ast::Definition::TypeAlias(_)));
        // Type aliases are defined by their text, in every compilation.
        let is_kept = matches!(slot.key, Key::Text(..)) || has_alias || !diagnostics.is_empty();
        let source = if is_kept { OnceLock::from(source) } else { OnceLock::new() };
        Code { id, path, lines, source, stamp: None, program, diagnostics, regexps, module: slot.module.clone() }
    }
}

fn regexps(source: &Source, tokens: &[Token]) -> Box<[EcoString]> {
    let literals = tokens.iter().filter(|token| token.kind == TokenKind::Regexp).map(|token| {
        let literal = source.text.get(token.start as usize..token.end as usize).unwrap_or_default();
        literal.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).unwrap_or(literal)
    });
    literals.map(|pattern| pattern.replace("\\/", "/").into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_code_has_a_limit() {
        let numbers = Numbers { inline_bytes: MOST_INLINE_BYTES - 3, ..Numbers::default() };
        assert!(numbers.has_room(&Key::Text("abc".into(), Form::Template)));
        assert!(!numbers.has_room(&Key::Text("abcd".into(), Form::Template)));
        assert!(numbers.has_room(&Key::File("abcd".into(), Form::Template)));
    }
}
