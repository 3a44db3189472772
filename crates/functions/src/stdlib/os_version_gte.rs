//! `os_version_gte`: whether the operating system is new enough.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::builtin::versioncmp::compare;
use crate::legacy_arguments;

function! {
    /// Returns whether the node has an operating system of a name, and at least in a version.
    ///
    /// ```puppet
    /// os_version_gte('Debian', '9')
    /// ```
    "os_version_gte" of "stdlib" {
        "(String[1] $os, String[1] $version) >> Boolean" => os_version_gte(call, os, version),
    }
}

function! {
    /// Returns whether the node has an operating system of a name, and at least in a version.
    ///
    /// ```puppet
    /// os_version_gte('Debian', '9')
    /// ```
    NAMESPACED: "stdlib::os_version_gte" of "stdlib" {
        "(String[1] $os, String[1] $version) >> Boolean" => of_structured_facts(call, os, version),
    }
}

fn os_version_gte(call: &mut Call<'_, '_>, name: &str, version: &str) -> Result<bool, Issue> {
    let facts = &call.frame.compilation.node.facts;
    if facts.get_str("operatingsystem").and_then(Value::as_str) != Some(name) {
        return Ok(false);
    }
    match facts.get_str("operatingsystemmajrelease") {
        Some(Value::String(release)) => Ok(compare(release, version).is_ge()),
        other => Err(legacy_arguments::undefined_method("scan", other.unwrap_or(&Value::Undef))),
    }
}

fn of_structured_facts(call: &mut Call<'_, '_>, name: &str, version: &str) -> bool {
    let os = call.frame.compilation.node.facts.get_str("os");
    let is_named = os.and_then(|os| os.get("name")).and_then(Value::as_str) == Some(name);
    let release = os.and_then(|os| os.get("release")).and_then(|release| release.get("major"));
    is_named && release.and_then(Value::as_str).is_some_and(|release| compare(release, version).is_ge())
}
