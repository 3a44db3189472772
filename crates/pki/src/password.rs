//! Hashes of passwords as the C library's `crypt` makes them.

mod bcrypt;
mod des_crypt;
mod md5_crypt;

use std::array;

use hmac::{Hmac, KeyInit, Mac};
use pbkdf2::pbkdf2_hmac_array;
use sha_crypt::{Params, sha256_crypt, sha512_crypt};
use sha2::{Sha256, Sha512};

/// The alphabet of salts and hashes.
const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The longest password the C library takes, in bytes.
const LONGEST: usize = 511;

/// What the C library gives in place of a hash.
const FAILURE: &str = "*0";

/// The hash of a password by a method (`1`, `5`, `6`, `2a`, `2b`, `2x` or `2y`) and a salt of letters of the alphabet.
pub fn crypt(password: &[u8], method: &str, salt: &str) -> String {
    let hash = match method {
        _ if password.len() > LONGEST => None,
        "1" => Some(md5_crypt::crypt(password, salt)),
        "5" => Some(sha256(password, salt)),
        "6" => Some(sha512(password, salt)),
        _ => bcrypt::crypt(password, method, salt),
    };
    hash.unwrap_or_else(|| FAILURE.to_owned())
}

/// The same with method and salt as hashes have them in front: `$6$salt`. Nothing if the method is not known.
pub fn crypt_like(password: &[u8], setting: &str) -> Option<String> {
    if !setting.starts_with(['$', '_', '*']) {
        return Some(des_crypt::crypt(password, setting).unwrap_or_else(|| FAILURE.to_owned()));
    }
    let (method, salt) = setting.strip_prefix('$')?.split_once('$')?;
    let is_known = matches!(method, "1" | "5" | "6" | "2a" | "2b" | "2x" | "2y");
    // The number of rounds may stand before the salt; only the usual one is known here.
    let salt = salt.strip_prefix("rounds=5000$").unwrap_or(salt);
    let salt = if method.starts_with('2') { salt } else { salt.split('$').next().unwrap_or_default() };
    (is_known && !salt.starts_with("rounds=")).then(|| crypt(password, method, salt))
}

/// The method `$5$`.
fn sha256(password: &[u8], salt: &str) -> String {
    let salt: String = salt.chars().take(16).collect();
    let digest = sha256_crypt(password, salt.as_bytes(), Params::RECOMMENDED);
    // Bytes ten apart belong together, and each group starts two places before the one before.
    let order: [_; 10] = array::from_fn(|step| rotated([step, step + 10, step + 20], step));
    let mut hash = format!("$5${salt}$");
    push_digest(&digest, &order, &mut hash);
    let [.., last_but_one, last] = digest;
    push_letters(u32::from(last) << 8 | u32::from(last_but_one), 3, &mut hash);
    hash
}

/// The method `$6$`.
fn sha512(password: &[u8], salt: &str) -> String {
    let salt: String = salt.chars().take(16).collect();
    let digest = sha512_crypt(password, salt.as_bytes(), Params::RECOMMENDED);
    let order: [_; 21] = array::from_fn(|step| rotated([step, step + 21, step + 42], 2 * step));
    let mut hash = format!("$6${salt}$");
    push_digest(&digest, &order, &mut hash);
    let [.., last] = digest;
    push_letters(u32::from(last), 2, &mut hash);
    hash
}

fn rotated(mut bytes: [usize; 3], by: usize) -> [usize; 3] {
    bytes.rotate_right(by % 3);
    bytes
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
pub fn pbkdf2_sha512(password: &[u8], salt: &[u8], iterations: u32) -> [u8; 128] {
    pbkdf2_hmac_array::<Sha512, 128>(password, salt, iterations)
}

/// The key that PBKDF2 with HMAC-SHA-256 derives from a password.
pub fn pbkdf2_sha256(password: &[u8], salt: &[u8], iterations: u32) -> [u8; 32] {
    pbkdf2_hmac_array::<Sha256, 32>(password, salt, iterations)
}

/// What a key signs a text with, by HMAC-SHA-256.
pub fn hmac_sha256(key: &[u8], text: &[u8]) -> Vec<u8> {
    let signed =
        Hmac::<Sha256>::new_from_slice(key).map(|base| base.chain_update(text).finalize().into_bytes().to_vec());
    signed.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from Ruby's `String#crypt`, which is the C library's.
    #[test]
    fn hashes_are_those_of_the_c_library() {
        let check = |password: &str, method: &str, salt: &str, expected: &str| {
            assert_eq!(crypt(password.as_bytes(), method, salt), expected, "{password} {salt}");
        };
        check("password", "1", "salt", "$1$salt$qJH7.N4xYta3aEG/dfqo/0");
        check("password", "5", "salt", "$5$salt$Gcm6FsVtF/Qa77ZKD.iwsJlCVPY0XSMgLJL0Hnww/c1");
        check(
            "password",
            "6",
            "salt",
            "$6$salt$IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iwMuTS4XMS130MTSuDDl3aCI6WouIL9AjRbLCelDCy.g.",
        );
        let (phrase, salt) = ("secret passphrase é", "abcdefghijklmnopqrst");
        check(phrase, "1", salt, "$1$abcdefgh$TR5WvodLrWC4H25lfSj.y.");
        check(phrase, "5", salt, "$5$abcdefghijklmnop$CCB1sGz/kUSYRnkJmC4GjaXulFTjg2/dlD5E2kOj9n.");
        check(
            phrase,
            "6",
            salt,
            "$6$abcdefghijklmnop$lS3lom1Dg8sWi0Gzc4c1C1/jcDJKdamADF5wdYCqNs28dgjevlQNnLXlOpb6HG5hkTE8dvnL0ANwiWljOINZ0.",
        );
        check(&"a".repeat(100), "5", "s", "$5$s$F78J5eTZ.Nj/cmegGD2tFhqWI0bCt8A7vXbxE4kMpb3");
        check(
            &"x".repeat(511),
            "6",
            "salt",
            "$6$salt$gj8yl86N5SjYIMhmh7M8qbvEeRS7fmQ1EDmMXxDMNdK.rSUHbiPAgfdu4ulOxuIj57wBxfItXgCY26iaJlD6C.",
        );
        check(&"x".repeat(512), "6", "salt", "*0");
        check("password", "2b", "32$CCCCCCCCCCCCCCCCCCCCC.", "*0");
        let check = |password: &str, setting: &str, expected: &str| {
            assert_eq!(crypt_like(password.as_bytes(), setting).as_deref(), Some(expected), "{password} {setting}");
        };
        check("hello", "ab", "abl0JrMf6tlhw");
        check("", "zz", "zz6dpSdr.LHZw");
        check("longpassword", "./", "./x0kTlw5iEAs");
        check("é", "Q9 and more", "Q9hqmKg4oMkEA");
        check("x", "!!", "*0");
    }
}
