//! Compares what is read and decrypted with what Ruby's OpenSSL wrote (`record.rb`).
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

use bunraku_pki::{Certificate, PrivateKey, PublicKey, decode_base64, decrypt};
use serde_json::Value as Json;

fn recorded() -> Json {
    serde_json::from_str(include_str!("recorded.json")).unwrap()
}

fn text<'r>(recorded: &'r Json, name: &str) -> &'r str {
    recorded[name].as_str().unwrap()
}

#[test]
fn messages_are_decrypted() {
    let recorded = recorded();
    for form in ["pkcs1", "pkcs8"] {
        let key = PrivateKey::from_pem(text(&recorded, form)).unwrap();
        for message in recorded["messages"].as_array().unwrap() {
            let bytes = decode_base64(message[1].as_str().unwrap()).unwrap();
            assert_eq!(decrypt(&bytes, &key).as_deref(), Ok(message[0].as_str().unwrap().as_bytes()));
        }
    }
}

#[test]
fn wrong_messages_are_refused() {
    let recorded = recorded();
    let key = PrivateKey::from_pem(text(&recorded, "pkcs8")).unwrap();
    for name in ["not_for_us", "old_cipher"] {
        let bytes = decode_base64(text(&recorded, name)).unwrap();
        assert_eq!(decrypt(&bytes, &key), Err("the value cannot be decrypted with this private key"), "{name}");
    }
    let bytes = decode_base64(recorded["messages"][0][1].as_str().unwrap()).unwrap();
    for length in 0..bytes.len() {
        assert_eq!(decrypt(bytes.get(..length).unwrap(), &key), Err("the value is not a PKCS7 message"), "{length}");
    }
    // Whatever is changed, it is read to its end.
    for position in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[position] ^= 0x55;
        let _ = decrypt(&changed, &key);
    }
}

#[test]
fn wrong_keys_are_refused() {
    let recorded = recorded();
    let check = |text: &str, expected: &str| assert_eq!(PrivateKey::from_pem(text).unwrap_err(), expected);
    check(text(&recorded, "short"), "RSA keys of less than 2048 or more than 8192 bits are not supported");
    for name in ["public", "encrypted_key"] {
        check(text(&recorded, name), "the private key cannot be read");
    }
    check("", "the private key cannot be read");
}

#[test]
fn certificates_belong_to_their_keys() {
    let recorded = recorded();
    let short = PublicKey::from_pem(text(&recorded, "short")).unwrap();
    for pem in recorded["certificates"].as_array().unwrap() {
        let certificate = Certificate::from_pem(pem.as_str().unwrap()).unwrap();
        for form in ["pkcs1", "pkcs8", "public"] {
            let key = PublicKey::from_pem(text(&recorded, form)).unwrap();
            assert_eq!(certificate.is_signed_with(&key), Ok(true));
        }
        assert_eq!(certificate.is_signed_with(&short), Ok(false));
        assert_eq!(certificate.validity(), Some((1_577_934_245, 3_155_857_445)));
        assert_eq!(certificate.ca_issuers().as_deref(), Some("http://ca.example.com/ca.crt"));
    }
    let certificate = Certificate::from_pem(text(&recorded, "short_certificate")).unwrap();
    assert_eq!(certificate.is_signed_with(&short), Ok(true));
}
