//! What the Ruby of all environments shares and their generations hand on: what was read of files, by content, and the
//! helper processes.

use std::sync::{Arc, Mutex, PoisonError};

use bunraku_environment::world::Stamp;
use bunraku_environment::{Cache, World};

use crate::bridge::Templates;
use crate::resource_types::{Provider, ReadRuby, ResourceType, read_providers, read_resource_types};
use crate::sidecar::{Options, RubyEnvironment, Sidecar};

/// How much is kept of each kind, in bytes of text. The trees take several times as much.
const MOST_BYTES: usize = 32 << 20;
/// How many helpers wait for work. Each is a process.
const MOST_IDLE: usize = 16;

/// What was read of the Ruby in a world, shared by the environments in it.
pub struct Store {
    pub(crate) templates: Templates,
    /// Resource types by path.
    types: Cache<Arc<str>, Arc<Declared>>,
    /// Providers by the content of their file.
    providers: Cache<Arc<str>, Arc<[Provider]>>,
    idle: Mutex<Vec<Arc<Helper>>>,
}

/// The resource types of a file, and all that they were read from.
pub(crate) struct Declared {
    pub(crate) text: Arc<str>,
    /// What the file requires, and what was found for it.
    pub(crate) required: Vec<(String, Option<Arc<str>>)>,
    pub(crate) types: Vec<ResourceType>,
}

impl Default for Store {
    fn default() -> Self {
        Store {
            templates: Templates::default(),
            types: Cache::new(MOST_BYTES),
            providers: Cache::new(MOST_BYTES),
            idle: Mutex::default(),
        }
    }
}

impl Store {
    /// The resource types in a file, which may require others.
    pub(crate) fn types(&self, path: &str, text: &Arc<str>, find: ReadRuby<'_>) -> Arc<Declared> {
        let is_same = |(name, found): &(String, Option<Arc<str>>)| find(name) == *found;
        if let Some(known) = self.types.get(path)
            && known.text == *text
            && known.required.iter().all(is_same)
        {
            return known;
        }
        let required: Mutex<Vec<(String, Option<Arc<str>>)>> = Mutex::default();
        let types = read_resource_types(path, text, &|name| {
            let found = find(name);
            lock(&required).push((name.to_owned(), found.clone()));
            found
        });
        let required = required.into_inner().unwrap_or_else(PoisonError::into_inner);
        let declared = Arc::new(Declared { text: text.clone(), required, types });
        self.types.insert(path.into(), text.len(), declared.clone());
        declared
    }

    /// The providers in a file.
    pub(crate) fn providers(&self, text: &Arc<str>) -> Arc<[Provider]> {
        self.providers.get(text).unwrap_or_else(|| {
            let providers: Arc<[Provider]> = read_providers(text).into();
            self.providers.insert(text.clone(), text.len(), providers.clone());
            providers
        })
    }

    /// A helper for the code of an environment. One that waits is taken if all that it has loaded is as it was.
    pub(crate) fn helper(&self, context: &Arc<RubyEnvironment>, options: &Options, world: &dyn World) -> Arc<Helper> {
        let fits = |helper: &Arc<Helper>| helper.context == *context && helper.options == *options;
        loop {
            let found = {
                let mut idle = lock(&self.idle);
                let position = idle.iter().rposition(fits);
                position.map(|position| idle.remove(position))
            };
            match found {
                None => return Arc::new(Helper::new(context, options)),
                Some(helper) if helper.is_current(world) => return helper,
                // Dropping it ends the process.
                Some(_) => {}
            }
        }
    }

    /// Takes a helper back.
    pub(crate) fn put_back(&self, helper: Arc<Helper>) {
        let oldest = {
            let mut idle = lock(&self.idle);
            idle.push(helper);
            (idle.len() > MOST_IDLE).then(|| idle.remove(0))
        };
        drop(oldest);
    }
}

/// A helper process, and the files of modules that it has loaded by itself.
pub(crate) struct Helper {
    pub(crate) sidecar: Sidecar,
    context: Arc<RubyEnvironment>,
    options: Options,
    loaded: Mutex<Vec<(String, Option<Stamp>)>>,
}

impl Helper {
    fn new(context: &Arc<RubyEnvironment>, options: &Options) -> Helper {
        Helper {
            sidecar: Sidecar::new(options.clone(), context.clone()),
            context: context.clone(),
            options: options.clone(),
            loaded: Mutex::default(),
        }
    }

    fn is_current(&self, world: &dyn World) -> bool {
        lock(&self.loaded).iter().all(|(path, stamp)| world.stamp(path) == *stamp)
    }

    /// Notes what Ruby code has required since the last time, so that a change of it counts like any other.
    pub(crate) fn note_loaded(&self, world: &dyn World) {
        let new = self.sidecar.take_loaded();
        lock(&self.loaded).extend(new.into_iter().map(|path| {
            let stamp = world.stamp(&path);
            (path, stamp)
        }));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
