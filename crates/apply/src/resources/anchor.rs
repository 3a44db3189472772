//! `anchor`: a point in the order, which passes on refreshes.

use crate::context::Context;
use crate::fault::Outcome;
use crate::property::{Property, Values};
use crate::resource::{Given, Managed, Site};

struct Anchor;

pub(super) fn build(_: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    Ok(Box::new(Anchor))
}

impl Managed for Anchor {
    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        Ok(Values::new())
    }

    fn sync(&mut self, _: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        Ok(())
    }

    fn is_refreshable(&self) -> bool {
        true
    }
}
