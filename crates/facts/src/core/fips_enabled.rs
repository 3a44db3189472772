//! `fips_enabled`: whether the kernel allows approved algorithms only.

use bunraku_pcore::Value;

use crate::fact::Fact;

pub(super) const FACTS: &[Fact] = &[Fact::new("fips_enabled", |host| {
    Value::from(host.line("/proc/sys/crypto/fips_enabled").as_deref() == Some("1"))
})];
