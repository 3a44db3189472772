//! What the files of a module offer, for those who look for something that is not there.

use ecow::{EcoString, eco_format};

use crate::autoload;
use crate::environment::Environment;
use crate::world::{entries, join};

/// So many files of a module are looked at.
const MOST_FILES: usize = 4096;

impl Environment {
    /// The names that the manifests of a module define by where they are: `apache`, `apache::vhost` …
    pub fn manifest_names(&self, module: &str) -> Vec<EcoString> {
        let files = self.files_below(module, "manifests");
        let name = |file: String| match file.strip_suffix(".pp")? {
            "init" => Some(EcoString::from(module)),
            path => Some(eco_format!("{module}::{}", path.replace('/', "::"))),
        };
        files.into_iter().filter_map(name).collect()
    }

    /// The references `module/file` to what the module that a reference names has in a directory; if there is no such
    /// module, the same file in all others.
    pub fn references_like(&self, reference: &str, directory: &str) -> Vec<EcoString> {
        let Some((module, path)) = autoload::module_file(reference) else { return Vec::new() };
        match self.module(module) {
            Some(_) => {
                let files = self.files_below(module, directory);
                files.into_iter().map(|file| eco_format!("{module}/{file}")).collect()
            }
            None => self.modules().map(|other| eco_format!("{}/{path}", other.name)).collect(),
        }
    }

    /// The files below a directory of a module, as paths from there. What cannot be read is left out: this is about what
    /// was meant, not about what is.
    fn files_below(&self, module: &str, directory: &str) -> Vec<String> {
        let Some(module) = self.module(module) else { return Vec::new() };
        let root = join(&module.path, directory);
        let (mut files, mut open) = (Vec::new(), vec![String::new()]);
        while let Some(inner) = open.pop() {
            for entry in entries(self.world(), &join(&root, &inner)).unwrap_or_default() {
                let path = if inner.is_empty() { entry.name } else { format!("{inner}/{}", entry.name) };
                match entry.is_dir {
                    true => open.push(path),
                    false => files.push(path),
                }
            }
            if files.len() + open.len() > MOST_FILES {
                break;
            }
        }
        files
    }
}
