//! `ruby`: the Ruby that would run custom facts, as its own configuration describes it.

use bunraku_environment::world::glob_readable;
use bunraku_pcore::Value;

use crate::fact::{Fact, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "ruby",
    resolve,
    aliases: &[("rubyplatform", "platform"), ("rubysitedir", "sitedir"), ("rubyversion", "version")],
    legacy: None,
}];

const QUESTION: &str = "require 'rbconfig'; puts RUBY_PLATFORM, RbConfig::CONFIG['sitelibdir'], RUBY_VERSION";

fn resolve(host: &Host<'_>) -> Value {
    let Some(program) = host.which("ruby") else { return Value::Undef };
    let known = (program == "/usr/bin/ruby").then(|| configured(host)).flatten();
    known.unwrap_or_else(|| {
        let said = host.command(&program, &["--disable-gems", "-e", QUESTION]).unwrap_or_default();
        let mut lines = said.lines();
        described(lines.next(), lines.next(), lines.next())
    })
}

fn described(platform: Option<&str>, sitedir: Option<&str>, version: Option<&str>) -> Value {
    structure([("platform", platform.into()), ("sitedir", sitedir.into()), ("version", version.into())])
}

/// What the one configuration file below `/usr/lib` says: to read it takes a hundredth of the time that Ruby takes.
fn configured(host: &Host<'_>) -> Option<Value> {
    let files = glob_readable(host.world, "/usr/lib/*/ruby/*/rbconfig.rb").ok()?;
    let [file] = files.as_slice() else { return None };
    let text = host.read(file)?;
    let raw = |name: &str| {
        let start = format!("CONFIG[\"{name}\"] = ");
        let line = text.lines().find_map(|line| line.trim().strip_prefix(start.as_str()))?;
        Some(line.split('"').nth(1)?.to_owned())
    };
    let expanded = |name: &str| {
        let mut value = raw(name)?;
        // Values refer to others, a few levels deep.
        for _ in 0..16 {
            let Some((before, rest)) = value.split_once("$(") else { return Some(value) };
            let (inner, after) = rest.split_once(')')?;
            let inner = match inner {
                "prefix" => "/usr".to_owned(),
                // Where packages are put together, not where they are.
                "DESTDIR" => String::new(),
                inner => raw(inner)?,
            };
            value = format!("{before}{inner}{after}");
        }
        None
    };
    let (platform, sitedir, version) = (expanded("arch")?, expanded("sitelibdir")?, expanded("RUBY_PROGRAM_VERSION")?);
    Some(described(Some(&platform), Some(&sitedir), Some(&version)))
}
