//! What becomes of reports: the processors of the setting `reports`, each with its own failures.

mod http;

use std::path::Path;

use bunraku::notation::yaml;
use bunraku::{Node, Value, whole_file};
use bunraku_web::Web;

use crate::{Refusal, Server};

impl Server {
    /// Gives a report to all processors; gives back the names of those that were asked.
    pub(crate) fn process_report(&self, name: &str, report: &Value) -> Result<Vec<String>, Refusal> {
        Node::check_name(name)?;
        let setting = self.setting("reports")?;
        let processors = setting.split(',').map(str::trim).filter(|it| !it.is_empty() && *it != "none");
        let mut asked = Vec::new();
        for processor in processors {
            let done = match processor {
                "store" => self.store_report(name, report),
                "log" => {
                    self.log_report(name, report);
                    Ok(())
                }
                "http" => self.send_report(report),
                unknown => Err(format!("there is no report processor '{unknown}'")),
            };
            match done {
                Ok(()) => asked.push(processor.to_owned()),
                Err(error) => self.journal.error(&format!("Report {processor} failed: {error}")),
            }
        }
        Ok(asked)
    }

    fn store_report(&self, name: &str, report: &Value) -> Result<(), String> {
        let directory = self.settings().text("reportdir").map_err(|issue| issue.to_string())?;
        let directory = format!("{directory}/{name}");
        let path = format!("{directory}/{}.yaml", jiff::Timestamp::now().strftime("%Y%m%d%H%M"));
        crate::ca::create_directory(Path::new(&directory))
            .and_then(|()| whole_file::write(Path::new(&path), &written(report)))
            .map_err(|error| format!("{path}: {error}"))
    }

    fn send_report(&self, report: &Value) -> Result<(), String> {
        let url = self.settings().text("reporturl").map_err(|issue| issue.to_string())?;
        http::send(&url, &written(report), &Web::of(self.settings())?)
    }

    fn log_report(&self, name: &str, report: &Value) {
        let Some(Value::Array(logs)) = report.get("logs") else { return };
        for log in logs.iter() {
            let part = |key: &str| log.get(key).map(ToString::to_string).unwrap_or_default();
            let message = format!("//{name}/{} {}", part("source"), part("message"));
            match part("level").as_str() {
                "err" | "alert" | "emerg" | "crit" => self.journal.error(&message),
                "warning" => self.journal.warning(&message),
                "debug" => self.journal.debug(&message),
                _ => self.journal.info(&message),
            }
        }
    }
}

/// A report as the reference writes it.
fn written(report: &Value) -> String {
    yaml::emit(report).replacen("---", "--- !ruby/object:Puppet::Transaction::Report", 1)
}
