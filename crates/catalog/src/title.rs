//! How the attributes that name a resource are found in its title.

use std::sync::OnceLock;

use bunraku_pcore::Regexp;
use bunraku_syntax::Issue;
use ecow::EcoString;

use crate::issues;
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

/// Attributes by name.
pub type Found<'t> = Vec<(&'t str, EcoString)>;

impl Titles {
    /// The attributes that a title gives, for a type with these namevars.
    pub fn take_apart<'t>(&'t self, title: &str, namevars: &'t [Text]) -> Result<Found<'t>, Issue> {
        let first = namevars.first().map_or("name", |namevar| namevar);
        match self {
            Titles::Whole => Ok(vec![(first, title.into())]),
            Titles::Path if title.is_empty() => Err(issues::title_not_matched(title)),
            Titles::Path => Ok(vec![(first, without_trailing_slashes(title).into())]),
            Titles::Patterns(patterns) => {
                for pattern in patterns {
                    if let Some(found) = pattern.take_apart(title)? {
                        return Ok(found);
                    }
                }
                Err(issues::title_not_matched(title))
            }
        }
    }
}

/// A regular expression whose groups are attributes.
#[derive(Debug, Clone)]
pub struct TitlePattern {
    /// The regular expression, in Ruby's notation.
    pub pattern: Text,
    /// The attributes its groups give, in order.
    pub captures: Vec<Text>,
    regexp: OnceLock<Result<Regexp, Issue>>,
}

impl TitlePattern {
    /// A pattern with the names of its groups.
    pub fn new<T: Into<Text>>(pattern: impl Into<Text>, captures: impl IntoIterator<Item = T>) -> Self {
        TitlePattern {
            pattern: pattern.into(),
            captures: captures.into_iter().map(Into::into).collect(),
            regexp: OnceLock::new(),
        }
    }

    fn take_apart(&self, title: &str) -> Result<Option<Found<'_>>, Issue> {
        let regexp = self.regexp.get_or_init(|| Regexp::new(&self.pattern)).as_ref().map_err(Clone::clone)?;
        let Some(captures) = regexp.captures(title)? else {
            return Ok(None);
        };
        let groups = captures.iter().skip(1);
        let found = self.captures.iter().zip(groups);
        Ok(Some(found.filter_map(|(name, text)| Some((&**name, text?.into()))).collect()))
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
    #[expect(clippy::unwrap_used, reason = "a test states its expectation")]
    fn patterns_are_tried_in_order() {
        let check = |type_name, title, expected: &[(&str, &str)]| {
            let resource_type = crate::resource_types::builtin(type_name).unwrap();
            let found = resource_type.titles.take_apart(title, &resource_type.namevars).unwrap();
            let found: Vec<(&str, &str)> = found.iter().map(|(name, text)| (*name, text.as_str())).collect();
            assert_eq!(found, expected);
        };
        check("sshkey", "a@rsa", &[("name", "a"), ("type", "rsa")]);
        check("sshkey", "a", &[("name", "a")]);
        check("file", "/a/", &[("path", "/a")]);
        check("package", "vim", &[("name", "vim")]);
        let sshkey = crate::resource_types::builtin("sshkey").unwrap();
        assert!(sshkey.titles.take_apart("", &sshkey.namevars).is_err());
    }

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
