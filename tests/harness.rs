//! Runs cases of the recorded corpora, described in `conformance/`, through the library as any program would use it.

mod case;
mod catalog;
mod record;
mod world;

pub use case::{run, run_with_files, shown};
pub use record::forget_files;
