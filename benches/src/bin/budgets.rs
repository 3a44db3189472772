//! `budgets`: how many instructions the hot paths take, counted by Callgrind and compared with `benches/budgets.txt`.
//!
//! Unlike times, counts do not depend on what else a machine does. `cargo run --profile fast -p bunraku-benches --bin
//! budgets` fails where a count is more than 5 % over its budget; with `--accept` it writes the counts as the new budgets.
//! The budgets hold for the version of Rust that is named in their first line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use bunraku_benches::comparison::home;
use bunraku_benches::workload::BUDGETED;
use bunraku_benches::{Result, ours};

/// What a count may be over its budget, in hundredths.
const TOLERANCE: u64 = 5;

/// The manifest that is parsed many times over.
const MANIFEST: &str = include_str!("../../../examples/control_repo/site-modules/profile/manifests/web.pp");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [mode, key] if mode == "run" => run(key).map(|()| true),
        [mode] if mode == "--accept" => accept().map(|()| true),
        [] => check(),
        _ => Err("usage: budgets [--accept]".into()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("Error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Does one piece of work, for Callgrind to watch.
fn run(key: &str) -> Result<()> {
    if key == "parse" {
        (0..200).for_each(|_| _ = std::hint::black_box(ours::check(MANIFEST)));
        return Ok(());
    }
    let (_, make) = BUDGETED.iter().find(|(known, _)| *known == key).ok_or("no such workload")?;
    std::hint::black_box(ours::catalog_text(&make())?);
    Ok(())
}

fn count(key: &str) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["run", key])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : ")).filter(|_| output.status.success());
    let (_, number) = collected.ok_or_else(|| format!("nothing was counted:\n{said}"))?;
    Ok(number.trim().parse()?)
}

fn keys() -> Vec<&'static str> {
    std::iter::once("parse").chain(BUDGETED.iter().map(|(key, _)| *key)).collect()
}

fn file() -> PathBuf {
    home().join("budgets.txt")
}

fn compiler() -> Result<String> {
    let output = Command::new("rustc").arg("--version").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn accept() -> Result<()> {
    let mut text = format!("# {}\n", compiler()?);
    for key in keys() {
        writeln!(text, "{key} {}", count(key)?)?;
    }
    Ok(std::fs::write(file(), text)?)
}

/// Whether every count is within its budget.
fn check() -> Result<bool> {
    let text = std::fs::read_to_string(file())?;
    let known = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
    if known != compiler()? {
        return Err(format!("the budgets are those of {known}, this is {}: accept new ones", compiler()?).into());
    }
    let pairs = text.lines().skip(1).filter_map(|line| line.split_once(' '));
    let budgets: BTreeMap<&str, u64> = pairs.map(|(key, count)| Ok((key, count.parse()?))).collect::<Result<_>>()?;
    let mut is_within = true;
    for key in keys() {
        let budget = *budgets.get(key).ok_or_else(|| format!("{key} has no budget"))?;
        let count = count(key)?;
        let is_over = count > budget + budget * TOLERANCE / 100;
        let change = (count as f64 / budget as f64 - 1.0) * 100.0;
        println!(
            "{key:<14} {count:>13} of {budget:>13} {change:>+6.1} %{}",
            if is_over { "  over budget" } else { "" }
        );
        is_within &= !is_over;
    }
    Ok(is_within)
}
