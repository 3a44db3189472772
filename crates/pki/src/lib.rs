//! RSA keys, certificates, authorities that issue them, messages that are encrypted for the holder of a key, and hashes
//! of passwords.
//!
//! What is secret is done by one maintained provider, aws-lc; what is read is read by the libraries for its notation.

mod authority;
mod certificate;
mod chain;
mod extension;
mod key;
mod message;
pub mod oids;
pub mod password;
mod pem;
mod request;
mod revocation_list;
mod signature;
mod signing_key;
mod text;

pub use authority::{Authority, Certification};
pub use certificate::{Certificate, NamePart};
pub use chain::{Chain, Revocation};
pub use extension::{
    AUTHORITY_KEY_IDENTIFIER, BASIC_CONSTRAINTS, EXTENDED_KEY_USAGE, Extension, KEY_USAGE, NETSCAPE_COMMENT,
    SUBJECT_ALTERNATIVE_NAMES, SUBJECT_KEY_IDENTIFIER,
};
pub use key::{PrivateKey, PublicKey};
pub use message::decrypt;
pub use pem::decode_base64;
pub use request::CertificateRequest;
pub use revocation_list::RevocationList;
pub use signing_key::SigningKey;
