//! TLS: which servers an agent believes, and how it proves who it is.

use std::sync::Arc;

use bunraku_pki::{Certificate, Revocation, RevocationList, SigningKey};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{
    CertificateDer, CertificateRevocationListDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime,
};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// Whom an agent believes, and with what it proves who it is.
#[derive(Clone, Default)]
pub struct Identity {
    /// The authorities; without any, every server is believed.
    pub authorities: Vec<Certificate>,
    /// What they have revoked.
    pub lists: Vec<RevocationList>,
    /// Whose lists must be asked.
    pub revocation: Option<Revocation>,
    /// The certificate of this machine, with its key.
    pub own: Option<(Certificate, Arc<SigningKey>)>,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Identity").field("authorities", &self.authorities.len()).finish_non_exhaustive()
    }
}

impl Identity {
    /// What TLS needs to know.
    pub(crate) fn configuration(&self) -> Result<Arc<ClientConfig>, String> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let signer = provider.key_provider;
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(self.verifier(provider)?);
        let Some((certificate, key)) = &self.own else { return Ok(Arc::new(builder.with_no_client_auth())) };
        // Those who have issued the certificate are sent along: a server may know only the root.
        let issuers = self.authorities.iter().filter(|it| it.as_der() != certificate.as_der());
        let chain = [certificate].into_iter().chain(issuers);
        let chain = chain.map(|it| CertificateDer::from(it.as_der().to_vec())).collect();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.to_pkcs8().to_vec()));
        let key = signer.load_private_key(key).map_err(|error| error.to_string())?;
        // That the key is that of the certificate is known; rustls would refuse certificates of the first version.
        let own = SingleCertAndKey::from(CertifiedKey::new(chain, key));
        Ok(Arc::new(builder.with_client_cert_resolver(Arc::new(own))))
    }

    fn verifier(&self, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, String> {
        if self.authorities.is_empty() {
            return Ok(Arc::new(Anybody(provider)));
        }
        let mut roots = RootCertStore::empty();
        for authority in &self.authorities {
            roots.add(CertificateDer::from(authority.as_der().to_vec())).map_err(|error| error.to_string())?;
        }
        let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        let lists = self.lists.iter().map(|list| CertificateRevocationListDer::from(list.as_der().to_vec()));
        let builder = match self.revocation {
            None | Some(Revocation::None) => builder,
            Some(Revocation::Leaf) => builder.with_crls(lists).only_check_end_entity_revocation(),
            Some(Revocation::Chain) => builder.with_crls(lists),
        };
        let verifier = builder.build().map_err(|error| error.to_string())?;
        Ok(verifier)
    }
}

/// Believes everybody: for the first question of all, who the authority is.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
