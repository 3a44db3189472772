//! What must stay fast. `workload` holds the programs; `versus-puppet` compares them with the reference implementation,
//! `budgets` counts the instructions they take.

pub mod comparison;
pub mod ours;
pub mod workload;

use std::error::Error;

/// The allocator of the program, so that what is measured is what users run.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Evaluation recurses as deeply as programs call.
const STACK: usize = 512 << 20;

/// What measuring gives; nothing here recovers from an error.
pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Runs something with room for deep recursion.
pub fn with_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        worker.join().map_err(|_| "the benchmark ended in a panic")?
    })
}
