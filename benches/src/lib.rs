//! What must stay fast. `workload` holds the programs; `versus-puppet` compares them with the reference implementation,
//! `budgets` counts the instructions they take.

pub mod comparison;
pub mod ours;
pub mod server;
pub mod workload;

use std::error::Error;

/// The allocator of the program, so that what is measured is what users run.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What measuring gives; nothing here recovers from an error.
pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;
