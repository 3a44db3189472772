//! Run stages: every class belongs to one.

use ecow::eco_format;

use bunraku_catalog::Reference;
use bunraku_pcore::Value;

use super::resource::ResourceId;
use crate::compilation::Compilation;
use crate::issues;
use crate::unwind::Outcome;

impl Compilation<'_> {
    /// Puts a class into its stage: its own, that of the resource it is declared in, or `main`.
    pub(super) fn add_to_stage(&mut self, id: ResourceId) -> Outcome<()> {
        let class = self.build.table.get(id);
        if !class.is_class() {
            return Ok(());
        }
        let own = class.get("stage").cloned();
        let around =
            self.build.resource_at(class.scope).and_then(|around| self.build.table.get(around).get("stage").cloned());
        let name = own.clone().or(around).unwrap_or_else(|| Value::from("main"));
        let found = self.build.table.find(&Reference::new("Stage", &text(&name)));
        let Some(stage) = found else {
            let (stage, class) = (own.as_ref().map_or_else(|| "main".into(), text), &class.reference);
            return Err(issues::runtime(eco_format!("Could not find stage {stage} specified by {class}")).into());
        };
        let title = self.build.table.get(stage).reference.title.clone();
        if own.is_none() && title != "main" {
            self.build.table.get_mut(id).set("stage", Value::String(title));
        }
        self.build.table.contain(stage, id);
        Ok(())
    }
}

/// Compatibility: a reference is taken for the name of a stage, and so is not found.
fn text(value: &Value) -> ecow::EcoString {
    super::convert::reference_text(value).unwrap_or_else(|| eco_format!("{value}"))
}
