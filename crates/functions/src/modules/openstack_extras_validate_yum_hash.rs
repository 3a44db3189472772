//! `validate_yum_hash`: fails if attributes are not those of `yumrepo`.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Fails unless the attributes in a hash of resources are those of `yumrepo`; returns the hash.
    ///
    /// ```puppet
    /// validate_yum_hash({ 'epel' => { 'enabled' => 1 } })
    /// ```
    "validate_yum_hash" of "openstack_extras" {
        "(Any *$args)" as "(Hash $repositories) >> Any" => validate_yum_hash(*args),
    }
}

const ATTRIBUTES: [&str; 33] = [
    "name",
    "ensure",
    "baseurl",
    "cost",
    "descr",
    "enabled",
    "enablegroups",
    "exclude",
    "failovermethod",
    "gpgcheck",
    "gpgkey",
    "http_caching",
    "include",
    "includepkgs",
    "keepalive",
    "metadata_expire",
    "metalink",
    "mirrorlist",
    "priority",
    "protect",
    "provider",
    "proxy",
    "proxy_password",
    "proxy_username",
    "repo_gpgcheck",
    "s3_enabled",
    "skip_if_unavailable",
    "sslcacert",
    "sslclientcert",
    "sslclientkey",
    "sslverify",
    "target",
    "timeout",
];

fn validate_yum_hash(args: &[Value]) -> Result<Value, Issue> {
    if args.len() > 1 {
        return fail(format!("validate_yum_hash takes only a single argument, {} provided", args.len()));
    }
    let Some(Value::Hash(resources)) = args.first() else {
        return fail("non-hash argument provided to validate_yum_hash");
    };
    for attributes in resources.values() {
        let names: Vec<&Value> = match attributes {
            Value::Hash(attributes) => attributes.keys().collect(),
            Value::Array(attributes) => attributes.iter().map(first).collect(),
            other => return Err(legacy_arguments::undefined_method("each", other)),
        };
        if let Some(wrong) =
            names.into_iter().find(|name| !name.as_str().is_some_and(|name| ATTRIBUTES.contains(&name)))
        {
            return fail(format!("Parameter {} is not valid for the yumrepo type", inspect::to_s(wrong)));
        }
    }
    Ok(if resources.is_empty() { Value::Undef } else { Value::Hash(resources.clone()) })
}

/// The name in a pair.
fn first(pair: &Value) -> &Value {
    match pair {
        Value::Array(pair) => pair.first().unwrap_or(&Value::Undef),
        other => other,
    }
}
