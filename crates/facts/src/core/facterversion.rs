//! `facterversion`: the release of Facter whose facts these are.

use bunraku_pcore::Value;

use crate::FACTER_VERSION;
use crate::fact::Fact;

pub(super) const FACTS: &[Fact] = &[Fact::new("facterversion", |_| Value::from(FACTER_VERSION))];
