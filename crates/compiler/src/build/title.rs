//! What the title of a native resource says about the attributes that name it.

use ecow::EcoString;

use bunraku_catalog::ResourceType;
use bunraku_catalog::title::{Titles, without_trailing_slashes};
use bunraku_pcore::Regexp;
use bunraku_syntax::Issue;

use crate::issues;

/// Attributes and their values, in the order of the pattern.
pub(super) type Named = Vec<(EcoString, EcoString)>;

/// The attributes that a title sets.
pub(super) fn attributes(resource_type: &ResourceType, title: &EcoString) -> Result<Named, Issue> {
    let first = || resource_type.namevars.first().map_or_else(|| "name".into(), |name| EcoString::from(name.as_ref()));
    match &resource_type.titles {
        Titles::Whole => Ok(vec![(first(), title.clone())]),
        Titles::Path if title.is_empty() => Err(unmatched(title)),
        Titles::Path => Ok(vec![(first(), without_trailing_slashes(title).into())]),
        Titles::Patterns(patterns) => {
            for pattern in patterns {
                let regexp = Regexp::new(&pattern.pattern)?;
                let Some(found) = regexp.captures(title)? else { continue };
                let group = |index: usize| found.get(index + 1).map(EcoString::from);
                let named = pattern.captures.iter().enumerate();
                return Ok(named.filter_map(|(index, name)| Some((name.as_ref().into(), group(index)?))).collect());
            }
            Err(unmatched(title))
        }
    }
}

fn unmatched(title: &str) -> Issue {
    issues::runtime(format!("No set of title patterns matched the title \"{title}\"."))
}
