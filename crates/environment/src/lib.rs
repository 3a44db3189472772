//! Where Puppet code and data come from: modules, settings, autoloading.
