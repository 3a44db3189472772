//! `hypervisors`: what is known about that which the machine runs on.

use bunraku_pcore::Value;

use super::dmi::field;
use super::r#virtual::{HYPERVISORS, container, lspci, open_vz, platform, virt_what};
use super::xen::is_privileged;
use crate::fact::{Fact, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact::new("hypervisors", resolve)];

/// Where the BIOS of VMware's releases has its entry point.
const VMWARE: [(u32, &str); 16] = [
    (0xe8480, "ESXi 2.5"),
    (0xe7c70, "ESXi 3.0"),
    (0xe66c0, "ESXi 3.5"),
    (0xe7910, "ESXi 3.5"),
    (0xea550, "ESXi 4.0"),
    (0xea6c0, "ESXi 4.0"),
    (0xea2e0, "ESXi 4.1"),
    (0xe72c0, "ESXi 5.0"),
    (0xea0c0, "ESXi 5.1"),
    (0xea050, "ESXi 5.5"),
    (0xe99e0, "ESXi 6.0"),
    (0xe9a40, "ESXi 6.0"),
    (0xea580, "ESXi 6.5"),
    (0xea520, "ESXi 6.7"),
    (0xea490, "ESXi 6.7"),
    (0xea5e0, "Fusion 8.5"),
];

fn resolve(host: &Host<'_>) -> Value {
    let vendor = field(host, "sys_vendor").unwrap_or_default();
    let product = field(host, "product_name").unwrap_or_default();
    let is_seen = |name: &str| virt_what(host).as_deref() == Some(name) || lspci(host).as_deref() == Some(name);
    let mut found: Vec<(String, Value)> = Vec::new();
    if let Some((name @ ("docker" | "lxc" | "systemd_nspawn"), information)) = container(host) {
        found.push((name.to_owned(), information));
    }
    if vendor.contains("Microsoft") || product == "Virtual Machine" {
        found.push(("hyperv".to_owned(), Value::hash([])));
    }
    found.extend(kvm(host, &vendor, &product).map(|value| ("kvm".to_owned(), value)));
    if let Some((kind, id)) = open_vz(host) {
        let id = id.parse::<i64>().unwrap_or_default();
        found.push(("openvz".to_owned(), structure([("id", id.into()), ("host", (kind == "openvzhn").into())])));
    }
    if product == "VirtualBox" || is_seen("virtualbox") {
        let tables = host.command("dmidecode", &[]).unwrap_or_default();
        let word = |start: &str| {
            let after = tables.split_once(start)?.1;
            Some(after.split_whitespace().next()?.to_owned())
        };
        found.push((
            "virtualbox".to_owned(),
            present(structure([("version", word("vboxVer_").into()), ("revision", word("vboxRev_").into())])),
        ));
    }
    if product == "VMware" || vendor == "VMware, Inc." || is_seen("vmware") {
        found.push(("vmware".to_owned(), present(structure([("version", vmware_version(host).into())]))));
    }
    if platform(host).contains("xen") {
        let is_hvm = product.contains("HVM domU") || lspci(host).as_deref() == Some("xenhvm");
        let context = if is_hvm { "hvm" } else { "pv" };
        found.push((
            "xen".to_owned(),
            structure([("context", context.into()), ("privileged", is_privileged(host).into())]),
        ));
    }
    structure(found)
}

/// That something is there counts, even if nothing is known about it.
fn present(value: Value) -> Value {
    if value.is_undef() { Value::hash([]) } else { value }
}

fn kvm(host: &Host<'_>, vendor: &str, product: &str) -> Option<Value> {
    let hypervisor = HYPERVISORS.iter().find(|(name, _)| product.contains(name)).map(|(_, name)| *name);
    if matches!(hypervisor, Some("virtualbox" | "parallels")) {
        return None;
    }
    let bios = field(host, "bios_vendor").unwrap_or_default();
    let is_kvm = virt_what(host).as_deref() == Some("kvm")
        || lspci(host).as_deref() == Some("kvm")
        || bios.contains("Amazon EC2")
        || bios.contains("Google")
        || hypervisor.is_none() && product.contains("OpenStack");
    let provider = match vendor {
        "Google" => Some("google"),
        openstack if openstack.starts_with("OpenStack") => Some("openstack"),
        amazon if amazon.starts_with("Amazon") => Some("amazon"),
        _ => None,
    };
    is_kvm.then(|| present(structure(provider.map(|name| (name, Value::from(true))))))
}

fn vmware_version(host: &Host<'_>) -> Option<&'static str> {
    let tables = host.command("dmidecode", &[])?;
    let address = tables.split_once("Address: 0x")?.1.split_whitespace().next()?.to_owned();
    let address = u32::from_str_radix(&address, 16).ok()?;
    VMWARE.iter().find(|(known, _)| *known == address).map(|(_, version)| *version)
}
