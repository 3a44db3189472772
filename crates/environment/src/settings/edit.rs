//! Changes `puppet.conf` as its text: comments, blank lines and the order of everything else stay as they are.

/// The text of a configuration file, line by line.
#[derive(Debug, Clone)]
pub struct ConfigurationText {
    lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    /// `[name]`, with the blanks around it.
    Section { name: String, text: String },
    /// `name = value`: what stands before the value, the value, and the blanks after it.
    Setting { name: String, before: String, value: String, after: String },
    /// A comment, a blank line, or something that no one understands.
    Other(String),
}

/// The section of what stands before the first one.
const MAIN: &str = "main";

impl ConfigurationText {
    /// Reads the lines of a file.
    pub fn parse(text: &str) -> ConfigurationText {
        ConfigurationText { lines: text.lines().map(Line::parse).collect() }
    }

    /// Gives a setting of a section this value, where it stands or after the section's last one.
    pub fn set(&mut self, section: &str, name: &str, value: &str) {
        if let Some(index) = self.find(section, name)
            && let Some(Line::Setting { value: old, .. }) = self.lines.get_mut(index)
        {
            value.clone_into(old);
            return;
        }
        let setting = Line::Setting {
            name: name.to_owned(),
            before: format!("{name} = "),
            value: value.to_owned(),
            after: String::new(),
        };
        let last = self.indexes(section).last();
        let heading = self.lines.iter().position(|line| matches!(line, Line::Section { name, .. } if name == section));
        match last.or(heading) {
            Some(index) => self.lines.insert(index + 1, setting),
            // What stands before all sections is of the main one.
            None if section == MAIN => self.lines.insert(0, setting),
            None => {
                self.lines.push(Line::Section { name: section.to_owned(), text: format!("[{section}]") });
                self.lines.push(setting);
            }
        }
    }

    /// Takes a setting of a section away; the line that it stood on.
    pub fn delete(&mut self, section: &str, name: &str) -> Option<String> {
        let index = self.find(section, name)?;
        Some(self.lines.remove(index).text())
    }

    fn find(&self, section: &str, name: &str) -> Option<usize> {
        let is_it =
            |index: &usize| matches!(self.lines.get(*index), Some(Line::Setting { name: it, .. }) if it == name);
        self.indexes(section).find(is_it)
    }

    /// Where the settings of a section stand.
    fn indexes(&self, section: &str) -> impl Iterator<Item = usize> {
        let mut current = MAIN;
        self.lines.iter().enumerate().filter_map(move |(index, line)| match line {
            Line::Section { name, .. } => {
                current = name;
                None
            }
            Line::Setting { .. } => (current == section).then_some(index),
            Line::Other(_) => None,
        })
    }
}

impl std::fmt::Display for ConfigurationText {
    /// Settings of the main section that have no heading get one if there is none further down.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let has_heading = self.lines.iter().any(|line| matches!(line, Line::Section { name, .. } if name == MAIN));
        if !has_heading && self.indexes(MAIN).next().is_some() {
            writeln!(f, "[{MAIN}]")?;
        }
        self.lines.iter().try_for_each(|line| writeln!(f, "{}", line.text()))
    }
}

impl Line {
    fn parse(line: &str) -> Line {
        let is_word = |text: &str| !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || it == '_');
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
            && is_word(name)
        {
            return Line::Section { name: name.to_owned(), text: line.to_owned() };
        }
        if let Some((head, rest)) = line.split_once('=')
            && is_word(head.trim())
        {
            let value = rest.trim();
            let blanks = rest.len() - rest.trim_start().len();
            let (leading, tail) = rest.split_at(blanks);
            let after = tail.get(value.len()..).unwrap_or_default().to_owned();
            let name = head.trim().to_owned();
            return Line::Setting { name, before: format!("{head}={leading}"), value: value.to_owned(), after };
        }
        Line::Other(line.to_owned())
    }

    fn text(&self) -> String {
        match self {
            Line::Section { text, .. } | Line::Other(text) => text.clone(),
            Line::Setting { before, value, after, .. } => format!("{before}{value}{after}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, change: impl Fn(&mut ConfigurationText), expected: &str) {
        let mut file = ConfigurationText::parse(text);
        change(&mut file);
        assert_eq!(file.to_string(), expected);
    }

    #[test]
    fn everything_else_stays() {
        let text = "a = 1\n[main]\n# comment\n  b  =  2  \n\n[agent]\nb = 3\n";
        check(text, |_| (), text);
        check(text, |file| file.set("main", "b", "x y"), &text.replace("  2  ", "  x y  "));
        check(text, |file| file.set("agent", "c", "4"), &text.replace("b = 3\n", "b = 3\nc = 4\n"));
        check(text, |file| file.set("server", "c", "4"), &format!("{text}[server]\nc = 4\n"));
        check(text, |file| file.set("main", "c", "4"), &text.replace("2  \n", "2  \nc = 4\n"));
        check("", |file| file.set("main", "c", "4"), "[main]\nc = 4\n");
        check("a = 1\n", |file| file.set("main", "c", "4"), "[main]\na = 1\nc = 4\n");
        check("[main]\n[agent]\n", |file| file.set("main", "c", "4"), "[main]\nc = 4\n[agent]\n");
    }

    #[test]
    fn deleted_lines_are_told() {
        let mut file = ConfigurationText::parse("[main]\n  a = 1\n[agent]\na = 2\n");
        assert_eq!(file.delete("main", "a").as_deref(), Some("  a = 1"));
        assert_eq!(file.delete("main", "a"), None);
        assert_eq!(file.to_string(), "[main]\n[agent]\na = 2\n");
    }
}
