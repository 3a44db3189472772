//! The programs that both implementations run.

mod catalog;
mod data;
mod language;
mod types;

/// A program and the environment it is compiled in.
#[derive(Debug, Clone, Default)]
pub struct Workload {
    /// What it is called on a command line.
    pub key: &'static str,
    /// What it shows.
    pub name: String,
    /// The main manifest.
    pub code: String,
    /// Files of the environment: modules, data.
    pub files: Vec<(String, String)>,
    /// More modules.
    pub modulepath: Option<&'static str>,
    /// The file with the facts of the node.
    pub facts: Option<String>,
    /// Settings that are not the defaults.
    pub settings: Vec<(&'static str, &'static str)>,
    /// How much faster it is to be.
    pub goal: u32,
    /// How often the reference repeats it; what takes it minutes is done once.
    pub reference_repeats: usize,
}

impl Workload {
    fn new(key: &'static str, name: impl Into<String>, goal: u32, code: impl Into<String>) -> Workload {
        Workload { key, name: name.into(), code: code.into(), goal, reference_repeats: 3, ..Workload::default() }
    }

    fn once(self) -> Workload {
        Workload { reference_repeats: 1, ..self }
    }

    fn with_files(self, files: Vec<(String, String)>) -> Workload {
        Workload { files, ..self }
    }
}

/// Makes a workload.
pub type Make = fn() -> Workload;

/// All of them, in the order of the table. Each is made when it is needed, so that it counts alone.
const ALL: [(&str, Make); 16] = [
    ("data", || types::data(100_000)),
    ("aliases", types::recursive_aliases),
    ("structs", types::structs),
    ("inference", types::inference),
    ("calls", || language::calls(1_000_000).once()),
    ("iteration", || language::iterations(1_000_000).once()),
    ("reduce", || language::reduction(100_000).once()),
    ("interpolation", || language::interpolations(100_000)),
    ("case", language::cases),
    ("regexps", language::regexps),
    ("classes", catalog::classes),
    ("defines", || catalog::defined_types(2_000)),
    ("files", || catalog::files(5_000)),
    ("real", catalog::real_node),
    ("lookups", || data::lookups(10_000)),
    ("templates", data::templates),
];

/// What all of them are called.
pub fn keys() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(key, _)| *key)
}

/// The one with this key.
pub fn find(key: &str) -> Option<Workload> {
    ALL.iter().find(|(known, _)| *known == key).map(|(_, make)| make())
}

/// So many resources, to see how the cost grows with their number.
pub fn resources(count: usize) -> Workload {
    catalog::resources(count)
}

/// Programs of a size whose instructions can be counted in seconds.
pub const BUDGETED: [(&str, Make); 8] = [
    ("calls", || language::calls(10_000)),
    ("iteration", || language::iterations(10_000)),
    ("interpolation", || language::interpolations(10_000)),
    ("data", || types::data(2_000)),
    ("classes", catalog::classes),
    ("defines", || catalog::defined_types(500)),
    ("files", || catalog::files(1_000)),
    ("lookups", || data::lookups(200)),
];
