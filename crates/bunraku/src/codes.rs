//! What the codes of issues mean: a page for each, in words for people. A test compares them with the codes in use.

/// The pages, each below a heading with its code.
const PAGES: &str = include_str!("codes.md");

/// All codes with their pages, in the order of the alphabet.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    sections(PAGES)
}

/// The headings of a manual with what stands below them.
pub(crate) fn sections(manual: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = manual.split("\n## ").skip(1);
    sections.filter_map(|section| section.split_once('\n')).map(|(title, page)| (title, page.trim()))
}

/// What a code means and what to do about it.
pub fn page(code: &str) -> Option<&'static str> {
    all().find(|(known, _)| *known == code).map(|(_, page)| page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_in_order_and_say_something() {
        let codes: Vec<&str> = all().map(|(code, _)| code).collect();
        assert!(codes.is_sorted(), "{codes:?}");
        assert!(all().all(|(_, page)| page.len() > 20));
        assert!(page("SYNTAX_ERROR").is_some());
    }
}
