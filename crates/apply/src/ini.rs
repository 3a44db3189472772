//! Files of settings in sections: what is not managed stays as it is, to the letter.

pub(crate) mod openstack;

use std::path::Path;

use fancy_regex::Regex;
use indexmap::IndexMap;

use crate::fault::{Fault, Outcome};
use crate::write;

/// How a file of settings is written.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    /// What stands between setting and value.
    pub(crate) separator: String,
    /// What stands before the name of a section.
    pub(crate) prefix: String,
    /// What stands after it.
    pub(crate) suffix: String,
    /// What new settings are indented with.
    pub(crate) indent: String,
    /// How often; by default as the other settings of the section.
    pub(crate) width: Option<usize>,
}

impl Style {
    /// The usual style, with a separator.
    pub(crate) fn new(separator: &str) -> Self {
        Style {
            separator: separator.to_owned(),
            prefix: "[".to_owned(),
            suffix: "]".to_owned(),
            indent: " ".to_owned(),
            width: None,
        }
    }
}

/// The lines of a section.
#[derive(Debug, Default)]
struct Section {
    name: String,
    /// The line with its name; the part before all sections has none, and new ones have none yet.
    header: Option<String>,
    lines: Vec<String>,
    settings: IndexMap<String, String>,
    added: IndexMap<String, String>,
    indentation: Option<usize>,
}

impl Section {
    fn is_global(&self) -> bool {
        self.name.is_empty()
    }

    fn is_new(&self) -> bool {
        self.header.is_none() && (!self.is_global() || self.lines.is_empty())
    }
}

/// A file of settings.
#[derive(Debug)]
pub(crate) struct Ini {
    style: Style,
    sections: Vec<Section>,
    setting: Regex,
    commented: Regex,
}

/// The parts of a line that an expression finds, by their numbers.
fn parts<'t>(expression: &Regex, line: &'t str) -> Option<[&'t str; 6]> {
    let found = expression.captures(line).ok()??;
    let mut parts = [""; 6];
    for (place, part) in parts.iter_mut().enumerate() {
        *part = found.get(place).map(|it| it.as_str()).unwrap_or_default();
    }
    Some(parts)
}

impl Ini {
    /// Reads a file; one that is not there is empty.
    pub(crate) fn read(path: &Path, style: Style) -> Outcome<Self> {
        Ini::parse(&read(path)?, style)
    }

    fn parse(text: &str, style: Style) -> Outcome<Self> {
        let is_blank = !style.separator.is_empty() && style.separator.trim().is_empty();
        let separator = if is_blank { " " } else { style.separator.trim() };
        let wrong = |error: fancy_regex::Error| Fault::new(format!("separator '{}': {error}", style.separator));
        let expression = |text: String| Regex::new(&text).map_err(wrong);
        // Compatibility: the separator is part of an expression, whatever is in it.
        let setting =
            expression(format!(r"(?m)^(\s*)([^#;\s]|[^#;\s].*?[^\s{separator}])(\s*{separator}[ \t]*)(.*)\s*$"))?;
        let commented =
            expression(format!(r"(?m)^(\s*)[#;]+(\s*)(.*?[^\s{separator}])(\s*{separator}[ \t]*)(.*)\s*$"))?;
        let escaped = |text: &str| fancy_regex::escape(text).into_owned();
        let header = expression(format!(r"(?m)^\s*{}(.*){}\s*$", escaped(&style.prefix), escaped(&style.suffix)))?;
        let mut ini = Ini { style, sections: vec![Section::default()], setting, commented };
        for line in text.split_inclusive('\n') {
            if let Some([_, name, ..]) = parts(&header, line) {
                let name = name.to_owned();
                ini.sections.push(Section { name, header: Some(line.to_owned()), ..Section::default() });
            } else if let Some(section) = ini.sections.last_mut() {
                if let Some([_, indent, name, _, value, _]) = parts(&ini.setting, line) {
                    section.settings.insert(name.to_owned(), value.to_owned());
                    let indentation = indent.chars().count();
                    section.indentation = Some(section.indentation.map_or(indentation, |known| known.min(indentation)));
                }
                section.lines.push(line.to_owned());
            }
        }
        Ok(ini)
    }

    /// The place of a section; of several with the same name, the last counts.
    fn place(&self, section: &str) -> Option<usize> {
        self.sections.iter().rposition(|it| it.name == section)
    }

    /// Whether there is a section of a name.
    pub(crate) fn has_section(&self, section: &str) -> bool {
        self.place(section).is_some()
    }

    /// The value of a setting.
    pub(crate) fn get(&self, section: &str, setting: &str) -> Option<&str> {
        let section = self.sections.get(self.place(section)?)?;
        section.settings.get(setting).or_else(|| section.added.get(setting)).map(String::as_str)
    }

    /// Adds a section.
    pub(crate) fn add_section(&mut self, name: &str) -> usize {
        self.place(name).unwrap_or_else(|| {
            self.sections.push(Section { name: name.to_owned(), ..Section::default() });
            self.sections.len() - 1
        })
    }

    /// Sets a setting: where it is, after a comment that has it, or at the end of the section.
    pub(crate) fn set(&mut self, section: &str, name: &str, value: &str) {
        let place = self.add_section(section);
        let Some(section) = self.sections.get_mut(place) else { return };
        if section.settings.contains_key(name) {
            for line in &mut section.lines {
                if let Some([_, indent, known, gap, ..]) = parts(&self.setting, line)
                    && known == name
                {
                    *line = format!("{indent}{name}{gap}{value}");
                }
            }
            section.settings.insert(name.to_owned(), value.to_owned());
            return;
        }
        let is_comment = |line: &String| parts(&self.commented, line).is_some_and(|[_, _, _, known, ..]| known == name);
        match section.lines.iter().position(is_comment) {
            Some(line) => {
                let new = new_line(&self.style, section.indentation, name, value);
                section.lines.insert(line + 1, new);
                section.settings.insert(name.to_owned(), value.to_owned());
            }
            None => _ = section.added.insert(name.to_owned(), value.to_owned()),
        }
    }

    /// Removes a setting, and its section if nothing is left in it.
    pub(crate) fn remove(&mut self, section: &str, name: &str) {
        let Some(place) = self.place(section) else { return };
        let Some(section) = self.sections.get_mut(place) else { return };
        if section.settings.shift_remove(name).is_none() {
            return;
        }
        let setting = &self.setting;
        section.lines.retain(|line| parts(setting, line).is_none_or(|[_, _, known, ..]| known != name));
        if !section.is_global() && section.lines.is_empty() {
            self.sections.remove(place);
        }
    }

    /// The file as it is to be.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let put = |text: &mut String, line: &str| {
            text.push_str(line);
            if !line.ends_with('\n') {
                text.push('\n');
            }
        };
        let is_global_empty = self.sections.first().is_none_or(|it| it.is_new() && it.added.is_empty());
        for (place, section) in self.sections.iter().enumerate() {
            if section.is_new() && !section.is_global() {
                if (place == 1 && !is_global_empty) || place > 1 {
                    text.push('\n');
                }
                put(&mut text, &format!("{}{}{}", self.style.prefix, section.name, self.style.suffix));
            }
            if let Some(header) = &section.header {
                put(&mut text, header);
            }
            // New settings go before empty lines at the end.
            let filled = section.lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
            let (lines, blank) = section.lines.split_at_checked(filled).unwrap_or_default();
            lines.iter().for_each(|line| put(&mut text, line));
            for (name, value) in &section.added {
                put(&mut text, &new_line(&self.style, section.indentation, name, value));
            }
            blank.iter().for_each(|line| put(&mut text, line));
            let is_followed = place + 1 < self.sections.len();
            if blank.is_empty() && section.is_new() && !section.added.is_empty() && is_followed {
                text.push('\n');
            }
        }
        text
    }
}

fn new_line(style: &Style, indentation: Option<usize>, name: &str, value: &str) -> String {
    let indent = style.indent.repeat(style.width.or(indentation).unwrap_or_default());
    format!("{indent}{name}{}{value}", style.separator)
}

/// Reads a file; one that is not there, or is no file, is empty.
pub(crate) fn read(path: &Path) -> Outcome<String> {
    if !path.is_file() {
        return Ok(String::new());
    }
    std::fs::read_to_string(path).map_err(|error| Fault::io(&error, &path.display().to_string()))
}

/// Writes a file: one that is there keeps its owner and permissions.
pub(crate) fn save(path: &Path, text: &str) -> Outcome {
    let written = if path.exists() { write::rewrite(path, text) } else { write::create(path, text, 0o644) };
    written.map_err(|error| Fault::io(&error, &path.display().to_string()))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    fn changed(text: &str, change: impl FnOnce(&mut Ini)) -> String {
        let mut ini = Ini::parse(text, Style::new(" = ")).unwrap();
        change(&mut ini);
        ini.text()
    }

    #[test]
    fn settings_are_put_where_they_belong() {
        assert_eq!(changed("", |ini| ini.set("s", "k", "v")), "[s]\nk = v\n");
        assert_eq!(changed("g = 1\n", |ini| ini.set("s", "k", "v")), "g = 1\n\n[s]\nk = v\n");
        assert_eq!(changed("[s]\n  a=1\n\n[t]\n", |ini| ini.set("s", "k", "v")), "[s]\n  a=1\n  k = v\n\n[t]\n");
        assert_eq!(changed("[s]\n#k = 1\nb=2\n", |ini| ini.set("s", "k", "v")), "[s]\n#k = 1\nk = v\nb=2\n");
        assert_eq!(changed("[s]\nk  =  1\n", |ini| ini.set("s", "k", "v")), "[s]\nk  =  v\n");
    }

    #[test]
    fn what_is_removed_takes_an_empty_section_with_it() {
        assert_eq!(changed("[s]\nk=1\n[t]\na=1\n", |ini| ini.remove("s", "k")), "[t]\na=1\n");
        assert_eq!(changed("[s]\nk=1\nb=1\n", |ini| ini.remove("s", "k")), "[s]\nb=1\n");
    }

    #[test]
    fn sections_of_the_same_name_are_all_kept() {
        let text = "[s]\na = 1\n[s]\nb = 2\n";
        assert_eq!(changed(text, |ini| ini.set("s", "b", "3")), "[s]\na = 1\n[s]\nb = 3\n");
    }
}
