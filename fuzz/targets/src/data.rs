//! Hiera: its configuration, and data in each format.

use std::sync::Arc;

use bunraku::{Compiler, Environment, Memory, Node, RubyOptions, RunMode, Settings, Value};
use bunraku_notation::hocon as hocon_text;
use bunraku_notation::yaml::{self as yaml_text, emit, locate};

/// Looks everything up that the data below may have.
const LOOKUPS: &str = "
    notice(lookup('a', { merge => deep, default_value => 'none' }))
    notice(lookup('b.c', Any, 'hash', {}))
    notice(lookup('c', Any, 'unique', []))
    notice(lookup({ name => 'd', default_value => 1 }))
";
const CONFIGURATION: &str = "
version: 5
hierarchy:
  - { name: first, path: first.yaml }
  - { name: second, path: second.json, data_hash: json_data }
";
const DATA: &str =
    "{ a: 1, b: { c: [2, '%{a}'] }, c: \"%{alias('b.c')}\", d: \"%{lookup('a')} %{facts.os} %{literal('%')}\" }";
const KEY: &str = include_str!("../../../crates/hiera/tests/eyaml/private_key.pkcs7.pem");
const ENCRYPTED: &str = "
version: 5
defaults: { lookup_key: eyaml_lookup_key, options: { pkcs7_private_key: /keys/private.pem } }
hierarchy: [{ name: first, path: first.eyaml }]
";

/// YAML as data has it: read, written again, and its places found.
pub(crate) fn yaml(bytes: &[u8]) {
    let Ok(document) = yaml_text::load(bytes, "data.yaml") else { return };
    if let Some(value) = document.value {
        let _ = emit(&value);
        let _ = locate(bytes, &[Value::from("a"), Value::Integer(0)]);
    }
}

/// HOCON.
pub(crate) fn hocon(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = hocon_text::value(text);
    });
}

/// `hiera.yaml` of an environment and of a module, with data behind it.
pub(crate) fn hiera_yaml(bytes: &[u8]) {
    look_up(&[("/production/hiera.yaml", bytes), ("/production/data/common.yaml", DATA.as_bytes())]);
}

/// Data with interpolation and options of its own, found under a plain configuration.
pub(crate) fn hiera_data(bytes: &[u8]) {
    look_up(&[
        ("/production/hiera.yaml", CONFIGURATION.as_bytes()),
        ("/production/data/first.yaml", bytes),
        ("/production/data/second.json", bytes),
    ]);
}

/// Encrypted data: the bytes are what stands between the brackets.
pub(crate) fn eyaml(bytes: &[u8]) {
    let data = [b"a: ENC[PKCS7,", bytes, b"]\n"].concat();
    look_up(&[
        ("/production/hiera.yaml", ENCRYPTED.as_bytes()),
        ("/production/data/first.eyaml", &data),
        ("/keys/private.pem", KEY.as_bytes()),
    ]);
}

fn look_up(files: &[(&str, &[u8])]) {
    let mut settings = Settings::new(RunMode::Server);
    settings.set("code", LOOKUPS);
    let world: Memory = files.iter().map(|(path, content)| (path, content.to_vec())).collect();
    let Ok(environment) = Environment::at(Arc::new(world), &settings, "production", "/production") else { return };
    let Ok(compiler) = Compiler::new(environment, RubyOptions::default()) else { return };
    let _ = compiler.compile(&Node::new("node.example.com"));
}
