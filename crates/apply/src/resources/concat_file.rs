//! `concat_file` of the concat module: a file that is put together of the fragments that name it.

use bunraku_catalog::{Parameters, Reference};
use bunraku_pcore::Value;

use super::file::local_source;
use crate::build::is_deferred;
use crate::context::{Context, Known};
use crate::fault::{Fault, Outcome};
use crate::property::{Property, Values, text_of};
use crate::resource::{Generated, Given, Managed, Site};

/// What is handed on to the file as it is.
const HANDED_ON: [&str; 12] = [
    "owner",
    "group",
    "mode",
    "replace",
    "backup",
    "selinux_ignore_defaults",
    "selrange",
    "selrole",
    "seltype",
    "seluser",
    "validate_cmd",
    "show_diff",
];

struct ConcatFile {
    path: String,
    ensure: Property,
    tag: Option<String>,
    is_numeric: bool,
    ends_lines: bool,
    parameters: Parameters,
}

/// Whether the fragments are put together as they are, not merged.
pub(super) fn is_suitable(given: &Given<'_>) -> bool {
    given.text("format").is_none_or(|format| format == "plain")
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.name("path");
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("File paths must be fully qualified, not '{path}'")));
    }
    let handed_on = HANDED_ON.iter().filter_map(|name| Some(((*name).into(), given.value(name)?.clone())));
    let ensure = given.text("ensure").unwrap_or_else(|| "present".to_owned());
    Ok(Box::new(ConcatFile {
        ensure: Property::new("ensure", ensure.as_str().into()),
        tag: given.text("tag"),
        is_numeric: given.text("order").is_none_or(|order| order == "numeric"),
        ends_lines: given.flag("ensure_newline") == Some(true),
        parameters: handed_on.collect(),
        path,
    }))
}

/// Where a fragment stands: by its order, then by its name; numbers as numbers.
fn place(order: &str, name: &str, is_numeric: bool) -> [(u64, String); 2] {
    [order, name].map(|text| match text.parse::<u64>() {
        Ok(number) if is_numeric && text.bytes().all(|it| it.is_ascii_digit()) => (number, String::new()),
        _ => (if is_numeric { u64::MAX } else { 0 }, text.to_owned()),
    })
}

impl ConcatFile {
    fn is_own(&self, fragment: &Known, site: &Site) -> bool {
        let text = |name: &str| fragment.parameters.get(name).filter(|it| !it.is_undef()).map(text_of);
        let target = text("target");
        let is_named = target.is_some_and(|target| target == self.path || target == *site.reference.title);
        is_named || (self.tag.is_some() && text("tag") == self.tag)
    }

    /// What the file is to be, and whether somebody may not see it.
    fn content(&self, site: &Site, context: &Context<'_>) -> Outcome<(String, bool)> {
        let mut parts = Vec::new();
        let mut is_secret = false;
        for fragment in context.declared.of("concat_fragment").iter().filter(|it| self.is_own(it, site)) {
            let order = fragment.parameters.get("order").map_or_else(|| "10".to_owned(), text_of);
            let (mut text, is_hidden) = content_of(fragment, context)?;
            if self.ends_lines && !text.ends_with('\n') {
                text.push('\n');
            }
            is_secret |= is_hidden;
            parts.push((place(&order, &fragment.name, self.is_numeric), text));
        }
        parts.sort_by(|(first, _), (second, _)| first.cmp(second));
        Ok((parts.into_iter().map(|(_, text)| text).collect(), is_secret))
    }
}

/// What is in a fragment, and whether somebody may not see it.
fn content_of(fragment: &Known, context: &Context<'_>) -> Outcome<(String, bool)> {
    if let Some(value) = fragment.parameters.get("content").filter(|value| !value.is_undef()) {
        let value = match is_deferred(value) {
            true => context.host.resolve(value).map_err(Fault::new)?,
            false => value.clone(),
        };
        return Ok(match &value {
            Value::Sensitive(inner) => (text_of(inner), true),
            value => (text_of(value), false),
        });
    }
    let sources: Vec<String> = match fragment.parameters.get("source") {
        Some(Value::Array(sources)) => sources.iter().map(text_of).collect(),
        Some(source) => vec![text_of(source)],
        None => Vec::new(),
    };
    let read = |source: &String| std::fs::read_to_string(local_source(source, context).ok()??).ok();
    let found = sources.iter().find_map(read);
    let missing = || Fault::new(format!("Could not retrieve source(s) {}", sources.join(", ")));
    found.map(|text| (text, false)).ok_or_else(missing)
}

impl Managed for ConcatFile {
    fn properties(&self) -> Vec<Property> {
        vec![self.ensure.clone()]
    }

    fn requires(&self) -> Vec<(String, String)> {
        vec![("file".to_owned(), self.path.clone())]
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        values.set("ensure", self.ensure.desired());
        Ok(values)
    }

    fn generate_late(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        let is_absent = crate::property::is_absent(&self.ensure.desired());
        let mut parameters = self.parameters.clone();
        parameters.insert("ensure".into(), if is_absent { "absent" } else { "file" }.into());
        for (name, value) in site.metaparameters() {
            if !matches!(name.as_str(), "before" | "notify" | "require" | "subscribe" | "tag") {
                parameters.insert(name, value);
            }
        }
        if !is_absent {
            let (content, is_secret) = self.content(site, context)?;
            parameters.insert("content".into(), content.as_str().into());
            if is_secret {
                parameters.insert("show_diff".into(), Value::Boolean(false));
            }
        }
        Ok(vec![Generated { reference: Reference::new("file", &self.path), parameters }])
    }

    fn sync(&mut self, _: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers_where_asked_to() {
        assert!(place("9", "b", true) < place("10", "a", true));
        assert!(place("9", "b", false) > place("10", "a", false));
        assert!(place("10", "a", true) < place("10", "b", true));
    }
}
