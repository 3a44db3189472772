//! Definitions and uses of names, found without evaluating anything: what an editor, a checker and a report stand on.
//!
//! A [`FileIndex`] is what one file defines and uses, and its scopes. A [`ProjectIndex`] merges those of many files and is
//! updated file by file.

mod file;
mod project;

pub use file::{Definition, FileIndex, Scope, ScopeId, Use};
pub use project::{Place, ProjectIndex};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A class: `apache::mod`.
    Class,
    /// A defined type, or a resource type of another kind: `apache::vhost`, `file`.
    ResourceType,
    /// A function: `stdlib::has_interface_with`.
    Function,
    /// A plan.
    Plan,
    /// A type alias, or another data type that is not of the language: `stdlib::port`.
    TypeAlias,
    /// A node, as it is written: `web1.example.com`, `/^web/`, `default`.
    Node,
    /// A variable without its `$`, as it is written; at home in a scope.
    Variable,
    /// A parameter of a class or defined type, or an attribute of a resource: `apache::vhost::port`, `file::owner`.
    Parameter,
    /// A resource: `Package[vim]`.
    Resource,
    /// A template: `apache/vhost.epp`. Where an expression gives its name, it has none.
    Template,
    /// A template that is written in the code itself: its text, or nothing where an expression gives it.
    InlineTemplate,
    /// A file of a module: `apache/motd`.
    File,
    /// A fact, with what is looked up in it: `os.family`.
    Fact,
    /// A key of Hiera's data.
    HieraKey,
}
