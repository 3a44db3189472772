//! `aio_agent_version`: the release of the vendor's package, where that is installed.

use bunraku_pcore::Value;

use crate::fact::Fact;
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact::new("aio_agent_version", resolve)];

fn resolve(host: &Host<'_>) -> Value {
    let version = host.line("/opt/puppetlabs/puppet/VERSION").unwrap_or_default();
    let numbers: Vec<&str> = version.split('.').take(5).take_while(|part| is_number(part)).collect();
    if numbers.len() < 3 { Value::Undef } else { Value::from(numbers.join(".")) }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
