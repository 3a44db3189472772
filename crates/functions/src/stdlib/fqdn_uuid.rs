//! `fqdn_uuid`: a UUID of a domain name.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use sha1::{Digest, Sha1};

use crate::digest;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the UUID (version 5) of a domain name.
    ///
    /// ```puppet
    /// fqdn_uuid('puppetlabs.com') # '9c70320f-6815-5fc5-ab0f-debe68bf764c'
    /// ```
    "fqdn_uuid" of "stdlib" {
        "arity -1" as "(String $name) >> String" => fqdn_uuid(*args),
    }
}

/// The namespace of domain names.
const DOMAIN_NAMES: [u8; 16] =
    [0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];

fn fqdn_uuid(args: &[Value]) -> Result<String, Issue> {
    let name = match args {
        [] => return fail("fqdn_uuid: No arguments given"),
        [name] => legacy_arguments::text(Some(name))?,
        _ => return fail(format!("fqdn_uuid: Too many arguments given ({})", args.len())),
    };
    let digest = Sha1::new().chain_update(DOMAIN_NAMES).chain_update(name).finalize();
    let mut bytes: Vec<u8> = digest.iter().take(16).copied().collect();
    // The version is 5, the variant that of RFC 4122.
    for (index, mask, bits) in [(6, 0x0f, 0x50), (8, 0x3f, 0x80)] {
        if let Some(byte) = bytes.get_mut(index) {
            *byte = (*byte & mask) | bits;
        }
    }
    let mut rest = bytes.as_slice();
    let mut parts = Vec::new();
    for length in [4, 2, 2, 2, 6] {
        let (part, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        parts.push(digest::hexadecimal(part));
        rest = after;
    }
    Ok(parts.join("-"))
}
