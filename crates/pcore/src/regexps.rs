//! Regular expressions that are shared: reading and compiling a pattern costs more than most matches do.

use std::sync::{Arc, PoisonError, RwLock};

use bunraku_syntax::Issue;
use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::regexp::Regexp;

/// How many are kept: patterns that programs make up as they go must not pile up.
const MOST: usize = 4096;

/// The regular expressions that were asked for, by their source.
#[derive(Debug, Default)]
pub struct Regexps {
    known: RwLock<FxHashMap<EcoString, Arc<Regexp>>>,
}

impl Regexps {
    /// The regular expression of a pattern.
    pub fn get(&self, source: &str) -> Result<Arc<Regexp>, Issue> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(source) {
            return Ok(known.clone());
        }
        let regexp = Arc::new(Regexp::new(source)?);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(source.into(), regexp.clone());
        Ok(regexp)
    }
}
