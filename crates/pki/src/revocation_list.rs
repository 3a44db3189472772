//! Lists of certificates that are no longer valid.

use x509_parser::prelude::FromDer;
use x509_parser::revocation_list::CertificateRevocationList;

use crate::{Certificate, certificate, pem, signature};

/// What one authority has declared invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevocationList(Vec<u8>);

impl RevocationList {
    /// A list in DER.
    pub fn from_der(bytes: Vec<u8>) -> Option<RevocationList> {
        let list = RevocationList(bytes);
        list.read().map(|_| ())?;
        Some(list)
    }

    /// All lists in a string.
    pub fn all_from_pem(text: &str) -> Vec<RevocationList> {
        let lists = pem::all(text, |label| label == "X509 CRL");
        lists.into_iter().filter_map(RevocationList::from_der).collect()
    }

    /// The list as a file has it.
    pub fn to_pem(&self) -> String {
        pem::encode("X509 CRL", &self.0)
    }

    /// The list in DER.
    pub fn as_der(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn read(&self) -> Option<CertificateRevocationList<'_>> {
        CertificateRevocationList::from_der(&self.0).ok().map(|(_, list)| list)
    }

    /// The name of the authority.
    pub fn issuer(&self) -> Option<String> {
        certificate::common_name(self.read()?.issuer())
    }

    /// Whether an authority has signed it.
    pub fn is_made_by(&self, authority: &Certificate) -> bool {
        let (Some(list), Some(authority)) = (self.read(), authority.read().ok()) else { return false };
        let key = &authority.public_key().subject_public_key.data;
        let algorithm = list.signature_algorithm.algorithm.to_id_string();
        let content = list.tbs_cert_list.as_ref();
        list.issuer() == authority.subject()
            && signature::is_made_with(key, &algorithm, content, &list.signature_value.data)
    }

    /// Which list of the authority it is.
    pub fn number(&self) -> u64 {
        let list = self.read();
        let number = list.as_ref().and_then(|list| list.crl_number()).map(|number| number.to_bytes_be());
        number.unwrap_or_default().iter().fold(0_u64, |sum, byte| sum.wrapping_mul(256).wrapping_add((*byte).into()))
    }

    /// When there will be another list, in seconds since the start of 1970.
    pub fn next_update(&self) -> Option<i64> {
        Some(self.read()?.next_update()?.timestamp())
    }

    /// Whether a certificate of this serial is no longer valid.
    pub fn is_revoked(&self, serial: &[u8]) -> bool {
        self.serials().iter().any(|revoked| certificate::is_same_number(revoked, serial))
    }

    /// The serials of all certificates that are no longer valid.
    pub fn serials(&self) -> Vec<Vec<u8>> {
        let Some(list) = self.read() else { return Vec::new() };
        list.iter_revoked_certificates().map(|revoked| revoked.raw_serial().to_vec()).collect()
    }
}
