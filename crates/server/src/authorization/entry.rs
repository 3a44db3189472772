//! One entry of `allow` or `deny`: a description of clients.

use bunraku::Value;
use bunraku::pcore::Regexp;

use super::rule::words;
use crate::client::Client;
use crate::oids::Oids;

#[derive(Debug)]
pub(super) enum Entry {
    /// Everybody with a certificate.
    Anyone,
    /// A name, in which `$1` stands for a group of the rule's pattern.
    Name(String),
    /// All names below a domain.
    Domain(String),
    Pattern(Box<Regexp>),
    /// A certificate of this name, with one of the values for each of these extensions.
    Certificate {
        name: Option<Box<Entry>>,
        extensions: Vec<(String, Vec<String>)>,
    },
}

impl Entry {
    pub(super) fn read(entry: &Value) -> Result<Entry, String> {
        let Some(text) = entry.as_str() else { return Entry::read_certificate(entry) };
        if text == "*" {
            return Ok(Entry::Anyone);
        }
        if let Some(domain) = text.strip_prefix("*.") {
            return Ok(Entry::Domain(format!(".{}", domain.to_lowercase())));
        }
        if let Some(pattern) = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            let pattern = Regexp::new(pattern).map_err(|error| format!("has a wrong pattern: {error}"))?;
            return Ok(Entry::Pattern(Box::new(pattern)));
        }
        Ok(Entry::Name(text.to_lowercase()))
    }

    fn read_certificate(entry: &Value) -> Result<Entry, String> {
        let Value::Hash(parts) = entry else { return Err("has an entry that is no name".to_owned()) };
        if let Some(unknown) = parts.keys().find(|key| !matches!(key.as_str(), Some("certname" | "extensions"))) {
            return Err(format!("has an entry with '{unknown}', which is not supported"));
        }
        let name = parts.get_str("certname").map(Entry::read).transpose()?.map(Box::new);
        let extensions = match parts.get_str("extensions") {
            Some(Value::Hash(all)) => {
                all.iter().map(|(name, values)| (name.to_string(), words(Some(values)))).collect()
            }
            _ => Vec::new(),
        };
        if name.is_none() && extensions.is_empty() {
            return Err("has an entry that is about nobody".to_owned());
        }
        Ok(Entry::Certificate { name, extensions })
    }

    pub(super) fn is_about(&self, client: &Client, captures: &[String], oids: &Oids) -> bool {
        let name = client.name.to_lowercase();
        match self {
            Entry::Anyone => true,
            Entry::Name(entry) => with_captures(entry, captures) == name,
            Entry::Domain(domain) => name.ends_with(domain) && name.len() > domain.len(),
            // A pattern that cannot be tried to its end is about nobody.
            Entry::Pattern(pattern) => pattern.is_match(&client.name).unwrap_or(false),
            Entry::Certificate { name, extensions } => {
                let own = client.extensions();
                let has = |(wanted, values): &(String, Vec<String>)| {
                    own.iter().any(|extension| {
                        (oids.name(&extension.oid) == *wanted || extension.oid == *wanted)
                            && values.contains(&extension.text())
                    })
                };
                name.as_ref().is_none_or(|entry| entry.is_about(client, captures, oids)) && extensions.iter().all(has)
            }
        }
    }
}

/// The entry with what the groups of a pattern stand for in place of `$1` to `$9`.
fn with_captures(entry: &str, captures: &[String]) -> String {
    let mut pieces = entry.split('$');
    let mut replaced = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digit = piece.chars().next().and_then(|first| first.to_digit(10)).filter(|digit| *digit > 0);
        match digit.and_then(|digit| captures.get(digit as usize - 1)) {
            Some(capture) => {
                replaced.push_str(&capture.to_lowercase());
                replaced.push_str(piece.get(1..).unwrap_or_default());
            }
            None => {
                replaced.push('$');
                replaced.push_str(piece);
            }
        }
    }
    replaced
}
