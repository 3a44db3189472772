//! `ini_subsetting` of the inifile module: one part of a setting of a file.

use std::path::PathBuf;

use bunraku_pcore::Value;

use super::ini_setting::Shown;
use crate::context::Context;
use crate::fault::Outcome;
use crate::ini::{self, Ini, Style};
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

struct Subsetting {
    path: PathBuf,
    section: String,
    setting: String,
    name: String,
    separator: String,
    inner_separator: String,
    key_separator: String,
    quote: String,
    is_exact: bool,
    insertion: (String, String),
    deletes_empty: bool,
    properties: Vec<Property>,
    shown: Shown,
}

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.text("path").unwrap_or_default();
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("File paths must be fully qualified, not '{path}'")));
    }
    let text = |name: &str, default: &str| given.text(name).unwrap_or_else(|| default.to_owned());
    let quote = text("quote_char", "");
    if !matches!(quote.as_str(), "" | "'" | "\"") {
        return Err(given.refuse("quote_char", ":quote_char valid values are '', '\"' and \"'\""));
    }
    let mut properties = given.properties_of_present(&["ensure", "value"]);
    for value in properties.iter_mut().filter(|it| it.name == "value").flat_map(|it| it.should.iter_mut().flatten()) {
        *value = text_of(value).as_str().into();
    }
    Ok(Box::new(Subsetting {
        path: path.into(),
        section: text("section", ""),
        setting: text("setting", ""),
        name: text("subsetting", ""),
        separator: text("key_val_separator", " = "),
        inner_separator: text("subsetting_separator", " "),
        key_separator: text("subsetting_key_val_separator", ""),
        quote,
        is_exact: given.flag("use_exact_match") == Some(true),
        insertion: (text("insert_type", "end"), text("insert_value", "")),
        deletes_empty: given.flag("delete_if_empty") == Some(true),
        properties,
        shown: Shown::asked(given, context)?,
    }))
}

/// The parts of a setting, and the quotes around them.
struct Parts {
    quote: String,
    items: Vec<String>,
}

impl Subsetting {
    fn parts(&self, ini: &Ini) -> Parts {
        let Some(value) = ini.get(&self.section, &self.setting) else {
            return Parts { quote: self.quote.clone(), items: Vec::new() };
        };
        let quoted = ['"', '\''].into_iter().find_map(|quote| {
            let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
            Some((quote.to_string(), inner))
        });
        let (quote, inner) = quoted.unwrap_or((self.quote.clone(), value));
        let separator = self.inner_separator.chars().next().unwrap_or(' ');
        let items = inner.split(separator).filter(|item| !item.is_empty()).map(|item| item.trim().to_owned());
        Parts { quote, items: items.collect() }
    }

    fn is_own(&self, item: &str, name: &str) -> bool {
        if self.is_exact { item == name } else { item.starts_with(&format!("{name}{}", self.key_separator)) }
    }

    fn find(&self, parts: &Parts, name: &str) -> Option<usize> {
        parts.items.iter().position(|item| self.is_own(item, name))
    }

    fn put(&self) -> Outcome {
        let mut ini = Ini::read(&self.path, Style::new(&self.separator))?;
        let mut parts = self.parts(&ini);
        let value = self.properties.iter().find(|it| it.name == "value").map(|it| text_of(&it.desired()));
        let new = format!("{}{}{}", self.name, self.key_separator, value.unwrap_or_default());
        if self.find(&parts, &self.name).is_some() {
            for item in &mut parts.items {
                if self.is_own(item, &self.name) {
                    item.clone_from(&new);
                }
            }
        } else {
            let (kind, other) = &self.insertion;
            let last = parts.items.len();
            let place = match kind.as_str() {
                "start" => 0,
                "before" => self.find(&parts, other).unwrap_or(last),
                "after" => self.find(&parts, other).map_or(last, |place| place + 1),
                "index" => other.parse::<usize>().unwrap_or_default().min(last),
                _ => last,
            };
            parts.items.insert(place, new);
        }
        self.save(ini.set_parts(self, &parts))
    }

    fn remove(&self) -> Outcome {
        let mut ini = Ini::read(&self.path, Style::new(&self.separator))?;
        let mut parts = self.parts(&ini);
        parts.items.retain(|item| !self.is_own(item, &self.name));
        if parts.items.is_empty() && parts.quote.is_empty() && self.deletes_empty {
            ini.remove(&self.section, &self.setting);
            return self.save(&ini);
        }
        self.save(ini.set_parts(self, &parts))
    }

    fn save(&self, ini: &Ini) -> Outcome {
        ini::save(&self.path, &ini.text())
    }
}

impl Ini {
    fn set_parts(&mut self, subsetting: &Subsetting, parts: &Parts) -> &Self {
        let joined = parts.items.join(&subsetting.inner_separator);
        let value = format!("{0}{joined}{0}", parts.quote);
        self.set(&subsetting.section, &subsetting.setting, &value);
        self
    }
}

impl Managed for Subsetting {
    fn provider(&self) -> Option<&str> {
        Some("ruby")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let ini = Ini::read(&self.path, Style::new(&self.separator))?;
        let parts = self.parts(&ini);
        let found = self.find(&parts, &self.name).and_then(|place| parts.items.get(place));
        let start = self.name.len() + self.key_separator.len();
        let value = found.map(|item| item.get(start..).unwrap_or_default().to_owned());
        let ensure = if value.is_some() { "present" } else { ABSENT };
        Values::of(&self.properties, Some(ensure.into()), |_| {
            Ok(value.as_deref().map_or(Value::Undef, |value| value.into()))
        })
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        let is_removed = property.name == "ensure" && is_absent(&property.desired());
        let outcome = if is_removed { self.remove() } else { self.put() };
        outcome.map_err(|fault| site.setting_failed(property, fault, context))
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        match property.name {
            "ensure" => property::ensure_change(from, &property.desired()),
            name => {
                let (from, to) = (self.shown.of(from, false), self.shown.of(&property.desired(), true));
                format!("{name} changed {from} to {to}")
            }
        }
    }
}
