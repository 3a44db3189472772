//! `file_line` of the stdlib module: a line that is in a file, or is not.

use std::path::PathBuf;

use bunraku_pcore::regexp::Regexp;

use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::property::{ABSENT, Property, Values, is_absent};
use crate::resource::{Given, Managed, Site};
use crate::write;

struct FileLine {
    path: PathBuf,
    line: Option<String>,
    ensure: Property,
    /// The pattern of lines that are replaced, as it was given.
    pattern: Option<(String, Regexp)>,
    /// The pattern of lines after which the line goes, as it was given.
    after: Option<(String, Regexp)>,
    is_multiple: bool,
    is_replaced: bool,
    is_appended: bool,
    replaces_all_others: bool,
    matches_for_absence: bool,
    is_noop: bool,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.text("path").unwrap_or_default();
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("File paths must be fully qualified, not '{path}'")));
    }
    if let Some(encoding) = given.text("encoding").filter(|it| !it.eq_ignore_ascii_case("utf-8")) {
        return Err(given.refuse("encoding", &format!("only UTF-8 is managed, not {encoding}")));
    }
    let pattern = |name: &str| -> Outcome<Option<(String, Regexp)>> {
        let Some(text) = given.text(name) else { return Ok(None) };
        let regexp = Regexp::new(&text).map_err(|error| given.refuse(name, &error.to_string()))?;
        Ok(Some((text, regexp)))
    };
    let line = given.text("line");
    let ensure = given.text("ensure").unwrap_or_else(|| "present".to_owned());
    let (matched, after) = (pattern("match")?, pattern("after")?);
    let matches_for_absence = given.flag("match_for_absence") == Some(true);
    let replaces_all_others = given.flag("replace_all_matches_not_matching_line") == Some(true);
    let is_replaced = given.flag("replace") != Some(false);
    if line.is_none() && !(matches_for_absence && matched.is_some() && ensure == ABSENT) {
        return Err(given.invalid("line is a required attribute"));
    }
    if replaces_all_others && !is_replaced {
        return Err(given.invalid("replace must be true when replace_all_matches_not_matching_line is true"));
    }
    Ok(Box::new(FileLine {
        path: path.into(),
        line,
        ensure: Property::new("ensure", ensure.as_str().into()),
        pattern: matched,
        after,
        is_multiple: given.flag("multiple") == Some(true),
        is_replaced,
        is_appended: given.flag("append_on_no_match") != Some(false),
        replaces_all_others,
        matches_for_absence,
        is_noop: given.is_noop,
    }))
}

/// A line of the file, with its end, and what it matches.
struct Line {
    text: String,
    is_wanted: bool,
    is_match: bool,
    is_before: bool,
}

impl FileLine {
    fn lines(&self) -> Outcome<Vec<Line>> {
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && self.is_noop => String::new(),
            Err(error) => return Err(Fault::io(&error, &self.path.display().to_string())),
        };
        let is_match = |pattern: &Option<(String, Regexp)>, line: &str| match pattern {
            Some((_, regexp)) => regexp.is_match(line).map_err(|issue| Fault::new(issue.to_string())),
            None => Ok(false),
        };
        let line = |text: &str| {
            let bare = text.strip_suffix('\n').map_or(text, |bare| bare.strip_suffix('\r').unwrap_or(bare));
            Ok(Line {
                text: text.to_owned(),
                is_wanted: self.line.as_deref() == Some(bare),
                is_match: is_match(&self.pattern, text)?,
                is_before: is_match(&self.after, text)?,
            })
        };
        text.split_inclusive('\n').map(line).collect()
    }

    fn count(&self, lines: &[Line], is_counted: impl Fn(&Line) -> bool) -> usize {
        lines.iter().filter(|line| is_counted(line) && !(self.replaces_all_others && line.is_wanted)).count()
    }

    fn is_there(&self, lines: &[Line]) -> bool {
        let has_line = lines.iter().any(|line| line.is_wanted);
        if self.pattern.is_none() {
            return has_line;
        }
        let has_match = self.count(lines, |line| line.is_match) > 0;
        if is_absent(&self.ensure.desired()) {
            return has_line || (has_match && self.matches_for_absence);
        }
        match (has_match, has_line) {
            (false, has_line) => has_line || !self.is_appended,
            (true, _) if self.replaces_all_others => false,
            (true, has_line) => has_line || !self.is_replaced,
        }
    }

    fn ambiguous(&self, pattern: &str) -> Fault {
        let path = self.path.display();
        Fault::new(format!("More than one line in file '{path}' matches pattern '{pattern}'"))
    }

    /// The file with the line in it.
    fn added(&self, lines: &[Line]) -> Outcome<String> {
        let new = format!("{}\n", self.line.as_deref().unwrap_or_default());
        let mut text = String::new();
        let mut is_in = false;
        if let Some((pattern, _)) = &self.pattern {
            let count = self.count(lines, |line| line.is_match);
            if count > 1 && !self.is_multiple {
                return Err(self.ambiguous(pattern));
            }
            is_in = count > 0;
        } else if let Some((pattern, _)) = &self.after {
            let count = self.count(lines, |line| line.is_before);
            if count > 1 && !self.is_multiple {
                let path = self.path.display();
                return Err(Fault::new(format!(
                    "{count} lines match pattern '{pattern}' in file '{path}'. One or no line must match the pattern."
                )));
            }
        }
        for line in lines {
            text.push_str(if line.is_match { &new } else { &line.text });
            if !text.ends_with('\n') {
                text.push('\n');
            }
            // Without a pattern every such line is followed by the new one; with one, only the first.
            if line.is_before && (self.pattern.is_none() || !is_in) {
                text.push_str(&new);
                is_in = true;
            }
        }
        if !is_in {
            text.push_str(&new);
        }
        Ok(text)
    }

    /// The file without the line.
    fn removed(&self, lines: &[Line]) -> Outcome<String> {
        let pattern = self.pattern.as_ref().filter(|_| self.matches_for_absence);
        if let Some((text, _)) = pattern
            && self.count(lines, |line| line.is_match) > 1
            && !self.is_multiple
        {
            return Err(self.ambiguous(text));
        }
        let is_kept = |line: &&Line| if pattern.is_some() { !line.is_match } else { !line.is_wanted };
        Ok(lines.iter().filter(is_kept).map(|line| line.text.as_str()).collect())
    }
}

impl Managed for FileLine {
    fn provider(&self) -> Option<&str> {
        Some("ruby")
    }

    fn properties(&self) -> Vec<Property> {
        vec![self.ensure.clone()]
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        let state = if self.is_there(&self.lines()?) { "present" } else { ABSENT };
        values.set("ensure", state.into());
        Ok(values)
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        let lines = self.lines()?;
        let text = if is_absent(&property.desired()) { self.removed(&lines)? } else { self.added(&lines)? };
        write::rewrite(&self.path, &text).map_err(|error| Fault::io(&error, &self.path.display().to_string()))
    }
}
