//! TLS: who the server is, and which clients it believes.
//!
//! A client may show a certificate or none. Whoever shows one that is not valid gets no connection. The files are looked at
//! for every connection, so that a revoked certificate is worth nothing at once; sessions of before are not resumed then.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use bunraku_pki::{Certificate, RevocationList, SigningKey};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;
use rustls::{RootCertStore, ServerConfig, SignatureScheme};

use crate::Server;

/// The state of the files that a configuration was made from.
type Stamps = Vec<Option<(SystemTime, u64)>>;

/// The configuration of TLS, made anew when its files change.
pub(crate) struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    authorities: PathBuf,
    revocation_lists: PathBuf,
    /// A second key on an elliptic curve, with which a handshake costs a fraction.
    curve: Option<(Certificate, SigningKey)>,
    current: Mutex<Option<(Stamps, Arc<ServerConfig>)>>,
}

impl Tls {
    /// The files of the server's settings. Where the authority is here, its own list of revoked certificates counts.
    pub(crate) fn of(server: &Server) -> Result<Tls, String> {
        let path = |name: &str| server.settings().text(name).map(PathBuf::from).map_err(|issue| issue.to_string());
        let revocation_lists = match &server.authority {
            Some(_) => {
                PathBuf::from(server.settings().text("cadir").map_err(|issue| issue.to_string())?).join("ca_crl.pem")
            }
            None => path("hostcrl")?,
        };
        let curve = server.authority.as_ref().map(|authority| {
            let key = SigningKey::generate_curve()?;
            let text = std::fs::read_to_string(path("hostcert")?).map_err(|error| error.to_string())?;
            let own = Certificate::all_from_pem(&text).into_iter().next().ok_or("the server has no certificate")?;
            let name = own.name().ok_or("the server's certificate has no name")?;
            let certificate = authority.certify_server(&name, &key, &own.alternative_names());
            Ok::<_, String>((certificate.map_err(|refused| refused.message)?, key))
        });
        let tls = Tls {
            certificate: path("hostcert")?,
            key: path("hostprivkey")?,
            authorities: path("localcacert")?,
            revocation_lists,
            curve: curve.transpose()?,
            current: Mutex::new(None),
        };
        tls.configuration()?;
        Ok(tls)
    }

    /// The configuration for a new connection.
    pub(crate) fn configuration(&self) -> Result<Arc<ServerConfig>, String> {
        let paths = [&self.certificate, &self.key, &self.authorities, &self.revocation_lists];
        let stamp = |path: &&PathBuf| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.modified().ok()?, found.len()))
        };
        let stamps: Stamps = paths.iter().map(stamp).collect();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, configuration)) = &*current
            && *known == stamps
        {
            return Ok(Arc::clone(configuration));
        }
        let configuration = Arc::new(self.make()?);
        *current = Some((stamps, Arc::clone(&configuration)));
        Ok(configuration)
    }

    fn make(&self) -> Result<ServerConfig, String> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let read =
            |path: &PathBuf| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
        let mut roots = RootCertStore::empty();
        // Each authority is believed by itself: many clients send no certificate but their own.
        for authority in Certificate::all_from_pem(&read(&self.authorities)?) {
            roots.add(CertificateDer::from(authority.as_der().to_vec())).map_err(|error| error.to_string())?;
        }
        let lists = RevocationList::all_from_pem(&read(&self.revocation_lists)?);
        let lists = lists.iter().map(|list| CertificateRevocationListDer::from(list.as_der().to_vec()));
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
            .with_crls(lists)
            .only_check_end_entity_revocation()
            .allow_unauthenticated()
            .build()
            .map_err(|error| error.to_string())?;
        let own = Certificate::all_from_pem(&read(&self.certificate)?);
        let key =
            SigningKey::from_pem(&read(&self.key)?).map_err(|error| format!("{}: {error}", self.key.display()))?;
        let resolver = Resolver {
            main: certified(own.get(..1).unwrap_or_default(), &key, &provider)?,
            curve: match &self.curve {
                Some((certificate, key)) => Some(certified(std::slice::from_ref(certificate), key, &provider)?),
                None => None,
            },
        };
        let configuration = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_client_cert_verifier(verifier)
            .with_cert_resolver(Arc::new(resolver));
        Ok(configuration)
    }
}

fn certified(chain: &[Certificate], key: &SigningKey, provider: &CryptoProvider) -> Result<Arc<CertifiedKey>, String> {
    let chain: Vec<_> = chain.iter().map(|it| CertificateDer::from(it.as_der().to_vec())).collect();
    if chain.is_empty() {
        return Err("the server has no certificate".to_owned());
    }
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.to_pkcs8().to_vec()));
    let key = provider.key_provider.load_private_key(key).map_err(|error| error.to_string())?;
    let certified = CertifiedKey::new(chain, key);
    certified.keys_match().map_err(|error| format!("the private key is not that of the certificate: {error}"))?;
    Ok(Arc::new(certified))
}

/// Offers the cheap key to those who can read it.
#[derive(Debug)]
struct Resolver {
    main: Arc<CertifiedKey>,
    curve: Option<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for Resolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let can_read = hello.signature_schemes().contains(&SignatureScheme::ECDSA_NISTP256_SHA256);
        Some(self.curve.clone().filter(|_| can_read).unwrap_or_else(|| self.main.clone()))
    }
}
