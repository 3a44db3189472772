//! Who has signed: the algorithms that certificates, requests and lists are signed with.

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P384_SHA256_ASN1, ECDSA_P384_SHA384_ASN1,
    ECDSA_P521_SHA512_ASN1, RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY,
    RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY, RSA_PKCS1_1024_8192_SHA512_FOR_LEGACY_USE_ONLY,
    RSA_PKCS1_2048_8192_SHA384, UnparsedPublicKey, VerificationAlgorithm,
};

/// Whether who asks for a certificate has the private key. Others can gain nothing by a second content with the same hash, so
/// what old clients sign with is good enough here.
pub(crate) fn proves_possession(key: &[u8], algorithm: &str, content: &[u8], signature: &[u8]) -> bool {
    let old = || UnparsedPublicKey::new(&RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY, key).verify(content, signature);
    match algorithm {
        "1.2.840.113549.1.1.5" => old().is_ok(),
        algorithm => is_made_with(key, algorithm, content, signature),
    }
}

/// Whether the key, as a certificate holds it, made the signature with this algorithm.
pub(crate) fn is_made_with(key: &[u8], algorithm: &str, content: &[u8], signature: &[u8]) -> bool {
    let algorithms: &[&'static dyn VerificationAlgorithm] = match algorithm {
        "1.2.840.113549.1.1.11" => &[&RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY],
        "1.2.840.113549.1.1.12" => &[&RSA_PKCS1_2048_8192_SHA384],
        "1.2.840.113549.1.1.13" => &[&RSA_PKCS1_1024_8192_SHA512_FOR_LEGACY_USE_ONLY],
        "1.2.840.10045.4.3.2" => &[&ECDSA_P256_SHA256_ASN1, &ECDSA_P384_SHA256_ASN1],
        "1.2.840.10045.4.3.3" => &[&ECDSA_P256_SHA384_ASN1, &ECDSA_P384_SHA384_ASN1],
        "1.2.840.10045.4.3.4" => &[&ECDSA_P521_SHA512_ASN1],
        _ => &[],
    };
    algorithms.iter().any(|algorithm| UnparsedPublicKey::new(*algorithm, key).verify(content, signature).is_ok())
}
