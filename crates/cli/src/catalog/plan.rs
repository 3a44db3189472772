//! Which nodes to compile for, each in the environment that is its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bunraku::{Classification, Compiler, Disk, Environment, ExportedResources, Issue, Node, Profile, RunMode, facts};

use crate::on_all_cores;
use crate::setup::{NodeFacts, Setup, warn_of_other};

/// The nodes, and a compiler for every environment they are in.
pub(super) struct Plan {
    pub(super) nodes: Vec<Planned>,
    compilers: BTreeMap<String, Compiler>,
}

/// A node to compile for, or why it cannot be.
pub(super) struct Planned {
    pub(super) name: String,
    environment: String,
    node: Result<Node, String>,
}

/// A node before its facts are read.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    pub(super) name: Option<String>,
    pub(super) facts: Option<String>,
}

/// Every file of facts in a directory is a node. Without any there is nothing to do, which nobody asks for.
pub(super) fn candidates_in(directory: &Path) -> Result<Vec<Candidate>, String> {
    let entries = std::fs::read_dir(directory).map_err(|error| {
        format!("Could not read the directory {}: {}", directory.display(), bunraku::reason(&error))
    })?;
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| holds_facts(path)).collect();
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{} has no facts of nodes: no file in it ends in .yaml or .json", directory.display()));
    }
    let candidate = |path: PathBuf| Candidate { name: None, facts: Some(path.display().to_string()) };
    Ok(paths.into_iter().map(candidate).collect())
}

fn holds_facts(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml" || extension == "json")
}

impl Plan {
    /// Reads facts, asks the classifier and opens environments. What is wrong with one node does not keep others back.
    pub(super) fn new(candidates: Vec<Candidate>, setup: &Setup) -> Result<Plan, String> {
        let main = setup.compiler(RunMode::Server, None).map_err(|issue| issue.to_string())?;
        let main_name = main.environment().name.clone();
        let settings = setup.settings(RunMode::Server).map_err(|issue| issue.to_string())?;
        let prepare = |candidate: &Candidate| {
            let mut planned = read(candidate, setup, main.environment());
            let Ok(node) = &mut planned.node else { return planned };
            match Classification::of(&node.name, &settings, &Disk) {
                Ok(classification) => {
                    if let Some(name) = &classification.environment {
                        planned.environment.clone_from(name);
                    }
                    classification.apply(node);
                }
                Err(issue) => planned.node = Err(issue.to_string()),
            }
            planned
        };
        let mut nodes = on_all_cores(&candidates, prepare);
        refuse_namesakes(&candidates, &mut nodes);
        let mut compilers = BTreeMap::from([(main_name, main)]);
        for planned in &mut nodes {
            if !compilers.contains_key(&planned.environment) {
                match setup.compiler_for(&planned.environment) {
                    Ok(compiler) => drop(compilers.insert(planned.environment.clone(), compiler)),
                    Err(issue) => planned.node = Err(issue.to_string()),
                }
            }
        }
        Ok(Plan { nodes, compilers })
    }

    /// The same with what nodes export.
    pub(super) fn with_exported(self, exported: Arc<ExportedResources>) -> Plan {
        let with = |(name, compiler): (String, Compiler)| (name, compiler.with_exported(Arc::clone(&exported)));
        Plan { compilers: self.compilers.into_iter().map(with).collect(), ..self }
    }

    /// The same with a profile that tells where the time goes.
    pub(super) fn with_profile(self, profile: &Arc<Profile>) -> Plan {
        let with = |(name, compiler): (String, Compiler)| (name, compiler.with_profile(Arc::clone(profile)));
        Plan { compilers: self.compilers.into_iter().map(with).collect(), ..self }
    }

    /// The node itself and the compiler of its environment.
    pub(super) fn prepared<'p>(&'p self, planned: &'p Planned) -> Result<(&'p Node, &'p Compiler), String> {
        let node = planned.node.as_ref().map_err(Clone::clone)?;
        let compiler = self.compilers.get(&planned.environment);
        Ok((node, compiler.ok_or_else(|| format!("there is no environment {}", planned.environment))?))
    }
}

/// A node has one file of facts: of two, nobody could say whose catalog is written. A node that is named twice has two
/// catalogs of one name, too.
fn refuse_namesakes(candidates: &[Candidate], nodes: &mut [Planned]) {
    let mut files: BTreeMap<String, Vec<Option<&str>>> = BTreeMap::new();
    for (candidate, planned) in candidates.iter().zip(nodes.iter()) {
        if let Ok(node) = &planned.node {
            files.entry(node.name.to_string()).or_default().push(candidate.facts.as_deref());
        }
    }
    for planned in nodes {
        if let Some(files) = files.get(&planned.name).filter(|files| files.len() > 1) {
            let files: Vec<&str> = files.iter().copied().flatten().collect();
            planned.node = Err(match files.is_empty() {
                true => "the node is named more than once".to_owned(),
                false => format!("{} are both facts of the node {}", files.join(" and "), planned.name),
            });
        }
    }
}

/// A node with its facts; one whose facts do not name it has the name of the file.
fn read(candidate: &Candidate, setup: &Setup, environment: &Environment) -> Planned {
    let stem = candidate.facts.as_deref().and_then(|path| Path::new(path).file_stem());
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
    let prepare = || {
        let facts = candidate.facts.as_ref().or(setup.facts_file());
        if facts.is_none() && candidate.name.is_none() {
            return setup.node(None, environment);
        }
        let NodeFacts { facts, is_machine } = setup.read_facts(facts, candidate.name.as_deref(), environment)?;
        let name = candidate.name.as_deref().or_else(|| facts::node_name(&facts)).or(stem.as_deref());
        let node = setup.prepare(name, &facts, environment)?;
        if is_machine {
            warn_of_other(&node.name, &environment.settings.text("certname")?);
        }
        Ok(node)
    };
    let node = prepare();
    let name = node.as_ref().ok().map(|node| node.name.to_string());
    let name = name.or_else(|| candidate.name.clone()).or_else(|| stem.clone());
    let node = node.map_err(|issue: Issue| issue.to_string());
    Planned { name: name.unwrap_or_default(), environment: environment.name.clone(), node }
}
