//! Paths as Ruby's `File` takes them apart.

/// The last part of a path, without a suffix if it has it; `.*` stands for any ending.
pub(crate) fn basename<'p>(path: &'p str, suffix: &str) -> &'p str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "" } else { "/" };
    }
    let name = trimmed.rsplit('/').next().unwrap_or(trimmed);
    let suffix = if suffix == ".*" { extname(name) } else { suffix };
    match name.strip_suffix(suffix) {
        Some(stem) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The path without its last part.
pub(crate) fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/') {
        Some(end) => {
            let directory = trimmed.get(..end).unwrap_or_default().trim_end_matches('/');
            if directory.is_empty() { "/" } else { directory }
        }
        None if trimmed.is_empty() && !path.is_empty() => "/",
        None => ".",
    }
}

/// The ending of a file name with its dot; a name that begins with a dot needs another one.
pub(crate) fn extname(path: &str) -> &str {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let visible = name.trim_start_matches('.');
    match visible.rfind('.') {
        Some(start) if start > 0 => visible.get(start..).unwrap_or_default(),
        _ => "",
    }
}

/// Whether a path is absolute on Unix or on Windows.
pub(crate) fn is_absolute(path: &str) -> bool {
    let is_slash = |letter: char| matches!(letter, '/' | '\\');
    let mut letters = path.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some('/'), ..) => true,
        (Some(drive), Some(':'), Some(slash)) => drive.is_ascii_alphabetic() && is_slash(slash),
        (Some(first), Some(second), Some(_)) if is_slash(first) && is_slash(second) => {
            let mut parts = path.trim_start_matches(is_slash).split(is_slash);
            let is_name = |part: Option<&str>| part.is_some_and(|part| !part.is_empty());
            is_name(parts.next()) && is_name(parts.next())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart_as_in_ruby() {
        let check = |path: &str, base: &str, directory: &str, ending: &str| {
            assert_eq!((basename(path, ""), dirname(path), extname(path)), (base, directory, ending), "{path}");
        };
        check("/a/b.txt", "b.txt", "/a", ".txt");
        check("a", "a", ".", "");
        check("/", "/", "/", "");
        check("/a/", "a", "/", "");
        check("a//b", "b", "a", "");
        check(".bashrc", ".bashrc", ".", "");
        check("x.tar.gz", "x.tar.gz", ".", ".gz");
        assert_eq!(basename("/a/b.txt", ".*"), "b");
        assert_eq!(basename("b.txt", "b.txt"), "b.txt");
        assert!(is_absolute("C:/x") && is_absolute(r"\\host\share") && is_absolute("/x") && !is_absolute("x"));
    }
}
