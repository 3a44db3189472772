//! RSA keys: private ones that decrypt, and the public half of any.

use std::fmt;

use aws_lc_rs::rsa::{Pkcs1PrivateDecryptingKey, PrivateDecryptingKey};
use num_bigint::BigUint;
use pkcs8::der::{Decode, Encode};
use pkcs8::spki::SubjectPublicKeyInfoRef;
use pkcs8::{ObjectIdentifier, PrivateKeyInfo};

use crate::pem;

/// The kind of a key on an elliptic curve.
const ELLIPTIC_CURVE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");

/// How many bits a key may have that decrypts.
const DECRYPTING_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

/// A private key that decrypts.
pub struct PrivateKey(Pkcs1PrivateDecryptingKey);

impl PrivateKey {
    /// Reads a key in either of the two forms that tools write, or says why it cannot be used.
    pub fn from_pem(text: &str) -> Result<PrivateKey, &'static str> {
        const UNREADABLE: &str = "the private key cannot be read";
        let found = pem::find(text, |label| label.ends_with("PRIVATE KEY"));
        let bytes = found.ok().and_then(|(_, body)| pem::decode_base64(body)).ok_or(UNREADABLE)?;
        // The label may be of either form.
        let wrapped = PrivateKeyInfo::from_der(&bytes).ok();
        let info = wrapped.unwrap_or_else(|| PrivateKeyInfo::new(pkcs1::ALGORITHM_ID, &bytes));
        let numbers = pkcs1::RsaPrivateKey::from_der(info.private_key).map_err(|_| UNREADABLE)?;
        if !DECRYPTING_BITS.contains(&bits(numbers.modulus.as_bytes())) {
            return Err("RSA keys of less than 2048 or more than 8192 bits are not supported");
        }
        let encoded = info.to_der().map_err(|_| UNREADABLE)?;
        let key = PrivateDecryptingKey::from_pkcs8(&encoded).map_err(|_| UNREADABLE)?;
        Pkcs1PrivateDecryptingKey::new(key).map(PrivateKey).map_err(|_| UNREADABLE)
    }

    /// Undoes RSA with the padding of PKCS#1 v1.5.
    pub(crate) fn decrypt(&self, encrypted: &[u8]) -> Option<Vec<u8>> {
        let mut room = vec![0; self.0.min_output_size()];
        self.0.decrypt(encrypted, &mut room).ok().map(|plain| plain.to_vec())
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PrivateKey")
    }
}

fn bits(number: &[u8]) -> usize {
    let leading = number.first().map_or(0, |first| first.leading_zeros() as usize);
    (8 * number.len()).saturating_sub(leading)
}

/// The public half of a key.
#[derive(Debug)]
pub struct PublicKey {
    pub(crate) modulus: BigUint,
    pub(crate) exponent: BigUint,
}

impl PublicKey {
    /// The RSA key in a text, private or public, or OpenSSL's reason why there is none.
    pub fn from_pem(text: &str) -> Result<PublicKey, &'static str> {
        const UNSUPPORTED: &str = "Neither PUB key nor PRIV key: unsupported";
        let (label, body) = pem::find(text, |label| label.ends_with(" KEY")).map_err(|_| UNSUPPORTED)?;
        let bytes = pem::decode_base64(body).ok_or(UNSUPPORTED)?;
        let wrapped = PrivateKeyInfo::from_der(&bytes).ok();
        let public = SubjectPublicKeyInfoRef::from_der(&bytes).ok();
        let algorithm = wrapped.as_ref().map(|info| info.algorithm).or(public.as_ref().map(|info| info.algorithm));
        if label == "EC PRIVATE KEY" || algorithm.is_some_and(|algorithm| algorithm.oid == ELLIPTIC_CURVE) {
            return Err("incorrect pkey type: id-ecPublicKey");
        }
        let key = match label {
            "RSA PRIVATE KEY" => PublicKey::of_private(&bytes),
            "PRIVATE KEY" => wrapped.and_then(|info| PublicKey::of_private(info.private_key)),
            "RSA PUBLIC KEY" => PublicKey::of_public(&bytes),
            "PUBLIC KEY" => public.and_then(|info| PublicKey::of_public(info.subject_public_key.as_bytes()?)),
            _ => None,
        };
        key.ok_or(UNSUPPORTED)
    }

    fn of_private(bytes: &[u8]) -> Option<PublicKey> {
        pkcs1::RsaPrivateKey::from_der(bytes).ok().map(|key| PublicKey::new(&key.public_key()))
    }

    fn of_public(bytes: &[u8]) -> Option<PublicKey> {
        pkcs1::RsaPublicKey::from_der(bytes).ok().map(|key| PublicKey::new(&key))
    }

    fn new(key: &pkcs1::RsaPublicKey<'_>) -> PublicKey {
        PublicKey {
            modulus: BigUint::from_bytes_be(key.modulus.as_bytes()),
            exponent: BigUint::from_bytes_be(key.public_exponent.as_bytes()),
        }
    }
}
