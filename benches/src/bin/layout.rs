//! `layout`: which functions of the program work needs, for the linker to put beside each other.
//!
//! `cargo build --release && target/release/layout` has Callgrind watch the program at work
//! and writes `crates/cli/layout.txt`: functions that all work needs first, then those that the same kinds of work need, each
//! lot beside each other, and those that none needs not at all. The names are those of one version of Rust; after a change of it, or of much code, the list is to be written anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode};

use bunraku_benches::comparison::{Scratch, cold, home, program};
use bunraku_benches::workload::{self, BUDGETED, Workload};
use bunraku_benches::{Result, callgrind};

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The workloads that are compiled in a warm process as well.
const WARM: [&str; 5] = ["classes", "defines", "files", "real", "templates"];

fn write() -> Result<()> {
    let (program, scratch) = (program()?, Scratch::new()?);
    // For each function which workloads need it; what the first of them need comes first.
    let mut uses: BTreeMap<String, u32> = BTreeMap::new();
    for (number, workload) in workloads()?.into_iter().enumerate() {
        eprintln!("{}", workload.name);
        let directory = scratch.directory(workload.key);
        let mut names = called_by(&cold::Cold::new(&workload, &directory)?.ours(&program))?;
        if WARM.contains(&workload.key) {
            // Not all functions have the same name in the program and in its stand-in for warm compilations.
            let mut measure = Command::new(program.with_file_name("versus-puppet"));
            measure.args(["measure", workload.key]).arg(directory.join("environments/production"));
            names.extend(called_by(&measure)?);
        }
        for name in names {
            *uses.entry(name).or_default() |= (1 << 31) >> number;
        }
    }
    uses.extend(BEFORE_MAIN.map(|name| (name.to_owned(), u32::MAX)));
    add_other_processors(&program, &mut uses)?;
    let mut names: Vec<(&String, &u32)> = uses.iter().collect();
    names.sort_by_key(|(_, users)| std::cmp::Reverse(**users));
    let text: String = names.iter().map(|(name, _)| format!("{name}\n")).collect();
    Ok(std::fs::write(home().join("../crates/cli/layout.txt"), text)?)
}

/// Short programs for all parts of the language, and a node with all that real modules need: catalogs first, since making
/// them is most of the work.
fn workloads() -> Result<Vec<Workload>> {
    let short = |key: &str| BUDGETED.iter().find(|(known, _)| *known == key).map(|(_, make)| make());
    let catalogs = WARM.iter().map(|key| short(key).or_else(|| workload::find(key)).ok_or("no such workload"));
    let mut all: Vec<Workload> = catalogs.collect::<std::result::Result<_, _>>()?;
    all.extend(BUDGETED.iter().filter(|(key, _)| !WARM.contains(key)).map(|(_, make)| make()));
    Ok(all)
}

/// What runs before `main`, for which Callgrind has no name.
const BEFORE_MAIN: [&str; 3] = ["_start", "frame_dummy", "__strcmp_avx2"];

/// What tells for which processors a function of the C library is, or that it is for those that know SHA.
const PROCESSORS: [&str; 7] = ["_sse", "_ssse", "_avx", "_evex", "_erms", "8compress7x86_sha", "9block_api"];

/// Some functions are there several times, of which the program takes the one that suits the processor best. Callgrind's
/// processor is an old one: the others are needed where that one is.
fn add_other_processors(program: &Path, uses: &mut BTreeMap<String, u32>) -> Result<()> {
    let family = |name: &str| PROCESSORS.iter().filter_map(|it| name.find(it)).min().map(|end| name[..end].to_owned());
    let mut families: BTreeMap<String, u32> = BTreeMap::new();
    for (name, users) in uses.iter() {
        if let Some(family) = family(name) {
            *families.entry(family).or_default() |= users;
        }
    }
    let listed = Command::new("nm").arg("--defined-only").arg("--format=just-symbols").arg(program).output()?;
    for name in String::from_utf8(listed.stdout)?.lines() {
        if let Some(users) = family(name).and_then(|family| families.get(&family)) {
            *uses.entry(name.to_owned()).or_default() |= users;
        }
    }
    Ok(())
}

/// The functions of its own that a command calls.
fn called_by(command: &Command) -> Result<BTreeSet<String>> {
    let found = std::env::temp_dir().join(format!("layout-{}.callgrind", std::process::id()));
    callgrind::watch(command, &found)?;
    let text = std::fs::read_to_string(&found)?;
    std::fs::remove_file(&found)?;
    Ok(functions(&text, &command.get_program().to_string_lossy()))
}

/// The functions of an object in what Callgrind found: `ob=` says which object the next ones are of, `fn=` begins one. A
/// name is written once, behind a number that stands for it from then on; `cob=` and `cfn=`, of calls, introduce names too.
fn functions(text: &str, program: &str) -> BTreeSet<String> {
    let (mut objects, mut names) = (BTreeMap::new(), BTreeMap::new());
    let (mut is_ours, mut called) = (false, BTreeSet::new());
    for line in text.lines() {
        let Some((kind @ ("ob" | "cob" | "fn" | "cfn"), name)) = line.split_once('=') else { continue };
        let (number, name) = name.split_once(' ').map_or((name, None), |(number, name)| (number, Some(name)));
        let known = if kind.ends_with("ob") { &mut objects } else { &mut names };
        if let Some(name) = name {
            known.insert(number, name);
        }
        match kind {
            "ob" => is_ours = known.get(number).is_some_and(|object| *object == program),
            // A function within itself is told apart by an apostrophe.
            "fn" if is_ours => {
                called.extend(known.get(number).and_then(|name| name.split('\'').next()).map(str::to_owned))
            }
            _ => {}
        }
    }
    // What has no name is told by its address, what is before `main` in brackets.
    called.retain(|name| !name.starts_with("0x") && !name.starts_with('('));
    called
}
