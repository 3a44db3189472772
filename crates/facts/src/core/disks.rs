//! `disks`: block devices that have hardware behind them.

use bunraku_pcore::Value;

use super::Question;
use crate::fact::{Fact, Legacy, structure};
use crate::host::Host;
use crate::units::{bytes, size};

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "disks",
    resolve,
    aliases: &[],
    legacy: Some(Legacy {
        names: &["blockdevices", "blockdevice_*_model", "blockdevice_*_size", "blockdevice_*_vendor"],
        resolve: legacy,
    }),
}];

const SECTOR: u64 = 512;

const QUESTION: Question = ("lsblk", &["-dnP", "-o", "NAME,SERIAL,WWN"]);

/// What is asked, if there are devices at all.
pub(super) fn question(host: &Host<'_>) -> Option<Question> {
    (!names(host).is_empty()).then_some(QUESTION)
}

/// The devices that have hardware behind them.
fn names(host: &Host<'_>) -> Vec<String> {
    let names = host.block_devices().iter();
    names.filter(|name| host.exists(&format!("/sys/block/{name}/device"))).cloned().collect()
}

fn resolve(host: &Host<'_>) -> Value {
    let names = names(host);
    if names.is_empty() {
        return Value::Undef;
    }
    let listed = host.command(QUESTION.0, QUESTION.1).unwrap_or_default();
    structure(names.into_iter().map(|name| (name.clone(), disk(host, &name, &listed))))
}

fn disk(host: &Host<'_>, name: &str, listed: &str) -> Value {
    let read = |file: &str| host.line(&format!("/sys/block/{name}/{file}"));
    let length = read("size").and_then(|sectors| sectors.parse::<u64>().ok()?.checked_mul(SECTOR));
    let kind = read("queue/rotational").map(|flag| if flag == "0" { "ssd" } else { "hdd" });
    let line = listed.lines().find(|line| field(line, "NAME").as_deref() == Some(name)).unwrap_or_default();
    let found = structure([
        ("model", read("device/model").into()),
        ("size_bytes", length.map_or(Value::Undef, bytes)),
        ("size", length.map(size).into()),
        ("vendor", read("device/vendor").into()),
        ("type", kind.into()),
        ("serial", field(line, "SERIAL").into()),
        ("wwn", field(line, "WWN").into()),
    ]);
    if found.is_undef() { Value::hash([]) } else { found }
}

/// A field of a line of `KEY="value"` pairs, unless it is empty.
pub(super) fn field(line: &str, name: &str) -> Option<String> {
    let mut rest = line;
    while let Some((key, after)) = rest.split_once("=\"") {
        let (value, next) = after.split_once('"')?;
        if key.trim() == name {
            let value = value.trim();
            return (!value.is_empty()).then(|| value.to_owned());
        }
        rest = next;
    }
    None
}

fn legacy(_: &Host<'_>, disks: &Value) -> Vec<(String, Value)> {
    let Value::Hash(disks) = disks else { return Vec::new() };
    let names: Vec<&str> = disks.keys().filter_map(Value::as_str).collect();
    let mut facts = vec![("blockdevices".to_owned(), Value::from(names.join(",")))];
    for (name, disk) in disks.iter() {
        for (suffix, key) in [("model", "model"), ("size", "size_bytes"), ("vendor", "vendor")] {
            let value = disk.get(key).cloned().unwrap_or_default();
            facts.push((format!("blockdevice_{name}_{suffix}"), value));
        }
    }
    facts
}
