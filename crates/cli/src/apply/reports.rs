//! What becomes of the report of a run on this machine: the processors of the setting `reports`.

use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

use bunraku::apply::{Level, Log};
use bunraku::{Settings, Value, notation, whole_file};

/// Gives a report to all processors. What one of them fails at is told and does not stop the others.
pub(super) fn process(settings: &Settings, name: &str, report: &Value, console: &mut Log) -> Result<(), String> {
    let processors = settings.text("reports").map_err(|issue| issue.to_string())?;
    for processor in processors.split(',').map(str::trim).filter(|it| !it.is_empty() && *it != "none") {
        let done = match processor {
            "store" => store(settings, name, report),
            "log" => {
                tell(name, report, console);
                Ok(())
            }
            "http" => Err("a run on this machine does not send its report; an agent does".to_owned()),
            unknown => {
                console.say(Level::Warning, format!("No report named '{unknown}'"));
                Ok(())
            }
        };
        if let Err(reason) = done {
            console.say(Level::Err, format!("Report processor failed: {processor}: {reason}"));
        }
    }
    Ok(())
}

/// Keeps the report next to those of earlier runs.
fn store(settings: &Settings, name: &str, report: &Value) -> Result<(), String> {
    let directory = settings.text("reportdir").map_err(|issue| issue.to_string())?;
    let directory = Path::new(&directory).join(name);
    let path = directory.join(format!("{}.yaml", jiff::Timestamp::now().strftime("%Y%m%d%H%M")));
    let text = notation::yaml::emit(report).replacen("---", "--- !ruby/object:Puppet::Transaction::Report", 1);
    let prepare = |file: &std::fs::File| file.set_permissions(Permissions::from_mode(0o640));
    DirBuilder::new()
        .recursive(true)
        .mode(0o750)
        .create(&directory)
        .and_then(|()| whole_file::write_for(&path, text.as_bytes(), prepare))
        .map_err(|error| format!("{}: {}", path.display(), bunraku::reason(&error)))
}

/// Tells all that was told in the run once more, in the name of the machine.
fn tell(name: &str, report: &Value, console: &mut Log) {
    let Some(Value::Array(logs)) = report.get("logs") else { return };
    for entry in logs.iter() {
        let part = |key: &str| entry.get(key).map(ToString::to_string).unwrap_or_default();
        let level = Level::named(&part("level")).unwrap_or(Level::Notice);
        console.say_as(&format!("//{name}/{}", part("source")), level, part("message"));
    }
}
