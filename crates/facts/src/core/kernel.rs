//! `kernel`, `kernelrelease`, `kernelversion`, `kernelmajversion`: what `uname` says.

use bunraku_pcore::Value;

use crate::fact::Fact;

pub(super) const FACTS: &[Fact] = &[
    Fact::new("kernel", |host| known(host.uname().kernel.clone())),
    Fact::new("kernelmajversion", |host| known(host.uname().release.split('.').take(2).collect::<Vec<_>>().join("."))),
    Fact::new("kernelrelease", |host| known(host.uname().release.clone())),
    Fact::new("kernelversion", |host| {
        let release = &host.uname().release;
        let numbers = release.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
        known(numbers.take(3).collect::<Vec<_>>().join("."))
    }),
];

fn known(text: String) -> Value {
    if text.is_empty() { Value::Undef } else { Value::from(text) }
}
