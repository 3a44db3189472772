//! What an agent does with a server: it gets a certificate, a catalog and files, and sends facts and reports.
//!
//! It knows nothing of how a catalog is applied; that is the crate `apply`, and the command brings the two together.

mod bootstrap;
mod certificate;
mod client;
mod csr_attributes;
mod failure;
mod identity;
mod lock;
mod mirror;
mod plugins;
mod requests;
mod tls;

pub use bootstrap::{Bootstrap, Stop, fingerprint};
pub use client::Client;
pub use failure::Failure;
pub use lock::{Disabled, Lock, disable, disabled, enable};
pub use mirror::Mirror;
pub use plugins::{Plugins, stand_for_module};
pub use requests::{Asked, Server};
pub use tls::Identity;

use bunraku::Settings;

/// A setting as a string.
fn text(settings: &Settings, name: &str) -> Result<String, String> {
    settings.text(name).map_err(|issue| issue.message().to_owned())
}

/// A setting in seconds, `None` if there is no end to it.
pub fn seconds(settings: &Settings, name: &str) -> Result<Option<u64>, String> {
    use bunraku::SettingValue;
    match settings.value(name).map_err(|issue| issue.message().to_owned())? {
        SettingValue::Integer(seconds) => Ok(u64::try_from(seconds).ok()),
        SettingValue::Unlimited | SettingValue::Absent => Ok(None),
        other => Err(format!("{name} is no number of seconds: {other:?}")),
    }
}
