//! `augeas`: the version of the library, as its tool tells it.

use bunraku_pcore::Value;

use crate::fact::{Fact, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] =
    &[Fact { name: "augeas", resolve, aliases: &[("augeasversion", "version")], legacy: None }];

const VENDOR: &str = "/opt/puppetlabs/puppet/bin/augparse";

fn resolve(host: &Host<'_>) -> Value {
    let program = if host.world.is_file(VENDOR) { VENDOR } else { "augparse" };
    // It writes its version to standard error.
    let Some(shell) = host
        .which(program.trim_start_matches("/opt/puppetlabs/puppet/bin/"))
        .or_else(|| host.world.is_file(program).then(|| program.to_owned()))
    else {
        return Value::Undef;
    };
    let said = host.command("/bin/sh", &["-c", &format!("'{shell}' --version 2>&1")]).unwrap_or_default();
    let version = said.lines().find_map(|line| line.strip_prefix("augparse ")?.split_whitespace().next());
    structure([("version", version.into())])
}
