//! What the data types are: a page for each, in words for people, with examples that are true.

use crate::codes::sections;

/// The pages, each below a heading with its name.
const PAGES: &str = include_str!("data_types.md");

/// All data types with their pages, in the order of the alphabet.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    sections(PAGES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_type_has_a_page() {
        let names: Vec<&str> = all().map(|(name, _)| name).collect();
        let mut known = crate::Type::names();
        // What the functions of a Hiera backend and the like are handed is told with them.
        known.retain(|name| !name.contains("::"));
        known.sort_by_key(|name| name.to_lowercase());
        assert_eq!(names, known);
    }
}
