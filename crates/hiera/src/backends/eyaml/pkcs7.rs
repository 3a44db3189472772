//! Decrypts an enveloped message: RSA gives the key of the content, AES the content.

use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockModeDecrypt, KeyIvInit};
use num_bigint::BigUint;

use crate::der::{self, Der};

/// An RSA key.
pub(super) struct PrivateKey {
    modulus: BigUint,
    exponent: BigUint,
}

impl PrivateKey {
    /// Reads a key in either of the two forms that tools write.
    pub(super) fn from_pem(text: &str) -> Result<PrivateKey, String> {
        let bytes = pem_content(text).ok_or("the private key cannot be read")?;
        PrivateKey::from_pkcs1(&bytes)
            .or_else(|| PrivateKey::from_pkcs1(wrapped_key(&bytes)?))
            .ok_or_else(|| "the private key cannot be read".to_owned())
    }

    fn from_pkcs1(bytes: &[u8]) -> Option<PrivateKey> {
        let mut key = Der(bytes).inside(der::SEQUENCE)?;
        key.expect(der::INTEGER)?;
        let modulus = BigUint::from_bytes_be(key.expect(der::INTEGER)?);
        key.expect(der::INTEGER)?;
        let exponent = BigUint::from_bytes_be(key.expect(der::INTEGER)?);
        let has_usual_size = (512..=16_384).contains(&modulus.bits());
        has_usual_size.then_some(PrivateKey { modulus, exponent })
    }

    /// Undoes RSA and takes the padding of PKCS#1 v1.5 off.
    fn decrypt(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let message = BigUint::from_bytes_be(bytes);
        if message >= self.modulus {
            return None;
        }
        let padded = message.modpow(&self.exponent, &self.modulus).to_bytes_be();
        // The leading zero byte is not part of the number.
        let padded = padded.strip_prefix(&[2])?;
        let end = padded.iter().position(|byte| *byte == 0).filter(|length| *length >= 8)?;
        padded.get(end.checked_add(1)?..).map(<[u8]>::to_vec)
    }
}

/// The bytes between the lines that begin and end a key.
fn pem_content(text: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once("-----BEGIN ")?;
    let (label, rest) = rest.split_once("-----")?;
    let (content, _) = rest.split_once("-----END ")?;
    label.ends_with("PRIVATE KEY").then(|| der::decode_base64(content)).flatten()
}

/// The RSA key inside of a key of unspecified kind.
fn wrapped_key(bytes: &[u8]) -> Option<&[u8]> {
    let mut key = Der(bytes).inside(der::SEQUENCE)?;
    key.expect(der::INTEGER)?;
    key.expect(der::SEQUENCE)?;
    key.expect(der::OCTET_STRING)
}

/// An encrypted message taken apart.
struct Message<'m> {
    /// The encrypted key of the content, once for each recipient.
    keys: Vec<&'m [u8]>,
    algorithm: &'m [u8],
    initialization_vector: &'m [u8],
    content: Vec<u8>,
}

/// Decrypts a message.
pub(super) fn decrypt(bytes: &[u8], key: &PrivateKey) -> Result<Vec<u8>, String> {
    let message = parse(bytes).ok_or("the value is not a PKCS7 message")?;
    let content = message.keys.iter().find_map(|encrypted| {
        let content_key = key.decrypt(encrypted)?;
        decrypt_content(&message, &content_key)
    });
    content.ok_or_else(|| "the value cannot be decrypted with this private key".to_owned())
}

fn parse(bytes: &[u8]) -> Option<Message<'_>> {
    let mut info = Der(bytes).inside(der::SEQUENCE)?;
    info.expect(der::OBJECT_IDENTIFIER)?;
    let mut enveloped = info.inside(der::CONTEXT_0)?.inside(der::SEQUENCE)?;
    enveloped.expect(der::INTEGER)?;
    let mut recipients = enveloped.inside(der::SET)?;
    let mut keys = Vec::new();
    while let Some((der::SEQUENCE, recipient)) = recipients.next() {
        let mut recipient = Der(recipient);
        recipient.expect(der::INTEGER)?;
        // Whom the key is for, and how it is encrypted: there is but one way.
        recipient.next()?;
        recipient.next()?;
        keys.push(recipient.expect(der::OCTET_STRING)?);
    }
    let mut content = enveloped.inside(der::SEQUENCE)?;
    content.expect(der::OBJECT_IDENTIFIER)?;
    let mut algorithm = content.inside(der::SEQUENCE)?;
    let identifier = algorithm.expect(der::OBJECT_IDENTIFIER)?;
    let initialization_vector = algorithm.expect(der::OCTET_STRING)?;
    let content = match content.next()? {
        (der::PLAIN_CONTEXT_0, bytes) => bytes.to_vec(),
        (der::CONTEXT_0, parts) => {
            let mut parts = Der(parts);
            let mut bytes = Vec::new();
            while let Some((der::OCTET_STRING, part)) = parts.next() {
                bytes.extend_from_slice(part);
            }
            bytes
        }
        _ => return None,
    };
    Some(Message { keys, algorithm: identifier, initialization_vector, content })
}

/// The identifiers of AES in CBC mode, 2.16.840.1.101.3.4.1, but for their last number.
const AES_CBC: [u8; 8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01];

fn decrypt_content(message: &Message<'_>, key: &[u8]) -> Option<Vec<u8>> {
    fn with<C: BlockModeDecrypt + KeyIvInit>(message: &Message<'_>, key: &[u8]) -> Option<Vec<u8>> {
        let cipher = C::new_from_slices(key, message.initialization_vector).ok()?;
        let mut content = message.content.clone();
        cipher.decrypt_padded::<Pkcs7>(&mut content).ok().map(<[u8]>::to_vec)
    }
    match message.algorithm.strip_prefix(&AES_CBC)? {
        [2] => with::<cbc::Decryptor<aes::Aes128>>(message, key),
        [22] => with::<cbc::Decryptor<aes::Aes192>>(message, key),
        [42] => with::<cbc::Decryptor<aes::Aes256>>(message, key),
        _ => None,
    }
}
