//! How the program itself is built.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]
#![cfg(target_os = "linux")]

/// The type of an ELF file that can be loaded at any address.
const POSITION_INDEPENDENT: u16 = 3;

#[test]
fn the_program_is_position_independent() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_bunraku")).unwrap();
    assert_eq!(&program[..4], b"\x7fELF");
    let bytes = [program[16], program[17]];
    let kind = if program[5] == 1 { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) };
    assert_eq!(kind, POSITION_INDEPENDENT, "the system cannot choose where its code is");
}
