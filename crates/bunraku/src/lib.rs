//! The Puppet language as a library: environments, nodes, catalogs.

mod classifier;
pub mod compat;
mod compiler;
pub mod facts;
pub mod json;

pub use bunraku_catalog::{Catalog, wire};
pub use bunraku_compiler::function::Library;
pub use bunraku_compiler::log::{Level, Log};
pub use bunraku_compiler::scope::TOP;
pub use bunraku_compiler::{
    Compilation, Compiled, ExportedResources, Failure, Frame, Limits, Node, Options, TemplateScope, Unwind, compile,
    diagnostic,
};
pub use bunraku_environment::settings::Layer;
pub use bunraku_environment::{
    Code, Disk, Environment, Form, LoadFailure, Memory, RunMode, Settings, Strict, Target, World,
};
pub use bunraku_pcore::{Hash, Type, Value};
pub use bunraku_ruby::sidecar::Options as RubyOptions;
pub use bunraku_ruby::{PUPPET_VERSION, Ruby};
pub use classifier::Classification;
pub use compiler::Compiler;

pub use bunraku_syntax::{Diagnostic, FileId, Issue, Location, Severity, Source, Span};

/// Every function that is written in Rust.
pub fn library() -> Library {
    Library::new(&[bunraku_functions::builtin::ALL, bunraku_functions::stdlib::ALL, bunraku_functions::modules::ALL])
}
