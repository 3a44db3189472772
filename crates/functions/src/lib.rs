//! The function library of the Puppet language.
//!
//! `builtin/` has the functions of the language itself, one file each. What several of them share has a file here, named
//! for what it is about.

pub mod builtin;

mod deferred;
mod deprecation;
mod digest;
mod extreme;
mod iteration;
mod navigate;
mod number;
mod older;
mod order;
mod random;
mod search;
mod substitute;
mod text;
mod type_text;
