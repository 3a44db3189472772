//! All code of an environment: every file and every text given at run time has a number and is parsed once.
//!
//! Code belongs to a generation of an environment and lives as long as it does, so that compilations may refer to it. The
//! [`Store`] outlives generations: it hands the parsed files on as long as they do not change. Texts given at run time are
//! not handed on: once a generation has many, it [is full](Files::is_full), and the next one begins without them.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bunraku_syntax::{
    Diagnostic, FileId, FileNamespace, Issue, Product, Severity, Source, Strict, Token, TokenKind, ValidateOptions,
    ast, validate,
};
use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::cache::Cache;
use crate::issues;
use crate::world::{Stamp, World, decode};

/// A text of code that has been read and parsed.
#[derive(Debug)]
pub struct Code {
    /// How spans refer to the text.
    pub id: FileId,
    /// The path as messages show it; none for code given as a string.
    pub path: Option<EcoString>,
    /// The text with its lines.
    pub source: Arc<Source>,
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
        self.source.line_number(offset)
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

/// How much code the store keeps, in bytes of text. The trees take several times as much.
const MOST_STORED_BYTES: usize = 128 << 20;
/// A generation with more texts given at run time than this, in bytes, has had enough of them.
const MANY_INLINE_BYTES: usize = 16 << 20;
/// What a text costs beyond its length.
const BYTES_EACH: usize = 1024;
/// Numbers beyond this are left to the generation that is there; the next store begins anew.
const MANY_NUMBERS: u32 = u32::MAX / 4 * 3;

/// What generations of environments hand on: the files they have read, as long as these do not change, and the numbers of
/// all code, which are never given twice.
#[derive(Debug)]
pub struct Store {
    numbers: AtomicU32,
    codes: Cache<(EcoString, Form), Stored>,
    texts: Cache<EcoString, (Option<Stamp>, Arc<str>)>,
}

/// The code of a file, and what it was made of.
#[derive(Debug, Clone)]
struct Stored {
    stamp: Stamp,
    strict: Strict,
    namespace: FileNamespace,
    code: Arc<Code>,
}

impl Default for Store {
    fn default() -> Self {
        Store { numbers: AtomicU32::new(0), codes: Cache::new(MOST_STORED_BYTES), texts: Cache::new(MOST_STORED_BYTES) }
    }
}

impl Store {
    /// A number that no other code has.
    fn number(&self) -> Result<FileId, Issue> {
        let next = |number: u32| number.checked_add(1);
        let number = self.numbers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        number.map(FileId).map_err(|_| issues::too_many_files())
    }

    /// The same store, or a new one before the numbers run out.
    pub(crate) fn successor(self: &Arc<Self>) -> Arc<Store> {
        if self.numbers.load(Ordering::Relaxed) < MANY_NUMBERS { self.clone() } else { Arc::default() }
    }

    /// The text of a file that is no Puppet code.
    pub(crate) fn text(&self, world: &dyn World, path: &str) -> std::io::Result<Arc<str>> {
        let stamp = world.stamp(path);
        if let Some((known, text)) = self.texts.get(path)
            && known == stamp
        {
            return Ok(text);
        }
        let text: Arc<str> = world.read_text(path)?.into();
        self.texts.insert(path.into(), text.len().saturating_add(BYTES_EACH), (stamp, text.clone()));
        Ok(text)
    }
}

/// What identifies a text: its path, or its content if it was given at run time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    File(EcoString, Form),
    Text(EcoString, Form),
}

/// Where the code of a key is, once it has been parsed.
#[derive(Debug, Default)]
struct Slot(OnceLock<Result<Arc<Code>, Issue>>);

/// The code of one generation.
#[derive(Debug, Default)]
pub(crate) struct Files {
    strict: Strict,
    product: Product,
    store: Arc<Store>,
    slots: boxcar::Vec<Slot>,
    places: RwLock<Places>,
    inline_bytes: AtomicUsize,
}

/// Which slot a text is in.
#[derive(Debug, Default)]
struct Places {
    by_key: FxHashMap<Key, usize>,
    by_id: FxHashMap<FileId, usize>,
}

impl Files {
    /// No texts yet; the ones to come are validated as `strict` says.
    pub(crate) fn new(strict: Strict, product: Product, store: Arc<Store>) -> Files {
        Files { strict, product, store, ..Files::default() }
    }

    /// What this generation shares with others.
    pub(crate) fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Whether there are so many texts given at run time that a new generation should begin without them.
    pub(crate) fn is_full(&self) -> bool {
        self.inline_bytes.load(Ordering::Relaxed) > MANY_INLINE_BYTES
            || self.store.numbers.load(Ordering::Relaxed) >= MANY_NUMBERS
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
        // A path without a file takes no slot: programs may make up such paths without end.
        let Some(stamp) = world.stamp(path) else {
            let error = world.read(path).err().unwrap_or_else(|| std::io::ErrorKind::NotFound.into());
            return Err(issues::unreadable(path, &error));
        };
        let place = self.place(Key::File(path.into(), form));
        self.code(place, || {
            let key = (EcoString::from(path), form);
            if let Some(known) = self.store.codes.get(&key)
                && (known.stamp, known.strict, &known.namespace) == (stamp, self.strict, &namespace)
                && known.code.module.as_deref() == module
            {
                return Ok(known.code);
            }
            let text = world.read_named(path).and_then(decode).map_err(|error| issues::unreadable(path, &error))?;
            let source = Source::file(self.store.number()?, path, text);
            let weight = source.text.len().saturating_add(BYTES_EACH);
            let code = Arc::new(self.parse(source, form, module, namespace.clone()));
            let stored = Stored { stamp, strict: self.strict, namespace, code: code.clone() };
            self.store.codes.insert(key, weight, stored);
            Ok(code)
        })
    }

    /// The code of a text that is in no file; the same text is the same code.
    pub(crate) fn inline(&self, text: &str, form: Form) -> Result<&Code, Issue> {
        let place = self.place(Key::Text(text.into(), form));
        self.code(place, || {
            self.inline_bytes.fetch_add(text.len().saturating_add(BYTES_EACH), Ordering::Relaxed);
            let id = self.store.number()?;
            let source = match form {
                Form::Manifest => Source::string(id, text),
                Form::Template => Source::file(id, INLINE_TEMPLATE, text),
            };
            Ok(Arc::new(self.parse(source, form, None, FileNamespace::Any)))
        })
    }

    /// The code with a number.
    pub(crate) fn get(&self, id: FileId) -> Option<&Code> {
        let place = *self.places.read().unwrap_or_else(PoisonError::into_inner).by_id.get(&id)?;
        self.slots.get(place)?.0.get()?.as_deref().ok()
    }

    /// The slot of a text, which may still be empty.
    fn place(&self, key: Key) -> usize {
        if let Some(place) = self.places.read().unwrap_or_else(PoisonError::into_inner).by_key.get(&key) {
            return *place;
        }
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        *places.by_key.entry(key).or_insert_with(|| self.slots.push(Slot::default()))
    }

    /// The code in a slot. Whoever comes first makes it, and all others wait.
    fn code(&self, place: usize, make: impl FnOnce() -> Result<Arc<Code>, Issue>) -> Result<&Code, Issue> {
        let slot = self.slots.get(place).ok_or_else(issues::too_many_files)?;
        let made = slot.0.get_or_init(|| {
            let code = make()?;
            self.places.write().unwrap_or_else(PoisonError::into_inner).by_id.insert(code.id, place);
            Ok(code)
        });
        made.as_deref().map_err(Clone::clone)
    }

    /// Parses a text; if that succeeds it is validated. Of several syntax errors only the first counts, as in the
    /// reference.
    fn parse(&self, source: Source, form: Form, module: Option<&str>, namespace: FileNamespace) -> Code {
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
                let options = ValidateOptions { strict: self.strict, namespace, product: self.product, tasks: false };
                let found = validate(&source, &parsed.program, &options);
                parsed.diagnostics.extend(found);
            }
        }
        let regexps = match module {
            None => regexps(&source, &parsed.tokens),
            Some(_) => Box::default(),
        };
        let (program, diagnostics, module) = (parsed.program, parsed.diagnostics, module.map(EcoString::from));
        let (id, path) = (source.id, source.path.clone());
        Code { id, path, source: Arc::new(source), program, diagnostics, regexps, module }
    }
}

fn regexps(source: &Source, tokens: &[Token]) -> Box<[EcoString]> {
    let literals = tokens.iter().filter(|token| token.kind == TokenKind::Regexp).map(|token| {
        let literal = source.text.get(token.start as usize..token.end as usize).unwrap_or_default();
        literal.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).unwrap_or(literal)
    });
    literals.map(|pattern| pattern.replace("\\/", "/").into()).collect()
}
