//! The built-in resource types and those of the modules that ship with Puppet, one file each.

use std::sync::OnceLock;

use crate::resource_type::ResourceType;

/// A resource type that is made when it is first asked for: few catalogs have resources of more than some.
struct Builtin {
    name: &'static str,
    make: fn() -> ResourceType,
    made: OnceLock<ResourceType>,
}

/// One module for each type, with the name of the type.
macro_rules! builtin {
    ($($name:ident)*) => {
        $(mod $name;)*

        static BUILTIN: [Builtin; [$(stringify!($name)),*].len()] =
            [$(Builtin { name: stringify!($name), make: $name::resource_type, made: OnceLock::new() }),*];
    };
}

builtin! {
    anchor augeas component cron exec file file_line filebucket group host mailalias mount notify
    package resources schedule selboolean selmodule service ssh_authorized_key sshkey stage tidy
    user whit yumrepo
}

/// The resource type of a name, if it is known without looking into modules.
pub fn builtin(name: &str) -> Option<&'static ResourceType> {
    let found = BUILTIN.iter().find(|builtin| builtin.name == name)?;
    Some(found.made.get_or_init(found.make))
}

/// The resource type of a name as Puppet 8 has it, where it differs from [`builtin`].
pub fn builtin_of_puppet8(name: &str) -> Option<&'static ResourceType> {
    static PACKAGE: OnceLock<ResourceType> = OnceLock::new();
    (name == "package").then(|| PACKAGE.get_or_init(package::resource_type_of_puppet8))
}

/// The names of all resource types that are known without looking into modules.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|builtin| builtin.name)
}
