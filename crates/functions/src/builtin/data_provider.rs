//! The functions that Hiera calls to read data: `yaml_data`, `json_data`, `hocon_data` and `eyaml_lookup_key`.
//!
//! A lookup reads the files itself. Nothing but a lookup can make the context that these functions ask for, so a call in a
//! manifest is always told what it lacks.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Reads the data of a HOCON file for a lookup; `hiera.yaml` names it as `data_hash`.
    ///
    /// ```yaml
    /// data_hash: hocon_data
    /// ```
    HOCON_DATA: "hocon_data" {
        "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context)" => only_in_lookup(),
    }
}

function! {
    /// Reads the data of a JSON file for a lookup; `hiera.yaml` names it as `data_hash`.
    ///
    /// ```yaml
    /// data_hash: json_data
    /// ```
    JSON_DATA: "json_data" {
        "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context)" => only_in_lookup(),
    }
}

function! {
    /// Reads the data of a YAML file for a lookup; `hiera.yaml` names it as `data_hash`.
    ///
    /// ```yaml
    /// data_hash: yaml_data
    /// ```
    YAML_DATA: "yaml_data" {
        "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context)" => only_in_lookup(),
    }
}

function! {
    /// Reads an encrypted value of a YAML file for a lookup; `hiera.yaml` names it as `lookup_key`.
    ///
    /// ```yaml
    /// lookup_key: eyaml_lookup_key
    /// ```
    EYAML_LOOKUP_KEY: "eyaml_lookup_key" {
        "(String[1] $key, Hash[String[1], Any] $options, Puppet::LookupContext $context)" => only_in_lookup(),
    }
}

fn only_in_lookup() -> Result<Value, Issue> {
    fail("it can only be called by a lookup")
}
