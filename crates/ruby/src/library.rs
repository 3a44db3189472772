//! Libraries that code requires, one file for each: those that need speed or the machine in Rust, the others in Ruby.

mod calendar;
mod digest;
pub(crate) mod erb_source;
pub(crate) mod errno;
mod hocon;
mod json;
mod json_parse;
mod openssl;
mod resolv;
mod strftime;
pub(crate) mod time;
mod yaml;
mod zlib;

use std::sync::{Arc, OnceLock};

use crate::interpreter::lower::{SyntaxError, lower};
use crate::interpreter::session::Core;
use crate::interpreter::tree::Tree;

/// What `require` brings.
pub(crate) struct Library {
    /// Its names; the first one is its own.
    names: &'static [&'static str],
    /// Constants at the top level that are there without `require`.
    provides: &'static [&'static str],
    pub(crate) native: Option<fn(&Core)>,
    source: &'static str,
    tree: OnceLock<Result<Arc<Tree>, SyntaxError>>,
}

impl Library {
    const fn new(names: &'static [&'static str], native: Option<fn(&Core)>, source: &'static str) -> Library {
        Library { names, provides: &[], native, source, tree: OnceLock::new() }
    }

    const fn native(names: &'static [&'static str], native: fn(&Core)) -> Library {
        Library::new(names, Some(native), "")
    }

    const fn code(names: &'static [&'static str], source: &'static str) -> Library {
        Library::new(names, None, source)
    }

    const fn providing(mut self, constants: &'static [&'static str]) -> Library {
        self.provides = constants;
        self
    }

    pub(crate) fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }

    /// The part in Ruby, ready to be run; it is read when it is first required.
    pub(crate) fn tree(&self) -> Option<Result<Arc<Tree>, SyntaxError>> {
        let read = || lower(self.source, self.name(), 1, &[]).map(Arc::new);
        (!self.source.is_empty()).then(|| self.tree.get_or_init(read).clone())
    }
}

/// What is there from the start, or has nothing that code could see here.
const PRESENT: &[&str] = &["English", "enumerator", "thread", "rubygems", "etc.so", "fiber", "pp", "prettyprint"];

static LIBRARIES: [Library; 49] = [
    Library::code(&["(gem)"], include_str!("library/gem.rb")).providing(&["Gem"]),
    Library::code(&["(io)"], include_str!("library/io.rb")).providing(&["STDIN", "STDOUT", "STDERR"]),
    Library::code(&["(rational)"], include_str!("library/rational.rb")).providing(&["Rational", "Complex"]),
    Library::code(&["(system)", "rbconfig"], include_str!("library/system.rb")).providing(&[
        "GC",
        "FileTest",
        "ObjectSpace",
        "Signal",
        "Marshal",
        "Fiber",
        "ARGV",
        "RbConfig",
        "RUBY_PATCHLEVEL",
        "RUBY_RELEASE_DATE",
        "RUBY_COPYRIGHT",
        "RUBY_DESCRIPTION",
        "RUBY_ENGINE_VERSION",
    ]),
    Library::code(&["(thread)", "monitor"], include_str!("library/thread.rb")).providing(&[
        "Thread",
        "Mutex",
        "Queue",
        "SizedQueue",
        "ConditionVariable",
        "Monitor",
    ]),
    Library::native(&["(time)"], time::define).providing(&["Time"]),
    Library::code(&["abbrev"], include_str!("library/abbrev.rb")),
    Library::code(&["base64"], include_str!("library/base64.rb")),
    Library::code(&["benchmark"], include_str!("library/benchmark.rb")),
    Library::code(&["bigdecimal", "bigdecimal/util"], include_str!("library/bigdecimal.rb")),
    Library::code(&["cgi", "cgi/util", "cgi/escape"], include_str!("library/cgi.rb")),
    Library::code(&["csv"], include_str!("library/csv.rb")),
    Library::code(&["date"], include_str!("library/date.rb")),
    Library::code(&["delegate"], include_str!("library/delegate.rb")),
    Library::new(
        &["digest", "digest/md5", "digest/sha1", "digest/sha2"],
        Some(digest::define),
        include_str!("library/digest.rb"),
    ),
    Library::new(&["erb"], Some(erb_source::define), include_str!("library/erb.rb")),
    Library::code(&["etc"], include_str!("library/etc.rb")),
    Library::code(&["fileutils"], include_str!("library/fileutils.rb")),
    Library::code(&["find"], include_str!("library/find.rb")),
    Library::code(&["forwardable"], include_str!("library/forwardable.rb")),
    Library::new(
        &["hocon", "hocon/config_factory", "hocon/config_error", "hocon/config_syntax"],
        Some(hocon::define),
        include_str!("library/hocon.rb"),
    ),
    Library::code(&["ipaddr"], include_str!("library/ipaddr.rb")),
    Library::new(&["json", "json/add/core"], Some(json::define), include_str!("library/json.rb")),
    Library::code(&["logger"], include_str!("library/logger.rb")),
    Library::code(&["net/http", "net/https", "net/protocol"], include_str!("library/net_http.rb")),
    Library::code(&["observer"], include_str!("library/observer.rb")),
    Library::code(&["open3"], include_str!("library/open3.rb")),
    Library::code(&["open-uri"], include_str!("library/open_uri.rb")),
    Library::new(&["openssl", "openssl/digest"], Some(openssl::define), include_str!("library/openssl.rb")),
    Library::code(&["optparse"], include_str!("library/optparse.rb")),
    Library::code(&["ostruct"], include_str!("library/ostruct.rb")),
    Library::code(&["pathname"], include_str!("library/pathname.rb")),
    // An empty module that other modules put theirs into.
    Library::code(&["puppet_x"], "module PuppetX; end"),
    Library::new(
        &["resolv"],
        Some(resolv::define),
        concat!(include_str!("library/resolv.rb"), include_str!("library/resolv_dns.rb")),
    ),
    Library::code(
        &["rexml/document", "rexml/element", "rexml/formatters/pretty", "rexml/rexml", "rexml/text", "rexml/xpath"],
        include_str!("library/rexml.rb"),
    ),
    Library::code(&["securerandom"], include_str!("library/securerandom.rb")),
    Library::code(&["set"], include_str!("library/set.rb")),
    Library::code(&["shellwords"], include_str!("library/shellwords.rb")),
    Library::code(&["singleton"], include_str!("library/singleton.rb")),
    Library::code(&["socket"], include_str!("library/socket.rb")),
    Library::code(&["stringio"], include_str!("library/stringio.rb")),
    Library::code(&["strscan"], include_str!("library/strscan.rb")),
    Library::code(&["tempfile", "tmpdir"], include_str!("library/tempfile.rb")),
    Library::code(&["time"], include_str!("library/time.rb")),
    Library::code(&["timeout"], include_str!("library/timeout.rb")),
    Library::code(&["tsort"], include_str!("library/tsort.rb")),
    Library::code(&["uri", "uri/generic"], include_str!("library/uri.rb")),
    Library::new(&["yaml", "psych"], Some(yaml::define), include_str!("library/yaml.rb")),
    Library::new(&["zlib"], Some(zlib::define), include_str!("library/zlib.rb")),
];

/// The library of a name.
pub(crate) fn named(name: &str) -> Option<&'static Library> {
    let name = name.strip_suffix(".rb").unwrap_or(name);
    LIBRARIES.iter().find(|library| library.names.contains(&name))
}

/// Whether a library of this name needs nothing.
pub(crate) fn is_present(name: &str) -> bool {
    PRESENT.contains(&name)
}

/// The constants at the top level that are there without `require`, and not made before they are asked for.
pub(crate) fn provided() -> Vec<String> {
    LIBRARIES.iter().flat_map(|library| library.provides).map(|name| (*name).to_owned()).collect()
}

/// The name of the library that has a constant which is there without `require`.
pub(crate) fn providing(constant: &str) -> Option<&'static str> {
    LIBRARIES.iter().find(|library| library.provides.contains(&constant)).map(Library::name)
}
