//! What was said about data before Hiera 5: the setting `environment_data_provider`, and `data_provider` in the metadata
//! of a module. A configuration of version 5 goes before both.

use crate::config::{Config, Layer};
use crate::error::Error;
use crate::hiera::Hiera;

impl Hiera {
    /// The configuration that holds for a layer in `root`, whose own file says `config`.
    pub(crate) fn provided(
        &self,
        layer: &Layer,
        root: &str,
        config: Option<Config>,
        warn: &mut dyn FnMut(String),
    ) -> Result<Option<Config>, Error> {
        let layout = &self.layout;
        let (provider, file, owner) = match layer {
            Layer::Global => return Ok(config),
            Layer::Environment => (layout.environment_data_provider.as_deref(), "environment.conf", "environment"),
            Layer::Module(name) => (layout.module_data_providers.get(name).map(|it| &**it), "metadata.json", &**name),
        };
        let Some(provider) = provider else { return Ok(config) };
        let is_environment = *layer == Layer::Environment;
        let place = format!("(file: {root}/{file})");
        let mut deprecated = |message: String, place: &str| {
            if self.warns_of_deprecations {
                warn(format!("{message}\n   {place}"));
            }
        };
        let defining = match is_environment {
            true => format!("Defining environment_data_provider='{provider}' in environment.conf is deprecated"),
            false => format!("Defining \"data_provider\": \"{provider}\" in metadata.json is deprecated"),
        };
        if config.as_ref().is_some_and(|config| config.version >= 5) {
            if is_environment {
                deprecated(defining, &place);
            } else {
                let why = "It is ignored since a 'hiera.yaml' with version >= 5 is present";
                deprecated(format!("{defining}. {why}"), &place);
            }
            if is_environment && provider != "hiera" {
                let what = format!("The environment_data_provider='{provider}' setting is ignored");
                deprecated(format!("{what} since '{root}/hiera.yaml' version >= 5"), &place);
            }
            return Ok(config);
        }
        let advice = if config.is_none() { " A 'hiera.yaml' file should be used instead" } else { "" };
        deprecated(format!("{defining}.{advice}"), &place);
        match provider {
            "none" => Ok(None),
            "hiera" => Ok(Some(config.unwrap_or_else(|| Config::standard(root)))),
            "function" => {
                let function = format!("{owner}::data");
                let message = format!("Using of legacy data provider function '{function}'.");
                let advice = "Please convert to a 'data_hash' function";
                deprecated(format!("{message} {advice}"), "(file & line not available)");
                Ok(Some(Config::of_function(&function, root)))
            }
            _ => {
                let kind = if is_environment { "environment" } else { "module" };
                let environment = &layout.environment;
                let message = format!("Environment '{environment}', cannot find {kind}_data_provider '{provider}'");
                Err(Error::general(message))
            }
        }
    }
}
