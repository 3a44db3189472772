//! Values and data types of the Puppet language.
