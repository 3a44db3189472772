//! What a request for a certificate must be like: the rules of the reference, in its order and its words.

use bunraku_pki::{CertificateRequest, Extension, SUBJECT_ALTERNATIVE_NAMES};

use super::{Policy, Refused};
use crate::client::PP_CLI_AUTH;

/// Puppet's own extensions: about nodes, about a site's own, and about what nodes may do.
const NODE: &str = "1.3.6.1.4.1.34380.1.1.";
const PRIVATE: &str = "1.3.6.1.4.1.34380.1.2.";
const AUTHORIZATION: &str = "1.3.6.1.4.1.34380.1.3.";

/// The addresses and the names of hosts among alternative names.
pub(super) fn alternative_names(names: &[String]) -> (Vec<String>, Vec<String>) {
    let with = |kind: &str| names.iter().filter(|name| name.starts_with(kind)).cloned().collect();
    (with("IP:"), with("DNS:"))
}

/// Whether a name can be that of a file here; others cannot have a certificate.
pub(super) fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\0']) && name.len() <= 250
}

/// Refuses a request whose name is not the one it was sent for, or could not be a name.
pub(super) fn check_name(request: &CertificateRequest, name: &str) -> Result<(), Refused> {
    let subject = request.name().unwrap_or_default();
    if subject != name {
        let message = format!("Instance name \"{subject}\" does not match requested key \"{name}\"");
        return Err(Refused::new(400, message));
    }
    check_subject(&subject)
}

/// Refuses what cannot be the name of a node.
pub(super) fn check_subject(subject: &str) -> Result<(), Refused> {
    if subject.chars().any(char::is_uppercase) {
        return Err(Refused::new(400, "Certificate names must be lower case."));
    }
    if subject.contains('*') {
        let message = format!("Subject contains a wildcard, which is not allowed: {subject}");
        return Err(Refused::new(400, message));
    }
    let is_label = |label: &str| {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        label.bytes().all(is_inner) && !label.starts_with('-') && !label.ends_with('-') && !label.is_empty()
    };
    if !subject.split('.').all(is_label) || !is_file_name(subject) {
        return Err(Refused::new(400, "Subject hostname format is invalid"));
    }
    Ok(())
}

/// Refuses a request for more than the authority may give. Whoever signs by hand may give authorization and further names.
pub(super) fn check_content(request: &CertificateRequest, name: &str, policy: &Policy) -> Result<(), Refused> {
    let extensions = request.extensions();
    let is_permitted = |oid: &str| {
        let known = [NODE, PRIVATE, AUTHORIZATION].iter().any(|prefix| oid.starts_with(prefix));
        oid == SUBJECT_ALTERNATIVE_NAMES || known && oid != PP_CLI_AUTH
    };
    // Other kinds of names do not get into the certificate.
    let (addresses, names) = alternative_names(&request.alternative_names());
    let names: Vec<String> = addresses.into_iter().chain(names).collect();
    let is_further = |known: &&String| **known != format!("DNS:{name}");
    if !policy.allows_alternative_names && names.iter().any(|known| is_further(&known)) {
        let message = format!(
            "CSR '{name}' contains extra subject alternative names ({}), which are disallowed. To allow subject \
             alternative names, set allow-subject-alt-names to true in your ca.conf file. Then restart the puppetserver \
             and try signing this certificate again.",
            names.iter().filter(|known| is_further(known)).map(String::as_str).collect::<Vec<_>>().join(", ")
        );
        return Err(Refused::new(400, message));
    }
    let is_authorizing = |extension: &Extension| extension.oid.starts_with(AUTHORIZATION);
    if extensions.iter().any(is_authorizing) && !policy.allows_authorization_extensions {
        let message = format!(
            "CSR '{name}' contains an authorization extension, which is disallowed. To allow authorization extensions, set \
             allow-authorization-extensions to true in your ca.conf file. Then restart the puppetserver and try signing \
             this certificate again."
        );
        return Err(Refused::new(400, message));
    }
    let refused: Vec<&str> =
        extensions.iter().map(|extension| extension.oid.as_str()).filter(|oid| !is_permitted(oid)).collect();
    if !refused.is_empty() {
        return Err(Refused::new(400, format!("Found extensions that are not permitted: {}", refused.join(", "))));
    }
    if !request.is_signed_with_own_key() {
        return Err(Refused::new(400, "CSR contains a public key that does not correspond to the signing key"));
    }
    if let Some(wildcard) = names.iter().find(|known| known.contains('*')) {
        let message = format!("Cannot sign subjectAltName extension with wildcard: {wildcard}");
        return Err(Refused::new(400, message));
    }
    Ok(())
}
