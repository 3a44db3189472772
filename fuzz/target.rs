//! The fuzzer: every binary is this file and runs the target it is named for.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| bunraku_fuzz_targets::run(env!("CARGO_BIN_NAME"), bytes));
