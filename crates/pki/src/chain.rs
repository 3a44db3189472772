//! Whether a certificate leads to an authority that is trusted, and is valid: OpenSSL's rules in OpenSSL's order, told in
//! Puppet's words.

use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::ParsedExtension;

use crate::certificate::Certificate;
use crate::revocation_list::RevocationList;
use crate::signature;
use crate::text::distinguished_name;

/// How many authorities may stand one above the other, as OpenSSL has it.
const LONGEST: usize = 100;

/// Whose lists of revoked certificates are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revocation {
    /// Nobody's.
    None,
    /// That of the authority which issued the certificate.
    Leaf,
    /// Those of all authorities.
    Chain,
}

/// A certificate, who issued it, who issued that, up to the root.
#[derive(Debug)]
pub struct Chain {
    /// From the certificate to the root.
    pub certificates: Vec<Certificate>,
    /// The issuer is not among the authorities; others may know it.
    pub warning: Option<String>,
}

impl Chain {
    /// The chain of a certificate at a time in seconds since the start of 1970, or why it is not to be trusted.
    pub fn verify(
        certificate: &Certificate,
        authorities: &[Certificate],
        lists: &[RevocationList],
        revocation: Revocation,
        now: i64,
    ) -> Result<Chain, String> {
        let mut certificates = vec![certificate.clone()];
        while let Some(issuer) = certificates.last().and_then(|last| issuer_of(last, authorities)) {
            if certificates.len() > LONGEST {
                return Err(failure(&read(certificate)?, 22, "certificate chain too long"));
            }
            certificates.push(issuer.clone());
        }
        let chain = certificates.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let (Some(leaf), Some(top)) = (chain.first(), chain.last()) else { return Err(UNREADABLE.to_owned()) };
        let is_trusted = chain.len() > 1 || authorities.contains(certificate);
        let (subject, issuer) = (distinguished_name(top.subject()), distinguished_name(top.issuer()));
        match (is_self_signed(top), is_trusted) {
            (true, true) => {}
            (true, false) => return Err(failure(leaf, 18, "self-signed certificate")),
            (false, true) => return Err(format!("The issuer '{issuer}' of certificate '{subject}' is missing")),
            (false, false) => {
                let text = format!("The issuer '{issuer}' of certificate '{subject}' cannot be found locally");
                return Ok(Chain { certificates, warning: Some(text) });
            }
        }
        if let Some(wrong) = chain.iter().skip(1).find(|authority| !may_issue(authority)) {
            return Err(failure(wrong, 79, "invalid CA certificate"));
        }
        let asked = match revocation {
            Revocation::None => 0,
            Revocation::Leaf => 1,
            Revocation::Chain => chain.len(),
        };
        for (at, subject) in chain.iter().enumerate().take(asked) {
            let authority = chain.get(at + 1).unwrap_or(subject);
            check_revocation(subject, authority, lists, now)?;
        }
        for (at, subject) in chain.iter().enumerate().rev() {
            let key = &chain.get(at + 1).unwrap_or(subject).public_key().subject_public_key.data;
            let algorithm = subject.signature_algorithm.algorithm.to_id_string();
            let (content, signature) = (subject.tbs_certificate.as_ref(), &subject.signature_value.data);
            let name = distinguished_name(subject.subject());
            if !signature::is_made_with(key, &algorithm, content, signature) {
                return Err(format!("Invalid signature for certificate '{name}'"));
            }
            let validity = subject.validity();
            if validity.not_before.timestamp() > now {
                return Err(format!("The certificate '{name}' is not yet valid, verify time is synchronized"));
            }
            if validity.not_after.timestamp() < now {
                return Err(format!("The certificate '{name}' has expired, verify time is synchronized"));
            }
        }
        Ok(Chain { certificates, warning: None })
    }
}

const UNREADABLE: &str = "the certificate cannot be read";

fn read(certificate: &Certificate) -> Result<X509Certificate<'_>, String> {
    certificate.read().map_err(str::to_owned)
}

fn failure(certificate: &X509Certificate<'_>, number: u8, reason: &str) -> String {
    let name = distinguished_name(certificate.subject());
    format!("Certificate '{name}' failed verification ({number}): {reason}")
}

fn is_self_signed(certificate: &X509Certificate<'_>) -> bool {
    certificate.subject().as_raw() == certificate.issuer().as_raw()
}

/// The authority that a certificate says has issued it; nobody stands above a root.
fn issuer_of<'a>(certificate: &Certificate, authorities: &'a [Certificate]) -> Option<&'a Certificate> {
    let read = certificate.read().ok()?;
    if is_self_signed(&read) {
        return None;
    }
    let key = certificate.authority_key_identifier();
    let is_issuer = |authority: &&Certificate| {
        let has_name = authority.read().is_ok_and(|it| it.subject().as_raw() == read.issuer().as_raw());
        let own = authority.subject_key_identifier();
        has_name && (key.is_none() || own.is_none() || key == own)
    };
    authorities.iter().find(is_issuer)
}

/// Certificates of the first version say nothing about it; only roots are such.
fn may_issue(certificate: &X509Certificate<'_>) -> bool {
    let constraints = certificate.extensions().iter().find_map(|extension| match extension.parsed_extension() {
        ParsedExtension::BasicConstraints(constraints) => Some(constraints.ca),
        _ => None,
    });
    constraints.unwrap_or_else(|| is_self_signed(certificate))
}

/// Whether the authority's list says that the certificate is still good.
fn check_revocation(
    certificate: &X509Certificate<'_>,
    authority: &X509Certificate<'_>,
    lists: &[RevocationList],
    now: i64,
) -> Result<(), String> {
    let issuer = distinguished_name(certificate.issuer());
    let own = lists.iter().filter_map(|list| Some((list, list.read()?)));
    let own = own.filter(|(_, read)| read.issuer().as_raw() == certificate.issuer().as_raw());
    // The newest that is valid counts, as where OpenSSL compares.
    let is_current = |last: i64, next: Option<i64>| last <= now && next.is_none_or(|next| next >= now);
    let best = own.max_by_key(|(list, read)| {
        let times = (read.last_update().timestamp(), list.next_update());
        (is_current(times.0, times.1), times.0)
    });
    let Some((list, read)) = best else { return Err(format!("The CRL issued by '{issuer}' is missing")) };
    if read.last_update().timestamp() > now {
        return Err(format!("The CRL issued by '{issuer}' is not yet valid, verify time is synchronized"));
    }
    if list.next_update().is_some_and(|next| next < now) {
        return Err(format!("The CRL issued by '{issuer}' has expired, verify time is synchronized"));
    }
    let algorithm = read.signature_algorithm.algorithm.to_id_string();
    let (content, signature) = (read.tbs_cert_list.as_ref(), &read.signature_value.data);
    if !signature::is_made_with(&authority.public_key().subject_public_key.data, &algorithm, content, signature) {
        return Err(format!("Invalid signature for CRL issued by '{issuer}'"));
    }
    if list.is_revoked(certificate.raw_serial()) {
        return Err(format!("Certificate '{}' is revoked", distinguished_name(certificate.subject())));
    }
    Ok(())
}
