//! Identities of compilations.

use std::io;

use bunraku_environment::World;
use ecow::{EcoString, eco_format};

/// A random UUID, of version 4.
pub fn random_uuid(world: &dyn World) -> io::Result<EcoString> {
    let mut random = [0; 16];
    world.random(&mut random)?;
    Ok(uuid(u128::from_be_bytes(random)))
}

/// A UUID of version 4 made of a random number.
fn uuid(random: u128) -> EcoString {
    let versioned = random & !(0xf << 76) | 4 << 76;
    let number = versioned & !(0b11 << 62) | 0b10 << 62;
    let part = |from: u32, digits: u32| number >> from & ((1 << (4 * digits)) - 1);
    eco_format!("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", part(96, 8), part(80, 4), part(64, 4), part(48, 4), part(0, 12))
}

#[cfg(test)]
mod tests {
    #[test]
    fn uuids_have_their_version() {
        let check = |random, expected: &str| assert_eq!(super::uuid(random), expected);
        check(0, "00000000-0000-4000-8000-000000000000");
        check(u128::MAX, "ffffffff-ffff-4fff-bfff-ffffffffffff");
        check(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef, "01234567-89ab-4def-8123-456789abcdef");
    }
}
