//! `processors`: how many there are, and what they can do.

use std::collections::BTreeSet;

use bunraku_pcore::Value;

use super::Question;
use crate::fact::{Fact, Legacy, structure};
use crate::host::Host;
use crate::units::speed;

pub(super) const QUESTION: Question = ("uname", &["-p"]);

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "processors",
    resolve,
    aliases: &[("hardwareisa", "isa"), ("physicalprocessorcount", "physicalcount"), ("processorcount", "count")],
    legacy: Some(Legacy { names: &["processor*"], resolve: legacy }),
}];

/// The levels of the architecture by the flags that each needs beyond the one before.
const LEVELS: [(&str, &[&str]); 4] = [
    ("x86_64-v1", &["cmov", "cx8", "fpu", "fxsr", "lm", "mmx", "syscall", "sse2"]),
    ("x86_64-v2", &["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"]),
    ("x86_64-v3", &["abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"]),
    ("x86_64-v4", &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]),
];

const CPUS: &str = "/sys/devices/system/cpu";

fn resolve(host: &Host<'_>) -> Value {
    let Some(text) = host.read("/proc/cpuinfo").filter(|text| !text.trim().is_empty()) else { return Value::Undef };
    let fields =
        || text.lines().filter_map(|line| line.split_once(':')).map(|(name, value)| (name.trim(), value.trim()));
    let all = |names: &'static [&str]| fields().filter(|(name, _)| names.contains(name)).map(|(_, value)| value);
    let count = all(&["processor"]).count();
    let models: Vec<Value> = all(&["model name", "cpu"]).map(Value::from).collect();
    let packages: BTreeSet<&str> = all(&["physical id"]).collect();
    let topology = Topology::read(host);
    let physical = if packages.is_empty() { topology.packages } else { packages.len() };
    let megahertz = all(&["cpu MHz", "clock"]).next_back().and_then(|value| {
        let digits =
            value.find(|letter: char| !letter.is_ascii_digit()).map_or(value, |end| value.get(..end).unwrap_or(""));
        digits.parse::<u64>().ok()
    });
    // What coreutils make of it differs between distributions.
    let isa = host.command(QUESTION.0, QUESTION.1).map(|isa| isa.trim().to_owned());
    let flags: BTreeSet<&str> = all(&["flags"]).next_back().unwrap_or_default().split_whitespace().collect();
    let levels = LEVELS.iter().filter(|(_, needs)| needs.iter().all(|flag| flags.contains(flag)));
    let levels = levels.map(|(level, _)| *level).filter(|_| isa.as_deref() == Some("x86_64"));
    let extensions = isa.as_deref().into_iter().chain(levels).map(Value::from);
    structure([
        ("cores", number(topology.cores)),
        ("count", number(count)),
        ("extensions", Value::array(extensions)),
        ("isa", isa.clone().into()),
        ("models", Value::array(models)),
        ("physicalcount", Value::from(i64::try_from(physical).unwrap_or(i64::MAX))),
        ("speed", megahertz.and_then(|megahertz| speed(megahertz.saturating_mul(1_000_000))).into()),
        ("threads", number(topology.threads)),
    ])
}

fn number(count: usize) -> Value {
    if count == 0 { Value::Undef } else { Value::from(i64::try_from(count).unwrap_or(i64::MAX)) }
}

/// How processors share packages and cores; zeroes where the kernel does not tell.
#[derive(Default)]
struct Topology {
    packages: usize,
    /// Cores of a package.
    cores: usize,
    /// Threads of a core.
    threads: usize,
}

impl Topology {
    fn read(host: &Host<'_>) -> Topology {
        let is_processor = |name: &str| {
            let number = name.strip_prefix("cpu").unwrap_or_default();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let (mut packages, mut cores, mut siblings) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut online = 0_usize;
        for entry in host.list(CPUS).into_iter().filter(|entry| is_processor(&entry.name)) {
            let read = |file: &str| host.line(&format!("{CPUS}/{}/topology/{file}", entry.name));
            if let Some(package) = read("physical_package_id") {
                cores.insert((package.clone(), read("core_id")));
                packages.insert(package);
            }
            if let Some(threads) = read("thread_siblings_list").or_else(|| read("core_cpus_list")) {
                siblings.insert(threads);
                online += 1;
            }
        }
        if siblings.is_empty() {
            return Topology { packages: packages.len(), ..Topology::default() };
        }
        let per = |all: usize, groups: usize| all.checked_div(groups).unwrap_or(0);
        Topology {
            packages: packages.len(),
            cores: per(cores.len(), packages.len()),
            threads: per(online, siblings.len()),
        }
    }
}

fn legacy(_: &Host<'_>, processors: &Value) -> Vec<(String, Value)> {
    let Some(Value::Array(models)) = processors.get("models") else { return Vec::new() };
    models.iter().enumerate().map(|(number, model)| (format!("processor{number}"), model.clone())).collect()
}
