//! The function library of the Puppet language.

pub mod builtin;
