//! `memory`: how much there is of it, and how much of that is used.

use bunraku_pcore::Value;

use crate::fact::{Fact, Legacy, part, structure};
use crate::host::Host;
use crate::units::{bytes, mebibytes, share, size};

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "memory",
    resolve,
    aliases: &[
        ("memoryfree", "system.available"),
        ("memorysize", "system.total"),
        ("swapfree", "swap.available"),
        ("swapsize", "swap.total"),
    ],
    legacy: Some(Legacy { names: &["memoryfree_mb", "memorysize_mb", "swapfree_mb", "swapsize_mb"], resolve: legacy }),
}];

fn resolve(host: &Host<'_>) -> Value {
    let Some(text) = host.read("/proc/meminfo") else { return Value::Undef };
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    };
    let sum = |names: &[&str]| names.iter().map(|name| field(name)).sum::<Option<u64>>();
    let available = field("MemAvailable").or_else(|| sum(&["MemFree", "Buffers", "Cached"]));
    structure([
        (
            "swap",
            field("SwapTotal").filter(|total| *total > 0).map_or(Value::Undef, |total| room(total, field("SwapFree"))),
        ),
        ("system", field("MemTotal").map_or(Value::Undef, |total| room(total, available))),
    ])
}

fn room(total: u64, available: Option<u64>) -> Value {
    let Some(available) = available else { return Value::Undef };
    let used = total.saturating_sub(available);
    structure([
        ("available", size(available).into()),
        ("available_bytes", bytes(available)),
        ("capacity", share(used, total).into()),
        ("total", size(total).into()),
        ("total_bytes", bytes(total)),
        ("used", size(used).into()),
        ("used_bytes", bytes(used)),
    ])
}

fn legacy(_: &Host<'_>, memory: &Value) -> Vec<(String, Value)> {
    let sizes = [
        ("memoryfree_mb", "system.available_bytes"),
        ("memorysize_mb", "system.total_bytes"),
        ("swapfree_mb", "swap.available_bytes"),
        ("swapsize_mb", "swap.total_bytes"),
    ];
    let value = |path| match part(memory, path) {
        Some(Value::Integer(bytes)) => Value::from(mebibytes(bytes.unsigned_abs())),
        _ => Value::Undef,
    };
    sizes.into_iter().map(|(name, path)| (name.to_owned(), value(path))).collect()
}
