//! The Puppet language as a library: environments, nodes, catalogs.

pub mod json;

use std::sync::Arc;

pub use bunraku_catalog::Catalog;
pub use bunraku_compiler::function::Library;
pub use bunraku_compiler::log::{Level, Log};
pub use bunraku_compiler::{Compilation, Compiled, Failure, Frame, Node, Options, Sight, Unwind, compile, diagnostic};
pub use bunraku_environment::{Code, Disk, Environment, Form, LoadFailure, Memory, RunMode, Settings, Strict, World};
pub use bunraku_pcore::{Hash, Type, Value};
pub use bunraku_ruby::Ruby;
pub use bunraku_ruby::sidecar::Options as RubyOptions;
pub use bunraku_syntax::{Diagnostic, FileId, Issue, Location, Severity, Source, Span};

/// Every function that is written in Rust.
pub fn library() -> Library {
    Library::new(&[bunraku_functions::builtin::ALL, bunraku_functions::stdlib::ALL])
}

/// Compiles the catalog of a node with all functions, and with the Ruby that the modules carry.
pub fn compile_with_ruby(environment: &Arc<Environment>, node: &Node) -> Compiled {
    let library = library();
    let ruby = bunraku_ruby::Ruby::new(Arc::clone(environment), bunraku_ruby::sidecar::Options::default());
    compile(environment, &library, node, Options { foreign: Some(&ruby), ..Options::default() })
}
