//! The function library of the Puppet language.
