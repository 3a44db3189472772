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

use bunraku_catalog::Catalog;
use bunraku_compiler::function::Library;
use bunraku_compiler::{Compiled, Limits, Node};
use bunraku_environment::{Environment, Settings, World};
use bunraku_pcore::Hash;
use bunraku_ruby::sidecar::Options as RubyOptions;
use bunraku_syntax::Issue;
use indexmap::IndexMap;

use crate::compiler::{Compiler, Shared};
use crate::{Classification, Outcome, Store, server_facts, trust_external};

/// How many environments are kept open. Another one that is asked for takes the place of the one that was not asked for
/// longest.
const MOST_ENVIRONMENTS: usize = 256;

/// The environments of one world, for any number of nodes and threads.
pub struct Project {
    world: Arc<dyn World>,
    settings: Settings,
    shared: Shared,
    store: Option<Arc<dyn Store>>,
    server_facts: Option<Hash>,
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

/// What the agent of a node asks for.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The name in its certificate.
    pub certname: &'r str,
    /// What it has found out about its machine.
    pub facts: &'r Hash,
    /// The environment it would like to be in, unless a node classifier knows better.
    pub environment: &'r str,
}

/// What came of a request, with the generation it was made by.
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
        Project { world, settings, shared, store: None, server_facts: None, max_age, environments }
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

    /// The project with a store of what nodes export. It is asked before and told after every catalog, so it should answer
    /// from memory.
    #[must_use]
    pub fn with_store(mut self, store: Arc<dyn Store>) -> Project {
        self.store = Some(store);
        self
    }

    /// The project of a server that says this about itself, instead of what its machine does.
    #[must_use]
    pub fn with_server_facts(mut self, server_facts: Hash) -> Project {
        self.server_facts = Some(server_facts);
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

    /// The whole way from what an agent sends to what it gets: the node classifier is asked, the node prepared in the
    /// environment that is its own, its catalog compiled, and what it exports kept.
    ///
    /// An issue is about the request or the server; what is wrong with the code is in the outcome.
    pub fn catalog(&self, request: &Request<'_>) -> Result<ProjectOutcome, Issue> {
        Node::check_name(request.certname)?;
        let classification = Classification::of(request.certname, &self.settings, &*self.world)?;
        let compiler = self.compiler(classification.environment.as_deref().unwrap_or(request.environment))?;
        let from_machine = || server_facts(&*self.world, self.settings.target);
        let server_facts = self.server_facts.clone().unwrap_or_else(from_machine);
        let mut node = Node::prepare(request.certname, request.facts, compiler.environment(), &server_facts)?;
        trust_external(&mut node, compiler.environment())?;
        classification.apply(&mut node);
        let outcome = self.compile(&compiler, &node, &Limits::default())?;
        Ok(ProjectOutcome { outcome, compiler })
    }

    /// The catalog of a node that has been prepared already, within limits; what it exports is kept.
    pub fn compile(&self, compiler: &Compiler, node: &Node, limits: &Limits) -> Result<Outcome, Issue> {
        let outcome = Outcome::from(self.complete(compiler, node, limits)?);
        self.keep(outcome.exported.as_ref())?;
        Ok(outcome)
    }

    /// The same for a service that wants to see what the node exports: this stays in the catalog, and is kept if `keeps`.
    pub fn compile_with_exported(
        &self,
        compiler: &Compiler,
        node: &Node,
        limits: &Limits,
        keeps: bool,
    ) -> Result<Outcome, Issue> {
        let compiled = self.complete(compiler, node, limits)?;
        let whole = compiled.catalog.as_ref().ok().cloned();
        let mut outcome = Outcome::from(compiled);
        if let Some(mut whole) = whole {
            whole.retain(|resource| !resource.is_virtual || resource.is_exported());
            outcome.catalog = Ok(whole);
        }
        self.keep(outcome.exported.as_ref().filter(|_| keeps))?;
        Ok(outcome)
    }

    fn complete(&self, compiler: &Compiler, node: &Node, limits: &Limits) -> Result<Compiled, Issue> {
        let exported = self.store.as_ref().map(|store| store.exported()).transpose()?;
        Ok(compiler.compile_collecting(node, exported.as_deref(), limits))
    }

    fn keep(&self, exported: Option<&Catalog>) -> Result<(), Issue> {
        match (&self.store, exported) {
            (Some(store), Some(exported)) => store.keep(exported),
            _ => Ok(()),
        }
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
        let request = Request { certname: "web1", facts: &Hash::new(), environment };
        let outcome = project.catalog(&request).unwrap().outcome;
        outcome.catalog.unwrap();
        outcome.logs.iter().map(|log| log.message.to_string()).collect()
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

    /// What nodes export, in memory.
    #[derive(Default)]
    struct Exports(Mutex<IndexMap<String, bunraku_catalog::Catalog>>);

    impl Store for Exports {
        fn exported(&self) -> Result<Arc<bunraku_compiler::ExportedResources>, Issue> {
            let mut exported = bunraku_compiler::ExportedResources::default();
            lock(&self.0).values().for_each(|catalog| exported.add(catalog.clone()));
            Ok(Arc::new(exported))
        }

        fn keep(&self, exported: &bunraku_catalog::Catalog) -> Result<(), Issue> {
            lock(&self.0).insert(exported.name.to_string(), exported.clone());
            Ok(())
        }
    }

    #[test]
    fn an_agent_gets_what_its_node_is() {
        let code = "@@notify { \"from ${trusted['certname']} in ${server_facts['environment']}\": }\n\
                    Notify <<| |>>\nnotice($facts['clientcert'], $facts['os'])";
        let world = Arc::new(Memory::from([("/environments/a/manifests/site.pp", code)]));
        let project = project(&world).with_store(Arc::new(Exports::default()));
        let facts: Hash = [("os".into(), "Debian".into())].into_iter().collect();
        let notifies = |certname: &str| -> Vec<String> {
            let done = project.catalog(&Request { certname, facts: &facts, environment: "a" }).unwrap().outcome;
            assert_eq!(done.logs.first().unwrap().message, format!("{certname} Debian"));
            let catalog = done.catalog.unwrap();
            let names = catalog.resources().map(|resource| resource.reference.to_string());
            names.filter(|name| name.starts_with("Notify")).collect()
        };
        assert_eq!(notifies("one"), ["Notify[from one in a]"]);
        assert_eq!(notifies("two"), ["Notify[from two in a]", "Notify[from one in a]"]);
        let refused = project.catalog(&Request { certname: "../x", facts: &facts, environment: "a" });
        assert!(refused.unwrap_err().message().contains("directory traversal"));
    }

    /// Types that name each other, of which some change.
    #[test]
    fn types_are_shared_as_long_as_they_mean_the_same() {
        let site = "/environments/a/manifests/site.pp";
        let world = Arc::new(Memory::from([
            (site, "notice([1, [2]] =~ M::Tree, ['x'] =~ M::Tree, { 'a' => [1] } =~ M::Node, 'x' =~ M::Leaf)"),
            ("/environments/a/modules/m/types/tree.pp", "type M::Tree = Variant[M::Leaf, Array[M::Tree], M::Node]"),
            ("/environments/a/modules/m/types/node.pp", "type M::Node = Hash[String, M::Tree]"),
            ("/environments/a/modules/m/types/leaf.pp", "type M::Leaf = Integer"),
        ]));
        let project = project(&world);
        let check = |expected: &str| {
            for _ in 0..3 {
                assert_eq!(notices(&project, "a"), [expected]);
            }
        };
        check("true false true false");
        world.write("/environments/a/modules/m/types/leaf.pp", "type M::Leaf = String");
        check("false true false true");
        world.write("/environments/a/modules/m/types/node.pp", "type M::Node = Hash[String, Array]");
        check("false true true true");
        world.write("/environments/a/modules/m/types/node.pp", "type M::Node = Hash[String, M::Tree]");
        world.write("/environments/a/modules/m/types/leaf.pp", "type M::Leaf = Variant[String, Integer]");
        check("true true true true");
        world.write("/environments/a/modules/m/types/leaf.pp", "type M::Other = Integer");
        let request = Request { certname: "web1", facts: &Hash::new(), environment: "a" };
        assert!(project.catalog(&request).unwrap().outcome.catalog.is_err());
        world.write("/environments/a/modules/m/types/leaf.pp", "type M::Leaf = Integer");
        check("true false true false");
    }
}
