//! `environment.conf`: the settings an environment may give itself.

use std::io::ErrorKind;

use bunraku_syntax::Issue;

use super::{ConfigurationFile, Layer, Settings, Target};
use crate::issues;
use crate::world::{World, expand, glob, has_wildcard, join};

/// The settings that `environment.conf` may have.
const ALLOWED: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

/// What an environment says about itself, with paths made absolute.
#[derive(Debug, Clone, Default)]
pub struct EnvironmentConf {
    /// Its settings, `modulepath` and `manifest` always among them.
    pub layer: Layer,
    /// Sections and settings that were ignored.
    pub warnings: Vec<Issue>,
}

impl EnvironmentConf {
    /// Reads the file of the environment in `directory`; without a file everything has its default.
    pub fn load(world: &dyn World, settings: &Settings, directory: &str) -> Result<Self, Issue> {
        let path = join(directory, "environment.conf");
        let mut conf = match world.read_text(&path) {
            Ok(text) => Self::parse(&text, &path, settings.target)?,
            Err(error) if error.kind() == ErrorKind::NotFound => EnvironmentConf::default(),
            Err(error) => return Err(issues::unreadable(&path, &error)),
        };
        let absolute = |path: &str| match path.starts_with('$') {
            true => path.to_owned(),
            false => expand(directory, path),
        };
        if let Some(command) = conf.layer.get_mut("config_version") {
            *command = absolute(command);
        }
        let modulepath = match conf.layer.get("modulepath") {
            Some(path) => path.split(':').map(absolute).collect(),
            None => {
                let mut path = vec![join(directory, "modules")];
                path.extend(settings.paths("basemodulepath")?);
                path
            }
        };
        let mut directories = Vec::new();
        for path in modulepath {
            match has_wildcard(&path) {
                true => directories.extend(glob(world, &path)?),
                false => directories.push(path),
            }
        }
        conf.layer.insert("modulepath".to_owned(), directories.join(":"));
        let fallback = expand(directory, &settings.text("default_manifest")?);
        let manifest = conf.layer.get("manifest").map(|path| absolute(path));
        let manifest = match (manifest, settings.boolean("disable_per_environment_manifest")?) {
            (Some(manifest), false) => manifest,
            (Some(manifest), true) if manifest != fallback => {
                let configured = settings.text("default_manifest")?;
                conf.warnings.push(issues::manifest_setting_ignored(directory, &manifest, &configured));
                fallback
            }
            _ => fallback,
        };
        conf.layer.insert("manifest".to_owned(), manifest);
        Ok(conf)
    }

    fn parse(text: &str, path: &str, target: Target) -> Result<Self, Issue> {
        let mut file = ConfigurationFile::parse(text, path)?;
        let mut warnings = Vec::new();
        let sections: Vec<&str> = file.section_names().skip(1).map(String::as_str).collect();
        if !sections.is_empty() {
            warnings.push(issues::environment_conf_sections(path, &sections));
        }
        let mut layer = file.take("main");
        let is_allowed = |name: &str| ALLOWED.contains(&name) && target.has_setting(name);
        let unknown: Vec<&str> = layer.keys().map(String::as_str).filter(|name| !is_allowed(name)).collect();
        if !unknown.is_empty() {
            warnings.push(issues::environment_conf_settings(path, &unknown));
        }
        layer.retain(|name, _| is_allowed(name));
        Ok(EnvironmentConf { layer, warnings })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::settings::RunMode;
    use crate::world::Memory;

    fn check(conf: &str, name: &str, expected: &str, warnings: &[&str]) {
        let world = Memory::from([("/e/p/environment.conf", conf), ("/e/p/vendor/x/m/a.pp", "")]);
        let settings = Settings::new(RunMode::User);
        let conf = EnvironmentConf::load(&world, &settings, "/e/p").unwrap();
        let settings = settings.with_environment("p", conf.layer);
        assert_eq!(settings.text(name).unwrap(), expected);
        let found: Vec<&str> = conf.warnings.iter().map(|issue| issue.message()).collect();
        assert_eq!(found, warnings);
    }

    #[test]
    fn paths_are_relative_to_the_environment() {
        check("", "modulepath", "/e/p/modules:/etc/puppetlabs/code/modules:/opt/puppetlabs/puppet/modules", &[]);
        check("", "manifest", "/e/p/manifests", &[]);
        check(
            "modulepath = site:$codedir/m:vendor/*",
            "modulepath",
            "/e/p/site:/etc/puppetlabs/code/m:/e/p/vendor/x",
            &[],
        );
        check("manifest = site.pp", "manifest", "/e/p/site.pp", &[]);
        check("config_version = bin/$environment", "config_version", "/e/p/bin/p", &[]);
    }

    #[test]
    fn strange_content_is_warned_of() {
        check(
            "colour = red\n[main]\nshape = round\n[agent]\n",
            "rich_data",
            "true",
            &[
                "Invalid sections in environment.conf at '/e/p/environment.conf'. Environment conf may not have sections. The following sections are being ignored: 'agent'",
                "Invalid settings in environment.conf at '/e/p/environment.conf'. The following unknown setting(s) are being ignored: colour, shape\n   (file & line not available)",
            ],
        );
    }
}
