//! Many environments for a process that lives long: opened on demand, renewed while compilations run.
//!
//! An environment comes in **generations**, each of them a [`Compiler`] that changes no more. Whoever asks for an environment
//! gets the present generation. If a file or directory that it has looked at has changed, a successor takes its place;
//! compilations that run meanwhile keep the old one until they end.
//!
//! Nothing grows without bound. What is worth keeping beyond a generation (parsed files, data, configurations, Ruby
//! functions, resource types, templates) is in stores that all environments share: each a [`Cache`](bunraku_environment::Cache)
//! with a limit, which drops what has not been asked for longest, and gives a file's content only for the stamp it was
//! read with. What compilations refer to (code given as strings, the paths that were looked at) belongs to a generation
//! and goes with it; one that has gathered much of it [is full](Environment::is_full), and gets a successor without a
//! change. One compilation alone may use no more such code than its limits say.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bunraku_compiler::function::Library;
use bunraku_compiler::{ExportedResources, Node};
use bunraku_environment::{Environment, Settings, World};
use bunraku_ruby::sidecar::Options as RubyOptions;
use bunraku_syntax::Issue;
use indexmap::IndexMap;

use crate::Outcome;
use crate::compiler::{Compiler, Shared};

/// How many environments are kept open. Another one that is asked for takes the place of the one that was not asked for
/// longest.
const MOST_ENVIRONMENTS: usize = 256;

/// The environments of one world, for any number of nodes and threads.
pub struct Project {
    world: Arc<dyn World>,
    settings: Settings,
    shared: Shared,
    max_age: Duration,
    /// By name; the one that was asked for last is the last.
    environments: Mutex<IndexMap<String, Arc<Slot>>>,
}

/// The place of an environment. Whoever has the lock looks whether it has changed; all others wait for the answer.
type Slot = Mutex<Option<Present>>;

/// The present generation of an environment.
struct Present {
    compiler: Arc<Compiler>,
    /// When it was last known to be up to date.
    checked: Instant,
}

/// What a compilation gave, with the generation it was made by.
#[derive(Debug)]
pub struct ProjectOutcome {
    /// The catalog or why there is none, and the logs.
    pub outcome: Outcome,
    /// The environment as it was; places in diagnostics and logs refer to its sources.
    pub compiler: Arc<Compiler>,
}

impl Project {
    /// The environments on the `environmentpath` of the settings. None is opened before it is asked for.
    pub fn new(world: Arc<dyn World>, settings: Settings) -> Project {
        let (shared, max_age, environments) = (Shared::new(settings.target), Duration::ZERO, Mutex::default());
        Project { world, settings, shared, max_age, environments }
    }

    /// The project with other functions in Rust.
    #[must_use]
    pub fn with_library(mut self, library: Library) -> Project {
        self.shared.library = Arc::new(library);
        self
    }

    /// The project with options for the helpers that run Ruby.
    #[must_use]
    pub fn with_ruby(mut self, options: RubyOptions) -> Project {
        self.shared.ruby_options = options;
        self
    }

    /// The project with what nodes export.
    #[must_use]
    pub fn with_exported(mut self, exported: Arc<ExportedResources>) -> Project {
        self.shared.exported = Some(exported);
        self
    }

    /// The project that looks for changes of an environment only if it has not done so for this long. Otherwise it does
    /// whenever an environment is asked for.
    #[must_use]
    pub fn with_max_age(mut self, max_age: Duration) -> Project {
        self.max_age = max_age;
        self
    }

    /// The settings of all environments.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The present generation of an environment. Changes that were made before the call are in it.
    pub fn compiler(&self, name: &str) -> Result<Arc<Compiler>, Issue> {
        let asked = Instant::now();
        let slot = self.slot(name);
        let mut present = lock(&slot);
        match self.renewed(name, present.as_ref(), asked) {
            Ok(renewed) => {
                let compiler = renewed.compiler.clone();
                *present = Some(renewed);
                Ok(compiler)
            }
            Err(issue) => {
                *present = None;
                drop(present);
                self.forget(name);
                Err(issue)
            }
        }
    }

    /// Compiles the catalog of a node in an environment.
    pub fn compile(&self, environment: &str, node: &Node) -> Result<ProjectOutcome, Issue> {
        let compiler = self.compiler(environment)?;
        let outcome = compiler.compile(node);
        Ok(ProjectOutcome { outcome, compiler })
    }

    /// Closes an environment; it is opened again when it is next asked for. What was read of its files stays, as long as
    /// there is space for it.
    pub fn forget(&self, name: &str) {
        let slot = lock(&self.environments).shift_remove(name);
        // The last generation goes when nobody asks for an environment meanwhile.
        drop(slot);
    }

    fn renewed(&self, name: &str, present: Option<&Present>, asked: Instant) -> Result<Present, Issue> {
        let checked = Instant::now();
        let Some(Present { compiler, checked: before }) = present else {
            let (world, code) = (self.world.clone(), self.shared.code.clone());
            let environment = Environment::open_with(world, &self.settings, name, code)?;
            return Ok(Present { compiler: Arc::new(Compiler::sharing(environment, self.shared.clone())?), checked });
        };
        // A check that began after this one was asked for knows all that this one could find out.
        let is_fresh = before.checked_add(self.max_age).is_none_or(|until| until >= asked);
        let environment = compiler.environment();
        Ok(match environment.is_full() || !is_fresh && environment.has_changed() {
            true => Present { compiler: Arc::new(compiler.successor()?), checked },
            false => Present { compiler: compiler.clone(), checked: if is_fresh { *before } else { checked } },
        })
    }

    /// The place of an environment, which may be empty yet.
    fn slot(&self, name: &str) -> Arc<Slot> {
        let mut environments = lock(&self.environments);
        let slot = match environments.shift_remove(name) {
            Some(slot) => slot,
            None => {
                self.close_unused(&mut environments);
                Arc::default()
            }
        };
        environments.insert(name.to_owned(), slot.clone());
        slot
    }

    /// Closes environments that are gone, and one if there are too many.
    fn close_unused(&self, environments: &mut IndexMap<String, Arc<Slot>>) {
        environments.retain(|_, slot| {
            // Whoever has the lock will find out.
            let Ok(present) = slot.try_lock() else { return true };
            let directory = present.as_ref().and_then(|present| present.compiler.environment().directory.as_deref());
            directory.is_none_or(|directory| self.world.is_dir(directory))
        });
        if environments.len() >= MOST_ENVIRONMENTS {
            environments.shift_remove_index(0);
        }
    }
}

impl std::fmt::Debug for Project {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = lock(&self.environments).keys().cloned().collect();
        formatter.debug_struct("Project").field("environments", &names).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use bunraku_environment::{Form, Memory, RunMode};

    use super::*;

    fn project(world: &Arc<Memory>) -> Project {
        let mut settings = Settings::new(RunMode::Server);
        settings.set("environmentpath", "/environments");
        Project::new(world.clone(), settings)
    }

    fn notices(project: &Project, environment: &str) -> Vec<String> {
        let compiled = project.compile(environment, &Node::new("web1")).unwrap().outcome;
        compiled.catalog.unwrap();
        compiled.logs.iter().map(|log| log.message.to_string()).collect()
    }

    #[test]
    fn environments_are_renewed_when_they_change() {
        let world = Arc::new(Memory::from([
            ("/environments/a/manifests/site.pp", "notice(lookup('x'))"),
            ("/environments/a/hiera.yaml", "version: 5"),
            ("/environments/a/data/common.yaml", "x: 1"),
            ("/environments/b/manifests/site.pp", "notice('b')"),
        ]));
        let project = project(&world);
        assert_eq!((notices(&project, "a"), notices(&project, "b")), (vec!["1".to_owned()], vec!["b".to_owned()]));
        let old = project.compiler("a").unwrap();
        assert!(Arc::ptr_eq(&old, &project.compiler("a").unwrap()));
        world.write("/environments/a/data/common.yaml", "x: 2");
        assert_eq!(notices(&project, "a"), ["2"]);
        let new = project.compiler("a").unwrap();
        let main = |compiler: &Compiler| std::ptr::from_ref(*compiler.environment().main().unwrap().first().unwrap());
        assert!(!Arc::ptr_eq(&old, &new));
        assert_eq!(main(&old), main(&new));
        world.remove("/environments/b/manifests/site.pp");
        assert!(project.compiler("b").unwrap_err().message().contains("named 'b'"));
        assert!(project.compiler("none").is_err() && project.compiler("../a").is_err());
        assert_eq!(format!("{project:?}"), "Project { environments: [\"a\"], .. }");
    }

    #[test]
    fn environments_are_asked_for_changes_once_in_a_while() {
        let world = Arc::new(Memory::from([("/environments/a/manifests/site.pp", "notice(1)")]));
        let project = project(&world).with_max_age(Duration::MAX);
        assert_eq!(notices(&project, "a"), ["1"]);
        world.write("/environments/a/manifests/site.pp", "notice(2)");
        assert_eq!(notices(&project, "a"), ["1"]);
        project.forget("a");
        assert_eq!(notices(&project, "a"), ["2"]);
    }

    #[test]
    fn a_full_generation_is_replaced() {
        let world = Arc::new(Memory::from([("/environments/a/manifests/site.pp", "notice(1)")]));
        let project = project(&world).with_max_age(Duration::MAX);
        let old = project.compiler("a").unwrap();
        old.environment().inline(&"x".repeat(17 << 20), Form::Template).unwrap();
        let new = project.compiler("a").unwrap();
        assert!(!Arc::ptr_eq(&old, &new) && Arc::ptr_eq(&new, &project.compiler("a").unwrap()));
    }
}
