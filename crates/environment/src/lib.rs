//! Where Puppet code and data come from: modules, settings, autoloading.

mod autoload;
pub mod cache;
pub mod definitions;
pub mod environment;
pub mod files;
pub mod issues;
mod listing;
pub mod module;
pub mod ruby_files;
pub mod settings;
pub mod world;

pub use cache::Cache;
pub use definitions::{Defined, Definitions, LoadFailure};
pub use environment::Environment;
pub use files::{Code, Form, Store};
pub use module::Module;
pub use settings::{RunMode, SettingValue, Settings, Strict, Target};
pub use world::{Disk, Memory, World};
