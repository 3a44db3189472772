//! The Ruby of modules run by the interpreter of this program: templates, functions and what they ask of the compiler.
//!
//! A session of the interpreter has Puppet's Ruby interface loaded (`shim`), the same that the helper has. It belongs to
//! a thread and waits there for the next call. While code runs, its questions go to the host of the innermost call; while
//! the compiler answers, calls into Ruby meet the session that asked.

mod ask;
mod facts;
mod failure;
pub(crate) mod function;
pub(crate) mod known;
mod template;
pub(crate) mod values;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use bunraku_environment::World;
use rustc_hash::FxHashMap;
use scoped_tls_hkt::scoped_thread_local;

pub use facts::{Custom, Found, Left};
pub(crate) use failure::Failure;
pub(crate) use template::Templates;

use crate::interpreter::lower::lower;
use crate::interpreter::symbol::Sym;
use crate::interpreter::tree::Tree;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};
use crate::sidecar::{Host, RubyEnvironment};

scoped_thread_local!(static mut HOST: for<'a> &'a mut (dyn Host + 'a));
scoped_thread_local!(static mut SESSION: Vm);

/// Puppet's Ruby interface, in the order it is loaded.
static SHIM: [Source; 7] = [
    Source::new("bunraku/native.rb", include_str!("shim/native.rb")),
    Source::new("bunraku/values.rb", include_str!("shim/values.rb")),
    Source::new("bunraku/puppet.rb", include_str!("shim/puppet.rb")),
    Source::new("bunraku/types.rb", include_str!("shim/types.rb")),
    Source::new("bunraku/scope.rb", include_str!("shim/scope.rb")),
    Source::new("bunraku/wrapper.rb", include_str!("shim/wrapper.rb")),
    Source::new("bunraku/functions.rb", include_str!("shim/functions.rb")),
];

/// A file that comes with the program; it is read when a session first loads it.
struct Source {
    path: &'static str,
    text: &'static str,
    tree: OnceLock<Arc<Tree>>,
}

impl Source {
    const fn new(path: &'static str, text: &'static str) -> Source {
        Source { path, text, tree: OnceLock::new() }
    }
}

/// How many sessions wait on a thread.
const MOST_IDLE: usize = 2;

/// What a session knows of Puppet.
#[derive(Default)]
pub(crate) struct Puppet {
    given: values::Given,
    /// Values given by Puppet that code has changed and the compiler does not know of yet.
    pub(crate) changed: Vec<Value>,
    /// Whether the session serves a compiler.
    pub(crate) is_serving: bool,
    /// Whether there is a Ruby for what cannot be done here.
    has_ruby: bool,
    /// Whether questions are asked from the top scope.
    is_at_top: bool,
    /// How many things code has done that cannot be taken back.
    pub(crate) effects: u64,
    /// Files with custom facts that are left to Ruby.
    left_files: Vec<String>,
    /// How many calls into this session are being made.
    depth: u32,
    functions: FxHashMap<(Arc<str>, String), (Arc<str>, Value)>,
    /// The last error that left the session, and where it was raised: whoever meets it again tells this place.
    raised: Option<(String, String, u32)>,
}

/// A session that waits, and the world its code was read in. A changed environment has another one.
struct Idle {
    world: Arc<dyn World>,
    vm: Vm,
}

thread_local! {
    static IDLE: RefCell<Vec<Idle>> = const { RefCell::new(Vec::new()) };
}

/// Runs something in the session of this thread.
pub(crate) fn with_session<T>(
    environment: &RubyEnvironment,
    world: Arc<dyn World>,
    has_ruby: bool,
    host: &mut dyn Host,
    work: impl FnOnce(&mut Vm) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if SESSION.is_set() {
        return SESSION.with(|vm| within(vm, host, work));
    }
    let found = IDLE.with_borrow_mut(|idle| {
        let position = idle.iter().rposition(|idle| Arc::ptr_eq(&idle.world, &world));
        position.map(|position| idle.remove(position).vm)
    });
    let mut vm = match found {
        Some(vm) => vm,
        None => start(environment, &world, has_ruby)?,
    };
    let result = within(&mut vm, host, work);
    IDLE.with_borrow_mut(|idle| {
        idle.push(Idle { world, vm });
        if idle.len() > MOST_IDLE {
            idle.remove(0);
        }
    });
    result
}

fn within<T>(vm: &mut Vm, host: &mut dyn Host, work: impl FnOnce(&mut Vm) -> Result<T, Failure>) -> Result<T, Failure> {
    let is_at_top = std::mem::take(&mut vm.puppet.is_at_top);
    vm.puppet.depth += 1;
    let result = HOST.set(host, || work(vm));
    vm.puppet.depth -= 1;
    vm.puppet.is_at_top = is_at_top;
    if vm.puppet.depth == 0 {
        vm.puppet.given = values::Given::default();
        vm.forget_run();
    }
    result
}

/// A new session with Puppet's interface.
fn start(environment: &RubyEnvironment, world: &Arc<dyn World>, has_ruby: bool) -> Result<Vm, Failure> {
    let mut vm = Vm::new();
    vm.world = Some(world.clone());
    vm.suggests = true;
    (vm.puppet.is_serving, vm.puppet.has_ruby) = (true, has_ruby);
    ask::define(&mut vm);
    let enter = |vm: &mut Vm| -> Outcome<()> {
        load(vm, &SHIM)?;
        let bunraku = vm.constant_at("Bunraku")?;
        let load_path = Value::array(environment.load_path.iter().map(|path| Value::str(path.as_str())).collect());
        for name in ["$LOAD_PATH", "$:"] {
            vm.globals.insert(Sym::new(name), load_path.clone());
        }
        let settings = bunraku_pcore::Value::hash(
            environment.settings.iter().map(|(name, value)| (name.as_str().into(), value.clone())),
        );
        let settings = values::from_puppet(vm, &settings)?;
        vm.send(&bunraku, Sym::new("enter"), &[Value::str(environment.name.as_str()), load_path, settings])?;
        Ok(())
    };
    match enter(&mut vm) {
        Ok(()) => Ok(vm),
        Err(stop) => Err(failure::of(&mut vm, *stop, "bunraku")),
    }
}

/// Loads files that come with the program.
fn load(vm: &mut Vm, sources: &'static [Source]) -> Outcome<()> {
    for Source { path, text, tree } in sources {
        let tree = match tree.get() {
            Some(tree) => tree.clone(),
            None => {
                let read = lower(text, path, 1, &[]).map_err(|error| vm.error("SyntaxError", &error.message))?;
                tree.get_or_init(|| Arc::new(read)).clone()
            }
        };
        vm.run_file(&tree, path)?;
    }
    Ok(())
}

/// Whether the compilation that the running code belongs to must end.
pub(crate) fn is_over() -> bool {
    HOST.is_set() && HOST.with(|host| host.limits().check().is_err())
}

impl Vm {
    /// The value of a constant by its full name.
    pub(crate) fn constant_at(&mut self, name: &str) -> Outcome {
        let mut value = Value::Class(self.core.object.clone());
        for part in name.split("::") {
            value = self.scoped_constant(&value, Sym::new(part))?;
        }
        Ok(value)
    }

    /// What only a real Ruby can do, or what is not known here; nothing rescues this.
    pub(crate) fn unsupported(&self, what: String) -> Box<Stop> {
        Box::new(Stop::Unsupported(what))
    }
}
