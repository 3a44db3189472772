//! The function library of the Puppet language.
//!
//! `builtin/` has the functions of the language itself, `stdlib/` those of the module stdlib, one file each. What several of them share has a file here, named
//! for what it is about.

pub mod builtin;
pub mod modules;
pub mod stdlib;

mod character_set;
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

/// The files of modules that native functions stand in for, module by module; `tests/record/stand_ins.rb` writes these tables.
pub const KNOWN_FILES: &[&str] = &[
    include_str!("known/apache.txt"),
    include_str!("known/archive.txt"),
    include_str!("known/collectd.txt"),
    include_str!("known/datacat.txt"),
    include_str!("known/dns.txt"),
    include_str!("known/extlib.txt"),
    include_str!("known/inifile.txt"),
    include_str!("known/ipcalc.txt"),
    include_str!("known/ironic.txt"),
    include_str!("known/mcollective.txt"),
    include_str!("known/memcached.txt"),
    include_str!("known/mongodb.txt"),
    include_str!("known/murano.txt"),
    include_str!("known/mysql.txt"),
    include_str!("known/neutron.txt"),
    include_str!("known/nova.txt"),
    include_str!("known/openssl.txt"),
    include_str!("known/openstack_extras.txt"),
    include_str!("known/openstacklib.txt"),
    include_str!("known/postgresql.txt"),
    include_str!("known/redis.txt"),
    include_str!("known/ssh.txt"),
    include_str!("known/staging.txt"),
    include_str!("known/stdlib.txt"),
    include_str!("known/systemd.txt"),
    include_str!("known/translate.txt"),
    include_str!("known/vswitch.txt"),
];
