//! `cloud`, `ec2_metadata`, `gce` and kin: they are asked of a server of the cloud, and no fact here uses the network.
//! The names are known, so that whoever asks for one is told nothing, as on a machine outside of a cloud.

use bunraku_pcore::Value;

use crate::fact::Fact;

pub(super) const FACTS: &[Fact] = &[
    Fact::new("az_metadata", |_| Value::Undef),
    Fact::new("cloud", |_| Value::Undef),
    Fact::new("ec2_metadata", |_| Value::Undef),
    Fact::new("ec2_userdata", |_| Value::Undef),
    Fact::new("gce", |_| Value::Undef),
];
