//! `partitions`: the parts of disks, mapped devices and files that serve as disks.

use bunraku_pcore::Value;

use super::Question;
use super::disks::field;
use super::mountpoints::mounts;
use crate::fact::{Fact, structure};
use crate::host::Host;
use crate::units::{bytes, size};

pub(super) const FACTS: &[Fact] = &[Fact::new("partitions", resolve)];

const BLOCK: &str = "/sys/block";

const QUESTION: Question = ("lsblk", &["-p", "-P", "-o", "NAME,FSTYPE,UUID,LABEL,PARTUUID,PARTLABEL"]);

/// What is asked, if there is anything that could have partitions.
pub(super) fn question(host: &Host<'_>) -> Option<Question> {
    (!found(host).is_empty()).then_some(QUESTION)
}

/// The partitions with their directories, and the files that some of them are in.
fn found(host: &Host<'_>) -> Vec<(String, String, Option<String>)> {
    let mut found = Vec::new();
    for device in host.block_devices() {
        let path = format!("{BLOCK}/{device}");
        if host.world.is_dir(&format!("{path}/device")) {
            let parts =
                host.list(&path).into_iter().filter(|entry| entry.is_dir && entry.name.contains(device.as_str()));
            found.extend(parts.map(|part| (format!("/dev/{}", part.name), format!("{path}/{}", part.name), None)));
        } else if host.world.is_dir(&format!("{path}/dm")) {
            let name = host.line(&format!("{path}/dm/name"));
            let name = name.map_or_else(|| format!("/dev/{device}"), |name| format!("/dev/mapper/{name}"));
            found.push((name, path, None));
        } else if host.world.is_dir(&format!("{path}/loop")) {
            let file = host.line(&format!("{path}/loop/backing_file"));
            found.push((format!("/dev/{device}"), path, file));
        }
    }
    found
}

fn resolve(host: &Host<'_>) -> Value {
    let found = found(host);
    if found.is_empty() {
        let is_readable = host.world.is_dir(BLOCK);
        return if is_readable { Value::hash([]) } else { Value::Undef };
    }
    let mounts = mounts(host);
    let listed = host.command(QUESTION.0, QUESTION.1).unwrap_or_default();
    structure(found.into_iter().map(|(name, path, file)| {
        let sectors = host.line(&format!("{path}/size")).and_then(|sectors| sectors.parse::<u64>().ok());
        let length = sectors.unwrap_or(0).saturating_mul(512);
        let line = listed.lines().find(|line| field(line, "NAME").as_deref() == Some(&name)).unwrap_or_default();
        let mount = mounts.iter().find(|mount| mount.device == name).map(|mount| mount.path.clone());
        let value = structure([
            ("backing_file", file.into()),
            ("filesystem", field(line, "FSTYPE").into()),
            ("label", field(line, "LABEL").into()),
            ("mount", mount.into()),
            ("partlabel", field(line, "PARTLABEL").into()),
            ("partuuid", field(line, "PARTUUID").into()),
            ("size", size(length).into()),
            ("size_bytes", bytes(length)),
            ("uuid", field(line, "UUID").into()),
        ]);
        (name, value)
    }))
}
