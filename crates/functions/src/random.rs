//! Ruby's random numbers: the Mersenne Twister (MT19937), seeded with a number of any size.
//!
//! Only for functions that give the same each time; what nobody may foresee comes from `entropy.rs`.

use md5::{Digest, Md5};

const SIZE: usize = 624;
const PERIOD: usize = 397;

/// A generator that gives the same numbers as Ruby's `Random.new(seed)`.
pub(crate) struct Random {
    state: [u32; SIZE],
    next: usize,
}

impl Random {
    /// A generator whose seed is the MD5 sum of a string, read as a number.
    pub(crate) fn from_md5(text: &str) -> Random {
        Random::from_digest(&Md5::digest(text.as_bytes()))
    }

    /// A generator whose seed is a number given as bytes, the most significant one first.
    pub(crate) fn from_digest(bytes: &[u8]) -> Random {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        let little_endian: Vec<u8> = bytes.iter().rev().copied().collect();
        let mut key: Vec<u32> = little_endian.chunks(4).map(word).collect();
        while key.len() > 1 && key.last() == Some(&0) {
            key.pop();
        }
        // Compatibility: a top word of 1 is taken for a guard and left out.
        if key.len() > 1 && key.last() == Some(&1) {
            key.pop();
        }
        Random::from_key(&key)
    }

    fn from_key(key: &[u32]) -> Random {
        let mut state = initial(19_650_218);
        let (mut at, mut previous) = (1, 19_650_218_u32);
        for (_, (position, word)) in (0..SIZE.max(key.len())).zip(key.iter().enumerate().cycle()) {
            let mixed = (previous ^ (previous >> 30)).wrapping_mul(1_664_525);
            previous = (get(&state, at) ^ mixed).wrapping_add(*word).wrapping_add(position as u32);
            set(&mut state, at, previous);
            at = following(at);
        }
        for _ in 1..SIZE {
            let mixed = (previous ^ (previous >> 30)).wrapping_mul(1_566_083_941);
            previous = (get(&state, at) ^ mixed).wrapping_sub(at as u32);
            set(&mut state, at, previous);
            at = following(at);
        }
        set(&mut state, 0, 0x8000_0000);
        Random { state, next: SIZE }
    }

    /// The next 32 bits.
    fn next_word(&mut self) -> u32 {
        if self.next >= SIZE {
            self.twist();
            self.next = 0;
        }
        let mut word = get(&self.state, self.next);
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn twist(&mut self) {
        for at in 0..SIZE {
            let (this, next) = (get(&self.state, at), get(&self.state, (at + 1) % SIZE));
            let mixed = (this & 0x8000_0000) | (next & 0x7fff_ffff);
            let magic = if mixed & 1 == 1 { 0x9908_b0df } else { 0 };
            let word = get(&self.state, (at + PERIOD) % SIZE) ^ (mixed >> 1) ^ magic;
            set(&mut self.state, at, word);
        }
    }

    /// A number from `0` up to but without `below`.
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        let Some(limit) = below.checked_sub(1) else { return 0 };
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        // A number that is too large is thrown away, as soon as its upper half says so.
        'retry: loop {
            let mut number = 0_u64;
            for shift in [32, 0] {
                if (mask >> shift) & 0xffff_ffff != 0 {
                    number |= u64::from(self.next_word()) << shift;
                    number &= mask;
                    if limit < number {
                        continue 'retry;
                    }
                }
            }
            return number;
        }
    }
}

fn initial(seed: u32) -> [u32; SIZE] {
    let mut state = [seed; SIZE];
    let mut previous = seed;
    for (index, word) in state.iter_mut().enumerate().skip(1) {
        previous = (previous ^ (previous >> 30)).wrapping_mul(1_812_433_253).wrapping_add(index as u32);
        *word = previous;
    }
    state
}

/// The position after `at` in a walk around all words but the first.
fn following(at: usize) -> usize {
    if at + 1 < SIZE { at + 1 } else { 1 }
}

fn get(state: &[u32; SIZE], at: usize) -> u32 {
    state.get(at).copied().unwrap_or(0)
}

fn set(state: &mut [u32; SIZE], at: usize, word: u32) {
    if let Some(slot) = state.get_mut(at) {
        *slot = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_ruby() {
        let check = |text: &str, below, expected| assert_eq!(Random::from_md5(text).below(below), expected, "{text}");
        check("host.example.com:100:", 100, 95);
        check("host.example.com:100:a", 100, 56);
        check("host.example.com:1000000:seed", 1_000_000, 676_859);
        check("host.example.com:4294967297:x", 4_294_967_297, 2_944_315_016);
        check("x", 1, 0);
    }
}
