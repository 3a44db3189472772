//! The methods `$2a$`, `$2b$`, `$2x$` and `$2y$`: Blowfish with a key schedule that takes its time.

/// The alphabet of bcrypt, which is not that of the other methods.
const ALPHABET: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// What is encrypted in the end: `OrpheanBeholderScryDoubt`.
const TEXT: [u32; 6] = [0x4f72_7068, 0x6561_6e42, 0x6568_6f6c, 0x6465_7253, 0x6372_7944, 0x6f75_6274];

pub(super) fn crypt(password: &[u8], method: &str, salt: &str) -> Option<String> {
    let (cost, letters) = salt.split_once('$')?;
    let rounds: u32 = cost.parse().ok().filter(|cost| (4..=31).contains(cost))?;
    let letters = letters.get(..22)?;
    let salt = decode(letters)?;
    let mut key = password.to_vec();
    key.push(0);
    key.truncate(72);
    let is_broken = method == "2x";
    let mut state = Blowfish::new();
    let (key_words, salt_words) = (words(&key, is_broken), words(&salt, false));
    state.expand(&key_words, &salt_words);
    for _ in 0..1_u64 << rounds {
        state.expand(&key_words, &[0; 4]);
        state.expand(&salt_words.repeat(5), &[0; 4]);
    }
    let mut text = TEXT;
    for _ in 0..64 {
        for pair in text.chunks_exact_mut(2) {
            if let [left, right] = pair {
                (*left, *right) = state.encrypt(*left, *right);
            }
        }
    }
    let bytes: Vec<u8> = text.iter().flat_map(|word| word.to_be_bytes()).take(23).collect();
    // Bits of the last letter of the salt that mean nothing are written as zeros.
    Some(format!("${method}${cost}${}{}", encode(&salt), encode(&bytes)))
}

/// The bytes repeated to eighteen words. An old fault took letters beyond ASCII as negative numbers.
fn words(bytes: &[u8], is_broken: bool) -> Vec<u32> {
    let count = if bytes.len() == 16 && !is_broken { 4 } else { 18 };
    let mut endless = bytes.iter().cycle();
    (0..count)
        .map(|_| {
            endless.by_ref().take(4).fold(0_u32, |word, byte| {
                let extended = if is_broken { i32::from(byte.cast_signed()).cast_unsigned() } else { u32::from(*byte) };
                word << 8 | extended
            })
        })
        .collect()
}

struct Blowfish {
    subkeys: Vec<u32>,
    boxes: Vec<u32>,
}

impl Blowfish {
    /// The start: the digits of pi behind the point.
    fn new() -> Blowfish {
        let mut digits = pi_words(18 + 4 * 256);
        let boxes = digits.split_off(18);
        Blowfish { subkeys: digits, boxes }
    }

    fn mix(&self, word: u32) -> u32 {
        let [first, second, third, fourth] = word.to_be_bytes();
        let entry = |table: usize, byte: u8| self.boxes.get(table * 256 + usize::from(byte)).copied().unwrap_or(0);
        (entry(0, first).wrapping_add(entry(1, second)) ^ entry(2, third)).wrapping_add(entry(3, fourth))
    }

    fn encrypt(&self, mut left: u32, mut right: u32) -> (u32, u32) {
        let subkey = |index: usize| self.subkeys.get(index).copied().unwrap_or(0);
        for round in 0..16 {
            left ^= subkey(round);
            right ^= self.mix(left);
            (left, right) = (right, left);
        }
        (right ^ subkey(17), left ^ subkey(16))
    }

    /// Mixes a key and a salt into the state.
    fn expand(&mut self, key: &[u32], salt: &[u32]) {
        for (subkey, word) in self.subkeys.iter_mut().zip(key.iter().cycle()) {
            *subkey ^= word;
        }
        let (mut left, mut right) = (0, 0);
        let mut salt = salt.iter().cycle();
        for position in (0..self.subkeys.len() + self.boxes.len()).step_by(2) {
            left ^= salt.next().copied().unwrap_or(0);
            right ^= salt.next().copied().unwrap_or(0);
            (left, right) = self.encrypt(left, right);
            self.set(position, left);
            self.set(position + 1, right);
        }
    }

    fn set(&mut self, position: usize, word: u32) {
        let slot = match position.checked_sub(self.subkeys.len()) {
            None => self.subkeys.get_mut(position),
            Some(position) => self.boxes.get_mut(position),
        };
        if let Some(slot) = slot {
            *slot = word;
        }
    }
}

/// So many words of 32 bits of the fraction of pi, by Machin's formula: 16 arctan(1/5) - 4 arctan(1/239).
fn pi_words(count: usize) -> Vec<u32> {
    // The first word is the whole part, two at the end take the rounding errors.
    let size = count + 3;
    let mut pi = arctangent(5, 16, size);
    subtract(&mut pi, &arctangent(239, 4, size));
    pi.into_iter().skip(1).take(count).collect()
}

/// `factor` times the arctangent of `1 / divisor`, as words from the whole part on.
fn arctangent(divisor: u32, factor: u32, size: usize) -> Vec<u32> {
    let mut power = vec![0; size];
    if let Some(whole) = power.first_mut() {
        *whole = factor;
    }
    divide(&mut power, divisor);
    let mut sum = power.clone();
    let mut odd = 1;
    while power.iter().any(|word| *word != 0) {
        divide(&mut power, divisor);
        divide(&mut power, divisor);
        odd += 2;
        let mut term = power.clone();
        divide(&mut term, odd);
        if odd % 4 == 3 { subtract(&mut sum, &term) } else { add(&mut sum, &term) }
    }
    sum
}

fn divide(number: &mut [u32], divisor: u32) {
    let mut rest = 0_u64;
    for word in number {
        let value = rest << 32 | u64::from(*word);
        *word = (value / u64::from(divisor)) as u32;
        rest = value % u64::from(divisor);
    }
}

fn add(number: &mut [u32], other: &[u32]) {
    let mut carry = 0;
    for (word, other) in number.iter_mut().zip(other).rev() {
        let sum = u64::from(*word) + u64::from(*other) + carry;
        *word = sum as u32;
        carry = sum >> 32;
    }
}

fn subtract(number: &mut [u32], other: &[u32]) {
    let mut borrow = 0;
    for (word, other) in number.iter_mut().zip(other).rev() {
        let difference = i64::from(*word) - i64::from(*other) - borrow;
        *word = difference as u32;
        borrow = i64::from(difference < 0);
    }
}

fn decode(letters: &str) -> Option<Vec<u8>> {
    let mut bits = 0_u32;
    let mut count = 0;
    let mut bytes = Vec::with_capacity(16);
    for letter in letters.bytes() {
        let value = ALPHABET.iter().position(|candidate| *candidate == letter)?;
        bits = bits << 6 | u32::try_from(value).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes.truncate(16);
    Some(bytes)
}

fn encode(bytes: &[u8]) -> String {
    let mut encoded = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..=chunk.len() {
            let value = bits >> (18 - 6 * index) & 0x3f;
            let letter = usize::try_from(value).ok().and_then(|value| ALPHABET.get(value));
            encoded.extend(letter.copied().map(char::from));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_pi_are_right() {
        assert_eq!(pi_words(3), [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e]);
        assert_eq!(pi_words(18 + 1024).last(), Some(&0x3ac3_72e6));
    }

    #[test]
    fn hashes_are_those_of_bcrypt() {
        let hash = crypt(b"U*U", "2a", "05$CCCCCCCCCCCCCCCCCCCCC.");
        assert_eq!(hash.as_deref(), Some("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"));
    }
}
