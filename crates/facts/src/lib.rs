//! What a machine tells of itself: core facts read from the kernel and the files of the system, legacy names for them,
//! external facts from `facts.d`, and a place for custom facts in Ruby.
//!
//! Everything is read through [`World`](bunraku_environment::World), so that a test can stand in for a machine. The shelf
//! `core/` has one file for each fact; [`Collector`] puts the sources together by the reference's precedence.

mod cache;
mod collect;
mod config;
mod core;
mod custom;
mod distribution;
mod external;
mod fact;
pub mod format;
mod groups;
mod host;
mod message;
mod query;
mod units;

pub use collect::{Collector, Facts, Options, Timing};
pub use config::Config;
pub use custom::{CustomFacts, CustomRequest, CustomResult, NoCustomFacts};
pub use groups::Groups;
pub use message::{Level, Message};
pub use query::dig;

/// The release of Facter whose facts these are: OpenVox 8 works with it.
pub const FACTER_VERSION: &str = "5.1.0";

/// The structured fact that a legacy name stands for, as a path: `os.family` for `osfamily`. A core fact stands for itself.
pub fn structured_name(legacy: &str) -> Option<String> {
    core::structured_name(legacy)
}
