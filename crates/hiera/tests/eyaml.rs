//! Looks encrypted values up.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::sync::Arc;

use bunraku_environment::{Memory, Strict};
use bunraku_hiera::{Context, Error, FunctionCall, Hiera, Layout, Session};
use bunraku_pcore::{Type, Value};
use ecow::EcoString;

struct Scope;

impl Context for Scope {
    fn variable(&mut self, name: &str) -> Result<Value, EcoString> {
        if name == "who" { Ok("root".into()) } else { Err(EcoString::new()) }
    }

    fn has_function(&mut self, _name: &str) -> bool {
        false
    }

    fn call_function(&mut self, _call: FunctionCall<'_>) -> Result<Option<Value>, Error> {
        Ok(None)
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, Error> {
        Err(Error::general(text))
    }

    fn new_instance(&mut self, _data_type: &Value, _arguments: Vec<Value>) -> Result<Value, Error> {
        Ok(Value::Undef)
    }

    fn warn(&mut self, _message: &str) {}
}

#[test]
fn encrypted_values_are_found_decrypted() {
    let world = Memory::default();
    let encrypted = include_str!("eyaml/value.txt").trim();
    world.write("/keys/private.pem", include_str!("eyaml/private_key.pkcs7.pem"));
    world.write(
        "/environment/hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Secrets\n    lookup_key: eyaml_lookup_key\n    paths: [a.eyaml, b.eyaml]\n    \
         options: {pkcs7_private_key: /keys/private.pem}\n",
    );
    world.write(
        "/environment/data/b.eyaml",
        format!(
            "text: {encrypted}\nnested: {{user: '%{{who}}', passwords: ['{encrypted}', plain]}}\n\
             inside: '%{{who}}:{encrypted}@host'\nfolded: >\n  {}\nbroken: ENC[PKCS7,AAAA]\n",
            encrypted.replace("MII", "MII\n  "),
        ),
    );
    let layout = Layout {
        environment: "environment".into(),
        environment_root: Some("/environment".to_owned()),
        ..Layout::default()
    };
    let session = Session::new(Arc::new(Hiera::new(layout, Strict::Error)), &world);
    let check = |key: &str, expected: &str| {
        let found = match session.search(key, &mut Scope) {
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
