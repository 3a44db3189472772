//! Every text the program reads, as a function of any bytes: whatever they are, it must come back, and soon.
//!
//! The fuzzer runs these functions on what it invents (`fuzz/target.rs`), the test beside them on the seeds and on simple
//! mutations of them.

mod catalog;
mod data;
mod environment;
mod language;
mod ruby;
mod server;
mod values;

/// A function that reads text from outside.
pub type Target = fn(&[u8]);

/// All targets, by the names of their directories of seeds.
pub const ALL: &[(&str, Target)] = &[
    ("auth_conf", server::auth_conf),
    ("catalog", catalog::catalog),
    ("catalog_form", server::catalog_form),
    ("certificate", server::certificate),
    ("data_type", values::data_type),
    ("environment_conf", environment::environment_conf),
    ("epp", language::epp),
    ("erb", ruby::erb),
    ("evaluate", language::evaluate),
    ("eyaml", data::eyaml),
    ("facts", environment::facts),
    ("fmt", language::fmt),
    ("format", values::format),
    ("hiera_data", data::hiera_data),
    ("hiera_yaml", data::hiera_yaml),
    ("hocon", data::hocon),
    ("lint", language::lint),
    ("metadata", environment::metadata),
    ("parse", language::parse),
    ("puppet_conf", environment::puppet_conf),
    ("regexp", values::regexp),
    ("request_target", server::request_target),
    ("rich_data", values::rich_data),
    ("ruby_code", ruby::ruby_code),
    ("ruby_type", ruby::ruby_type),
    ("scalar", values::scalar),
    ("semver", values::semver),
    ("sent_json", server::sent_json),
    ("sent_msgpack", server::sent_msgpack),
    ("time", values::time),
    ("web_answer", server::web_answer),
    ("yaml", data::yaml),
];

/// Runs a target on bytes; does nothing if there is none of this name.
pub fn run(name: &str, bytes: &[u8]) {
    if let Some((_, target)) = ALL.iter().find(|(known, _)| *known == name) {
        target(bytes);
    }
}

/// Runs a reader of text on the part of the bytes that is text.
fn on_text(bytes: &[u8], read: impl FnOnce(&str)) {
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text),
        Err(_) => read(&String::from_utf8_lossy(bytes)),
    }
}

/// Runs a reader of two texts: the first line, and the rest.
fn on_two_texts(bytes: &[u8], read: impl FnOnce(&str, &str)) {
    on_text(bytes, |text| {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        read(first, rest);
    });
}
