//! What Ruby 3.1 has: whatever of that the interpreter lacks is left to the helper, and never taken for a mistake of the code.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::interpreter::code::Args;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

/// Methods of Ruby's own classes and of its library, a line for each class: `String# …` of instances, `File. …` of the
/// class itself.
const METHODS: &str = include_str!("known_methods.txt");

/// Puppet has these libraries loaded: the constants that come with them.
const CONSTANTS: &[(&str, &[&str])] = &[
    ("base64", &["Base64"]),
    ("benchmark", &["Benchmark"]),
    ("bigdecimal", &["BigDecimal"]),
    ("cgi", &["CGI"]),
    ("csv", &["CSV"]),
    ("date", &["Date", "DateTime"]),
    ("delegate", &["Delegator", "SimpleDelegator"]),
    ("digest", &["Digest"]),
    ("erb", &["ERB"]),
    ("etc", &["Etc"]),
    ("fileutils", &["FileUtils"]),
    ("find", &["Find"]),
    ("forwardable", &["Forwardable"]),
    ("ipaddr", &["IPAddr"]),
    ("json", &["JSON"]),
    ("logger", &["Logger"]),
    ("monitor", &["Monitor", "MonitorMixin"]),
    ("net/http", &["Net"]),
    ("open3", &["Open3"]),
    ("openssl", &["OpenSSL"]),
    ("optparse", &["OptionParser"]),
    ("ostruct", &["OpenStruct"]),
    ("pathname", &["Pathname"]),
    ("pp", &["PP"]),
    ("resolv", &["Resolv"]),
    ("rubygems", &["Gem"]),
    ("securerandom", &["SecureRandom"]),
    ("set", &["Set", "SortedSet"]),
    ("shellwords", &["Shellwords"]),
    ("singleton", &["Singleton"]),
    ("socket", &["Socket", "SocketError", "TCPSocket", "UDPSocket", "IPSocket", "UNIXSocket", "Addrinfo"]),
    ("stringio", &["StringIO"]),
    ("strscan", &["StringScanner"]),
    ("tempfile", &["Tempfile"]),
    ("timeout", &["Timeout"]),
    ("tsort", &["TSort"]),
    ("uri", &["URI"]),
    ("yaml", &["YAML", "Psych"]),
    ("zlib", &["Zlib"]),
];

/// The methods that come with them for other classes.
const LIBRARY_METHODS: &[(&str, &[&str])] = &[
    ("date", &["to_date", "to_datetime"]),
    ("json", &["to_json"]),
    ("set", &["to_set"]),
    ("shellwords", &["shellescape", "shellsplit", "shelljoin"]),
    ("time", &["httpdate", "iso8601", "rfc2822", "xmlschema", "parse", "strptime"]),
    ("tmpdir", &["mktmpdir", "tmpdir"]),
    ("uri", &["URI"]),
    ("yaml", &["to_yaml"]),
];

/// Other constants of Ruby itself.
const OWN_CONSTANTS: &[&str] = &[
    "ARGF",
    "ARGV",
    "Binding",
    "ConditionVariable",
    "Fiber",
    "FileTest",
    "GC",
    "Marshal",
    "ObjectSpace",
    "Process",
    "Queue",
    "Ractor",
    "Refinement",
    "RubyVM",
    "Signal",
    "SizedQueue",
    "Thread",
    "ThreadGroup",
    "TracePoint",
    "Mutex",
];

/// Parts of Ruby's library besides those above.
const LIBRARIES: &[&str] = &[
    "abbrev",
    "bigdecimal/util",
    "coverage",
    "csv",
    "digest/sha2",
    "drb",
    "English",
    "expect",
    "fiddle",
    "getoptlong",
    "io/console",
    "io/wait",
    "json/ext",
    "matrix",
    "nkf",
    "objspace",
    "observer",
    "open-uri",
    "openssl/digest",
    "prime",
    "pstore",
    "psych",
    "pty",
    "random/formatter",
    "readline",
    "rexml/document",
    "ripper",
    "syslog",
    "tmpdir",
    "un",
    "weakref",
    "win32ole",
    "net/protocol",
    "net/https",
    "net/ftp",
    "net/ldap",
    "uri/http",
];

/// The classes that are there from the start.
const CORE: &[&str] = &[
    "Object",
    "Kernel",
    "Module",
    "Comparable",
    "Enumerable",
    "String",
    "Symbol",
    "Array",
    "Hash",
    "Range",
    "Integer",
    "Float",
    "Numeric",
    "Regexp",
    "MatchData",
    "Proc",
    "Exception",
    "Struct",
    "File",
    "Dir",
    "IO",
    "Process",
    "Math",
];

fn methods() -> &'static FxHashSet<(&'static str, &'static str)> {
    static KNOWN: OnceLock<FxHashSet<(&'static str, &'static str)>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let lines = METHODS.lines().filter_map(|line| line.split_once(' '));
        lines.flat_map(|(class, names)| names.split(' ').map(move |name| (class, name))).collect()
    })
}

fn has(class: &str, sign: char, name: &str) -> bool {
    methods().contains(&(format!("{class}{sign}").as_str(), name))
}

/// The library that a constant comes with.
pub(crate) fn library_of(constant: &str) -> Option<&'static str> {
    CONSTANTS.iter().find(|(_, names)| names.contains(&constant)).map(|(library, _)| *library)
}

/// Whether a library is one that Ruby brings along.
pub(crate) fn is_standard(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or_default();
    CONSTANTS.iter().chain(LIBRARY_METHODS).any(|(library, _)| *library == name)
        || LIBRARIES.iter().any(|library| *library == name || library.split('/').next() == Some(first))
}

/// The methods of the classes that Ruby has from the start.
pub(crate) fn core_methods() -> impl Iterator<Item = &'static str> {
    let lines = METHODS.lines().filter_map(|line| line.split_once(' '));
    let of_core = lines.filter(|(class, _)| CORE.contains(&class.trim_end_matches(['#', '.'])));
    of_core.flat_map(|(_, names)| names.split(' '))
}

impl Vm {
    /// What to do about a method that is not there: load the library that has it, or leave the code to Ruby, which may
    /// have it. Nothing if Ruby has none either.
    pub(crate) fn lacking_method(&mut self, receiver: &Value, name: Sym, args: Args<'_>) -> Option<Outcome> {
        if !self.puppet.is_serving {
            return None;
        }
        let text = name.as_str();
        let library = LIBRARY_METHODS.iter().find(|(_, names)| names.contains(&text));
        if let Some((library, _)) = library {
            match self.require(library) {
                Ok(true) => return Some(self.send_with(receiver, name, args, true)),
                Ok(false) => {}
                Err(stop) => return Some(Err(stop)),
            }
        }
        let above = match receiver {
            Value::Class(class) => class.ancestors(),
            _ => Vec::new(),
        };
        let own = above.iter().find(|class| has(&self.name_of(class), '.', text)).map(|class| (class.clone(), '.'));
        let classes = self.class_of(receiver).ancestors();
        let of_class = || classes.iter().find(|class| has(&self.name_of(class), '#', text));
        let (class, sign) = own.or_else(|| of_class().map(|class| (class.clone(), '#')))?;
        let what = format!("the method {}{sign}{text}", self.name_of(&class));
        Some(Err(self.unsupported(what)))
    }

    /// The same for a constant.
    pub(crate) fn lacking_constant(&mut self, name: Sym) -> Option<Outcome> {
        if !self.puppet.is_serving {
            return None;
        }
        let text = name.as_str();
        if let Some(library) = library_of(text) {
            if let Err(stop) = self.require(library) {
                return Some(Err(stop));
            }
            return self.core.object.constant(name).map(Ok);
        }
        let is_lacking = OWN_CONSTANTS.contains(&text);
        is_lacking.then(|| Err(self.unsupported(format!("the constant {text}"))))
    }

    /// What to do about a library that is not there: Puppet's own files are there anyway, and what Ruby brings along or
    /// may have as a gem is left to it.
    pub(crate) fn lacking_library(&mut self, name: &str) -> Option<Outcome<bool>> {
        if !self.puppet.is_serving {
            return None;
        }
        let name = name.strip_suffix(".rb").unwrap_or(name);
        if matches!(name.split('/').next().unwrap_or_default(), "puppet" | "facter" | "hiera" | "semantic_puppet") {
            return Some(Ok(false));
        }
        (is_standard(name) || self.puppet.has_ruby).then(|| Err(self.unsupported(format!("the library {name}"))))
    }
}
