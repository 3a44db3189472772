//! Brings a machine to the state of a catalog.
//!
//! [`apply`] walks the resources of a catalog in the order of their relationships (`transaction`), has each resource type
//! look at the machine and change what differs (`resources`), and tells what happened (`report`). It never compiles: a
//! catalog is handed in, together with a [`Host`] that knows how `Deferred` values are resolved and where modules are.

mod accounts;
mod audit;
mod bucket;
mod build;
mod context;
mod cycle;
mod dot;
mod execution;
mod fault;
mod fileset;
mod generate;
mod graph;
mod harness;
mod ini;
mod inspect;
pub mod log;
mod metaparameters;
mod mysql;
mod options;
mod place;
mod property;
mod records;
mod report;
mod resource;
mod resources;
mod ruby;
mod run;
mod state;
mod status;
mod store;
mod transaction;
mod write;

pub use context::{FileCopy, Host, WebAnswer, WebQuestion};
pub use fault::Fault;
pub use inspect::{Found, Inspection};
pub use log::{Destination, Entry, Level, Log};
pub use options::{Options, Paths};
pub use resources::is_native;
pub use run::{Change, Outcome, Prepared, Run, apply};
