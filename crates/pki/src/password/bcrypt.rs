//! The methods `$2a$`, `$2b$`, `$2x$` and `$2y$`: Blowfish with a key schedule that takes its time.

use blowfish::Blowfish;

/// The alphabet of bcrypt, which is not that of the other methods.
const ALPHABET: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// What is encrypted in the end: `OrpheanBeholderScryDoubt`.
const TEXT: [[u32; 2]; 3] = [[0x4f72_7068, 0x6561_6e42], [0x6568_6f6c, 0x6465_7253], [0x6372_7944, 0x6f75_6274]];

/// How many words of a password count.
const KEY_WORDS: usize = 18;

/// The hash of a password; nothing if the salt is no good. A salt is `cost$letters`.
pub(super) fn crypt(password: &[u8], method: &str, salt: &str) -> Option<String> {
    let (cost, letters) = salt.split_once('$')?;
    let rounds: u32 = cost.parse().ok().filter(|cost| (4..=31).contains(cost))?;
    let salt = decode(letters.get(..22)?)?;
    let (first_key, key) = keys(password, method);
    let mut state = Blowfish::bc_init_state();
    state.salted_expand_key(&salt, &first_key);
    for _ in 0..1_u64 << rounds {
        state.bc_expand_key(&key);
        state.bc_expand_key(&salt);
    }
    let encrypted = TEXT.map(|pair| (0..64).fold(pair, |pair, _| state.bc_encrypt(pair)));
    let bytes: Vec<u8> = encrypted.iter().flatten().flat_map(|word| word.to_be_bytes()).take(23).collect();
    // Bits of the last letter of the salt that mean nothing are written as zeros.
    Some(format!("${method}${cost}${}{}", encode(&salt), encode(&bytes)))
}

/// The key of a password for the first expansion, and for all others.
///
/// An old fault took bytes beyond ASCII for negative numbers, so that they covered the bytes before them. `2x` is that
/// fault, for hashes that were made with it. `2a` may have been made with or without it: a password for which the fault
/// makes no difference although it could have, as it covers what the password has there anyway, gets another key than
/// by the other methods, so that nobody can log in with a password that is only similar.
fn keys(password: &[u8], method: &str) -> (Vec<u8>, Vec<u8>) {
    let mut bytes = password.iter().copied().chain([0]).take(4 * KEY_WORDS).collect::<Vec<u8>>().into_iter().cycle();
    let (mut right, mut faulty) = (Vec::with_capacity(KEY_WORDS), Vec::with_capacity(KEY_WORDS));
    let mut may_differ = false;
    for _ in 0..KEY_WORDS {
        let (mut word, mut faulty_word) = (0_u32, 0_u32);
        for (position, byte) in bytes.by_ref().take(4).enumerate() {
            word = word << 8 | u32::from(byte);
            faulty_word = faulty_word << 8 | i32::from(byte.cast_signed()).cast_unsigned();
            may_differ |= position > 0 && faulty_word & 0x80 != 0;
        }
        right.push(word);
        faulty.push(faulty_word);
    }
    let is_ambiguous = method == "2a" && may_differ && right == faulty;
    let key = if method == "2x" { faulty } else { right };
    let to_bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
    let mut first = key.clone();
    if let Some(word) = first.first_mut().filter(|_| is_ambiguous) {
        *word ^= 0x1_0000;
    }
    (to_bytes(&first), to_bytes(&key))
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

    /// Recorded from Ruby's `String#crypt`, which is the C library's.
    #[test]
    fn hashes_are_those_of_the_c_library() {
        let check = |password: &[u8], method: &str, expected: &str| {
            let hash = crypt(password, method, "05$/OK.fbVrR/bpIqNJ5ianF.");
            assert_eq!(hash, Some(format!("${method}$05$/OK.fbVrR/bpIqNJ5ianF.{expected}")), "{password:?}");
        };
        check(b"U*U", "2b", "HZZLyzXp/APKnmE0fYxxsfwJ7bbQRT6");
        check("é".as_bytes(), "2y", "Ox5jo4wRLtV/rFuYQrrYEtHCEFnSVLe");
        check(&[b'x'; 80], "2b", "SxYtxMT6nLvr.VBQZzuIj6jr9GV37Si");
        // The fault of `2x`, and what `2a` does about it.
        check("é".as_bytes(), "2x", "u4.4lk5bI0k2Mvkmn1uwKcFBckYZG36");
        check(b"\xa3", "2a", "Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq");
        check(b"\xa3", "2x", "CE5elHaaO4EbggVDjb8P19RukzXSM3e");
        check(b"\xff\xff\xa3", "2x", "CE5elHaaO4EbggVDjb8P19RukzXSM3e");
        check(b"\xff\xff\xa3", "2y", "CE5elHaaO4EbggVDjb8P19RukzXSM3e");
        check(b"\xff\xff\xa3", "2a", "nqd1wy.pTMdcvrRWxyiGL2eMz.2a85.");
        check(b"\xff\xa334\xff\xff\xff\xa3345", "2a", "ZC1JEJ8Z4gPfpe1JOr/oyPXTWl9EFd.");
        check(b"\xff\xa3345", "2a", "nRht2l/HRhr6zmCp9vYUvvsqynflf9e");
        check(&[0xaa; 80], "2a", "swQOIzjOiJ9GHEPuhEkvqrUyvWhEMx6");
        check(&[0xaa; 80], "2x", "ZUsA7SVAiHMR3X3fHShT3GIsiTbRUDy");
    }

    #[test]
    fn salts_are_checked() {
        let hash = crypt(b"U*U", "2b", "05$CCCCCCCCCCCCCCCCCCCCCz");
        assert_eq!(hash.as_deref(), Some("$2b$05$CCCCCCCCCCCCCCCCCCCCCu0Qvj8967KNdneB2Ou1B6azxru87gf3y"));
        for salt in
            ["03$CCCCCCCCCCCCCCCCCCCCC.", "32$CCCCCCCCCCCCCCCCCCCCC.", "05$CC", "05", "05$CCCCCCCCCCCCCCCCCCCCC!"]
        {
            assert_eq!(crypt(b"U*U", "2b", salt), None, "{salt}");
        }
    }
}
