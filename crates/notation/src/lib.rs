//! Data that is not Puppet: YAML as Psych reads and writes it, and HOCON as its Ruby library reads it.

pub mod hocon;
pub mod yaml;
