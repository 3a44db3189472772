//! How the attributes that name a resource are found in its title.

use crate::resource_type::Text;

/// What a title says about the namevars of its resource.
#[derive(Debug, Clone, Default)]
pub enum Titles {
    /// The whole title is the first namevar.
    #[default]
    Whole,
    /// The title is a path, and slashes at its end do not count.
    Path,
    /// The first pattern that matches takes the title apart.
    Patterns(Vec<TitlePattern>),
}

/// A regular expression whose groups are attributes.
#[derive(Debug, Clone)]
pub struct TitlePattern {
    /// The regular expression, in Ruby's notation.
    pub pattern: Text,
    /// The attributes its groups give, in order.
    pub captures: Vec<Text>,
}

impl TitlePattern {
    /// A pattern with the names of its groups.
    pub fn new<T: Into<Text>>(pattern: impl Into<Text>, captures: impl IntoIterator<Item = T>) -> Self {
        TitlePattern { pattern: pattern.into(), captures: captures.into_iter().map(Into::into).collect() }
    }
}

/// A path without the slashes at its end; a root such as `/` or `c:/` keeps its own.
pub fn without_trailing_slashes(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    let is_root = trimmed.is_empty() || trimmed.len() > 1 && trimmed.ends_with(':');
    match is_root {
        true => path.get(..trimmed.len() + 1).unwrap_or(path),
        false => trimmed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_keep_their_slash() {
        let check = |path, expected| assert_eq!(without_trailing_slashes(path), expected);
        check("/a/b//", "/a/b");
        check("/", "/");
        check("///", "/");
        check("c://", "c:/");
        check("c:", "c:");
        check("", "");
        check("name", "name");
    }
}
