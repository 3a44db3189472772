//! Where an installation has its directories: those of the vendor's packages, those of Debian's, or below the home of an
//! ordinary user.

use super::{Layer, RunMode};
use crate::world::World;

/// Debian's directory of `puppet.conf`.
const DEBIAN: &str = "/etc/puppet";

/// The vendor's directory of `puppet.conf`.
const VENDOR: &str = "/etc/puppetlabs/puppet";

/// Whose packages decide where everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Vendor,
    Debian,
}

impl Layout {
    /// Debian's, where its configuration is asked for or is the only one there is.
    pub(super) fn find(world: &dyn World, command_line: &Layer) -> Layout {
        let is_debian = match command_line.get("confdir") {
            Some(directory) => directory == DEBIAN,
            None => world.is_file(&format!("{DEBIAN}/puppet.conf")) && !world.is_dir(VENDOR),
        };
        if is_debian { Layout::Debian } else { Layout::Vendor }
    }

    /// The defaults that depend on it, and a name for the node. Nobody's home means a system-wide installation.
    pub(super) fn defaults(self, run_mode: RunMode, home: Option<&str>) -> Layer {
        let cache = match (run_mode, self) {
            (_, Layout::Debian) => "/var/cache/puppet",
            (RunMode::Server, _) => "/opt/puppetlabs/server/data/puppetserver",
            (RunMode::User | RunMode::Agent, _) => "/opt/puppetlabs/puppet/cache",
        };
        // The name, the directory of the system, and the one below the home.
        let (below, directories) = match self {
            Layout::Vendor => (
                ".puppetlabs",
                [
                    ("confdir", VENDOR, "etc/puppet"),
                    ("codedir", "/etc/puppetlabs/code", "etc/code"),
                    ("vardir", cache, "opt/puppet/cache"),
                    ("logdir", "/var/log/puppetlabs/puppet", "var/log"),
                    ("rundir", "/var/run/puppetlabs", "var/run"),
                    ("publicdir", "/opt/puppetlabs/puppet/public", "opt/puppet/public"),
                ],
            ),
            Layout::Debian => (
                ".puppet",
                [
                    ("confdir", DEBIAN, "etc"),
                    ("codedir", "/etc/puppet/code", "code"),
                    ("vardir", cache, "cache"),
                    ("logdir", "/var/log/puppet", "var/log"),
                    ("rundir", "/run/puppet", "var/run"),
                    ("publicdir", "/var/cache/puppet/public", "cache/public"),
                ],
            ),
        };
        let mut defaults: Layer = directories
            .into_iter()
            .map(|(name, system, user)| {
                let directory = home.map_or_else(|| system.to_owned(), |home| format!("{home}/{below}/{user}"));
                (name.to_owned(), directory)
            })
            .chain([("certname".to_owned(), "localhost".to_owned())])
            .collect();
        if self == Layout::Debian {
            let mut set = |name: &str, value: &str| _ = defaults.insert(name.to_owned(), value.to_owned());
            set("basemodulepath", "$codedir/modules:/usr/share/puppet/modules");
            set("vendormoduledir", "/usr/share/puppet/vendor_modules");
            if home.is_none() {
                set("ssldir", "/var/lib/puppet/ssl");
                set("cadir", "/etc/puppet/puppetserver/ca");
            }
        }
        if let Some(home) = home {
            defaults.insert("cadir".to_owned(), format!("{home}/{below}/etc/puppetserver/ca"));
        }
        defaults
    }

    /// Where the certificate authority is if the directory of `puppet.conf` is given: the authority that is there already,
    /// as Puppet Server and its command look for it, or else below this directory. Never in that of the system, which
    /// another `puppet.conf` is about.
    pub(super) fn authority(world: &dyn World, command_line: &Layer) -> Option<String> {
        let given = command_line.get("confdir")?.trim_end_matches('/');
        let known =
            [format!("{given}/ssl/ca"), format!("{given}/puppetserver/ca"), format!("{given}/../puppetserver/ca")];
        let below = format!("{given}/puppetserver/ca");
        match given {
            VENDOR | DEBIAN => None,
            _ => Some(
                known.into_iter().find(|directory| world.is_file(&format!("{directory}/ca_crt.pem"))).unwrap_or(below),
            ),
        }
    }
}
