//! Files that code loads: `require` of what is not a library, `require_relative` and `load`.

use bunraku_environment::world::expand;

use super::lower;
use super::value::Value;
use super::{Outcome, Vm};

impl Vm {
    /// `require` of a file in one of the directories of `$LOAD_PATH`, or by its whole path.
    pub(crate) fn require_own(&mut self, name: &str) -> Outcome<bool> {
        if let Some(world) = self.world.clone() {
            let file = if name.ends_with(".rb") { name.to_owned() } else { format!("{name}.rb") };
            let mut paths = Vec::new();
            if file.starts_with('/') {
                paths.push(expand("/", &file));
            } else {
                for directory in self.load_path()? {
                    paths.push(expand(&directory, &file));
                }
            }
            if let Some(path) = paths.into_iter().find(|path| world.is_file(path)) {
                return self.load_once(&path);
            }
        }
        if let Some(outcome) = self.lacking_library(name) {
            return outcome;
        }
        Err(self.cannot_load(name))
    }

    fn cannot_load(&mut self, name: &str) -> Box<super::Stop> {
        let message = format!("cannot load such file -- {name}");
        self.with_details("LoadError", &message, &[(super::symbol::sym::HIDDEN_NAME, Value::str(name))])
    }

    fn load_path(&mut self) -> Outcome<Vec<String>> {
        let value = self.globals.get(&super::symbol::Sym::new("$LOAD_PATH")).cloned();
        let mut directories = Vec::new();
        if let Some(value @ Value::Array(_)) = value {
            for directory in self.items(&value)? {
                directories.push(self.path_text(&directory)?);
            }
        }
        Ok(directories)
    }

    /// `require_relative`.
    pub(crate) fn require_file(&mut self, directory: &str, name: &str) -> Outcome {
        let base = match &self.world {
            Some(world) => expand(&world.current_dir(), directory),
            None => directory.to_owned(),
        };
        let file = if name.ends_with(".rb") { name.to_owned() } else { format!("{name}.rb") };
        let path = expand(&base, &file);
        if !self.world.as_ref().is_some_and(|world| world.is_file(&path)) {
            let shown = path.strip_suffix(".rb").unwrap_or(&path);
            return Err(self.cannot_load(shown));
        }
        Ok(Value::Bool(self.load_once(&path)?))
    }

    fn load_once(&mut self, path: &str) -> Outcome<bool> {
        if self.loaded.iter().any(|known| known == path) {
            return Ok(false);
        }
        self.loaded.push(path.to_owned());
        self.load_file(path)?;
        Ok(true)
    }

    /// `load`: runs a file, whether it was loaded or not.
    pub(crate) fn load_file(&mut self, path: &str) -> Outcome {
        let world = self.outside("load a file")?;
        let path = expand(&world.current_dir(), path);
        let Ok(source) = world.read_text(&path) else {
            return Err(self.cannot_load(&path));
        };
        let tree = lower::lower(&source, &path, 1, &[]);
        let tree =
            tree.map_err(|error| self.error("SyntaxError", &format!("{path}:{}: {}", error.line, error.message)))?;
        self.run_file(&tree, &path)
    }
}
