//! `timezone`: the abbreviation of the time zone at present.

use bunraku_environment::world::Machine;

use crate::fact::Fact;

pub(super) const FACTS: &[Fact] = &[Fact::new("timezone", |host| host.machine().and_then(Machine::time_zone).into())];
