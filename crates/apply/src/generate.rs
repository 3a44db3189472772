//! Resources that make resources: some before anything is applied, some when their turn comes.

use std::path::Path;

use bunraku_catalog::Reference;
use indexmap::IndexMap;

use crate::fault::Fault;
use crate::log::Level;
use crate::resource::{Body, Generated, Resource, Site};
use crate::transaction::Transaction;

impl Transaction<'_, '_> {
    /// Lets all resources make those that belong to them, and those again.
    pub(crate) fn generate(&mut self) {
        for number in self.built.order.clone() {
            self.generate_from(number);
        }
    }

    fn generate_from(&mut self, parent: usize) {
        let Some(Resource { site, body: Body::Managed(managed) }) = self.built.resources.get_mut(parent) else {
            return;
        };
        let is_before = managed.is_depth_first();
        let site = site.clone();
        let generated = match managed.generate(&site, self.context) {
            Ok(generated) => generated,
            Err(fault) => return self.complain(&site, "generate", &fault),
        };
        // Each goes right after its maker, so the last goes first.
        let ordered: Vec<Generated> = if is_before { generated } else { generated.into_iter().rev().collect() };
        for generated in ordered {
            match self.built.generated(generated, &site, self.context) {
                Ok(Some(resource)) => {
                    let number = self.built.insert(resource, parent, is_before);
                    let (first, second) = if is_before { (number, parent) } else { (parent, number) };
                    self.built.order(first, second);
                    self.generate_from(number);
                }
                Ok(None) => {}
                Err(fault) => self.complain(&site, "generate", &fault),
            }
        }
    }

    /// Lets a resource make those that belong to it, now that its turn has come. Whoever waits for it waits for them too.
    pub(crate) fn generate_late(&mut self, parent: usize) {
        let Some(Resource { site, body: Body::Managed(managed) }) = self.built.resources.get_mut(parent) else {
            return;
        };
        let generated = match managed.generate_late(site, self.context) {
            Ok(generated) if generated.is_empty() => return,
            Ok(generated) => generated,
            Err(fault) => {
                let site = site.clone();
                return self.complain(&site, "eval_generate", &fault);
            }
        };
        let site = site.clone();
        let mut made: IndexMap<String, usize> = IndexMap::new();
        for generated in generated {
            match self.built.generated(generated, &site, self.context) {
                Ok(Some(resource)) => {
                    let number = self.built.resources.len();
                    made.insert(resource.site.reference.title.to_string(), number);
                    self.built.resources.push(resource);
                    self.graph.add_inside(parent, number);
                }
                Ok(None) => {}
                Err(fault) => self.complain(&site, "eval_generate", &fault),
            }
        }
        let title = site.reference.title.to_string();
        let end = self.built.resources.len();
        let is_noop = self.context.options.noop;
        let completed = Site {
            reference: Reference::new("whit", &format!("completed_{title}")),
            label: title.clone(),
            path: title,
            is_noop,
            schedule: None,
            file: None,
            line: None,
            ..site
        };
        self.built.resources.push(Resource { site: completed, body: Body::End });
        self.graph.add_inside(parent, end);
        self.graph.redirect(parent, end);
        for (title, number) in &made {
            self.connect(*number, end, true);
            // Who is inside another one that was made comes after it.
            let mut above = Path::new(title).ancestors().skip(1).filter_map(Path::to_str);
            let nearest = above.find_map(|path| made.get(path)).copied();
            self.connect(nearest.unwrap_or(parent), *number, false);
        }
        self.connect(parent, end, true);
        self.graph.recount();
    }

    /// Connects two resources unless they are connected the other way round.
    fn connect(&mut self, first: usize, second: usize, tells: bool) {
        if !self.graph.is_connected(second, first) {
            self.graph.connect(first, second, tells);
        }
    }

    fn complain(&mut self, site: &Site, how: &str, fault: &Fault) {
        self.generation_failed = true;
        let message = format!("Failed to generate additional resources using '{how}': {fault}");
        site.say(&mut self.context.log, Level::Err, message);
    }
}
