//! `virtual` and `is_virtual`: what the machine runs on.

use bunraku_pcore::Value;

use super::dmi::field;
use super::xen;
use crate::fact::{Fact, structure};
use crate::host::Host;
use crate::message::Level;

pub(super) const FACTS: &[Fact] = &[
    Fact::new("is_virtual", |host| (!PHYSICAL.contains(&platform(host))).into()),
    Fact::new("virtual", |host| platform(host).into()),
];

/// What is no virtual machine, though it may have some.
const PHYSICAL: [&str; 6] = ["physical", "xen0", "vmware_server", "vmware_workstation", "openvzhn", "vserver_host"];

/// Parts of the names of products, and what they are.
pub(super) const HYPERVISORS: [(&str, &str); 11] = [
    ("VMware", "vmware"),
    ("VirtualBox", "virtualbox"),
    ("Parallels", "parallels"),
    ("KVM", "kvm"),
    ("Virtual Machine", "hyperv"),
    ("RHEV Hypervisor", "rhev"),
    ("oVirt Node", "ovirt"),
    ("HVM domU", "xenhvm"),
    ("Bochs", "bochs"),
    ("OpenBSD", "vmm"),
    ("BHYVE", "bhyve"),
];

/// What the machine runs on; the first one that knows an answer is believed.
pub(super) fn platform<'h>(host: &'h Host<'_>) -> &'h str {
    host.virtualization(|| {
        let bios = field(host, "bios_vendor").unwrap_or_default();
        container(host)
            .map(|(name, _)| name.to_owned())
            .or_else(|| bios.contains("Google").then(|| "gce".to_owned()))
            .or_else(|| (host.uname().version == "BrandZ virtual linux").then(|| "illumos-lx".to_owned()))
            .or_else(|| virt_what(host))
            .or_else(|| vmware(host))
            .or_else(|| open_vz(host).map(|(kind, _)| kind.to_owned()))
            .or_else(|| vserver(host))
            .or_else(|| xen::kind(host).map(str::to_owned))
            .or_else(|| bios.contains("Amazon EC2").then(|| "kvm".to_owned()))
            .or_else(|| {
                let product = field(host, "product_name")?;
                HYPERVISORS.iter().find(|(name, _)| product.contains(name)).map(|(_, kind)| (*kind).to_owned())
            })
            .or_else(|| lspci(host))
            .unwrap_or_else(|| "physical".to_owned())
    })
}

/// The container that this is, and what is known about it.
pub(super) fn container(host: &Host<'_>) -> Option<(&'static str, Value)> {
    from_environment(host).or_else(|| {
        let groups = host.read("/proc/1/cgroup")?;
        let after = |mark: &str| {
            let rest = groups.split_once(mark)?.1;
            Some(rest.lines().next().unwrap_or_default().to_owned())
        };
        if let Some(id) = after("docker/").filter(|id| !id.is_empty()) {
            return Some(("docker", structure([("id", id.into())])));
        }
        let name = groups.lines().find_map(|line| line.strip_prefix("/lxc/"))?;
        Some(("lxc", structure([("name", name.split('/').next().into())])))
    })
}

fn from_environment(host: &Host<'_>) -> Option<(&'static str, Value)> {
    let path = "/proc/1/environ";
    let bytes = match host.world.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            if error.kind() == std::io::ErrorKind::PermissionDenied && host.world.is_privileged() {
                let text = format!("Unable to getenv for pid 1, '{error}'");
                host.say(Level::Debug, "Facter::Resolvers::Linux::Containers", text);
            }
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let runtime = text.split('\0').find_map(|variable| variable.strip_prefix("container="))?;
    let name = match runtime {
        "" | "zone" => return None,
        "lxc" => "lxc",
        "lxc-virtwhat" => "lxc-virtwhat",
        "podman" => "podman",
        "crio" => "crio",
        "oci" => "oci",
        "systemd-nspawn" => {
            return Some(("systemd_nspawn", structure([("id", host.line("/etc/machine-id").into())])));
        }
        other => {
            let text = format!("Container runtime, '{other}', is unsupported, setting to 'container_other'");
            host.say(Level::Warn, "Facter::Resolvers::Linux::Containers", text);
            "container_other"
        }
    };
    Some((name, Value::hash([])))
}

/// What `virt-what` says, in Facter's words.
pub(super) fn virt_what(host: &Host<'_>) -> Option<String> {
    let said = host.command("virt-what", &[])?;
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.first() == Some(&"xen") {
        let kinds = [("xen-domu", "xenu"), ("xen-hvm", "xenhvm"), ("xen-dom0", "xen0")];
        if let Some((_, kind)) = kinds.iter().find(|(line, _)| lines.get(1) == Some(line)) {
            return Some((*kind).to_owned());
        }
    }
    match *lines.first()? {
        zlinux if zlinux.contains("ibm_systemz") => Some("zlinux".to_owned()),
        server if server.contains("linux_vserver") => vserver(host),
        _ => lines.iter().find(|line| **line != "redhat").map(|line| (*line).to_owned()),
    }
}

fn vserver(host: &Host<'_>) -> Option<String> {
    let id = status(host, &["s_context:", "VxID:"])?;
    Some(if id == "0" { "vserver_host" } else { "vserver" }.to_owned())
}

/// A field of the status of this process.
fn status(host: &Host<'_>, names: &[&str]) -> Option<String> {
    let text = host.read("/proc/self/status")?;
    text.lines().find_map(|line| match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        [name, value] if names.contains(name) => Some((*value).to_owned()),
        _ => None,
    })
}

fn vmware(host: &Host<'_>) -> Option<String> {
    let said = host.command("vmware", &["-v"])?;
    match said.split_whitespace().collect::<Vec<_>>().as_slice() {
        [product, edition] => Some(format!("{}_{}", product.to_lowercase(), edition.to_lowercase())),
        _ => None,
    }
}

/// Whether this is OpenVZ's host or one of its guests, and the number of the guest.
pub(super) fn open_vz(host: &Host<'_>) -> Option<(&'static str, String)> {
    if host.list("/proc/vz").is_empty() || host.world.is_file("/proc/lve/list") {
        return None;
    }
    let id = status(host, &["envID:"])?;
    Some((if id == "0" { "openvzhn" } else { "openvzve" }, id))
}

/// What the devices of the machine tell.
pub(super) fn lspci(host: &Host<'_>) -> Option<String> {
    let devices = host.command("lspci", &[])?;
    let marks = [
        ("VirtualBox", "virtualbox"),
        ("XenSource", "xenhvm"),
        ("Microsoft Corporation Hyper-V", "hyperv"),
        ("Class 8007: Google, Inc", "gce"),
        ("VMware", "vmware"),
        ("VMWare", "vmware"),
        ("1ab8:", "parallels"),
        ("Parallels", "parallels"),
        ("parallels", "parallels"),
    ];
    devices.lines().find_map(|line| {
        let found = marks.iter().find(|(mark, _)| line.contains(mark)).map(|(_, kind)| *kind);
        found.or_else(|| line.to_lowercase().contains("virtio").then_some("kvm")).map(str::to_owned)
    })
}
