//! RSA keys, certificates, and messages that are encrypted for the holder of a key.
//!
//! What is secret is done by one maintained provider, aws-lc; what is read is read by the libraries for its notation.

mod certificate;
mod key;
mod message;
mod pem;

pub use certificate::Certificate;
pub use key::{PrivateKey, PublicKey};
pub use message::decrypt;
pub use pem::decode_base64;
