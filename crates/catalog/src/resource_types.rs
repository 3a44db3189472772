//! The built-in resource types and those of the modules that ship with Puppet, one file each.

mod anchor;
mod augeas;
mod component;
mod cron;
mod exec;
mod file;
mod file_line;
mod filebucket;
mod group;
mod host;
mod mailalias;
mod mount;
mod notify;
mod package;
mod resources;
mod schedule;
mod selboolean;
mod selmodule;
mod service;
mod ssh_authorized_key;
mod sshkey;
mod stage;
mod tidy;
mod user;
mod whit;
mod yumrepo;

use std::sync::LazyLock;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::resource_type::ResourceType;

/// Resource types by name.
pub type ResourceTypes = IndexMap<String, ResourceType, FxBuildHasher>;

/// All resource types that are known without looking into modules.
pub fn builtin() -> &'static ResourceTypes {
    static BUILTIN: LazyLock<ResourceTypes> = LazyLock::new(all);
    &BUILTIN
}

fn all() -> ResourceTypes {
    [
        anchor::resource_type(),
        augeas::resource_type(),
        component::resource_type(),
        cron::resource_type(),
        exec::resource_type(),
        file::resource_type(),
        file_line::resource_type(),
        filebucket::resource_type(),
        group::resource_type(),
        host::resource_type(),
        mailalias::resource_type(),
        mount::resource_type(),
        notify::resource_type(),
        package::resource_type(),
        resources::resource_type(),
        schedule::resource_type(),
        selboolean::resource_type(),
        selmodule::resource_type(),
        service::resource_type(),
        ssh_authorized_key::resource_type(),
        sshkey::resource_type(),
        stage::resource_type(),
        tidy::resource_type(),
        user::resource_type(),
        whit::resource_type(),
        yumrepo::resource_type(),
    ]
    .into_iter()
    .map(|resource_type| (resource_type.name.to_string(), resource_type))
    .collect()
}
