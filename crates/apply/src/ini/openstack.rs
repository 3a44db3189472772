//! Files of settings as OpenStack has them: a setting may have several values, each on a line of its own.

use std::path::Path;
use std::sync::LazyLock;

use fancy_regex::Regex;

use super::{parts, read};
use crate::fault::Outcome;

static SETTING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^(\s*)([^#;\s]|[^#;\s].*?[^\s=])(\s*=[ \t]*)(.*)\s*$").ok());

static COMMENTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^(\s*)[#;]+(\s*)(.*?[^\s=])(\s*=[ \t]*)(.*)\s*$").ok());

static HEADER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?m)^\s*\[(.*)\]\s*$").ok());

fn found<'t>(expression: &LazyLock<Option<Regex>>, line: &'t str) -> Option<[&'t str; 6]> {
    parts((**expression).as_ref()?, line)
}

#[derive(Debug, Default)]
struct Section {
    name: String,
    lines: Vec<String>,
}

/// A file of settings.
#[derive(Debug)]
pub(crate) struct OpenStackIni {
    sections: Vec<Section>,
}

impl OpenStackIni {
    /// Reads a file; one that is not there is empty.
    pub(crate) fn read(path: &Path) -> Outcome<Self> {
        Ok(OpenStackIni::parse(&read(path)?))
    }

    fn parse(text: &str) -> Self {
        let mut sections = vec![Section::default()];
        for line in text.split_inclusive('\n') {
            match found(&HEADER, line) {
                Some([_, name, ..]) => sections.push(Section { name: name.to_owned(), lines: Vec::new() }),
                None => sections.last_mut().into_iter().for_each(|section| section.lines.push(line.to_owned())),
            }
        }
        OpenStackIni { sections }
    }

    /// The values of a setting.
    pub(crate) fn get(&self, section: &str, setting: &str) -> Vec<&str> {
        let section = self.sections.iter().rfind(|it| it.name == section);
        let lines = section.map(|section| section.lines.as_slice()).unwrap_or_default();
        let values = lines.iter().filter_map(|line| found(&SETTING, line));
        values.filter(|[_, _, name, ..]| *name == setting).map(|[_, _, _, _, value, _]| value).collect()
    }

    /// Sets the values of a setting: those that are there stay where they are. The only value of a setting that has no
    /// others is changed in its place.
    pub(crate) fn set(&mut self, section: &str, setting: &str, values: &[String], is_list: bool) {
        let old: Vec<String> = self.get(section, setting).into_iter().map(str::to_owned).collect();
        let place = self.sections.iter().rposition(|it| it.name == section).unwrap_or_else(|| {
            self.sections.push(Section { name: section.to_owned(), lines: Vec::new() });
            self.sections.len() - 1
        });
        let Some(section) = self.sections.get_mut(place) else { return };
        let indent = section.lines.iter().filter_map(|line| found(&SETTING, line)).map(|[_, indent, ..]| indent.len());
        let indent = " ".repeat(indent.min().unwrap_or_default());
        if let ([_], [value], false) = (old.as_slice(), values, is_list) {
            return section.replace(setting, value);
        }
        section.lines.retain(|line| match found(&SETTING, line) {
            Some([_, _, name, _, value, _]) => name != setting || values.iter().any(|wanted| wanted == value),
            None => true,
        });
        let missing = values.iter().filter(|value| !old.contains(value));
        let is_setting = |line: &String| found(&SETTING, line).is_some_and(|[_, _, name, ..]| name == setting);
        let is_comment = |line: &String| found(&COMMENTED, line).is_some_and(|[_, _, _, name, ..]| name == setting);
        let last = section.lines.iter().rposition(is_setting);
        let after_comment = || section.lines.iter().position(is_comment).map(|line| line + 1);
        let place = last.or_else(after_comment).unwrap_or(section.lines.len());
        for (place, value) in (place..).zip(missing) {
            section.lines.insert(place, format!("{indent}{setting}={value}\n"));
        }
    }

    /// Removes a setting.
    pub(crate) fn remove(&mut self, section: &str, setting: &str) {
        for section in self.sections.iter_mut().filter(|it| it.name == section) {
            section.lines.retain(|line| found(&SETTING, line).is_none_or(|[_, _, name, ..]| name != setting));
        }
    }

    /// The file as it is to be.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            if !section.name.is_empty() {
                text.push_str(&format!("[{}]\n", section.name));
            }
            for line in &section.lines {
                text.push_str(line);
                if !line.ends_with('\n') {
                    text.push('\n');
                }
            }
        }
        text
    }
}

impl Section {
    /// Changes the only value of a setting, where it is.
    fn replace(&mut self, setting: &str, value: &str) {
        for line in &mut self.lines {
            if let Some([_, indent, name, gap, ..]) = found(&SETTING, line)
                && name == setting
            {
                *line = format!("{indent}{name}{gap}{value}\n");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, values: &[&str], is_list: bool) -> String {
        let mut ini = OpenStackIni::parse(text);
        ini.set("s", "k", &values.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>(), is_list);
        ini.text()
    }

    #[test]
    fn settings_have_any_number_of_values() {
        assert_eq!(changed("", &["v"], true), "[s]\nk=v\n");
        assert_eq!(changed("[s]\nk = a\nz=1\n", &["b"], false), "[s]\nk = b\nz=1\n");
        assert_eq!(changed("[s]\nk = a\nz=1\n", &["b"], true), "[s]\nz=1\nk=b\n");
        assert_eq!(changed("[s]\nk=a\nk=b\n", &["b", "c"], true), "[s]\nk=c\nk=b\n");
        assert_eq!(changed("[s]\n#k=a\nz=1\n", &["b"], true), "[s]\n#k=a\nk=b\nz=1\n");
    }
}
