//! Legacy facts and what has taken their place.

use crate::problem::Edit;
use crate::token::{Cursor, Kind};

/// Legacy facts and the structured facts that have taken their place, as Facter's own aliases have it; those of macOS,
/// Windows and Solaris as its list of core facts has it.
pub const LEGACY_FACTS: &[(&str, &str)] = &[
    ("architecture", "os.architecture"),
    ("augeasversion", "augeas.version"),
    ("bios_release_date", "dmi.bios.release_date"),
    ("bios_vendor", "dmi.bios.vendor"),
    ("bios_version", "dmi.bios.version"),
    ("boardassettag", "dmi.board.asset_tag"),
    ("boardmanufacturer", "dmi.board.manufacturer"),
    ("boardproductname", "dmi.board.product"),
    ("boardserialnumber", "dmi.board.serial_number"),
    ("chassisassettag", "dmi.chassis.asset_tag"),
    ("chassistype", "dmi.chassis.type"),
    ("domain", "networking.domain"),
    ("fqdn", "networking.fqdn"),
    ("gid", "identity.group"),
    ("hardwareisa", "processors.isa"),
    ("hardwaremodel", "os.hardware"),
    ("hostname", "networking.hostname"),
    ("id", "identity.user"),
    ("ipaddress", "networking.ip"),
    ("ipaddress6", "networking.ip6"),
    ("lsbdistcodename", "os.distro.codename"),
    ("lsbdistdescription", "os.distro.description"),
    ("lsbdistid", "os.distro.id"),
    ("lsbdistrelease", "os.distro.release.full"),
    ("lsbmajdistrelease", "os.distro.release.major"),
    ("lsbminordistrelease", "os.distro.release.minor"),
    ("lsbrelease", "os.distro.specification"),
    ("macaddress", "networking.mac"),
    ("macosx_buildversion", "os.macosx.build"),
    ("macosx_productname", "os.macosx.product"),
    ("macosx_productversion", "os.macosx.version.full"),
    ("macosx_productversion_major", "os.macosx.version.major"),
    ("macosx_productversion_minor", "os.macosx.version.minor"),
    ("manufacturer", "dmi.manufacturer"),
    ("memoryfree", "memory.system.available"),
    ("memorysize", "memory.system.total"),
    ("netmask", "networking.netmask"),
    ("netmask6", "networking.netmask6"),
    ("network", "networking.network"),
    ("network6", "networking.network6"),
    ("operatingsystem", "os.name"),
    ("operatingsystemmajrelease", "os.release.major"),
    ("operatingsystemrelease", "os.release.full"),
    ("osfamily", "os.family"),
    ("physicalprocessorcount", "processors.physicalcount"),
    ("processorcount", "processors.count"),
    ("productname", "dmi.product.name"),
    ("rubyplatform", "ruby.platform"),
    ("rubysitedir", "ruby.sitedir"),
    ("rubyversion", "ruby.version"),
    ("selinux", "os.selinux.enabled"),
    ("selinux_config_mode", "os.selinux.config_mode"),
    ("selinux_config_policy", "os.selinux.config_policy"),
    ("selinux_current_mode", "os.selinux.current_mode"),
    ("selinux_enforced", "os.selinux.enforced"),
    ("selinux_policyversion", "os.selinux.policy_version"),
    ("serialnumber", "dmi.product.serial_number"),
    ("swapencrypted", "memory.swap.encrypted"),
    ("swapfree", "memory.swap.available"),
    ("swapsize", "memory.swap.total"),
    ("system32", "os.windows.system32"),
    ("uptime", "system_uptime.uptime"),
    ("uptime_days", "system_uptime.days"),
    ("uptime_hours", "system_uptime.hours"),
    ("uptime_seconds", "system_uptime.seconds"),
    ("uuid", "dmi.product.uuid"),
    ("xendomains", "xen.domains"),
    ("zonename", "solaris_zones.current"),
];

/// Legacy facts that are given in another unit or form than their successors, if they have any.
const WITHOUT_SUCCESSOR: &[&str] = &[
    "blockdevices",
    "interfaces",
    "memoryfree_mb",
    "memorysize_mb",
    "sshfp_dsa",
    "sshfp_ecdsa",
    "sshfp_ed25519",
    "sshfp_rsa",
    "swapfree_mb",
    "swapsize_mb",
    "zones",
];

/// Whether a fact is a legacy fact.
pub(crate) fn is_legacy(name: &str) -> bool {
    WITHOUT_SUCCESSOR.contains(&name) || successor(name).is_some()
}

/// What to write in place of a legacy fact, without the `$`.
pub(crate) fn successor(name: &str) -> Option<String> {
    let fixed = LEGACY_FACTS.iter().find(|(fact, _)| *fact == name);
    let keys = fixed.map(|(_, path)| path.split('.').map(|key| format!("['{key}']")).collect());
    keys.or_else(|| by_pattern(name)).map(|keys: String| format!("facts{keys}"))
}

/// The keys for facts whose names contain those of devices, interfaces, or zones.
fn by_pattern(name: &str) -> Option<String> {
    let last_of = |rest: &'static [&'static str], text: &str| {
        let (middle, last) = text.rsplit_once('_')?;
        rest.contains(&last).then(|| (middle.to_owned(), last.to_owned()))
    };
    if let Some((device, attribute)) =
        name.strip_prefix("blockdevice_").and_then(|rest| last_of(&["model", "size", "vendor"], rest))
    {
        return Some(format!("['disks']['{device}']['{attribute}']"));
    }
    if let Some((attribute, interface)) = name.split_once('_')
        && ["ipaddress", "ipaddress6", "macaddress", "mtu", "netmask", "netmask6", "network", "network6"]
            .contains(&attribute)
    {
        let attribute = attribute.replace("address", "");
        return Some(format!("['networking']['interfaces']['{interface}']['{attribute}']"));
    }
    if let Some(id) = name.strip_prefix("processor")
        && !id.is_empty()
        && id.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Some(format!("['processors']['models'][{id}]"));
    }
    if let Some(name) = name.strip_prefix("sp_") {
        return Some(format!("['system_profiler']['{name}']"));
    }
    if let Some(algorithm) = name.strip_prefix("ssh").and_then(|rest| rest.strip_suffix("key"))
        && ["dsa", "ecdsa", "ed25519", "rsa"].contains(&algorithm)
    {
        return Some(format!("['ssh']['{algorithm}']['key']"));
    }
    if let Some(name) = name.strip_prefix("ldom_") {
        return Some(format!("['ldom']['{name}']"));
    }
    let zone = name.strip_prefix("zone_")?;
    let (zone, attribute) = last_of(&["brand", "iptype", "name", "uuid", "id", "path", "status"], zone)?;
    Some(format!("['solaris_zones']['zones']['{zone}']['{attribute}']"))
}

/// The edit that puts an element of `$facts` in place of a variable, in braces where it is in a string.
pub(crate) fn facts_edit(variable: Cursor<'_>, element: &str) -> Edit {
    match variable.kind {
        Kind::UnenclosedVariable => Edit::new(variable.value_start - 1, variable.value_end, format!("${{{element}}}")),
        _ => variable.replace_value(element),
    }
}

/// Whether a name, its leading colons left off, has a namespace of two or more characters.
pub(crate) fn is_qualified(name: &str) -> bool {
    name.split_once("::").is_some_and(|(module, _)| {
        module.len() > 1
            && module.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !module.starts_with(|letter: char| letter.is_ascii_uppercase())
    })
}
