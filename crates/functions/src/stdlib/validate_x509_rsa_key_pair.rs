//! `validate_x509_rsa_key_pair`: fails unless a certificate is signed with a key.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_pki::{Certificate, PublicKey};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Fails unless a certificate was signed with an RSA key, both as PEM.
    ///
    /// ```puppet
    /// validate_x509_rsa_key_pair($certificate, $key)
    /// ```
    "validate_x509_rsa_key_pair" of "stdlib" {
        "arity -1" as "(String $certificate, String $key) >> Any" => validate_x509_rsa_key_pair(*args),
    }
}

fn validate_x509_rsa_key_pair(args: &[Value]) -> Result<(), Issue> {
    let [certificate, key] = args else {
        return fail(format!("validate_x509_rsa_key_pair(): wrong number of arguments ({}; must be 2)", args.len()));
    };
    let (Value::String(certificate), Value::String(key)) = (certificate, key) else {
        let wrong = if certificate.as_str().is_none() { certificate } else { key };
        return fail(format!("{} is not a string.", inspect::inspect(wrong)));
    };
    let certificate = Certificate::from_pem(certificate);
    let certificate = certificate.or_else(|reason| fail(format!("Not a valid x509 certificate: {reason}")))?;
    let key = PublicKey::from_pem(key).or_else(|reason| fail(format!("Not a valid RSA key: {reason}")))?;
    match certificate.is_signed_with(&key) {
        Ok(true) => Ok(()),
        Ok(false) => fail("Certificate signature does not match supplied key"),
        Err(reason) => fail(reason),
    }
}
