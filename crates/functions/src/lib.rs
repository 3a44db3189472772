//! The function library of the Puppet language.
//!
//! `builtin/` has the functions of the language itself, `stdlib/` those of the module stdlib, one file each. What several of them share has a file here, named
//! for what it is about.

pub mod builtin;
pub mod modules;
pub mod stdlib;

mod character_set;
mod crypt;
mod deferred;
mod deprecation;
mod digest;
mod document;
mod entropy;
mod extreme;
mod ip_address;
mod iteration;
mod json;
mod legacy_arguments;
mod navigate;
mod number;
mod order;
mod path;
mod predicate;
mod random;
mod search;
mod shell;
mod substitute;
mod successor;
mod text;
mod validation;
mod yaml;
