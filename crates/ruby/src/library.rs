//! Libraries that code requires, one file for each: those that need speed or the machine in Rust, the others in Ruby.

mod digest;
pub(crate) mod errno;
mod json;
mod json_parse;
mod yaml;

use std::sync::{Arc, OnceLock};

use crate::interpreter::lower::{SyntaxError, lower};
use crate::interpreter::session::Core;
use crate::interpreter::tree::Tree;

/// What `require` brings.
#[derive(Clone, Copy)]
pub(crate) enum Library {
    Native(fn(&Core)),
    Code(&'static Code),
    /// It is there from the start.
    Present,
}

/// A library in Ruby, read when it is first required.
pub(crate) struct Code {
    source: &'static str,
    tree: OnceLock<Result<Arc<Tree>, SyntaxError>>,
}

impl Code {
    const fn new(source: &'static str) -> Code {
        Code { source, tree: OnceLock::new() }
    }

    /// The code, ready to be run.
    pub(crate) fn tree(&self, name: &str) -> Result<Arc<Tree>, SyntaxError> {
        self.tree.get_or_init(|| lower(self.source, name, 1, &[]).map(Arc::new)).clone()
    }
}

static SET: Code = Code::new(include_str!("library/set.rb"));
static IPADDR: Code = Code::new(include_str!("library/ipaddr.rb"));
static OSTRUCT: Code = Code::new(include_str!("library/ostruct.rb"));
static SHELLWORDS: Code = Code::new(include_str!("library/shellwords.rb"));
static BASE64: Code = Code::new(include_str!("library/base64.rb"));
static STRINGIO: Code = Code::new(include_str!("library/stringio.rb"));

/// The library of a name.
pub(crate) fn named(name: &str) -> Option<(&'static str, Library)> {
    Some(match name {
        "set" => ("set", Library::Code(&SET)),
        "ostruct" => ("ostruct", Library::Code(&OSTRUCT)),
        "shellwords" => ("shellwords", Library::Code(&SHELLWORDS)),
        "base64" => ("base64", Library::Code(&BASE64)),
        "stringio" => ("stringio", Library::Code(&STRINGIO)),
        "ipaddr" => ("ipaddr", Library::Code(&IPADDR)),
        "yaml" | "psych" => ("yaml", Library::Native(yaml::define)),
        "json" => ("json", Library::Native(json::define)),
        "digest" | "digest/md5" | "digest/sha1" | "digest/sha2" => ("digest", Library::Native(digest::define)),
        "English" => ("English", Library::Present),
        "enumerator" => ("enumerator", Library::Present),
        "thread" => ("thread", Library::Present),
        _ => return None,
    })
}
