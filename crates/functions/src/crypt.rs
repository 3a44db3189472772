//! Hashes of passwords as the C library's `crypt` makes them.

mod bcrypt;
mod md5_crypt;
mod sha_crypt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Sha256, Sha512};

/// The alphabet of salts and hashes.
const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The hash of a password by a method (`1`, `5`, `6` or `2b`) and a salt; nothing if the salt is no good.
pub(crate) fn crypt(password: &[u8], method: &str, salt: &str) -> Option<String> {
    match method {
        "1" => Some(md5_crypt::crypt(password, salt)),
        "5" => Some(sha_crypt::crypt(password, salt, sha_crypt::Method::Sha256)),
        "6" => Some(sha_crypt::crypt(password, salt, sha_crypt::Method::Sha512)),
        _ => bcrypt::crypt(password, method, salt),
    }
}

/// Bits as letters of the alphabet, the least significant ones first.
fn push_letters(mut bits: u32, count: usize, hash: &mut String) {
    for _ in 0..count {
        let letter = usize::try_from(bits & 0x3f).ok().and_then(|index| ALPHABET.get(index));
        hash.extend(letter.copied().map(char::from));
        bits >>= 6;
    }
}

/// Bytes of a digest in the order of a method, three at a time.
fn push_digest(digest: &[u8], order: &[[usize; 3]], hash: &mut String) {
    let byte = |index: usize| u32::from(digest.get(index).copied().unwrap_or(0));
    for [high, middle, low] in order {
        push_letters(byte(*high) << 16 | byte(*middle) << 8 | byte(*low), 4, hash);
    }
}

/// The key that PBKDF2 with HMAC-SHA-512 derives from a password.
pub(crate) fn pbkdf2_sha512(password: &[u8], salt: &[u8], iterations: u64, length: usize) -> Vec<u8> {
    Hmac::<Sha512>::new_from_slice(password).map_or_else(|_| Vec::new(), |base| pbkdf2(&base, salt, iterations, length))
}

/// The key that PBKDF2 with HMAC-SHA-256 derives from a password.
pub(crate) fn pbkdf2_sha256(password: &[u8], salt: &[u8], iterations: u64, length: usize) -> Vec<u8> {
    Hmac::<Sha256>::new_from_slice(password).map_or_else(|_| Vec::new(), |base| pbkdf2(&base, salt, iterations, length))
}

/// What a key signs a text with, by HMAC-SHA-256.
pub(crate) fn hmac_sha256(key: &[u8], text: &[u8]) -> Vec<u8> {
    let signed =
        Hmac::<Sha256>::new_from_slice(key).map(|base| base.chain_update(text).finalize().into_bytes().to_vec());
    signed.unwrap_or_default()
}

fn pbkdf2(base: &(impl Mac + Clone), salt: &[u8], iterations: u64, length: usize) -> Vec<u8> {
    let mut key = Vec::with_capacity(length);
    for block in 1_u32.. {
        if key.len() >= length {
            break;
        }
        let mut last = base.clone().chain_update(salt).chain_update(block.to_be_bytes()).finalize().into_bytes();
        let mut mixed = last.to_vec();
        for _ in 1..iterations {
            last = base.clone().chain_update(last).finalize().into_bytes();
            mixed.iter_mut().zip(last.iter()).for_each(|(mixed, byte)| *mixed ^= byte);
        }
        key.extend(mixed);
    }
    key.truncate(length);
    key
}

#[cfg(test)]
mod tests {
    use super::crypt;

    #[test]
    fn hashes_are_those_of_the_c_library() {
        let check = |method: &str, salt: &str, expected: &str| {
            assert_eq!(crypt(b"password", method, salt).as_deref(), Some(expected));
        };
        check("1", "salt", "$1$salt$qJH7.N4xYta3aEG/dfqo/0");
        check("5", "salt", "$5$salt$Gcm6FsVtF/Qa77ZKD.iwsJlCVPY0XSMgLJL0Hnww/c1");
        check(
            "6",
            "salt",
            "$6$salt$IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iwMuTS4XMS130MTSuDDl3aCI6WouIL9AjRbLCelDCy.g.",
        );
    }
}
