//! Compiling in a warm process: code and data have been read before, as in a server.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, json};

use super::{Measured, Row, answer, both, memory, reference};
use crate::workload::Workload;
use crate::{Result, ours};

/// Writes the files of a workload to a directory.
pub fn write_files(workload: &Workload, directory: &Path) -> Result<()> {
    std::fs::create_dir_all(directory.join("modules"))?;
    for (path, text) in &workload.files {
        let target = directory.join(path);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(target, text)?;
    }
    Ok(())
}

/// Has both implementations compile a workload whose files are in a directory.
pub fn compare(workload: &Workload, directory: &Path) -> Result<Row> {
    let settings: Map<_, _> =
        workload.settings.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let work = json!({
        "mode": "compile", "directory": directory, "code": workload.code, "facts": workload.facts, "settings": settings,
        "modulepath": workload.modulepath, "repeats": workload.reference_repeats,
    });
    let program = std::env::current_exe()?;
    let ours = || answer(Command::new(&program).args(["measure", workload.key]).arg(directory), "");
    let (ours, theirs) = both(ours, || reference(&work))?;
    Ok(Row { name: workload.name.clone(), ours, theirs, goal: workload.goal })
}

/// Bunraku's part, in this process.
pub fn measure(workload: &Workload, directory: &Path) -> Result<Measured> {
    let (compiler, node) = (ours::compiler(workload, Some(directory))?, ours::node(workload)?);
    let time = ours::warm_time(&compiler, &node)?;
    // While there is a catalog.
    let catalog = ours::compile(&compiler, &node)?;
    let memory = memory();
    drop(catalog);
    Ok(Measured { time, memory })
}
