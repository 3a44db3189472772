//! `package`: installed software.

use crate::resource_type::{Attribute, ResourceType, Rule};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "package",
        [
            Attribute::property("ensure")
                .values(["present", "absent", "purged", "disabled", "latest"])
                .alias("installed", "present")
                .patterns(["."])
                .default_value("installed"),
            Attribute::property("package_settings").features(["package_settings"]),
            Attribute::property("flavor").features(["supports_flavors"]),
            Attribute::property("mark").values(["hold", "none"]).features(["holdable"]),
            Attribute::parameter("name"),
            Attribute::parameter("provider").computed_default(),
            Attribute::parameter("command").features(["targetable"]).default_value("default"),
            Attribute::parameter("source"),
            Attribute::parameter("instance"),
            Attribute::parameter("status"),
            Attribute::parameter("adminfile"),
            Attribute::parameter("responsefile"),
            Attribute::parameter("configfiles").values(["keep", "replace"]).default_value("keep"),
            Attribute::parameter("category"),
            Attribute::parameter("platform"),
            Attribute::parameter("root"),
            Attribute::parameter("vendor"),
            Attribute::parameter("description"),
            Attribute::parameter("allowcdrom").values(["true", "false"]),
            Attribute::parameter("enable_only").boolean().default_value("false"),
            Attribute::parameter("install_only").boolean().features(["install_only"]).default_value("false"),
            Attribute::parameter("environment"),
            Attribute::parameter("install_options").features(["install_options"]),
            Attribute::parameter("uninstall_options").features(["uninstall_options"]),
            Attribute::parameter("allow_virtual").boolean().features(["virtual_packages"]).computed_default(),
            Attribute::parameter("reinstall_on_refresh").values(["true", "false"]).default_value("false"),
        ],
    )
    .namevars(["name", "provider", "command"])
    .refreshable()
    .features([
        "disableable",
        "holdable",
        "install_only",
        "install_options",
        "installable",
        "package_settings",
        "purgeable",
        "reinstallable",
        "supports_flavors",
        "targetable",
        "uninstall_options",
        "uninstallable",
        "upgradeable",
        "version_ranges",
        "versionable",
        "virtual_packages",
    ])
    .providers([
        "aix",
        "appdmg",
        "apple",
        "apt",
        "aptitude",
        "aptrpm",
        "blastwave",
        "dnf",
        "dnfmodule",
        "dpkg",
        "fink",
        "freebsd",
        "gem",
        "hpux",
        "macports",
        "nim",
        "openbsd",
        "opkg",
        "pacman",
        "pip",
        "pip2",
        "pip3",
        "pkg",
        "pkgdmg",
        "pkgin",
        "pkgng",
        "pkgutil",
        "portage",
        "ports",
        "portupgrade",
        "puppet_gem",
        "puppetserver_gem",
        "rpm",
        "rug",
        "sun",
        "sunfreeware",
        "tdnf",
        "up2date",
        "urpmi",
        "windows",
        "xbps",
        "yum",
        "zypper",
    ])
    .autorequire("file", Rule::Attribute("responsefile".into()))
    .autorequire("file", Rule::Attribute("adminfile".into()))
    .autorequire("file", Rule::Attribute("source".into()))
}

/// The same in Puppet 8, which has not got all of it.
pub(super) fn resource_type_of_puppet8() -> ResourceType {
    let mut package = resource_type();
    package.attributes.retain(|attribute| attribute.name != "environment");
    package
}
