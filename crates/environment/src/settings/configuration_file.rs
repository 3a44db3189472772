//! The text of `puppet.conf` and `environment.conf`: `name = value` lines in `[sections]`.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use bunraku_syntax::Issue;

use super::Layer;
use crate::issues;

/// The sections `puppet.conf` may have; `master` is the old name of `server`.
const SECTIONS: [&str; 5] = ["main", "server", "master", "agent", "user"];

/// Settings by section; what stands before the first section belongs to `main`.
#[derive(Debug, Clone, Default)]
pub struct ConfigurationFile {
    sections: IndexMap<String, Section, FxBuildHasher>,
}

#[derive(Debug, Clone, Default)]
struct Section {
    line: usize,
    settings: Layer,
}

impl ConfigurationFile {
    /// Reads a file; `path` is for messages.
    pub fn parse(text: &str, path: &str) -> Result<Self, Issue> {
        let mut file = ConfigurationFile::default();
        file.sections.insert("main".to_owned(), Section::default());
        let mut current = "main".to_owned();
        for (line, number) in text.lines().zip(1..) {
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            if let Some(name) = section_name(trimmed) {
                current = name.to_owned();
                let section = Section { line: number, settings: Layer::default() };
                file.sections.entry(current.clone()).or_insert(section);
                continue;
            }
            let Some((name, value)) = setting(trimmed) else {
                return Err(issues::configuration_line(line, path, number));
            };
            let value = without_file_options(&unquoted(value))
                .map_err(|message| issues::configuration_value(&message, path, number))?;
            let section = file.sections.entry(current.clone()).or_default();
            // The first of several settings with one name counts.
            section.settings.entry(name.to_owned()).or_insert(value);
        }
        Ok(file)
    }

    /// Refuses sections that `puppet.conf` may not have.
    pub(super) fn check_sections(&self, path: &str) -> Result<(), Issue> {
        let unknown = |name: &&String| !SECTIONS.contains(&name.as_str());
        match self.section_names().find(unknown) {
            Some(name) => {
                let line = self.sections.get(name).map_or(0, |section| section.line);
                Err(issues::configuration_section(name, path, line))
            }
            None => Ok(()),
        }
    }

    /// The names of the sections in order, `main` first.
    pub fn section_names(&self) -> impl Iterator<Item = &String> {
        self.sections.keys()
    }

    /// Takes the settings of a section out; empty if there is no such section.
    pub fn take(&mut self, section: &str) -> Layer {
        self.sections.get_mut(section).map(|it| std::mem::take(&mut it.settings)).unwrap_or_default()
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

fn section_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    is_word(name).then_some(name)
}

fn setting(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end();
    is_word(name).then_some((name, value.trim()))
}

/// Quotes around the value are not part of it; `True` and `FALSE` are booleans.
fn unquoted(value: &str) -> String {
    if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
        return value.to_ascii_lowercase();
    }
    let value = value.strip_prefix(['"', '\'']).unwrap_or(value);
    let value = value.strip_suffix(['"', '\'']).unwrap_or(value);
    value.trim_end().to_owned()
}

/// A path may be followed by `{owner = …, group = …, mode = …}`, which only the agent's own file handling reads. All
/// braces are read as such: `${name}` is refused in files, though settings on the command line may have it.
fn without_file_options(value: &str) -> Result<String, String> {
    let options = value.split_once('{').and_then(|(before, rest)| {
        let (options, after) = rest.split_once('}')?;
        (!options.is_empty()).then_some((before, options, after))
    });
    let Some((before, options, after)) = options else {
        return Ok(value.to_owned());
    };
    for option in options.split(',') {
        let Some((name, setting)) = option.split_once('=') else {
            return Err(format!("Could not parse '{value}'"));
        };
        let (name, setting) = (name.trim(), setting.trim());
        match name {
            _ if !is_word(name) || !is_word(setting) => return Err(format!("Could not parse '{value}'")),
            "owner" | "group" => {}
            "mode" if setting.bytes().all(|it| it.is_ascii_digit()) => {}
            "mode" => return Err("File modes must be numbers".to_owned()),
            _ => return Err(format!("Invalid file option '{name}'")),
        }
    }
    Ok(format!("{before}{after}").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_located() {
        let check = |text, expected: &str| {
            let found = ConfigurationFile::parse(text, "/p.conf").and_then(|file| file.check_sections("/p.conf"));
            assert_eq!(found.err().map(|issue| issue.message().to_owned()).unwrap_or_default(), expected);
        };
        check("# comment\n\n[main]\na = 1\n", "");
        check("nonsense", "Could not match line nonsense (file: /p.conf, line: 1)");
        check("a = /b { mode = rw }", "File modes must be numbers (file: /p.conf, line: 1)");
        check("a = /b { colour = red }", "Invalid file option 'colour' (file: /p.conf, line: 1)");
        check("a = $b/c", "");
        check("a = ${b}/c", "Could not parse '${b}/c' (file: /p.conf, line: 1)");
        check("a = {}", "");
    }
}
