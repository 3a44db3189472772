//! `os`: the operating system, by the files that distributions leave for this purpose.

pub(super) mod distro;
mod release;
mod selinux;

use bunraku_pcore::Value;

use crate::distribution::{capitalized, family};
use crate::fact::{Fact, Legacy, structure};
use crate::host::Host;
use crate::message::Level;

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "os",
    resolve: |host| host.shared("os", resolve),
    aliases: &[
        ("architecture", "architecture"),
        ("hardwaremodel", "hardware"),
        ("lsbrelease", "distro.specification"),
        ("operatingsystem", "name"),
        ("operatingsystemmajrelease", "release.major"),
        ("operatingsystemrelease", "release.full"),
        ("osfamily", "family"),
        ("selinux", "selinux.enabled"),
        ("selinux_config_mode", "selinux.config_mode"),
        ("selinux_config_policy", "selinux.config_policy"),
        ("selinux_current_mode", "selinux.current_mode"),
        ("selinux_enforced", "selinux.enforced"),
        ("selinux_policyversion", "selinux.policy_version"),
    ],
    legacy: Some(Legacy {
        names: &[
            "lsbdistcodename",
            "lsbdistdescription",
            "lsbdistid",
            "lsbdistrelease",
            "lsbmajdistrelease",
            "lsbminordistrelease",
        ],
        resolve: distro::legacy,
    }),
}];

fn resolve(host: &Host<'_>) -> Value {
    let release = release::of_system(host);
    structure([
        ("architecture", architecture(host)),
        ("distro", distro::resolve(host)),
        ("family", family_of_system(host).into()),
        ("hardware", hardware(host)),
        ("name", name(host).into()),
        ("release", release),
        ("selinux", selinux::resolve(host)),
    ])
}

fn hardware(host: &Host<'_>) -> Value {
    match &host.uname().machine {
        unknown if unknown.is_empty() => Value::Undef,
        machine => Value::from(machine.as_str()),
    }
}

fn architecture(host: &Host<'_>) -> Value {
    let machine = host.uname().machine.as_str();
    let is_intel = matches!(machine, "i386" | "i486" | "i586" | "i686") || machine.contains("pentium");
    match machine {
        "x86_64" if host.distribution().is("debian") => "amd64".into(),
        _ if is_intel => "i386".into(),
        _ => hardware(host),
    }
}

fn family_of_system(host: &Host<'_>) -> Option<String> {
    let distribution = host.distribution();
    let release = host.os_release();
    match (distribution.is("rhel"), distribution.is("sles")) {
        (true, _) => Some("RedHat".to_owned()),
        (_, true) => Some("Suse".to_owned()),
        _ => {
            let found = release.get("id_like").or_else(|| release.get("id")).map(family);
            if found.is_none() && host.machine().is_some() {
                let text = "the operating system is not known: there is no ID in /etc/os-release".to_owned();
                host.say(Level::Error, "Facter::InternalFactManager", text);
            }
            found
        }
    }
}

fn name(host: &Host<'_>) -> Option<String> {
    let release = host.os_release();
    if host.distribution().name() == "linuxmint" {
        return release.get("id").map(capitalized);
    }
    let from_file = || release::redhat(host).map(|release| release.name).filter(|_| host.distribution().is("rhel"));
    release.get("name").map(str::to_owned).or_else(from_file)
}
