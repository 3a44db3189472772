//! `inifile::create_ini_settings`: resources for the settings of a file.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Value, inspect};

use crate::number::fail;
use crate::stdlib::deprecation::forward;
use crate::stdlib::merge::merge;

function! {
    /// Declares an `ini_setting` for each setting of a hash from sections to settings.
    ///
    /// ```puppet
    /// inifile::create_ini_settings({ 'main' => { 'a' => 1 } }, { 'path' => '/etc/app.ini' })
    /// ```
    "inifile::create_ini_settings" of "inifile" {
        "(Hash $settings, Hash $defaults = undef)" as ">> Any" => create_ini_settings(call, settings, defaults),
    }
}

function! {
    /// Declares settings of a file. Deprecated: use `inifile::create_ini_settings`.
    ///
    /// ```puppet
    /// create_ini_settings({ 'main' => { 'a' => 1 } }, { 'path' => '/etc/app.ini' })
    /// ```
    FLAT: "create_ini_settings" of "inifile" {
        "(Any *$args)" as "(Hash $settings, Hash $defaults = undef) >> Any" => flat(call, *args),
    }
}

fn create_ini_settings(call: &mut Call<'_, '_>, settings: &Hash, defaults: Option<&Hash>) -> Outcome {
    let path = settings.get_str("path").or_else(|| defaults?.get_str("path")).filter(|path| path.is_truthy());
    let mut resources = Hash::new();
    for (section, values) in settings.iter() {
        let Value::Hash(values) = values else {
            let section = inspect::to_s(section);
            return Ok(fail(format!("create_ini_settings(): Section {section} must contain a Hash"))?);
        };
        let Some(path) = path else {
            return Ok(fail("create_ini_settings(): must pass the path parameter to the Ini_setting resource!")?);
        };
        for (setting, value) in values.iter() {
            let title = format!("{} [{}] {}", inspect::to_s(path), inspect::to_s(section), inspect::to_s(setting));
            let given = Value::hash([
                ("ensure".into(), "present".into()),
                ("section".into(), section.clone()),
                ("setting".into(), setting.clone()),
            ]);
            let value = match value {
                Value::Hash(_) => value.clone(),
                other => Value::hash([("value".into(), other.clone())]),
            };
            resources.insert(title.into(), merge(&[given, value]).into());
        }
    }
    let defaults = Value::from(defaults.cloned().unwrap_or_default());
    call.function_from_top("create_resources", vec!["ini_setting".into(), resources.into(), defaults])
}

fn flat(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    forward(call, "inifile::create_ini_settings", "method", args)
}
