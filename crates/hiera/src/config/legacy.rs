//! The older versions of `hiera.yaml`: 3, for the global layer, and 4, for environments and modules.

use bunraku_environment::Strict;
use bunraku_pcore::{Hash, Value};
use ecow::EcoString;

use super::{Config, Entry, FunctionKind, Layer, LocationSpec, Setting, as_hash, text_of, texts};
use crate::error::Error;
use crate::issues;
use crate::location::plus;
use crate::merge::Strategy;

impl Config {
    pub(super) fn read_version_3(
        self,
        hash: &Hash,
        setting: &Setting<'_>,
        warn: &mut dyn FnMut(String),
    ) -> Result<Option<Config>, Error> {
        let place = match setting.layer {
            Layer::Global => return self.read_global(hash, setting).map(Some),
            Layer::Environment => "environment",
            Layer::Module(_) => "module",
        };
        super::validate::version_3(hash, &backends(hash), (self.path.as_deref().unwrap_or_default(), &self.text))?;
        if setting.strict == Strict::Error {
            return Err(self.fail(&issues::version_3_not_global(place), None));
        }
        let at = if place == "environment" { "the environment root" } else { "module root" };
        warn(format!("hiera.yaml version 3 found at {at} was ignored"));
        Ok(None)
    }

    fn read_global(mut self, hash: &Hash, setting: &Setting<'_>) -> Result<Config, Error> {
        let backends = backends(hash);
        super::validate::version_3(hash, &backends, (self.path.as_deref().unwrap_or_default(), &self.text))?;
        let paths = list(hash, "hierarchy", &["nodes/%{::trusted.certname}", "common"]);
        self.hierarchy = backends.into_iter().map(|backend| backend_entry(hash, backend, &paths, setting)).collect();
        self.hash_strategy = hash_strategy(hash)?;
        Ok(self)
    }

    pub(super) fn read_version_4(mut self, hash: &Hash, setting: &Setting<'_>) -> Result<Config, Error> {
        super::validate::version_4(hash, (self.path.as_deref().unwrap_or_default(), &self.text))?;
        if *setting.layer == Layer::Global {
            return Err(self.fail(&issues::unsupported_version_in_global(), None));
        }
        let datadir = text_of(hash, "datadir").unwrap_or_else(|| "data".into());
        let common = Value::array([Value::hash([("name".into(), "common".into()), ("backend".into(), "yaml".into())])]);
        let hierarchy = hash.get_str("hierarchy").filter(|value| !value.is_undef()).unwrap_or(&common);
        let Value::Array(levels) = hierarchy else { return Ok(self) };
        for level in levels.iter().filter_map(as_hash) {
            let entry = self.version_4_entry(level, &datadir, setting)?;
            self.hierarchy.push(entry);
        }
        Ok(self)
    }

    fn version_4_entry(&self, level: &Hash, datadir: &str, setting: &Setting<'_>) -> Result<Entry, Error> {
        let name = text_of(level, "name").unwrap_or_default();
        let backend = text_of(level, "backend").unwrap_or_default();
        let extension = match backend.as_str() {
            "json" | "yaml" => ecow::eco_format!(".{backend}"),
            "hocon" => ".conf".into(),
            _ => {
                return Err(self.fail_at_word(&issues::no_provider_for_backend(&backend), &backend));
            }
        };
        let paths = match level.get_str("paths") {
            Some(paths) => texts(paths),
            None => vec![text_of(level, "path").unwrap_or_else(|| name.clone())],
        };
        let datadir = text_of(level, "datadir").unwrap_or_else(|| datadir.into());
        Ok(Entry {
            name,
            kind: FunctionKind::DataHash,
            function: ecow::eco_format!("{backend}_data"),
            datadir: plus(setting.root, &datadir).into(),
            location: LocationSpec::Paths(paths),
            options: None,
            extension: Some(extension),
        })
    }
}

fn backends(hash: &Hash) -> Vec<EcoString> {
    list(hash, "backends", &["yaml"])
}

fn list(hash: &Hash, key: &str, standard: &[&str]) -> Vec<EcoString> {
    match hash.get_str(key) {
        None | Some(Value::Undef) => standard.iter().map(|text| EcoString::from(*text)).collect(),
        Some(value) => texts(value),
    }
}

fn backend_entry(hash: &Hash, backend: EcoString, paths: &[EcoString], setting: &Setting<'_>) -> Entry {
    let options = hash.get_str(&backend).and_then(as_hash);
    let option = |name| options.and_then(|options| text_of(options, name));
    let datadir = option("datadir")
        .unwrap_or_else(|| ecow::eco_format!("{}/environments/%{{::environment}}/hieradata", setting.codedir));
    let extension = match option("extension") {
        Some(extension) => ecow::eco_format!(".{extension}"),
        None if backend == "hocon" => ".conf".into(),
        None => ecow::eco_format!(".{backend}"),
    };
    let (kind, function) = match backend.as_str() {
        "yaml" | "json" | "hocon" => (FunctionKind::DataHash, ecow::eco_format!("{backend}_data")),
        "eyaml" => (FunctionKind::LookupKey, "eyaml_lookup_key".into()),
        _ => (FunctionKind::Hiera3Backend, backend.clone()),
    };
    let options = match (kind, hash.get_str(&backend)) {
        (FunctionKind::LookupKey, Some(Value::Hash(options))) => Some(options.clone()),
        _ => None,
    };
    Entry {
        name: backend,
        kind,
        function,
        datadir,
        location: LocationSpec::Paths(paths.to_vec()),
        options,
        extension: Some(extension),
    }
}

/// What `hiera_hash` does: `merge_behavior` with its options.
fn hash_strategy(hash: &Hash) -> Result<Strategy, Error> {
    let strategy = match text_of(hash, "merge_behavior").as_deref() {
        Some("array") => return Strategy::from_value(Some(&"unique".into())),
        Some("deep") => "reverse_deep",
        Some("deeper") => "unconstrained_deep",
        _ => return Ok(Strategy::default_strategy()),
    };
    let mut merge = Hash::from_iter([(Value::from("strategy"), Value::from(strategy))]);
    if let Some(options) = hash.get_str("deep_merge_options").and_then(as_hash) {
        merge.extend(options.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    Strategy::from_value(Some(&Value::from(merge)))
}
