//! Checksums as hexadecimal digits.

use std::fmt::Write;

use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

/// Bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string does not fail.
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// The MD5 sum.
pub(crate) fn md5(bytes: &[u8]) -> String {
    hexadecimal(&Md5::digest(bytes))
}

/// The SHA-1 sum.
pub(crate) fn sha1(bytes: &[u8]) -> String {
    hexadecimal(&Sha1::digest(bytes))
}

/// The SHA-256 sum.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The sum by the name of its algorithm, as the setting `digest_algorithm` has it.
pub(crate) fn by_name(algorithm: &str, bytes: &[u8]) -> Option<String> {
    let beginning = bytes.get(..512).unwrap_or(bytes);
    Some(match algorithm {
        "md5" => md5(bytes),
        "md5lite" => md5(beginning),
        "sha1" => sha1(bytes),
        "sha1lite" => sha1(beginning),
        "sha224" => hexadecimal(&Sha224::digest(bytes)),
        "sha256" => sha256(bytes),
        "sha256lite" => sha256(beginning),
        "sha384" => hexadecimal(&Sha384::digest(bytes)),
        "sha512" => hexadecimal(&Sha512::digest(bytes)),
        _ => return None,
    })
}

/// The CRC32 sum that archives have.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sums_are_right() {
        assert_eq!(super::crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(super::md5(b""), "d41d8cd98f00b204e9800998ecf8427e");
    }
}
