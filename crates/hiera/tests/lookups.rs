//! Lookups that cannot be recorded: of encrypted values, and of data that asks for too much.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod common;

use std::sync::Arc;

use bunraku_environment::{Memory, Strict};
use bunraku_hiera::{Hiera, Layout, Session};
use bunraku_pcore::Value;
use ecow::EcoString;

use common::Variables;

fn who(name: &str) -> Result<Value, EcoString> {
    if name == "who" { Ok("root".into()) } else { Err(EcoString::new()) }
}

#[test]
fn encrypted_values_are_found_decrypted() {
    let world = Memory::default();
    let encrypted = include_str!("eyaml/value.txt").trim();
    world.write("/keys/public.pem", "of the same pair");
    world.write("/keys/private.pem", include_str!("eyaml/private_key.pkcs7.pem"));
    world.write(
        "/environment/hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Secrets\n    lookup_key: eyaml_lookup_key\n    paths: [a.eyaml, b.eyaml]\n    \
         options: {pkcs7_private_key: /keys/private.pem, pkcs7_public_key: /keys/public.pem}\n",
    );
    world.write(
        "/environment/data/b.eyaml",
        format!(
            "text: {encrypted}\nnested: {{user: '%{{who}}', passwords: ['{encrypted}', plain]}}\n\
             inside: '%{{who}}:{encrypted}@host'\nfolded: >\n  {}\nbroken: ENC[PKCS7,AAAA]\n",
            encrypted.replace("MII", "MII\n  "),
        ),
    );
    let session = session(&world);
    let check = |key: &str, expected: &str| {
        let found = match session.search(key, &mut Variables(who)) {
            Ok(value) => value.unwrap().to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{key}");
    };
    check("text", "pässword");
    check("nested", "{user => root, passwords => [pässword, plain]}");
    check("inside", "root:pässword@host");
    check("folded", "pässword");
    check(
        "broken",
        "hiera-eyaml backend error decrypting ENC[PKCS7,AAAA] when looking up broken in /environment/data/b.eyaml. \
         Error was the value is not a PKCS7 message",
    );
}

#[test]
fn data_cannot_ask_for_too_much() {
    let world = Memory::default();
    world.write("/environment/hiera.yaml", "version: 5\n");
    let twice = |next: usize| format!("\"%{{lookup('k{next}')}}%{{lookup('k{next}')}}\"\n");
    let once = |next: usize| format!("\"%{{lookup('d{next}')}}\"\n");
    let mut text: String = (0..40).map(|index| format!("k{index}: {}", twice(index + 1))).collect();
    text.extend((0..200).map(|index| format!("d{index}: {}", once(index + 1))));
    world.write("/environment/data/common.yaml", text);
    let session = session(&world);
    let check = |key: &str, expected: &str| {
        assert_eq!(session.search(key, &mut Variables(who)).unwrap_err().message, expected, "{key}");
    };
    check("k0", "A lookup takes more than 200000 steps");
    check("d0", "Lookup of key 'd100' failed: Lookups lead to more than 100 further lookups");
}

fn session(world: &Memory) -> Session<'_> {
    let layout = Layout {
        environment: "environment".into(),
        environment_root: Some("/environment".to_owned()),
        ..Layout::default()
    };
    Session::new(Arc::new(Hiera::new(layout, Strict::Error)), world)
}
