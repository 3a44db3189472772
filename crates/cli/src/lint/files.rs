//! Which files are looked at, and what becomes of each.

use std::cell::OnceCell;
use std::path::Path;

use bunraku::{Disk, whole_file};
use bunraku_lint::{Fixed, Report, check, fix};

use super::options::Options;
use crate::on_all_cores;
use crate::walk::Walk;

/// What became of one file.
pub(super) struct Linted {
    /// The path as it was given.
    pub(super) path: String,
    pub(super) report: Report,
    /// What was checked.
    pub(super) text: String,
    /// Where its lines begin, once someone asks.
    starts: OnceCell<Vec<usize>>,
    /// Why it could not be read or written.
    pub(super) failure: Option<String>,
}

impl Linted {
    /// A line, from 1, without its end.
    pub(super) fn line(&self, number: u32) -> &str {
        let text = self.text.as_str();
        let starts = self
            .starts
            .get_or_init(|| std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect());
        let from = (number as usize).checked_sub(1).and_then(|place| starts.get(place));
        let rest = from.and_then(|from| text.get(*from..)).unwrap_or_default();
        rest.split('\n').next().unwrap_or_default()
    }
}

/// Looks at all files that are asked for.
pub(super) fn lint(paths: &[String], options: &Options) -> Vec<Linted> {
    on_all_cores(paths, |path| lint_file(path, options))
}

/// The files that are asked for: those that are named, or all below the directory that is named first.
pub(super) fn asked_for(options: &Options) -> Vec<String> {
    match options.paths.first().filter(|first| Path::new(first).is_dir()) {
        Some(directory) => below(directory),
        None => options.paths.clone(),
    }
}

/// Whether a path is to be left out.
pub(super) fn is_ignored(path: &str, options: &Options) -> bool {
    options.configuration.is_like(path, &options.ignore_paths)
}

fn lint_file(path: &str, options: &Options) -> Linted {
    let (mut report, mut text, mut failure) = (Report::default(), String::new(), None);
    match Disk.read_path(Path::new(path)) {
        Err(_) => failure = Some("no file specified or specified file does not exist".to_owned()),
        // A compiled SELinux policy has the same extension.
        Ok(bytes) if bytes.starts_with(&[0x8f, 0xff, 0x7c, 0xf9]) => {}
        Ok(bytes) => {
            let is_text = std::str::from_utf8(&bytes).is_ok();
            text = String::from_utf8_lossy(&bytes).into_owned();
            let own = options.configuration.for_path(path, &options.settings);
            let settings = own.as_ref().unwrap_or(&options.settings);
            if options.fix && is_text {
                let Fixed { report: found, text: fixed } = fix(&text, path, settings);
                let written = fixed.map_or(Ok(()), |text| whole_file::rewrite(Path::new(path), text.as_bytes()));
                failure = written.err().map(|error| format!("could not write {path}: {}", bunraku::reason(&error)));
                report = found;
            } else {
                report = check(&text, path, settings);
            }
        }
    }
    Linted { path: path.to_owned(), report, text, starts: OnceCell::new(), failure }
}

/// All manifests below a directory, then all data files.
fn below(directory: &str) -> Vec<String> {
    let files = Walk::with_vendor().files(Path::new(directory), &["pp", "yaml", "yml"]).files;
    let (mut manifests, mut data): (Vec<String>, Vec<String>) =
        files.iter().map(|path| path.to_string_lossy().into_owned()).partition(|path| path.ends_with(".pp"));
    manifests.sort();
    data.sort();
    manifests.into_iter().chain(data).collect()
}

/// Whether a path is like a pattern, in which `*` stands for anything, directories included, and `?` for one character.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<char>, Vec<char>) =
        (pattern.replace("**/", "*").chars().collect(), path.chars().collect());
    let (mut p, mut s, mut star) = (0, 0, None);
    while let Some(letter) = path.get(s) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, s));
                p += 1;
            }
            Some(wanted) if wanted == letter || *wanted == '?' => (p, s) = (p + 1, s + 1),
            _ => match &mut star {
                Some((at, from)) => {
                    *from += 1;
                    (p, s) = (*at + 1, *from);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|it| *it == '*')
}
