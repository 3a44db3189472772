//! `keystone_domain_config` of the keystone module: a setting of a domain, which has a file of its own.

use std::path::Path;

use bunraku_catalog::setting_type::{SettingType, Spelling};

use super::ini_setting;
use crate::context::Context;
use crate::fault::Outcome;
use crate::ini::openstack::OpenStackIni;
use crate::property::text_of;
use crate::resource::{Given, Managed};

pub(super) const PARAMETERS: &[&str] = &["name", "ensure", "value", "secret", "ensure_absent_val", "provider"];

/// The setting that says where the files are, and the file it is in.
const DIRECTORY: &str = "identity/domain_config_dir";
const CONFIGURATION: &str = "/etc/keystone/keystone.conf";

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = given.name("name");
    let Some((domain, setting)) = name.split_once("::").filter(|(domain, _)| !domain.is_empty()) else {
        let reason = "You must provide a domain name in the name of the resource <domain_name>::<section>/<key>.  It \
                      cannot be empty.";
        return Err(given.refuse("name", reason));
    };
    let directory = directory(context)?;
    let required = |type_name: &str, title: &str| (type_name.to_owned(), title.to_owned());
    let known = SettingType {
        provider: "openstack".to_owned(),
        path: Some(format!("{directory}/keystone.{domain}.conf")),
        has_sections: true,
        separator: "=".to_owned(),
        spelling: Spelling::Capitalized,
        has_secrets: true,
        absent_value: Some("<SERVICE DEFAULT>".to_owned()),
        pattern: Some("^[\\S ]*$".to_owned()),
        may_be_immutable: true,
        requires: vec![
            required("anchor", "keystone::install::end"),
            required("file", &directory),
            required("keystone_config", DIRECTORY),
        ],
        notifies: vec![required("service", "keystone")],
        ..SettingType::default()
    };
    ini_setting::build_as(&known, setting, given)
}

/// Where the files are: as the catalog says, or else as the service has it now.
fn directory(context: &Context<'_>) -> Outcome<String> {
    let declared = context.declared.find("keystone_config", DIRECTORY).and_then(|it| it.parameters.get("value"));
    let declared = declared.map(|value| match value {
        bunraku_pcore::Value::Array(values) => values.first().map(text_of).unwrap_or_default(),
        value => text_of(value),
    });
    if let Some(directory) = declared {
        return Ok(directory);
    }
    let known = OpenStackIni::read(Path::new(CONFIGURATION))?;
    let (section, setting) = DIRECTORY.split_once('/').unwrap_or_default();
    Ok(known.get(section, setting).first().map_or("/etc/keystone/domains", |it| *it).to_owned())
}
