//! The Ruby files a declaration consists of, and the modules, methods and constants they define.

use bunraku_syntax::deep;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use ruby_prism::{CallNode, ConstantWriteNode, DefNode, Node, ParseResult, Visit};

use super::ReadRuby;
use super::interpreter::Interpreter;
use super::value::Value;

/// A declaration that needs more files than this is read without the rest.
const MOST_FILES: usize = 64;
/// Source beyond this size is not a declaration anyone wrote.
const MOST_BYTES: usize = 4 << 20;
/// Deeper nesting of modules and classes is not followed.
const DEEPEST_NESTING: usize = 32;

/// The texts of a file and of all files it requires, first the file itself.
pub(super) struct Sources(Vec<(Rc<str>, Arc<str>)>);

impl Sources {
    pub(super) fn gather(path: &str, text: &str, read: ReadRuby<'_>) -> Self {
        let mut sources: Vec<(Rc<str>, Arc<str>)> = Vec::new();
        let mut size = text.len();
        let mut queue = VecDeque::from([(Rc::from(path), Arc::from(text))]);
        while let Some((path, text)) = queue.pop_front() {
            for wanted in requirements(&path, &text) {
                let known = sources.iter().chain(&queue).any(|(seen, _)| **seen == *wanted) || *wanted == *path;
                if known || sources.len() + queue.len() >= MOST_FILES {
                    continue;
                }
                if let Some(found) = read(&wanted).filter(|found| size + found.len() <= MOST_BYTES) {
                    size += found.len();
                    queue.push_back((Rc::from(wanted), found));
                }
            }
            sources.push((path, text));
        }
        Sources(sources)
    }

    pub(super) fn parse(&self) -> Vec<File<'_>> {
        self.0
            .iter()
            .map(|(path, text)| File { path: path.clone(), tree: ruby_prism::parse(text.as_bytes()) })
            .collect()
    }
}

/// A parsed file.
pub(super) struct File<'t> {
    pub(super) path: Rc<str>,
    pub(super) tree: ParseResult<'t>,
}

/// A method and where it is written.
pub(super) struct Method<'pr> {
    pub(super) definition: DefNode<'pr>,
    pub(super) file: usize,
    pub(super) nesting: Rc<str>,
}

/// A constant that is computed when it is first used.
pub(super) struct Constant<'pr> {
    pub(super) definition: ConstantWriteNode<'pr>,
    pub(super) file: usize,
    pub(super) nesting: Rc<str>,
}

/// What all files of a declaration define, by full name.
pub(super) struct Library<'pr> {
    pub(super) files: &'pr [File<'pr>],
    modules: HashMap<String, Vec<String>>,
    methods: HashMap<(String, String), Rc<Method<'pr>>>,
    constants: HashMap<String, Rc<Constant<'pr>>>,
}

impl<'pr> Library<'pr> {
    pub(super) fn index(files: &'pr [File<'pr>]) -> Self {
        let mut library =
            Library { files, modules: HashMap::new(), methods: HashMap::new(), constants: HashMap::new() };
        for (index, file) in files.iter().enumerate() {
            library.collect(&file.tree.node(), index, "", Side::Instance, 0);
        }
        library
    }

    /// The method of a module that its name is sent to, as in `Module.method`.
    pub(super) fn singleton_method(&self, module: &str, name: &str) -> Option<Rc<Method<'pr>>> {
        self.methods.get(&(format!("{module}."), name.to_string())).cloned()
    }

    /// The method a module gives to those that include or extend it, its own mixins included.
    pub(super) fn instance_method(&self, module: &str, name: &str) -> Option<Rc<Method<'pr>>> {
        self.instance_method_within(module, name, 0)
    }

    fn instance_method_within(&self, module: &str, name: &str, depth: usize) -> Option<Rc<Method<'pr>>> {
        if depth > DEEPEST_NESTING {
            return None;
        }
        let own = self.methods.get(&(format!("{module}#"), name.to_string())).cloned();
        own.or_else(|| {
            let included = self.modules.get(module)?;
            included.iter().find_map(|mixin| self.instance_method_within(mixin, name, depth + 1))
        })
    }

    pub(super) fn constant(&self, name: &str) -> Option<Rc<Constant<'pr>>> {
        self.constants.get(name).cloned()
    }

    /// The full name of the module or constant that `name` means inside `nesting`.
    pub(super) fn resolve(&self, name: &str, nesting: &str) -> Option<String> {
        let mut scope = nesting;
        loop {
            let candidate = join(scope, name);
            if self.modules.contains_key(&candidate) || self.constants.contains_key(&candidate) {
                return Some(candidate);
            }
            if scope.is_empty() {
                return None;
            }
            scope = scope.rsplit_once("::").map_or("", |(outer, _)| outer);
        }
    }

    fn collect(&mut self, node: &Node<'pr>, file: usize, nesting: &str, side: Side, depth: usize) {
        deep(|| {
            if depth > DEEPEST_NESTING * 4 {
                return;
            }
            let below = |library: &mut Self, body: Option<Node<'pr>>, nesting: &str, side| {
                if let Some(body) = body {
                    library.collect(&body, file, nesting, side, depth + 1);
                }
            };
            if let Some(program) = node.as_program_node() {
                below(self, Some(program.statements().as_node()), nesting, side);
            } else if let Some(statements) = node.as_statements_node() {
                for statement in &statements.body() {
                    below(self, Some(statement), nesting, side);
                }
            } else if let Some(module) = node.as_module_node() {
                let name = join(nesting, &constant_name(&module.constant_path()).unwrap_or_default());
                self.modules.entry(name.clone()).or_default();
                below(self, module.body(), &name, Side::Instance);
            } else if let Some(class) = node.as_class_node() {
                let name = join(nesting, &constant_name(&class.constant_path()).unwrap_or_default());
                self.modules.entry(name.clone()).or_default();
                below(self, class.body(), &name, Side::Instance);
            } else if let Some(singleton) = node.as_singleton_class_node() {
                below(self, singleton.body(), nesting, Side::Singleton);
            } else if let Some(definition) = node.as_def_node() {
                self.add_method(definition, file, nesting, side);
            } else if let Some(definition) = node.as_constant_write_node() {
                let name = join(nesting, &text(definition.name().as_slice()));
                self.constants.insert(name, Rc::new(Constant { definition, file, nesting: Rc::from(nesting) }));
            } else if let Some(call) = node.as_call_node() {
                self.add_mixins(&call, nesting);
            }
        })
    }

    fn add_method(&mut self, definition: DefNode<'pr>, file: usize, nesting: &str, side: Side) {
        let singleton = side == Side::Singleton || definition.receiver().is_some();
        let owner = format!("{nesting}{}", if singleton { '.' } else { '#' });
        let name = text(definition.name().as_slice());
        let method = Rc::new(Method { definition, file, nesting: Rc::from(nesting) });
        self.methods.insert((owner, name), method);
    }

    fn add_mixins(&mut self, call: &CallNode<'pr>, nesting: &str) {
        if call.receiver().is_some() || call.name().as_slice() != b"include" {
            return;
        }
        let names: Vec<String> = call
            .arguments()
            .into_iter()
            .flat_map(|arguments| {
                arguments.arguments().iter().filter_map(|node| constant_name(&node)).collect::<Vec<_>>()
            })
            .map(|name| self.resolve(&name, nesting).unwrap_or(name))
            .collect();
        self.modules.entry(nesting.to_string()).or_default().extend(names);
    }
}

/// Which methods a `def` adds to.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Instance,
    Singleton,
}

/// The written name of a constant, such as `Puppet::Type`; nothing where it is computed.
pub(super) fn constant_name(node: &Node<'_>) -> Option<String> {
    if let Some(constant) = node.as_constant_read_node() {
        return Some(text(constant.name().as_slice()));
    }
    let mut names = Vec::new();
    let mut current = node.as_constant_path_node()?;
    loop {
        names.push(text(current.name()?.as_slice()));
        match current.parent() {
            None => break,
            Some(parent) => match parent.as_constant_path_node() {
                Some(path) => current = path,
                None => {
                    names.push(constant_name(&parent)?);
                    break;
                }
            },
        }
    }
    names.reverse();
    Some(names.join("::"))
}

/// Bytes of the source as text.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `name` inside `nesting`.
pub(super) fn join(nesting: &str, name: &str) -> String {
    if nesting.is_empty() { name.to_string() } else { format!("{nesting}::{name}") }
}

/// The paths a file requires.
fn requirements(path: &Rc<str>, source: &str) -> Vec<String> {
    if !source.contains("require") && !source.contains("load") {
        return Vec::new();
    }
    let files = [File { path: path.clone(), tree: ruby_prism::parse(source.as_bytes()) }];
    let library =
        Library { files: &files, modules: HashMap::new(), methods: HashMap::new(), constants: HashMap::new() };
    let mut finder = RequireFinder { interpreter: Interpreter::new(&library), path, found: Vec::new() };
    let program = files.first().map(|file| file.tree.node());
    if let Some(program) = program {
        finder.visit(&program);
    }
    finder.found
}

/// Collects the arguments of `require` and its kin wherever they stand.
struct RequireFinder<'l, 'pr> {
    interpreter: Interpreter<'l, 'pr>,
    path: &'l str,
    found: Vec<String>,
}

impl<'pr> Visit<'pr> for RequireFinder<'_, 'pr> {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        let name = node.name().as_slice();
        if matches!(name, b"require" | b"require_relative" | b"load") && node.receiver().is_none() {
            let argument = node.arguments().and_then(|arguments| arguments.arguments().first());
            let value = argument.map_or(Value::Nil, |argument| self.interpreter.evaluate_alone(&argument));
            if let Value::String(wanted) = value {
                let wanted = if name == b"require_relative" {
                    super::builtins::expand_path(&wanted, super::builtins::dirname(self.path))
                } else {
                    wanted.to_string()
                };
                self.found.push(if wanted.ends_with(".rb") { wanted } else { format!("{wanted}.rb") });
            }
        }
        ruby_prism::visit_call_node(self, node);
    }
}
