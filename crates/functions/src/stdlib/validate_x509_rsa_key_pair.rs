//! `validate_x509_rsa_key_pair`: fails unless a certificate and a key belong together.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_environment::world::Command;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Fails unless a certificate and an RSA key, both as PEM text, belong together. The program `openssl` looks at them.
    ///
    /// ```puppet
    /// validate_x509_rsa_key_pair($certificate, $key)
    /// ```
    "validate_x509_rsa_key_pair" of "stdlib" {
        "arity -1" => validate_x509_rsa_key_pair(call, *args),
    }
}

/// Reads certificate and key from the arguments and compares their moduli.
const SCRIPT: &str = r#"
modulus() { printf '%s' "$2" | openssl "$1" -noout -modulus 2>&1; }
certificate=$(modulus x509 "$1") || { printf '%s' "$certificate"; exit 2; }
key=$(modulus rsa "$2") || { printf '%s' "$key"; exit 3; }
[ "$certificate" = "$key" ] || exit 4
"#;

fn validate_x509_rsa_key_pair(call: &mut Call<'_, '_>, args: &[Value]) -> Result<(), Issue> {
    let [certificate, key] = args else {
        return fail(format!("validate_x509_rsa_key_pair(): wrong number of arguments ({}; must be 2)", args.len()));
    };
    let (Value::String(certificate), Value::String(key)) = (certificate, key) else {
        let wrong = if certificate.as_str().is_none() { certificate } else { key };
        return fail(format!("{} is not a string.", inspect::inspect(wrong)));
    };
    if !certificate.contains("-----BEGIN") {
        return fail("Not a valid x509 certificate: PEM_read_bio_X509: no start line");
    }
    if !key.contains("-----BEGIN") {
        return fail("Not a valid RSA key: Neither PUB key nor PRIV key: no start line");
    }
    let arguments = ["-c", SCRIPT, "sh", certificate, key];
    let command = Command { program: "/bin/sh", arguments: &arguments, folder: None };
    let output = match call.frame.compilation.environment.world().run(&command) {
        Ok(output) => output,
        Err(error) => return fail(format!("openssl: {error}")),
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.code {
        Some(0) => Ok(()),
        Some(2) => fail(format!("Not a valid x509 certificate: {said}")),
        Some(3) => fail(format!("Not a valid RSA key: {said}")),
        _ => fail("Certificate signature does not match supplied key"),
    }
}
