//! The Puppet language as a library: environments, nodes, catalogs.
//!
//! [`Compiler`] compiles an [`Environment`] for a [`Node`]; what comes of it is an [`Outcome`] with what the node's agent
//! gets. A process that lives long has a [`Project`] of environments that change meanwhile. [`render`] shows what is wrong. The stages below are modules: [`syntax`], [`pcore`], [`notation`], [`hiera`],
//! [`catalog`]. [`lint`] and [`format`] are the tools of the same names.

mod classifier;
pub mod codes;
pub mod compat;
mod compiler;
mod custom_facts;
pub mod data_types;
mod fact_origin;
mod fact_sets;
pub mod facts;
pub mod json;
mod machine;
mod outcome;
mod project;
mod repr;
mod server_facts;
mod store;
mod trusted_external;
mod type_manual;
pub mod whole_file;

pub use bunraku_apply as apply;
pub use bunraku_catalog as catalog;
pub use bunraku_facts as facter;
pub use bunraku_format as format;
pub use bunraku_hiera as hiera;
pub use bunraku_index as index;
pub use bunraku_lint as lint;
pub use bunraku_notation as notation;
pub use bunraku_pcore as pcore;
pub use bunraku_syntax as syntax;

pub use bunraku_catalog::{Catalog, Edge, Parameters, Reference, Resource, wire};
pub use bunraku_compiler::function::{Call, Function, Library, Native, Signature, StandIns};
pub use bunraku_compiler::log::{Level, Log};
pub use bunraku_compiler::scope::TOP;
pub use bunraku_compiler::{
    Compilation, Compiled, ExportedResources, Failure, Frame, Limits, Node, Profile, TemplateScope, Unwind, diagnostic,
    function, random_uuid,
};
pub use bunraku_diagnostic::{
    At, Diagnostic, FileId, Issue, Location, Place, Severity, Source, Span, nearest, reason, render,
};
pub use bunraku_environment::settings::{ConfigurationText, Layer, SettingValue};
pub use bunraku_environment::world;
pub use bunraku_environment::{
    Code, Disk, Environment, Form, LoadFailure, Memory, Module, RunMode, Settings, Strict, Target, World,
};
pub use bunraku_pcore::{Hash, Type, Value};
pub use bunraku_ruby::PUPPET_VERSION;
pub use bunraku_ruby::resource_types::read_setting_type;
pub use bunraku_ruby::sidecar::Options as RubyOptions;
pub use classifier::Classification;
pub use compiler::Compiler;
pub use custom_facts::RubyFacts;
pub use fact_origin::missing_fact;
pub use fact_sets::{fact_set, fact_set_names};
pub use machine::{keep_facts, machine_facts};
pub use outcome::{Outcome, cycle};
pub use project::{Project, ProjectOutcome, Request};
pub use repr::repr;
pub use server_facts::server_facts;
pub use store::{Directory, Store};
pub use trusted_external::trust_external;
pub use type_manual::{AttributeManual, METAPARAMETERS, TypeManual, type_manual, type_names};

/// Every function that is written in Rust, as a release has it.
pub fn library(target: Target) -> Library {
    library_with(target, &[])
}

/// The same with functions of one's own, declared with [`function!`]. They win over others of their name.
pub fn library_with(target: Target, functions: &'static [Function]) -> Library {
    use bunraku_functions::{builtin, modules, stdlib};
    let changed = match target {
        Target::Puppet8 | Target::OpenVox8 => &[],
        Target::OpenVox9 => builtin::OPENVOX9,
    };
    Library::new(&[builtin::ALL, stdlib::ALL, modules::ALL, changed, functions])
        .with_known_files(bunraku_functions::KNOWN_FILES)
}

/// The programs of the manual.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;
