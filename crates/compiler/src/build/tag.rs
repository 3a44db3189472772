//! Tags of the resource that surrounds a place.

use bunraku_pcore::Value;

use super::issues as build_issues;
use super::location::at_place;
use super::resource::add_listed_tags;
use crate::frame::Frame;
use crate::issues;
use crate::unwind::Outcome;

impl Frame<'_, '_> {
    /// Tags the class or defined type around.
    pub fn tag(&mut self, tags: &Value) -> Outcome<()> {
        let build = &mut self.compilation.build;
        let Some(id) = build.resource_at(self.scope) else { return Ok(()) };
        let resource = build.table.get_mut(id);
        let place = resource.place;
        add_listed_tags(&mut resource.tags, tags).map_err(|tag| {
            let issue = build_issues::invalid_tag(tag);
            match place {
                Some(_) => at_place(issue, place),
                None => issues::runtime(issue.message()).into(),
            }
        })
    }

    /// Whether the catalog or the resource around has a tag, which is in lower case.
    pub fn is_tagged(&self, tag: &str) -> bool {
        let build = &self.compilation.build;
        let around = build.resource_at(self.scope);
        build.tags.contains(tag) || around.is_some_and(|id| build.is_tagged(id, &[tag.into()]))
    }
}
