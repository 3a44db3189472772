//! `concat_fragment` of the concat module: a part of a `concat_file`, which looks for it. It has no state of its own.

use crate::context::Context;
use crate::fault::Outcome;
use crate::log::Level;
use crate::property::{Property, Values, text_of};
use crate::resource::{Generated, Given, Managed, Site};

struct ConcatFragment {
    target: Option<String>,
    tag: Option<String>,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let order = given.text("order").unwrap_or_default();
    if order.contains([':', '\n', '/']) {
        return Err(given.refuse("order", "Order cannot contain '/', ':', or '\\n'."));
    }
    let has = |name: &str| given.value(name).is_some() || given.pending.iter().any(|it| it == name);
    if !has("target") && !has("tag") {
        return Err(given.invalid("No 'target' or 'tag' set"));
    }
    match (has("source"), has("content")) {
        (false, false) => Err(given.invalid("Set either 'source' or 'content'")),
        (true, true) => Err(given.invalid("Can't use 'source' and 'content' at the same time")),
        _ => Ok(Box::new(ConcatFragment { target: given.text("target"), tag: given.text("tag") })),
    }
}

impl Managed for ConcatFragment {
    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        Ok(Values::new())
    }

    /// Makes nothing, but says if nobody wants the fragment.
    fn generate(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        let is_wanted = context.declared.of("concat_file").iter().any(|file| {
            let text = |name: &str| file.parameters.get(name).filter(|it| !it.is_undef()).map(text_of);
            let is_target = |it: &String| Some(it) == self.target.as_ref();
            let is_named = is_target(&file.reference.title.to_string()) || text("path").as_ref().is_some_and(is_target);
            is_named || (self.tag.is_some() && text("tag") == self.tag)
        });
        if !is_wanted {
            let target = self.target.as_deref().unwrap_or_default();
            let tag = self.tag.as_ref().map(|tag| format!("or tag '{tag} ")).unwrap_or_default();
            let message = format!("Target Concat_file with path or title '{target}' {tag}not found in the catalog");
            site.say(&mut context.log, Level::Warning, message);
        }
        Ok(Vec::new())
    }

    fn sync(&mut self, _: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        Ok(())
    }
}
