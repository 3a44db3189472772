//! `ini_setting` of the inifile module: one setting of a file; and every resource type of modules that stands for settings
//! of a file it names itself.

use std::path::{Path, PathBuf};

use bunraku_catalog::setting_type::{Keeping, SettingType, Spelling};
use bunraku_pcore::Value;
use md5::{Digest, Md5};

use crate::context::Context;
use crate::fault::Outcome;
use crate::ini::openstack::OpenStackIni;
use crate::ini::{self, Ini, Style};
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

/// How values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// As those of other types.
    Plainly,
    /// As they are.
    Bare,
    /// By their checksum.
    Checksum,
    /// Not at all.
    Not,
    /// Not at all, and the one that was there differs from the one that is wanted.
    Secret,
}

struct Setting {
    provider: String,
    path: PathBuf,
    section: String,
    /// Without one, the section itself is meant.
    name: Option<String>,
    style: Style,
    keeping: Keeping,
    ensure: Property,
    value: Option<Property>,
    /// Whether a section that is missing is added.
    adds_section: bool,
    /// The value that means that the setting is not there.
    absent_value: Option<String>,
    may_be_immutable: bool,
    is_refreshonly: bool,
    is_refreshable: bool,
    shown: Shown,
    requires: Vec<(String, String)>,
    notifies: Vec<(String, String)>,
}

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.text("path").unwrap_or_default();
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("File paths must be fully qualified, not '{path}'")));
    }
    let text = |name: &str, default: &str| given.text(name).unwrap_or_else(|| default.to_owned());
    let mut ensure = Property::new("ensure", text("ensure", "present").as_str().into());
    ensure.is_sensitive = given.is_sensitive("ensure");
    let value = given.value("value").map(|value| {
        let mut property = Property::new("value", text_of(value).trim().into());
        property.is_sensitive = given.is_sensitive("value");
        property
    });
    let shown = Shown::asked(given, context)?;
    let directory = Path::new(&path).parent().map(|it| it.display().to_string());
    Ok(Box::new(Setting {
        provider: "ruby".to_owned(),
        section: text("section", ""),
        name: given.text("setting").map(|name| name.trim().to_owned()),
        style: Style {
            prefix: text("section_prefix", "["),
            suffix: text("section_suffix", "]"),
            indent: text("indent_char", " "),
            width: given.text("indent_width").and_then(|width| width.parse().ok()),
            ..Style::new(&text("key_val_separator", " = "))
        },
        keeping: Keeping::Ini,
        ensure,
        value,
        adds_section: given.flag("force_new_section_creation") != Some(false),
        absent_value: None,
        may_be_immutable: false,
        is_refreshonly: given.flag("refreshonly") == Some(true),
        is_refreshable: true,
        shown,
        requires: directory.map(|directory| ("file".to_owned(), directory)).into_iter().collect(),
        notifies: Vec::new(),
        path: path.into(),
    }))
}

impl Shown {
    /// How values are shown: as a resource asks for where differences are shown, and not at all elsewhere.
    pub(super) fn asked(given: &Given<'_>, context: &Context<'_>) -> Outcome<Self> {
        let asked = match given.text("show_diff").as_deref() {
            None | Some("true" | "yes") => Shown::Bare,
            Some("md5") => Shown::Checksum,
            Some("false" | "no") => Shown::Not,
            Some(_) => {
                let value = given.value("show_diff").map(property::inspected).unwrap_or_default();
                let reason = format!("Invalid value {value}. Valid values are true, md5, false.");
                return Err(given.refuse("show_diff", &reason));
            }
        };
        Ok(if context.options.show_diff { asked } else { Shown::Not })
    }

    /// A value as it is shown.
    pub(super) fn of(self, value: &Value, is_wanted: bool) -> String {
        match (self, value) {
            (Shown::Plainly, value) => property::shown(value),
            (Shown::Bare, Value::Array(_)) => property::inspected(value),
            (Shown::Bare, value) => text_of(value),
            (Shown::Checksum, value) => checksum(value),
            (Shown::Not, _) => "[redacted sensitive information]".to_owned(),
            (Shown::Secret, _) if is_wanted => "[new secret redacted]".to_owned(),
            (Shown::Secret, _) => "[old secret redacted]".to_owned(),
        }
    }
}

fn checksum(value: &Value) -> String {
    let sum = Md5::digest(text_of(value).as_bytes());
    format!("{{md5}}{}", sum.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// A resource of a type that stands for settings of a file; its title says which.
pub(super) fn build_as(setting_type: &SettingType, title: &str, given: &Given<'_>) -> Outcome<Box<dyn Managed>> {
    let (section, name) = match (setting_type.has_sections, title.split_once('/')) {
        (true, Some((section, name))) => (section.to_owned(), name.to_owned()),
        (true, None) => (title.to_owned(), title.to_owned()),
        (false, _) => (String::new(), title.to_owned()),
    };
    if setting_type.has_sections && (section.is_empty() || name.is_empty() || !title.contains('/')) {
        let value = property::inspected(&title.into());
        let reason = format!("Invalid value {value}. Valid values match /\\S+\\/\\S+/.");
        return Err(given.refuse("name", &reason));
    }
    let value = match given.value("value") {
        Some(value) => Some(self::value(setting_type, value, given)?),
        None => None,
    };
    let path = given.text("path").filter(|path| setting_type.takes_path && path != "false");
    let Some(path) = path.or_else(|| setting_type.path.clone()).filter(|path| path.starts_with('/')) else {
        return Err(given.invalid("path is missing, or is not absolute"));
    };
    let separator = given.text("key_val_separator").filter(|_| setting_type.takes_separator);
    let shown = match (setting_type.has_secrets, given.flag("secret")) {
        (false, _) => Shown::Plainly,
        (true, Some(true)) => Shown::Secret,
        (true, _) => Shown::Bare,
    };
    let ensure = given.text("ensure").unwrap_or_else(|| "present".to_owned());
    let absent_value = setting_type.absent_value.as_ref();
    let absent_value = absent_value.map(|known| given.text("ensure_absent_val").unwrap_or_else(|| known.clone()));
    Ok(Box::new(Setting {
        provider: setting_type.provider.clone(),
        path: path.into(),
        section,
        name: Some(name),
        style: Style::new(separator.as_deref().unwrap_or(&setting_type.separator)),
        keeping: setting_type.keeping,
        ensure: Property::new("ensure", ensure.as_str().into()),
        value,
        adds_section: true,
        absent_value,
        may_be_immutable: setting_type.may_be_immutable,
        is_refreshonly: false,
        is_refreshable: false,
        shown,
        requires: setting_type.requires.clone(),
        notifies: setting_type.notifies.clone(),
    }))
}

/// The value as the type spells it.
fn value(setting_type: &SettingType, value: &Value, given: &Given<'_>) -> Outcome<Property> {
    let spelled = |value: &Value| -> Outcome<Value> {
        let text = text_of(value);
        let text = text.trim();
        let is_boolean = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
        let lowercase = text.to_ascii_lowercase();
        let text = match setting_type.spelling {
            Spelling::Capitalized if is_boolean && lowercase == "true" => "True",
            Spelling::Capitalized if is_boolean => "False",
            Spelling::Lowercase if is_boolean => &lowercase,
            _ => text,
        };
        if let Some(pattern) = setting_type.pattern.as_ref().filter(|it| !super::matches(&format!("(?m){it}"), text)) {
            let value = property::inspected(value);
            return Err(given.refuse("value", &format!("Invalid value {value}. Valid values match /{pattern}/.")));
        }
        let is_quoted = setting_type.has_quotes && given.flag("quote") == Some(true) && !text.starts_with('"');
        let is_absent = setting_type.absent_value.as_deref() == Some(text);
        Ok(if is_quoted && !is_absent { format!("\"{text}\"").as_str().into() } else { text.into() })
    };
    let mut values = match value {
        Value::Array(elements) => elements.iter().map(spelled).collect::<Outcome<Vec<Value>>>()?,
        value => vec![spelled(value)?],
    };
    // Compatibility: of a list, the first value counts where there can be but one.
    values.truncate(if setting_type.is_list { usize::MAX } else { 1 });
    let mut property = Property { is_list: setting_type.is_list, ..Property::new("value", Value::array(values)) };
    property.is_sensitive = given.is_sensitive("value");
    Ok(property)
}

impl Setting {
    /// The values of the setting; nothing if it is not there.
    fn current(&self) -> Outcome<Option<Vec<String>>> {
        let name = self.name.as_deref();
        if self.keeping == Keeping::OpenStack {
            let ini = OpenStackIni::read(&self.path)?;
            let values = ini.get(&self.section, name.unwrap_or_default());
            return Ok((!values.is_empty()).then(|| values.into_iter().map(str::to_owned).collect()));
        }
        let ini = Ini::read(&self.path, self.style.clone())?;
        Ok(match name {
            Some(name) => ini.get(&self.section, name).map(|value| vec![value.to_owned()]),
            None => ini.has_section(&self.section).then(Vec::new),
        })
    }

    fn has_section(&self) -> Outcome<bool> {
        Ok(Ini::read(&self.path, self.style.clone())?.has_section(&self.section))
    }

    fn wanted(&self) -> Vec<String> {
        self.value.iter().flat_map(|value| value.should.iter().flatten()).map(text_of).collect()
    }

    fn put(&self) -> Outcome {
        let values = self.wanted();
        let text = if self.keeping == Keeping::OpenStack {
            let mut ini = OpenStackIni::read(&self.path)?;
            let is_list = self.value.as_ref().is_some_and(|value| value.is_list);
            ini.set(&self.section, self.name.as_deref().unwrap_or_default(), &values, is_list);
            ini.text()
        } else {
            let mut ini = Ini::read(&self.path, self.style.clone())?;
            match &self.name {
                Some(name) => ini.set(&self.section, name, values.first().map(String::as_str).unwrap_or_default()),
                None => _ = ini.add_section(&self.section),
            }
            ini.text()
        };
        ini::save(&self.path, &text)
    }

    fn remove(&self) -> Outcome {
        let Some(name) = &self.name else { return Ok(()) };
        let text = if self.keeping == Keeping::OpenStack {
            let mut ini = OpenStackIni::read(&self.path)?;
            ini.remove(&self.section, name);
            ini.text()
        } else {
            let mut ini = Ini::read(&self.path, self.style.clone())?;
            ini.remove(&self.section, name);
            ini.text()
        };
        ini::save(&self.path, &text)
    }

    /// Some values are none: they say that the setting is not there, or is left as it is.
    fn settle(&mut self, current: Option<&[String]>) -> Outcome {
        let wanted = self.wanted();
        let is_one = |value: &str| matches!(wanted.as_slice(), [only] if only == value);
        if self.absent_value.as_deref().is_some_and(is_one) {
            self.ensure.should = Some(vec![ABSENT.into()]);
        } else if self.may_be_immutable && is_one("<_IMMUTABLE_>") {
            match (current, &mut self.value) {
                (Some(current), Some(value)) => {
                    value.should = Some(current.iter().map(|it| it.as_str().into()).collect());
                }
                _ => self.ensure.should = Some(vec![ABSENT.into()]),
            }
        } else if current.is_none() && !self.adds_section && !self.has_section()? {
            self.ensure.should = Some(vec![ABSENT.into()]);
        }
        Ok(())
    }
}

impl Managed for Setting {
    fn provider(&self) -> Option<&str> {
        Some(&self.provider)
    }

    fn properties(&self) -> Vec<Property> {
        [self.ensure.clone()].into_iter().chain(self.value.clone()).collect()
    }

    fn requires(&self) -> Vec<(String, String)> {
        self.requires.clone()
    }

    fn notifies(&self) -> Vec<(String, String)> {
        self.notifies.clone()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let current = self.current()?;
        self.settle(current.as_deref())?;
        let ensure = if current.is_some() { "present" } else { ABSENT };
        // A type whose settings have several values always finds a list.
        let is_list = self.value.as_ref().is_some_and(|value| value.is_list);
        let value = || match (&current, is_list) {
            (Some(values), true) => Value::array(values.iter().map(|it| it.as_str().into())),
            (Some(values), false) => values.last().map_or(Value::Undef, |it| it.as_str().into()),
            (None, _) => Value::Undef,
        };
        Values::of(&self.properties(), Some(ensure.into()), |_| Ok(value()))
    }

    fn is_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        Ok(self.is_refreshonly || property.matches(current))
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        let desired = property.desired();
        let outcome = if property.name == "ensure" && is_absent(&desired) { self.remove() } else { self.put() };
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

    fn shown(&self, property: &str, value: &Value, _: &mut Context<'_>) -> String {
        if property == "value" { self.shown.of(value, true) } else { property::shown(value) }
    }

    fn hides(&self, property: &Property) -> bool {
        property.name == "value" && self.shown == Shown::Secret
    }

    fn is_refreshable(&self) -> bool {
        self.is_refreshable
    }

    fn refresh(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome {
        match (self.is_refreshonly, is_absent(&self.ensure.desired())) {
            (false, _) => Ok(()),
            (true, true) => self.remove(),
            (true, false) => self.put(),
        }
    }
}
