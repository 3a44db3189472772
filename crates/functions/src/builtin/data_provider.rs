//! The functions that Hiera calls to read data: `yaml_data`, `json_data`, `hocon_data` and `eyaml_lookup_key`.
//!
//! A lookup whose configuration names them reads the files itself. They are called by data functions that add something of
//! their own, with the context that such a function gets.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Reads the data of a HOCON file for a lookup; `hiera.yaml` names it as `data_hash`.
    ///
    /// ```yaml
    /// data_hash: hocon_data
    /// ```
    HOCON_DATA: "hocon_data" {
        "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context)" as ">> Any" => data_hash(call, options),
        "mismatch (Hash $options, Puppet::LookupContext $context)" => missing_path(),
    }
}

function! {
    /// Reads the data of a JSON file for a lookup; `hiera.yaml` names it as `data_hash`.
    ///
    /// ```yaml
    /// data_hash: json_data
    /// ```
    JSON_DATA: "json_data" {
        "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context)" as ">> Any" => data_hash(call, options),
        "mismatch (Hash $options, Puppet::LookupContext $context)" => missing_path(),
    }
}

function! {
    /// Reads the data of a YAML file for a lookup; `hiera.yaml` names it as `data_hash`.
    ///
    /// ```yaml
    /// data_hash: yaml_data
    /// ```
    YAML_DATA: "yaml_data" {
        "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context)" as ">> Any" => data_hash(call, options),
        "mismatch (Hash $options, Puppet::LookupContext $context)" => missing_path(),
    }
}

function! {
    /// Reads an encrypted value of a YAML file for a lookup; `hiera.yaml` names it as `lookup_key`.
    ///
    /// ```yaml
    /// lookup_key: eyaml_lookup_key
    /// ```
    EYAML_LOOKUP_KEY: "eyaml_lookup_key" {
        "(String[1] $key, Hash[String[1], Any] $options, Puppet::LookupContext $context)" as ">> Any" => eyaml_lookup_key(call, key, options),
    }
}

fn data_hash(call: &mut Call<'_, '_>, options: &Hash) -> Outcome {
    let path = options.get_str("path").and_then(Value::as_str).unwrap_or_default();
    call.frame.data_hash(call.name, path, call.span)
}

fn missing_path() -> Result<Value, Issue> {
    fail(
        "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash \
         function",
    )
}

fn eyaml_lookup_key(call: &mut Call<'_, '_>, key: &str, options: &Hash) -> Outcome {
    call.frame.eyaml_lookup_key(key, options, call.span)
}
