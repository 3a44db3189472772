//! Paths as other programs want them: relative to where the project begins, or as a URI.

use std::fmt::Write;

/// A path relative to a root, if it is below that.
pub(super) fn relative<'p>(path: &'p str, root: &str) -> Option<&'p str> {
    let path = path.strip_prefix("./").unwrap_or(path);
    if !path.starts_with('/') {
        return Some(path).filter(|path| !path.starts_with("../") && !path.starts_with('<'));
    }
    path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/')
}

/// A path relative to a root, or else as it is.
pub(super) fn shown<'p>(path: &'p str, root: &str) -> &'p str {
    relative(path, root).unwrap_or(path)
}

/// A path in which everything that means something in a URI is written as a percent code.
pub(super) fn percent_encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte))
            }
            // Writing to a string cannot fail.
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_where_they_can_be() {
        assert_eq!(relative("/site/a.pp", "/site"), Some("a.pp"));
        assert_eq!(relative("/site/a.pp", "/"), Some("site/a.pp"));
        assert_eq!(relative("/sites/a.pp", "/site"), None);
        assert_eq!(relative("a b.pp", "/site"), Some("a b.pp"));
        assert_eq!(relative("./m/a.pp", "/site"), Some("m/a.pp"));
        assert_eq!(relative("../a.pp", "/site"), None);
        assert_eq!(relative("<stdin>", "/site"), None);
    }

    #[test]
    fn uris_have_no_letters_that_mean_something_else() {
        assert_eq!(percent_encoded("m/a b#ü.pp"), "m/a%20b%23%C3%BC.pp");
    }
}
