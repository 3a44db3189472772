//! Requests for certificates: who asks, for which key, and what else should be in the certificate.

use x509_cert::der::{Decode, Encode};
use x509_cert::request::CertReq;
use x509_cert::spki::ObjectIdentifier;
use x509_parser::certification_request::X509CertificationRequest;
use x509_parser::cri_attributes::ParsedCriAttribute;
use x509_parser::prelude::FromDer;

use crate::authority::{self, encoded};
use crate::extension::{Extension, alternative_names, der};
use crate::pem;
use crate::signature;
use crate::signing_key::SigningKey;

/// A request for a certificate.
#[derive(Debug, Clone)]
pub struct CertificateRequest(Vec<u8>);

impl CertificateRequest {
    /// The request in a string, or why there is none.
    pub fn from_pem(text: &str) -> Result<CertificateRequest, &'static str> {
        const NONE: &str = "the request for a certificate cannot be read";
        let is_wanted = |label: &str| matches!(label, "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST");
        let (_, body) = pem::find(text, is_wanted).map_err(|_| NONE)?;
        if text.matches("-----BEGIN ").count() > 1 {
            return Err("there is more than one request for a certificate");
        }
        let request = CertificateRequest(pem::decode_base64(body).ok_or(NONE)?);
        request.read().map(|_| ()).ok_or(NONE)?;
        Ok(request)
    }

    /// A request for a name and a key, signed with it, that asks for extensions.
    pub fn make(name: &str, key: &SigningKey, extensions: &[Extension]) -> Result<CertificateRequest, &'static str> {
        CertificateRequest::make_with_attributes(name, key, extensions, &[])
    }

    /// The same with attributes, identifiers and strings, that are for whoever signs and get into no certificate.
    pub fn make_with_attributes(
        name: &str,
        key: &SigningKey,
        extensions: &[Extension],
        attributes: &[(String, String)],
    ) -> Result<CertificateRequest, &'static str> {
        /// The attribute that holds extensions.
        const EXTENSION_REQUEST: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0e";
        let subject = encoded(&authority::name_of(name)?)?;
        let mut all = Vec::new();
        for (oid, text) in attributes {
            let oid = ObjectIdentifier::new(oid).map_err(|_| "an attribute has no valid identifier")?;
            // PrintableString, as Puppet writes them.
            all.push(der(0x30, &[encoded(&oid)?, der(0x31, &der(0x13, text.as_bytes()))].concat()));
        }
        if !extensions.is_empty() {
            let list = encoded(&authority::extensions(extensions)?)?;
            all.push(der(0x30, &[EXTENSION_REQUEST, &der(0x31, &list)].concat()));
        }
        // The elements of a set stand in the order of their bytes.
        all.sort_unstable();
        let attributes = all.concat();
        let version = der(0x02, &[0]);
        let info = der(0x30, &[version, subject, key.public_key_info()?, der(0xa0, &attributes)].concat());
        let signature = [&[0], key.sign(&info)?.as_slice()].concat();
        let request = [info, encoded(&key.algorithm())?, der(0x03, &signature)].concat();
        Ok(CertificateRequest(der(0x30, &request)))
    }

    /// The request as a file has it.
    pub fn to_pem(&self) -> String {
        pem::encode("CERTIFICATE REQUEST", &self.0)
    }

    /// The request in DER, for fingerprints.
    pub fn as_der(&self) -> &[u8] {
        &self.0
    }

    fn read(&self) -> Option<X509CertificationRequest<'_>> {
        X509CertificationRequest::from_der(&self.0).ok().map(|(_, request)| request)
    }

    /// The name that is asked for. Whatever else is in the subject does not get into the certificate.
    pub fn name(&self) -> Option<String> {
        let request = self.read()?;
        let mut names = request.certification_request_info.subject.iter_common_name();
        Some(names.next()?.as_str().ok()?.to_owned())
    }

    /// The key that the certificate is to be about, with the name of its algorithm, in DER.
    pub fn public_key_info(&self) -> Option<Vec<u8>> {
        Some(self.read()?.certification_request_info.subject_pki.raw.to_vec())
    }

    /// What should be in the certificate.
    pub fn extensions(&self) -> Vec<Extension> {
        let Some(request) = self.read() else { return Vec::new() };
        let mut found = Vec::new();
        for attribute in request.certification_request_info.iter_attributes() {
            if let ParsedCriAttribute::ExtensionRequest(wanted) = attribute.parsed_attribute() {
                found.extend(wanted.extensions.iter().map(Extension::read));
            }
        }
        found
    }

    /// The names that the certificate should be valid for, as OpenSSL shows them.
    pub fn alternative_names(&self) -> Vec<String> {
        let Some(request) = self.read() else { return Vec::new() };
        let attributes = request.certification_request_info.iter_attributes();
        let wanted = attributes.filter_map(|attribute| match attribute.parsed_attribute() {
            ParsedCriAttribute::ExtensionRequest(wanted) => Some(wanted.extensions.iter()),
            _ => None,
        });
        alternative_names(wanted.flatten())
    }

    /// The string of an attribute, such as a challenge password.
    pub fn attribute(&self, oid: &str) -> Option<String> {
        let request = CertReq::from_der(&self.0).ok()?;
        let attribute = request.info.attributes.iter().find(|attribute| attribute.oid.to_string() == oid)?;
        let value = attribute.values.iter().next()?.to_der().ok()?;
        Some(Extension { oid: oid.to_owned(), is_critical: false, value }.text())
    }

    /// Whether who asks has the private key.
    pub fn is_signed_with_own_key(&self) -> bool {
        let Some(request) = self.read() else { return false };
        let key = &request.certification_request_info.subject_pki.subject_public_key.data;
        let (content, signature) = (request.certification_request_info.raw, &request.signature_value.data);
        let algorithm = request.signature_algorithm.algorithm.to_id_string();
        signature::proves_possession(key, &algorithm, content, signature)
    }
}
