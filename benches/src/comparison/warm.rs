//! Compiling in a warm process: code and data have been read before, as in a server.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, json};

use super::{Measured, Row, answer, both, memory, reference};
use crate::workload::Workload;
use crate::{Result, ours};

/// Writes the files of a workload to a folder.
pub fn write_files(workload: &Workload, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder.join("modules"))?;
    for (path, text) in &workload.files {
        let target = folder.join(path);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(target, text)?;
    }
    Ok(())
}

/// Has both implementations compile a workload whose files are in a folder.
pub fn compare(workload: &Workload, folder: &Path) -> Result<Row> {
    let settings: Map<_, _> =
        workload.settings.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let work = json!({
        "mode": "compile", "folder": folder, "code": workload.code, "facts": workload.facts, "settings": settings,
        "modulepath": workload.modulepath, "repeats": workload.reference_repeats,
    });
    let program = std::env::current_exe()?;
    let ours = || answer(Command::new(&program).args(["measure", workload.key]).arg(folder), "");
    let (ours, theirs) = both(ours, || reference(&work))?;
    Ok(Row { name: workload.name.clone(), ours, theirs, goal: workload.goal })
}

/// Bunraku's part, in this process.
pub fn measure(workload: &Workload, folder: &Path) -> Result<Measured> {
    let time = ours::warm_time(workload, folder)?;
    Ok(Measured { time, memory: memory() })
}
