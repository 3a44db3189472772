//! The method `$1$`: a thousand rounds of MD5.

use md5::{Digest, Md5};

use super::{push_digest, push_letters};

/// The order in which the bytes of the digest are written.
const ORDER: [[usize; 3]; 5] = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]];

pub(super) fn crypt(password: &[u8], salt: &str) -> String {
    let salt: String = salt.chars().take(8).collect();
    let alternate = Md5::new().chain_update(password).chain_update(&salt).chain_update(password).finalize();
    let mut context = Md5::new().chain_update(password).chain_update("$1$").chain_update(&salt);
    context.update(alternate.iter().cycle().take(password.len()).copied().collect::<Vec<u8>>());
    let mut length = password.len();
    while length > 0 {
        context.update(if length & 1 == 1 { &[0][..] } else { password.get(..1).unwrap_or_default() });
        length >>= 1;
    }
    let mut digest = context.finalize();
    for round in 0..1000 {
        let mut context = Md5::new();
        let is_odd = round % 2 == 1;
        if is_odd {
            context.update(password)
        } else {
            context.update(digest)
        }
        if round % 3 != 0 {
            context.update(&salt);
        }
        if round % 7 != 0 {
            context.update(password);
        }
        if is_odd {
            context.update(digest)
        } else {
            context.update(password)
        }
        digest = context.finalize();
    }
    let mut hash = format!("$1${salt}$");
    push_digest(&digest, &ORDER, &mut hash);
    push_letters(u32::from(digest.get(11).copied().unwrap_or(0)), 2, &mut hash);
    hash
}
