//! `tidy`: removes files that are old or large, each as a resource of its own.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use bunraku_catalog::{Parameters, Reference};
use bunraku_pcore::Value;

use crate::context::Context;
use crate::fault::Outcome;
use crate::fileset::{Fileset, is_match};
use crate::log::Level;
use crate::property::{Property, Values};
use crate::resource::{Generated, Given, Managed, Site};

struct Tidy {
    path: PathBuf,
    /// How deep it looks; nothing for the path alone.
    depth: Option<Option<usize>>,
    most: i64,
    patterns: Vec<String>,
    age: Option<i64>,
    size: Option<u64>,
    time: String,
    removes_directories: bool,
    bucket: Option<String>,
}

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.name("path");
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("File paths must be fully qualified, not '{path}'")));
    }
    let depth = match given.text("recurse").as_deref() {
        None | Some("false") => None,
        Some("true" | "inf") => Some(None),
        Some(levels) => Some(Some(levels.parse().map_err(|_| {
            given.munging("recurse", &format!("Invalid recurse value {}", crate::property::inspected(&levels.into())))
        })?)),
    };
    let patterns = given.texts("matches");
    if !patterns.is_empty() && matches!(depth, None | Some(Some(0))) {
        return Err(given.refuse("matches", "Tidy can't use matches with recurse 0, false, or undef"));
    }
    let quantity = |name: &'static str, what: &str, units: &[(char, u64)], default: char| -> Outcome<Option<u64>> {
        let Some(text) = given.text(name) else { return Ok(None) };
        let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let Ok(count) = digits.parse::<u64>() else {
            return Err(given.refuse(name, &format!("Invalid tidy {what} {text}")));
        };
        let unit = unit.chars().next().map_or(default, |unit| unit.to_ascii_lowercase());
        let known = units.iter().find(|(letter, _)| *letter == unit);
        let (_, factor) = known.ok_or_else(|| given.refuse(name, &format!("Invalid {what} unit '{unit}'")))?;
        Ok(Some(count.saturating_mul(*factor)))
    };
    let kilo = 1024_u64;
    let sizes = [('b', 1), ('k', kilo), ('m', kilo.pow(2)), ('g', kilo.pow(3)), ('t', kilo.pow(4))];
    let ages = [('s', 1), ('m', 60), ('h', 3600), ('d', 86400), ('w', 604_800)];
    let age = quantity("age", "age", &ages, 'd')?;
    // Only copies in a filebucket are made of what is tidied.
    let bucket = given.text("backup").filter(|name| context.declared.find("filebucket", name).is_some());
    Ok(Box::new(Tidy {
        path: PathBuf::from(path),
        depth,
        most: given.text("max_files").and_then(|text| text.parse().ok()).unwrap_or(0),
        patterns,
        age: age.map(|age| i64::try_from(age).unwrap_or(i64::MAX)),
        size: quantity("size", "size", &sizes, 'k')?,
        time: given.text("type").unwrap_or_else(|| "atime".to_owned()),
        removes_directories: given.flag("rmdirs") == Some(true),
        bucket,
    }))
}

impl Tidy {
    fn is_tidied(&self, path: &Path, context: &Context<'_>) -> bool {
        // What the catalog manages is not removed.
        if context.declared.find("file", &path.to_string_lossy()).is_some() {
            return false;
        }
        let Ok(found) = fs::symlink_metadata(path) else { return false };
        if found.is_dir() && !self.removes_directories {
            return false;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !self.patterns.is_empty() && !self.patterns.iter().any(|pattern| is_match(pattern, &name, true)) {
            return false;
        }
        match (self.age, self.size) {
            (None, None) => true,
            (age, size) => {
                age.is_some_and(|age| self.age_of(&found) >= age) || size.is_some_and(|size| found.len() >= size)
            }
        }
    }

    fn age_of(&self, found: &Metadata) -> i64 {
        let time = match self.time.as_str() {
            "mtime" => found.mtime(),
            "ctime" => found.ctime(),
            _ => found.atime(),
        };
        jiff::Timestamp::now().as_second() - time
    }

    fn removal(&self, path: &str, site: &Site) -> Parameters {
        let mut parameters = site.metaparameters();
        parameters.insert("path".into(), path.into());
        parameters.insert("ensure".into(), "absent".into());
        parameters.insert("force".into(), Value::Boolean(true));
        parameters.insert("backup".into(), self.bucket.as_deref().map_or(Value::Boolean(false), Value::from));
        parameters
    }
}

impl Managed for Tidy {
    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        Ok(Values::new())
    }

    fn sync(&mut self, _: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        Ok(())
    }

    fn is_depth_first(&self) -> bool {
        true
    }

    fn generate(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        if fs::symlink_metadata(&self.path).is_err() {
            return Ok(Vec::new());
        }
        let mut paths = vec![self.path.clone()];
        if let Some(limit) = self.depth {
            let fileset = Fileset { limit, most: self.most, ..Fileset::default() };
            let below = fileset.below(&self.path, context)?.unwrap_or_default();
            paths.extend(below.iter().map(|relative| self.path.join(relative)));
        }
        paths.retain(|path| self.is_tidied(path, context));
        paths.sort_by(|first, second| second.as_os_str().cmp(first.as_os_str()));
        if !paths.is_empty() {
            site.say(&mut context.log, Level::Notice, format!("Tidying {} files", paths.len()));
        }
        let generated = paths.iter().map(|path| {
            let title = path.to_string_lossy();
            let mut parameters = self.removal(&title, site);
            // A directory goes after what is in it.
            let inside = paths.iter().filter(|it| it.parent() == Some(path));
            let inside: Vec<Value> = inside.map(|it| format!("File[{}]", it.display()).into()).collect();
            if !inside.is_empty() {
                let mut required = match parameters.get("require") {
                    Some(Value::Array(known)) => known.to_vec(),
                    Some(known) => vec![known.clone()],
                    None => Vec::new(),
                };
                required.extend(inside);
                parameters.insert("require".into(), Value::array(required));
            }
            Generated { reference: Reference::new("file", &title), parameters }
        });
        Ok(generated.collect())
    }
}
