//! Where a thing with a given name is defined: the only place that maps names to paths.

use bunraku_syntax::FileNamespace;

/// A file in which something may be defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The module, or nothing for the environment itself.
    pub(crate) module: Option<String>,
    /// The path relative to the directory of the module or environment.
    pub(crate) path: String,
}

impl Candidate {
    fn in_module(module: &str, path: String) -> Self {
        Candidate { module: Some(module.to_owned()), path }
    }

    fn in_environment(path: String) -> Self {
        Candidate { module: None, path }
    }
}

impl Candidate {
    /// What the place of the file says about the names it may define.
    pub(crate) fn namespace(&self) -> FileNamespace {
        let Some(module) = &self.module else { return FileNamespace::Any };
        match self.path.split_once('/') {
            Some(("manifests" | "functions" | "types" | "plans", "init.pp")) => {
                FileNamespace::Module(module.to_lowercase().into())
            }
            Some(("manifests" | "functions" | "types" | "plans", rest)) => {
                let name = rest.trim_end_matches(".pp").replace('/', "::");
                FileNamespace::Module(format!("{module}::{name}").to_lowercase().into())
            }
            _ => FileNamespace::Misplaced,
        }
    }
}

/// No file has a longer path, so names that programs make up need not be looked for.
const LONGEST_PATH: usize = 4096;

/// The module of a qualified name, and the files that may define the class or defined type, in the order they are
/// tried. `init.pp` is always read first, whatever is looked for.
pub(crate) fn manifests(name: &str) -> Vec<Candidate> {
    let Some(segments) = segments(name) else {
        return Vec::new();
    };
    let Some((module, rest)) = segments.split_first() else {
        return Vec::new();
    };
    let mut size = 0;
    let count = rest.iter().take_while(|segment| {
        size += segment.len() + 1;
        size < LONGEST_PATH
    });
    let count = count.count();
    let specific = (1..=count).rev().filter_map(|length| rest.get(..length)).map(|path| path.join("/"));
    std::iter::once("init".to_owned())
        .chain(specific)
        .map(|path| Candidate::in_module(module, format!("manifests/{path}.pp")))
        .collect()
}

/// The file that may define a function in the Puppet language.
pub(crate) fn function(name: &str) -> Option<Candidate> {
    one_per_file(name, "functions")
}

/// The file that may define a type alias; that of a module's own name is its type set.
pub(crate) fn type_alias(name: &str) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = one_per_file(name, "types").into_iter().collect();
    if !name.contains("::") && segments(name).is_some() {
        candidates.push(Candidate::in_module(name, "types/init_typeset.pp".to_owned()));
    }
    candidates
}

/// Global names belong to the environment; so do those that begin with `environment`, which keep that segment in
/// the path. All other names belong to the module they begin with.
fn one_per_file(name: &str, directory: &str) -> Option<Candidate> {
    let segments = segments(name)?;
    match segments.as_slice() {
        [] => None,
        [global] => Some(Candidate::in_environment(format!("{directory}/{global}.pp"))),
        ["environment", ..] => Some(Candidate::in_environment(format!("{directory}/{}.pp", segments.join("/")))),
        [module, rest @ ..] => Some(Candidate::in_module(module, format!("{directory}/{}.pp", rest.join("/")))),
    }
}

/// The file that describes a resource type, as made by `generate types`.
pub(crate) fn generated_resource_type(name: &str) -> Option<String> {
    Some(format!(".resource_types/{}.pp", segments(name)?.join("/")))
}

/// What the name of a file in a directory of Ruby code defines: `a/b.rb` is `a::b`.
pub(crate) fn ruby_name(path: &str) -> Option<String> {
    Some(path.strip_suffix(".rb")?.replace('/', "::"))
}

/// The module and the path below its directory that `module/path` stands for.
pub(crate) fn module_file(reference: &str) -> Option<(&str, &str)> {
    let (module, path) = reference.split_once('/')?;
    (!module.is_empty() && !path.is_empty()).then_some((module, path))
}

/// The segments of a name, if every one of them can be a file name.
fn segments(name: &str) -> Option<Vec<&str>> {
    let is_word = |segment: &str| !segment.is_empty() && segment.chars().all(|it| it.is_alphanumeric() || it == '_');
    let segments: Vec<&str> = name.split("::").collect();
    segments.iter().all(|segment| is_word(segment)).then_some(segments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(candidates: impl IntoIterator<Item = Candidate>) -> Vec<String> {
        let show = |it: Candidate| format!("{}/{}", it.module.as_deref().unwrap_or("ENV"), it.path);
        candidates.into_iter().map(show).collect()
    }

    #[test]
    fn names_that_are_longer_than_paths_have_no_files() {
        let candidates = manifests(&"a::".repeat(100_000));
        assert_eq!(candidates.len(), 0);
        assert_eq!(manifests(&vec!["a"; 100_000].join("::")).len(), 1 + LONGEST_PATH / 2 - 1);
    }

    #[test]
    fn manifests_are_tried_in_order() {
        let check = |name, expected: &[&str]| assert_eq!(show(manifests(name)), expected, "{name}");
        check("m", &["m/manifests/init.pp"]);
        check("m::a::b", &["m/manifests/init.pp", "m/manifests/a/b.pp", "m/manifests/a.pp"]);
        check("", &[]);
        check("m::../../x", &[]);
    }

    #[test]
    fn functions_and_aliases_have_files_of_their_own() {
        assert_eq!(show(function("m::f")), ["m/functions/f.pp"]);
        assert_eq!(show(function("m::a::f")), ["m/functions/a/f.pp"]);
        assert_eq!(show(function("f")), ["ENV/functions/f.pp"]);
        assert_eq!(show(function("environment::f")), ["ENV/functions/environment/f.pp"]);
        assert_eq!(show(type_alias("m::t")), ["m/types/t.pp"]);
        assert_eq!(show(type_alias("m")), ["ENV/types/m.pp", "m/types/init_typeset.pp"]);
    }
}
