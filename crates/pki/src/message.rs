//! Enveloped messages of PKCS#7: RSA gives the key of the content, AES the content.

use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, Algorithm, DecryptionContext, PaddedBlockDecryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use cms::content_info::ContentInfo;
use cms::enveloped_data::{EncryptedContentInfo, EnvelopedData, RecipientInfo};
use pkcs8::ObjectIdentifier;
use pkcs8::der::Decode;
use pkcs8::der::asn1::OctetString;

use crate::key::PrivateKey;

const ENVELOPED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.3");
const AES_128_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.2");
const AES_192_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.22");
const AES_256_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.42");

/// Decrypts a message, or says why it cannot be done.
pub fn decrypt(message: &[u8], key: &PrivateKey) -> Result<Vec<u8>, &'static str> {
    let message = read(message).ok_or("the value is not a PKCS7 message")?;
    let content = message.recip_infos.0.iter().find_map(|recipient| {
        // Whom a key is for does not matter: the private key fits, or it does not.
        let RecipientInfo::Ktri(recipient) = recipient else { return None };
        if recipient.key_enc_alg.oid != pkcs1::ALGORITHM_OID {
            return None;
        }
        let content_key = key.decrypt(recipient.enc_key.as_bytes())?;
        decrypt_content(&message.encrypted_content, &content_key)
    });
    content.ok_or("the value cannot be decrypted with this private key")
}

fn read(message: &[u8]) -> Option<EnvelopedData> {
    let info = ContentInfo::from_der(message).ok().filter(|info| info.content_type == ENVELOPED_DATA)?;
    info.content.decode_as().ok()
}

fn decrypt_content(content: &EncryptedContentInfo, key: &[u8]) -> Option<Vec<u8>> {
    let algorithm: &'static Algorithm = match content.content_enc_alg.oid {
        AES_128_CBC => &AES_128,
        AES_192_CBC => &AES_192,
        AES_256_CBC => &AES_256,
        _ => return None,
    };
    let vector: OctetString = content.content_enc_alg.parameters.as_ref()?.decode_as().ok()?;
    let vector: [u8; 16] = vector.as_bytes().try_into().ok()?;
    let key = UnboundCipherKey::new(algorithm, key).and_then(PaddedBlockDecryptingKey::cbc_pkcs7).ok()?;
    let mut bytes = content.encrypted_content.as_ref()?.as_bytes().to_vec();
    let plain = key.decrypt(&mut bytes, DecryptionContext::Iv128(FixedLength::from(vector))).ok()?;
    Some(plain.to_vec())
}
