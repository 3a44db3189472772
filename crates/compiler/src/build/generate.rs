//! The loop in which collectors and defined types make new resources, until none is left to be made.

use super::issues as build_issues;
use super::resource::ResourceId;
use crate::compilation::Compilation;
use crate::unwind::Outcome;

/// More rounds than this mean that there is no end.
const MOST_ROUNDS: usize = 1000;

impl Compilation<'_> {
    /// Evaluates collectors and bodies in turns until nothing new comes of it.
    pub(crate) fn evaluate_generators(&mut self) -> Outcome<()> {
        for _ in 0..=MOST_ROUNDS {
            let has_collected = self.evaluate_collectors()?;
            let has_evaluated = self.evaluate_pending()?;
            if !has_collected && !has_evaluated {
                return Ok(());
            }
        }
        Err(build_issues::endless_generation().nowhere().into())
    }

    /// Evaluates the bodies that wait now; what they declare waits for the next round.
    fn evaluate_pending(&mut self) -> Outcome<bool> {
        let mut due: Vec<ResourceId> = Vec::new();
        let table = &self.build.table;
        self.build.pending.retain(|id| {
            let resource = table.get(*id);
            let is_due = !resource.is_evaluated && !resource.is_virtual;
            if is_due {
                due.push(*id);
            }
            !is_due && !resource.is_evaluated
        });
        for id in &due {
            if let Err(unwind) = self.evaluate_resource(*id) {
                return Err(self.late_error(unwind, self.build.table.get(*id).place));
            }
        }
        Ok(!due.is_empty())
    }
}
