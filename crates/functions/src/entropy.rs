//! Numbers that nobody can foresee, from the operating system: for passwords and salts.

use bunraku_environment::World;
use bunraku_pcore::issues::{Issue, runtime_error};

/// How many bytes are asked for at a time.
const CHUNK: usize = 64;

/// A source of random numbers.
pub(crate) struct Entropy<'w> {
    world: &'w dyn World,
    bytes: Vec<u8>,
}

impl<'w> Entropy<'w> {
    pub(crate) fn new(world: &'w dyn World) -> Entropy<'w> {
        Entropy { world, bytes: Vec::new() }
    }

    /// A number from `0` up to but without `below`, each as likely as the others.
    pub(crate) fn below(&mut self, below: u64) -> Result<u64, Issue> {
        let Some(limit) = below.checked_sub(1) else { return Ok(0) };
        let mask = u64::MAX.checked_shr(limit.leading_zeros()).unwrap_or(0);
        loop {
            // A number that is too large is thrown away: a remainder would favour small ones.
            let number = self.next()? & mask;
            if number <= limit {
                return Ok(number);
            }
        }
    }

    fn next(&mut self) -> Result<u64, Issue> {
        if self.bytes.is_empty() {
            let mut chunk = [0; CHUNK];
            self.world.random(&mut chunk).map_err(|error| runtime_error(format!("No random numbers: {error}")))?;
            self.bytes.extend(chunk);
        }
        let rest = self.bytes.len().saturating_sub(size_of::<u64>());
        Ok(self.bytes.drain(rest..).fold(0, |number, byte| number << 8 | u64::from(byte)))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use bunraku_environment::{Disk, Memory};

    use super::*;

    #[test]
    fn every_number_comes() {
        let mut entropy = Entropy::new(&Disk);
        for below in [1, 2, 3, 57, 64] {
            let mut seen = vec![false; below];
            while seen.contains(&false) {
                let number = usize::try_from(entropy.below(below as u64).unwrap()).unwrap();
                *seen.get_mut(number).unwrap() = true;
            }
        }
        assert_eq!(entropy.below(0).unwrap(), 0);
        assert!(entropy.below(u64::MAX).is_ok());
    }

    #[test]
    fn numbers_that_are_too_large_are_thrown_away() {
        let world = Memory::default().with_random([[0xff; 8], [0x05; 8]].concat());
        assert_eq!(Entropy::new(&world).below(6).unwrap(), 5);
    }
}
