//! Tags: an ordered set of names by which resources are selected.

use bunraku_pcore::lowercase;
use ecow::EcoString;
use rustc_hash::FxHashSet;

/// Sets up to this size are searched one by one; larger ones get an index.
const SMALL: usize = 32;

/// How many tags a small set makes room for at once: to double it would leave half of the room empty.
const STEP: usize = 4;

/// The tags of a resource or catalog, in the order they were added.
#[derive(Debug, Clone, Default)]
pub struct Tags {
    list: Vec<EcoString>,
    index: Option<Box<FxHashSet<EcoString>>>,
}

impl Tags {
    /// Adds a tag in lower case, followed by its `::` segments. Gives false, and adds nothing, if it is not valid.
    pub fn add(&mut self, name: &str) -> bool {
        if !is_valid(name) {
            return false;
        }
        let name = lowercase(&name.into());
        if !name.as_bytes().contains(&b':') {
            self.insert(name);
        } else if self.insert(name.clone()) && name.contains("::") {
            for segment in name.split("::") {
                self.insert(segment.into());
            }
        }
        true
    }

    /// Adds all tags of another set.
    pub fn merge(&mut self, other: &Tags) {
        let own = self.list.len();
        if own + other.len() > SMALL {
            return other.iter().for_each(|tag| _ = self.insert(tag.clone()));
        }
        self.list.reserve_exact(other.len());
        for tag in other.iter() {
            // Those of the other set differ from each other.
            if !self.list.iter().take(own).any(|known| known == tag) {
                self.list.push(tag.clone());
            }
        }
    }

    /// Adds a tag as it is; gives whether it is new.
    pub fn insert(&mut self, tag: EcoString) -> bool {
        if self.contains(&tag) {
            return false;
        }
        if let Some(index) = &mut self.index {
            index.insert(tag.clone());
        }
        if self.list.len() == self.list.capacity() && self.list.len() < SMALL {
            self.list.reserve_exact(STEP);
        }
        self.list.push(tag);
        if self.index.is_none() && self.list.len() > SMALL {
            self.index = Some(Box::new(self.list.iter().cloned().collect()));
        }
        true
    }

    /// Whether the exact tag is there.
    pub fn contains(&self, tag: &str) -> bool {
        match &self.index {
            Some(index) => index.contains(tag),
            None => self.list.iter().any(|it| it == tag),
        }
    }

    /// The tags in order.
    pub fn iter(&self) -> std::slice::Iter<'_, EcoString> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Equal when the same tags are there, in whatever order.
impl PartialEq for Tags {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|tag| other.contains(tag))
    }
}

impl FromIterator<EcoString> for Tags {
    fn from_iter<I: IntoIterator<Item = EcoString>>(tags: I) -> Self {
        let mut result = Tags::default();
        for tag in tags {
            result.insert(tag);
        }
        result
    }
}

/// Whether a name can be a tag: a letter, digit or `_`, followed by those and `:`, `.` or `-`.
pub fn is_valid(name: &str) -> bool {
    let is_ascii_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    match name.as_bytes().first() {
        // Paths, the titles of most files, are told at once.
        Some(first) if first.is_ascii() && !is_ascii_word(*first) => return false,
        Some(_) if name.bytes().all(|it| is_ascii_word(it) || matches!(it, b':' | b'.' | b'-')) => return true,
        _ => {}
    }
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    // Compatibility: one line break at the end is tolerated, and kept.
    let name = name.strip_suffix('\n').unwrap_or(name);
    name.starts_with(is_word) && name.chars().all(|it| is_word(it) || matches!(it, ':' | '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_follow_their_tag() {
        let mut tags = Tags::default();
        assert!(tags.add("class"));
        assert!(tags.add("Apache::Vhost"));
        assert!(tags.add("apache"));
        assert!(!tags.add("/etc/motd"));
        let list: Vec<&str> = tags.iter().map(EcoString::as_str).collect();
        assert_eq!(list, ["class", "apache::vhost", "apache", "vhost"]);
    }

    #[test]
    fn large_sets_stay_sets() {
        let mut tags = Tags::default();
        for number in (0..200).chain(0..200) {
            tags.add(&number.to_string());
        }
        assert_eq!(tags.len(), 200);
        assert!(tags.contains("150"));
    }

    #[test]
    fn merged_sets_have_each_tag_once() {
        let numbers = |range: std::ops::Range<usize>| range.map(|number| number.to_string().into()).collect::<Tags>();
        for (first, second) in [(0..4, 2..8), (0..20, 10..30), (0..40, 30..50), (0..0, 0..3)] {
            let all = numbers(first.start..second.end);
            let mut merged = numbers(first);
            merged.merge(&numbers(second));
            assert!(merged.iter().eq(all.iter()));
        }
    }
}
