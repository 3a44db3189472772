//! Keys that sign: those of authorities, servers and nodes, RSA or on an elliptic curve.

use std::fmt;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256,
};
use pkcs8::der::{Decode, Encode};
use pkcs8::{ObjectIdentifier, PrivateKeyInfo};
use x509_cert::der::asn1::{Any, Null};
use x509_cert::spki::AlgorithmIdentifierOwned;

use crate::pem;

const RSA_WITH_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");
const ECDSA_WITH_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.2");
const ECDSA_WITH_SHA384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.3");
const UNREADABLE: &str = "the private key cannot be read";

/// A private key that signs certificates and proves who somebody is.
pub struct SigningKey {
    kind: Kind,
    /// The whole key in PKCS#8.
    document: Vec<u8>,
}

enum Kind {
    Rsa(Box<RsaKeyPair>),
    Curve(Box<EcdsaKeyPair>, ObjectIdentifier),
}

impl SigningKey {
    /// A new RSA key of 4096 bits, as Puppet makes them.
    pub fn generate_rsa() -> Result<SigningKey, &'static str> {
        const FAILED: &str = "the RSA key cannot be made";
        let pair = RsaKeyPair::generate(KeySize::Rsa4096).map_err(|_| FAILED)?;
        let document = pair.as_der().map_err(|_| FAILED)?.as_ref().to_vec();
        Ok(SigningKey { kind: Kind::Rsa(Box::new(pair)), document })
    }

    /// A new key on the curve P-256: signing with it costs a fiftieth of what it does with RSA.
    pub fn generate_curve() -> Result<SigningKey, &'static str> {
        const FAILED: &str = "the EC key cannot be made";
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).map_err(|_| FAILED)?;
        let document = pair.to_pkcs8v1().map_err(|_| FAILED)?.as_ref().to_vec();
        Ok(SigningKey { kind: Kind::Curve(Box::new(pair), ECDSA_WITH_SHA256), document })
    }

    /// Reads a key in any of the forms that Puppet and OpenSSL write.
    pub fn from_pem(text: &str) -> Result<SigningKey, &'static str> {
        let found = pem::find(text, |label| label.ends_with("PRIVATE KEY"));
        let (label, body) = found.map_err(|_| UNREADABLE)?;
        let bytes = pem::decode_base64(body).ok_or(UNREADABLE)?;
        match label {
            "RSA PRIVATE KEY" => {
                let info = PrivateKeyInfo::new(pkcs1::ALGORITHM_ID, &bytes);
                SigningKey::from_pkcs8(info.to_der().map_err(|_| UNREADABLE)?)
            }
            "EC PRIVATE KEY" => {
                let curves = [
                    (&ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_WITH_SHA256),
                    (&ECDSA_P384_SHA384_ASN1_SIGNING, ECDSA_WITH_SHA384),
                ];
                let read =
                    |(curve, algorithm)| Some((EcdsaKeyPair::from_private_key_der(curve, &bytes).ok()?, algorithm));
                let (pair, algorithm) = curves.into_iter().find_map(read).ok_or(UNREADABLE)?;
                let document = pair.to_pkcs8v1().map_err(|_| UNREADABLE)?.as_ref().to_vec();
                Ok(SigningKey { kind: Kind::Curve(Box::new(pair), algorithm), document })
            }
            "PRIVATE KEY" => SigningKey::from_pkcs8(bytes),
            _ => Err("private keys with a pass phrase are not supported"),
        }
    }

    fn from_pkcs8(document: Vec<u8>) -> Result<SigningKey, &'static str> {
        let info = PrivateKeyInfo::from_der(&document).map_err(|_| UNREADABLE)?;
        if info.algorithm.oid == pkcs1::ALGORITHM_OID {
            let pair = RsaKeyPair::from_pkcs8(&document).map_err(|_| UNREADABLE)?;
            return Ok(SigningKey { kind: Kind::Rsa(Box::new(pair)), document });
        }
        let curves = [
            (&ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_WITH_SHA256),
            (&ECDSA_P384_SHA384_ASN1_SIGNING, ECDSA_WITH_SHA384),
        ];
        let read = |(curve, algorithm)| Some((EcdsaKeyPair::from_pkcs8(curve, &document).ok()?, algorithm));
        let (pair, algorithm) = curves.into_iter().find_map(read).ok_or(UNREADABLE)?;
        Ok(SigningKey { kind: Kind::Curve(Box::new(pair), algorithm), document })
    }

    /// The key as a file has it: PKCS#1 for RSA, as Puppet writes it, PKCS#8 for others.
    pub fn to_pem(&self) -> String {
        match (&self.kind, PrivateKeyInfo::from_der(&self.document)) {
            (Kind::Rsa(_), Ok(info)) => pem::encode("RSA PRIVATE KEY", info.private_key),
            _ => pem::encode("PRIVATE KEY", &self.document),
        }
    }

    /// The public half as a file has it.
    pub fn to_public_pem(&self) -> Result<String, &'static str> {
        Ok(pem::encode("PUBLIC KEY", &self.public_key_info()?))
    }

    /// The whole key in PKCS#8, for the provider of TLS.
    pub fn to_pkcs8(&self) -> &[u8] {
        &self.document
    }

    /// The public half with the name of its algorithm, as certificates hold it.
    pub fn public_key_info(&self) -> Result<Vec<u8>, &'static str> {
        const FAILED: &str = "the public key cannot be written";
        let document = match &self.kind {
            Kind::Rsa(pair) => AsDer::<aws_lc_rs::encoding::PublicKeyX509Der<'_>>::as_der(pair.public_key()),
            Kind::Curve(pair, _) => AsDer::<aws_lc_rs::encoding::PublicKeyX509Der<'_>>::as_der(pair.public_key()),
        };
        Ok(document.map_err(|_| FAILED)?.as_ref().to_vec())
    }

    /// Signs a message with the algorithm that [`SigningKey::algorithm`] names.
    pub(crate) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, &'static str> {
        const FAILED: &str = "the key cannot sign";
        match &self.kind {
            Kind::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).map_err(|_| FAILED)?;
                Ok(signature)
            }
            Kind::Curve(pair, _) => Ok(pair.sign(&SystemRandom::new(), message).map_err(|_| FAILED)?.as_ref().to_vec()),
        }
    }

    /// The algorithm of signatures made with this key.
    pub(crate) fn algorithm(&self) -> AlgorithmIdentifierOwned {
        match &self.kind {
            Kind::Rsa(_) => AlgorithmIdentifierOwned { oid: RSA_WITH_SHA256, parameters: Some(Any::from(Null)) },
            Kind::Curve(_, algorithm) => AlgorithmIdentifierOwned { oid: *algorithm, parameters: None },
        }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningKey")
    }
}
