//! The binary `bunraku`.

use std::process::ExitCode;

/// A catalog is made of many small pieces, which the allocator of the system is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    bunraku_cli::main()
}
