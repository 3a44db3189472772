//! Where the data of a level is, once its paths are interpolated.

use ecow::EcoString;

/// A file or address of data.
#[derive(Debug, Clone)]
pub(crate) struct Location {
    /// As the configuration has it.
    pub(crate) original: EcoString,
    /// The path or address.
    pub(crate) text: EcoString,
    pub(crate) is_uri: bool,
    pub(crate) exists: bool,
}

/// Joins two paths as Ruby's `Pathname#+` does: `..` at the beginning of the second takes back directories of the first.
pub(crate) fn plus(first: &str, second: &str) -> String {
    if second.starts_with('/') || first.is_empty() {
        return second.to_owned();
    }
    let mut directory = first.trim_end_matches('/');
    let mut rest = second;
    loop {
        let (part, after) = rest.split_once('/').unwrap_or((rest, ""));
        let has_directory = directory.rsplit('/').next().is_some_and(|last| !matches!(last, "" | ".."));
        match part {
            "." | "" if !rest.is_empty() => rest = after,
            ".." if has_directory => {
                directory = directory.rsplit_once('/').map_or("", |(parent, _)| parent);
                rest = after;
            }
            ".." if directory.is_empty() && first.starts_with('/') => rest = after,
            _ => break,
        }
    }
    match (directory, rest) {
        ("", rest) if first.starts_with('/') => format!("/{rest}"),
        ("", rest) => rest.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, rest) => format!("{directory}/{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::plus;

    #[test]
    fn paths_are_joined_as_ruby_joins_them() {
        let check = |first, second, expected: &str| assert_eq!(plus(first, second), expected, "{first} + {second}");
        check("/a/b", "c.yaml", "/a/b/c.yaml");
        check("/a/b", "../c", "/a/c");
        check("/a/b", "./c/../d", "/a/b/c/../d");
        check("/a/b", "/c", "/c");
        check("/a", "../../c", "/c");
        check("/a/b", "..", "/a");
        check("/a/b", "", "/a/b");
    }
}
