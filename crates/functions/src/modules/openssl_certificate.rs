//! Functions of the module openssl that read a certificate: `openssl::cert_aia_caissuers`, `openssl::cert_date_valid`.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};
use bunraku_pki::Certificate;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns where the certificate of the issuer of a certificate is found, or `undef` if the certificate does not tell.
    ///
    /// ```puppet
    /// openssl::cert_aia_caissuers('/etc/ssl/certs/server.pem')
    /// ```
    CERT_AIA_CAISSUERS: "openssl::cert_aia_caissuers" of "openssl" {
        "(String $certfile)" as ">> Optional[String]" => cert_aia_caissuers(call, certfile),
    }
}

function! {
    /// Returns for how many seconds a certificate is still valid, or `false` if it is not.
    ///
    /// ```puppet
    /// openssl::cert_date_valid('/etc/ssl/certs/server.pem')
    /// ```
    CERT_DATE_VALID: "openssl::cert_date_valid" of "openssl" {
        "(String $certfile)" as ">> Variant[Integer, Boolean]" => cert_date_valid(call, certfile),
    }
}

function! {
    /// Returns for how many seconds a certificate is still valid, or `false` if it is not.
    ///
    /// ```puppet
    /// cert_date_valid('/etc/ssl/certs/server.pem')
    /// ```
    FLAT_CERT_DATE_VALID: "cert_date_valid" of "openssl" {
        "arity -1" as "(String $certificate) >> Variant[Integer, Boolean]" => flat_cert_date_valid(call, *args),
    }
}

/// Compatibility: a file that cannot be read and a certificate that tells nothing give the same.
fn cert_aia_caissuers(call: &mut Call<'_, '_>, path: &str) -> Value {
    let certificate = read(call, path).and_then(|text| Certificate::from_pem(&text).ok());
    certificate.and_then(|certificate| certificate.ca_issuers()).map_or(Value::Undef, Value::from)
}

fn cert_date_valid(call: &mut Call<'_, '_>, path: &str) -> Result<Value, Issue> {
    let Some(text) = read(call, path) else {
        return fail(format!("No such file or directory @ rb_sysopen - {path}"));
    };
    match Certificate::from_pem(&text) {
        Ok(certificate) => seconds_left(call, &certificate),
        Err(reason) => fail(reason),
    }
}

fn flat_cert_date_valid(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let path = args.first().map(inspect::to_s).unwrap_or_default();
    match read(call, &path).and_then(|text| Certificate::from_pem(&text).ok()) {
        Some(certificate) => seconds_left(call, &certificate),
        None => fail("No date found in certificate"),
    }
}

fn seconds_left(call: &mut Call<'_, '_>, certificate: &Certificate) -> Result<Value, Issue> {
    let Some((first, last)) = certificate.validity() else { return fail("No date found in certificate") };
    let now = i64::try_from(call.frame.compilation.environment.world().epoch_seconds()).unwrap_or(i64::MAX);
    let is_valid = first <= now && now <= last && first < last;
    Ok(if is_valid { Value::from(last - now) } else { false.into() })
}

fn read(call: &mut Call<'_, '_>, path: &str) -> Option<String> {
    call.frame.compilation.environment.world().read_text(path).ok()
}
