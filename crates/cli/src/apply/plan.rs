//! Plans: what a run would change, written down, looked at by somebody, and then done exactly so or not at all.

use std::path::Path;

use bunraku::apply::Change;
use bunraku::{Catalog, Disk, World, whole_file, wire};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a run would do.
pub(super) struct Plan {
    node: String,
    /// A checksum of the resources of the catalog, secrets included.
    catalog: String,
    changes: Vec<String>,
}

impl Plan {
    /// The plan of a catalog.
    pub(super) fn new(catalog: &Catalog, changes: &[Change]) -> Result<Plan, String> {
        let options = wire::Options { is_reproducible: true, ..wire::Options::default() };
        let text = wire::to_json(catalog, options).map_err(|issue| issue.to_string())?;
        let sum: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        let line = |it: &Change| match &it.property {
            Some(property) => format!("{}/{property}: {}", it.resource, it.message),
            None => format!("{}: {}", it.resource, it.message),
        };
        Ok(Plan { node: catalog.name.to_string(), catalog: sum, changes: changes.iter().map(line).collect() })
    }

    /// Reads a plan.
    pub(super) fn read(path: &str) -> Result<Plan, String> {
        let wrong = |reason: String| format!("Could not read the plan {path}: {reason}");
        let text = Disk.read_text(path).map_err(|error| wrong(bunraku::reason(&error)))?;
        let plan: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let text = |name: &str| plan.get(name).and_then(Value::as_str).map(str::to_owned);
        let changes = plan.get("changes").and_then(Value::as_array);
        let changes = changes.map(|all| all.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        match (text("node"), text("catalog"), changes) {
            (Some(node), Some(catalog), Some(changes)) => Ok(Plan { node, catalog, changes }),
            _ => Err(wrong("it has no node, catalog and changes; write it with --plan".to_owned())),
        }
    }

    /// Writes it down.
    pub(super) fn write(&self, path: &str) -> Result<(), String> {
        let plan = json!({ "node": self.node, "catalog": self.catalog, "changes": self.changes });
        let text = serde_json::to_string_pretty(&plan).map_err(|error| error.to_string())? + "\n";
        whole_file::write(Path::new(path), &text)
            .map_err(|error| format!("Could not write the plan {path}: {}", bunraku::reason(&error)))
    }

    /// How many changes it has.
    pub(super) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Refuses to go on if another plan was approved; says what differs.
    pub(super) fn check(&self, approved: &Plan) -> Result<(), String> {
        let mut reasons = Vec::new();
        if self.node != approved.node {
            reasons.push(format!("it is for the node {}", approved.node));
        }
        if self.catalog != approved.catalog {
            reasons.push("the catalog is another one".to_owned());
        }
        let missing = |from: &Plan, than: &Plan, what: &str| -> Vec<String> {
            let lines = from.changes.iter().filter(|line| !than.changes.contains(line));
            lines.map(|line| format!("{what}: {line}")).collect()
        };
        reasons.extend(missing(self, approved, "not approved"));
        reasons.extend(missing(approved, self, "no longer needed"));
        if reasons.is_empty() && self.changes != approved.changes {
            reasons.push("the order of the changes is another one".to_owned());
        }
        if reasons.is_empty() {
            return Ok(());
        }
        Err(format!("Nothing was applied, the approved plan does not fit any more:\n  {}", reasons.join("\n  ")))
    }
}
