//! The keys of `bunraku.toml`: each with what it takes, its default, the flag that does the same, and its line in
//! `docs/configuration.md`.

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Boolean,
    /// A number up to a limit.
    Number(u64),
    String,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Strings; in a variable they have commas between them.
    Strings,
    /// A path, or several with colons between them, from the directory of the file on.
    Paths,
}

/// A key of the file.
#[cfg_attr(not(test), expect(dead_code, reason = "a test makes the tables of the manual of what nobody else reads"))]
#[derive(Debug)]
pub(crate) struct Key {
    /// The table that it is in.
    pub(crate) table: &'static str,
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    /// What holds where it is not given, as the manual shows it.
    pub(crate) default: &'static str,
    /// The flag that does the same.
    pub(crate) flag: &'static str,
    pub(crate) about: &'static str,
}

impl Key {
    /// What it takes, in words.
    pub(crate) fn kind(&self) -> String {
        match self.takes {
            Takes::Boolean => "true or false".to_owned(),
            Takes::Number(most) => format!("a number from 1 to {most}"),
            Takes::String => "a string".to_owned(),
            Takes::Choice(words) => format!("one of {}", words.join(", ")),
            Takes::Strings => "a list of strings".to_owned(),
            Takes::Paths => "a path, or a list of paths".to_owned(),
        }
    }

    /// The environment variable that does the same.
    pub(crate) fn variable(&self) -> String {
        format!("BUNRAKU_{}_{}", self.table, self.name).to_uppercase()
    }
}

const fn key(
    (table, name): (&'static str, &'static str),
    takes: Takes,
    (default, flag): (&'static str, &'static str),
    about: &'static str,
) -> Key {
    Key { table, name, takes, default, flag, about }
}

/// The forms of output that `lint` has of its own.
const FORMATS: &[&str] = &["human", "plain", "json", "sarif", "github", "gitlab", "junit"];

/// All keys that have a single value, in the order of the manual.
pub(crate) const KEYS: &[Key] = &[
    key(
        ("puppet", "environment"),
        Takes::String,
        ("production", "--environment"),
        "The environment that commands work in.",
    ),
    key(
        ("puppet", "environmentpath"),
        Takes::Paths,
        ("$codedir/environments", "--environmentpath"),
        "The directories in which environments are.",
    ),
    key(
        ("puppet", "modulepath"),
        Takes::Paths,
        ("modules of the environment", "--modulepath"),
        "The directories in which modules are.",
    ),
    key(
        ("puppet", "basemodulepath"),
        Takes::Paths,
        ("$codedir/modules", "--basemodulepath"),
        "More directories with modules, after those of the environment.",
    ),
    key(
        ("puppet", "manifest"),
        Takes::Paths,
        ("manifests of the environment", "--manifest"),
        "The main manifest, or the directory of the main manifests.",
    ),
    key(
        ("puppet", "hiera_config"),
        Takes::Paths,
        ("$confdir/hiera.yaml", "--hiera_config"),
        "The configuration of Hiera's global layer.",
    ),
    key(
        ("puppet", "strict"),
        Takes::Choice(&["off", "warning", "error"]),
        ("error", "--strict"),
        "What becomes of questionable code.",
    ),
    key(
        ("puppet", "strict_variables"),
        Takes::Boolean,
        ("true", "--strict_variables"),
        "Whether unknown variables are errors.",
    ),
    key(
        ("puppet", "target"),
        Takes::Choice(&["puppet8", "openvox8", "openvox9"]),
        ("openvox8", "--target"),
        "The release to be compatible with.",
    ),
    key(("lint", "only_checks"), Takes::Strings, ("all that are on", "--only-checks"), "Run only these checks."),
    key(
        ("lint", "ignore_paths"),
        Takes::Strings,
        ("[\"vendor/**/*.pp\"]", "--ignore-paths"),
        "Patterns of paths to leave out.",
    ),
    key(
        ("lint", "top_scope_variables"),
        Takes::Strings,
        ("[]", "--top-scope-variables"),
        "Further variables that `top_scope_facts` accepts.",
    ),
    key(
        ("lint", "docs_allowed_styles"),
        Takes::Strings,
        ("[\"doc\", \"kafo\", \"strings\"]", "--docs-allowed-styles"),
        "What `parameter_documentation` accepts.",
    ),
    key(
        ("lint", "chars_per_indent"),
        Takes::Number(16),
        ("2", "--chars-per-indent"),
        "How far `strict_indent` indents.",
    ),
    key(
        ("lint", "relative"),
        Takes::Boolean,
        ("false", "--relative"),
        "Compare the layout of modules without the name of their directory.",
    ),
    key(
        ("lint", "fail_on_warnings"),
        Takes::Boolean,
        ("false", "--fail-on-warnings"),
        "Let warnings fail the run, too.",
    ),
    key(
        ("lint", "unsafe_fixes"),
        Takes::Boolean,
        ("false", "--unsafe-fixes"),
        "With `--fix`: put right also what may change the meaning.",
    ),
    key(("lint", "baseline"), Takes::Paths, ("none", "--baseline"), "A file with old findings, which are passed over."),
    key(
        ("lint", "error_level"),
        Takes::Choice(&["all", "warning", "error"]),
        ("all", "--error-level"),
        "Show only problems of a kind.",
    ),
    key(("lint", "show_ignored"), Takes::Boolean, ("false", "--show-ignored"), "Show what is passed over."),
    key(("lint", "with_context"), Takes::Boolean, ("false", "--with-context"), "Show the line of a problem."),
    key(("lint", "with_filename"), Takes::Boolean, ("false", "--with-filename"), "Show the path before a problem."),
    key(("lint", "log_format"), Takes::String, ("puppet-lint's", "--log-format"), "How to show a problem."),
    key(("lint", "format"), Takes::Choice(FORMATS), ("puppet-lint's", "--format"), "The form of the report."),
    key(
        ("fmt", "indent"),
        Takes::Number(16),
        ("`indent_size` of `.editorconfig`, or 2", "--indent"),
        "How many blanks a step of indentation has.",
    ),
    key(
        ("fmt", "quotes"),
        Takes::Choice(&["single", "keep"]),
        ("single", "--quotes"),
        "What becomes of double quotes that are not needed.",
    ),
    key(("fmt", "exclude"), Takes::Strings, ("[]", "--exclude"), "Patterns of paths to leave out."),
];

/// The key of a table by its name.
pub(crate) fn find(table: &str, name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.table == table && key.name == name)
}
