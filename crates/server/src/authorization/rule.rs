//! One rule of `auth.conf`: which requests it is about, and whom it lets do them.

use bunraku::Value;
use bunraku::pcore::Regexp;

use super::{Entry, any};
use crate::client::Client;
use crate::oids::Oids;
use crate::request::Request;

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) order: i64,
    path: Path,
    /// In capitals; all of them if there are none.
    methods: Vec<String>,
    /// Each parameter with the values that it may have.
    parameters: Vec<(String, Vec<String>)>,
    allow: Vec<Entry>,
    deny: Vec<Entry>,
    is_for_anybody: bool,
}

#[derive(Debug)]
enum Path {
    Prefix(String),
    Pattern(Box<Regexp>),
}

impl Rule {
    pub(super) fn read(rule: &Value) -> Result<Rule, String> {
        let name = rule.get("name").and_then(Value::as_str).ok_or("a rule has no name")?.to_owned();
        let wrong = |detail: &str| format!("rule '{name}' {detail}");
        let order = match rule.get("sort-order") {
            Some(Value::Integer(order)) if (1..=999).contains(order) => *order,
            _ => return Err(wrong("has no 'sort-order' between 1 and 999")),
        };
        let request = rule.get("match-request").ok_or_else(|| wrong("has no 'match-request'"))?;
        let path = request.get("path").and_then(Value::as_str).ok_or_else(|| wrong("has no path"))?;
        let path = match request.get("type").and_then(Value::as_str) {
            Some("path") => Path::Prefix(path.to_owned()),
            Some("regex") => {
                let pattern = Regexp::new(path);
                Path::Pattern(Box::new(pattern.map_err(|error| wrong(&format!("has a wrong pattern: {error}")))?))
            }
            _ => return Err(wrong("has neither the type 'path' nor 'regex'")),
        };
        let methods = words(request.get("method")).into_iter().map(|method| method.to_uppercase()).collect();
        let parameters = match request.get("query-params") {
            Some(Value::Hash(all)) => {
                all.iter().map(|(name, values)| (name.to_string(), words(Some(values)))).collect()
            }
            _ => Vec::new(),
        };
        let entries = |key: &str| -> Result<Vec<Entry>, String> {
            match rule.get(key) {
                None | Some(Value::Undef) => Ok(Vec::new()),
                Some(Value::Array(entries)) => {
                    entries.iter().map(|entry| Entry::read(entry).map_err(|it| wrong(&it))).collect()
                }
                Some(entry) => Ok(vec![Entry::read(entry).map_err(|it| wrong(&it))?]),
            }
        };
        let (allow, deny) = (entries("allow")?, entries("deny")?);
        let is_for_anybody = matches!(rule.get("allow-unauthenticated"), Some(Value::Boolean(true)));
        if is_for_anybody && !(allow.is_empty() && deny.is_empty()) {
            return Err(wrong("has 'allow-unauthenticated' next to 'allow' or 'deny'"));
        }
        if !is_for_anybody && allow.is_empty() && deny.is_empty() {
            return Err(wrong("has neither 'allow', 'deny' nor 'allow-unauthenticated'"));
        }
        Ok(Rule { name, order, path, methods, parameters, allow, deny, is_for_anybody })
    }

    /// What the groups of the pattern stand for, if the rule is about this request.
    pub(super) fn matches(&self, request: &Request) -> Option<Vec<String>> {
        let captures = match &self.path {
            Path::Prefix(prefix) => request.path.starts_with(prefix).then(Vec::new)?,
            Path::Pattern(pattern) => {
                let groups = pattern.captures(&request.path).ok()??;
                groups.iter().skip(1).map(|group| group.unwrap_or_default().to_owned()).collect()
            }
        };
        let fits = |(name, values): &(String, Vec<String>)| {
            request.parameters(name).any(|given| values.iter().any(|value| value == given))
        };
        let is_meant =
            (self.methods.is_empty() || self.methods.contains(&request.method)) && self.parameters.iter().all(fits);
        is_meant.then_some(captures)
    }

    pub(super) fn allows(&self, client: Option<&Client>, captures: &[String], oids: &Oids) -> bool {
        match client {
            _ if self.is_for_anybody => true,
            None => false,
            Some(client) => !any(&self.deny, client, captures, oids) && any(&self.allow, client, captures, oids),
        }
    }
}

/// A word, or a list of them.
pub(super) fn words(value: Option<&Value>) -> Vec<String> {
    match value {
        None | Some(Value::Undef) => Vec::new(),
        Some(Value::Array(words)) => words.iter().map(ToString::to_string).collect(),
        Some(word) => vec![word.to_string()],
    }
}
