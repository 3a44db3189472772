//! Runs Ruby without Ruby, as far as it is known here: ERB templates, and functions of modules.
//!
//! A template becomes a tree once (`scanner`, `lower`) and is then run (`interpret`, `methods`). Whatever is not known
//! here, and every exception, leaves the template to Ruby: it has done nothing yet that could be seen, so Ruby renders it
//! from the beginning, and errors have Ruby's words.

mod class;
mod compare;
mod convert;
mod function;
mod functions;
mod interpret;
mod lower;
mod lower_control;
mod method;
mod methods;
mod pattern;
mod run;
mod scanner;
mod show;
mod tree;
mod value;

use std::sync::{Arc, Mutex, PoisonError};

pub use self::function::NativeFunction;

use rustc_hash::FxHashMap;

use self::interpret::Interpreter;
use self::run::Run;
use self::tree::Tree;
use crate::sidecar::Host;

/// So many templates are remembered; beyond that, they are generated ones.
const MOST_TEMPLATES: usize = 4096;

/// Templates that were read once, by their text; nothing for one that is not correct.
#[derive(Default)]
pub struct Templates {
    trees: Mutex<FxHashMap<Box<str>, Option<Arc<Tree>>>>,
}

impl Templates {
    /// Renders a template; nothing where only Ruby can, and then nothing has happened either, save for logs.
    pub fn render(&self, text: &str, host: &mut dyn Host) -> Option<String> {
        let tree = self.tree(text)?;
        let mut run = Run::new(host, self);
        let rendered = Interpreter::render(&tree, &mut run).ok()?;
        run.finish().ok()?;
        Some(rendered)
    }

    /// Whether a template has something in it that needs Ruby when it is reached.
    pub fn may_need_ruby(&self, text: &str) -> bool {
        self.tree(text).is_none_or(|tree| !tree.is_known)
    }

    fn tree(&self, text: &str) -> Option<Arc<Tree>> {
        let known = self.trees.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
        known.unwrap_or_else(|| {
            let tree = scanner::scan(text).and_then(|scanned| lower::lower(&scanned)).map(Arc::new);
            let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
            if trees.len() >= MOST_TEMPLATES {
                trees.clear();
            }
            trees.insert(text.into(), tree.clone());
            tree
        })
    }
}
