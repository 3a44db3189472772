//! The Puppet language as a library: environments, nodes, catalogs.

mod classifier;
pub mod compat;
mod compiler;
pub mod facts;
pub mod json;

pub use bunraku_catalog::{Catalog, wire};
pub use bunraku_compiler::function::{Library, StandIns};
pub use bunraku_compiler::log::{Level, Log};
pub use bunraku_compiler::scope::TOP;
pub use bunraku_compiler::{
    Compilation, Compiled, ExportedResources, Failure, Frame, Node, Options, TemplateScope, Unwind, compile, diagnostic,
};
pub use bunraku_environment::settings::Layer;
pub use bunraku_environment::world;
pub use bunraku_environment::{
    Code, Disk, Environment, Form, LoadFailure, Memory, RunMode, Settings, Strict, Target, World,
};
pub use bunraku_pcore::{Hash, Type, Value};
pub use bunraku_ruby::sidecar::Options as RubyOptions;
pub use bunraku_ruby::{PUPPET_VERSION, Ruby};
pub use classifier::Classification;
pub use compiler::Compiler;

pub use bunraku_syntax::{Diagnostic, FileId, Issue, Location, Severity, Source, Span};

/// Every function that is written in Rust, as a release has it.
pub fn library(target: Target) -> Library {
    use bunraku_functions::{builtin, modules, stdlib};
    let changed = match target {
        Target::Puppet8 | Target::OpenVox8 => &[],
        Target::OpenVox9 => builtin::OPENVOX9,
    };
    Library::new(&[builtin::ALL, stdlib::ALL, modules::ALL, changed]).with_known_files(bunraku_functions::KNOWN_FILES)
}
