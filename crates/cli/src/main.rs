//! The binary `bunraku`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bunraku_cli::main()
}
