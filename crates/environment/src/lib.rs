//! Where Puppet code and data come from: modules, settings, autoloading.

pub mod issues;
pub mod settings;
pub mod world;

pub use settings::{RunMode, SettingValue, Settings, Strict};
pub use world::{Disk, Memory, World};
