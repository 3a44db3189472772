//! `path`: where programs are looked for.

use crate::fact::Fact;

pub(super) const FACTS: &[Fact] = &[Fact::new("path", |host| host.world.variable("PATH").into())];
