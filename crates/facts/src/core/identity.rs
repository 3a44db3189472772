//! `identity`: who finds the facts.

use bunraku_environment::world::Machine;
use bunraku_pcore::Value;

use crate::fact::{Fact, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] =
    &[Fact { name: "identity", resolve, aliases: &[("id", "user"), ("gid", "group")], legacy: None }];

fn resolve(host: &Host<'_>) -> Value {
    let Some(account) = host.machine().and_then(Machine::account) else { return Value::Undef };
    structure([
        ("gid", i64::from(account.gid).into()),
        ("group", account.group.into()),
        ("privileged", (account.uid == 0).into()),
        ("uid", i64::from(account.uid).into()),
        ("user", account.user.into()),
    ])
}
