//! Who may do what: the rules of `auth.conf`, and those that hold without one.
//!
//! The first rule that a request matches decides; a request that matches none is refused. Other than in the reference,
//! names are compared as a whole, and only the name in a certificate counts, not its alternative names.

mod default_rules;
mod entry;
mod rule;

pub use default_rules::RULES as DEFAULT_RULES;

use bunraku::Value;
use bunraku::notation::hocon;

use crate::client::Client;
use crate::oids::Oids;
use crate::request::Request;
use crate::response::{Refusal, Response};
use entry::Entry;
use rule::Rule;

/// All rules, in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct Authorization {
    rules: Vec<Rule>,
    /// Whether somebody who ends TLS before this server tells who the client is.
    pub(crate) trusts_headers: bool,
}

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Denied {
    /// The name of the rule.
    rule: String,
}

impl Authorization {
    /// The rules that hold without `auth.conf`.
    pub(crate) fn default_rules() -> Result<Authorization, String> {
        Authorization::parse(default_rules::RULES)
    }

    /// Reads rules.
    pub(crate) fn parse(text: &str) -> Result<Authorization, String> {
        Authorization::read(&hocon::value(text)?)
    }

    /// The rules in a configuration.
    pub(crate) fn read(configuration: &Value) -> Result<Authorization, String> {
        let settings = configuration.get("authorization").ok_or("there is no section 'authorization'")?;
        match settings.get("version") {
            Some(Value::Integer(1)) => {}
            _ => return Err("the version of the section 'authorization' must be 1".to_owned()),
        }
        let Some(Value::Array(rules)) = settings.get("rules") else {
            return Err("the section 'authorization' has no list 'rules'".to_owned());
        };
        let mut rules = rules.iter().map(Rule::read).collect::<Result<Vec<Rule>, String>>()?;
        rules.sort_by(|one, other| (one.order, &one.name).cmp(&(other.order, &other.name)));
        let trusts_headers = matches!(settings.get("allow-header-cert-info"), Some(Value::Boolean(true)));
        Ok(Authorization { rules, trusts_headers })
    }

    /// Refuses what no rule allows.
    pub(crate) fn check(&self, request: &Request, oids: &Oids) -> Result<(), Denied> {
        for rule in &self.rules {
            if let Some(captures) = rule.matches(request) {
                return match rule.allows(request.client.as_deref(), &captures, oids) {
                    true => Ok(()),
                    false => Err(Denied { rule: format!("denied by rule '{}'", rule.name) }),
                };
            }
        }
        Err(Denied { rule: "global deny all - no rules matched".to_owned() })
    }
}

impl Denied {
    /// What the client is told.
    pub(crate) fn refusal(&self, request: &Request) -> Refusal {
        let method = request.method.to_lowercase();
        let text =
            format!("Forbidden request: {} (method :{method}). Please see the server logs for details.", request.path);
        Refusal::Plain(Response { body: text.into_bytes(), ..Response::empty(403) })
    }

    /// What the log of the server says.
    pub(crate) fn log(&self, request: &Request) -> String {
        let address = request.address.map(|address| address.to_string()).unwrap_or_default();
        format!(
            "Forbidden request: {}({address}) access to {} (method :{}) (authenticated: {}) {}",
            request.client_name(),
            request.path,
            request.method.to_lowercase(),
            request.client.is_some(),
            self.rule
        )
    }
}

/// Whether any of the entries is about the client.
fn any(entries: &[Entry], client: &Client, captures: &[String], oids: &Oids) -> bool {
    entries.iter().any(|entry| entry.is_about(client, captures, oids))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, SystemTime};

    use bunraku_pki::{Authority, Extension};

    use super::*;

    /// A certificate that signs itself is enough here: who may do what is no question of trust.
    fn client(name: &str, extensions: &[Extension]) -> Arc<Client> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let authority = Authority::make_root("CA", now, now).unwrap();
        let key = bunraku_pki::SigningKey::generate_curve().unwrap().public_key_info().unwrap();
        let content = bunraku_pki::Certification {
            name,
            public_key_info: &key,
            serial: &[1],
            not_before: now,
            not_after: now,
            extensions,
        };
        Arc::new(Client::new(authority.certify(&content).unwrap()).unwrap())
    }

    #[test]
    fn the_first_rule_decides() {
        let rules = Authorization::default_rules().unwrap();
        let node = client("web1.example.com", &[]);
        let operator = client("ca.example.com", &[Extension::of_string(crate::client::PP_CLI_AUTH, "true")]);
        let check = |method: &str, target: &str, client: Option<&Arc<Client>>, expected: bool| {
            let request = Request { client: client.cloned(), ..Request::new(method, target) };
            assert_eq!(rules.check(&request, &Oids::default()).is_ok(), expected, "{method} {target}");
        };
        let node = Some(&node);
        check("POST", "/puppet/v3/catalog/web1.example.com", node, true);
        check("POST", "/puppet/v3/catalog/web2.example.com", node, false);
        check("POST", "/puppet/v3/catalog/example.com", node, false);
        check("POST", "/puppet/v3/catalog/web1.example.com/x", node, false);
        check("PUT", "/puppet/v3/catalog/web1.example.com", node, false);
        check("POST", "/puppet/v3/catalog/web1.example.com", None, false);
        check("GET", "/puppet/v3/file_metadatas/plugins", node, true);
        check("GET", "/puppet/v3/file_metadatas/plugins", None, false);
        check("GET", "/puppet-ca/v1/certificate/ca", None, true);
        check("PUT", "/puppet-ca/v1/certificate_request/x", None, true);
        check("PUT", "/puppet-ca/v1/certificate_status/x", node, false);
        check("PUT", "/puppet-ca/v1/certificate_status/x", Some(&operator), true);
        check("GET", "/puppet-ca/v1/nonsense", Some(&operator), false);
        check("GET", "/status/v1/simple", None, true);
        check("GET", "/puppet/v3/environment_classes", node, false);
        check("POST", "/puppet/v4/catalog", Some(&operator), false);
    }

    #[test]
    fn rules_can_be_written() {
        let rules = Authorization::parse(
            r#"authorization: { version: 1, rules: [
                { match-request: { path: "/a", type: path, query-params: { environment: [x, y] } },
                  allow: "*.example.com", deny: "bad.example.com", sort-order: 2, name: a },
                { match-request: { path: "^/b/([^/]+)/(.*)$", type: regex, method: get },
                  allow: ["$2", "/^adm\\d$/", { extensions: { pp_role: [db, web] } }], sort-order: 1, name: b },
            ] }"#,
        )
        .unwrap();
        let check = |target: &str, name: &str, role: &str, expected: bool| {
            let extensions = [Extension::of_string("1.3.6.1.4.1.34380.1.1.13", role)];
            let request = Request { client: Some(client(name, &extensions)), ..Request::new("GET", target) };
            assert_eq!(rules.check(&request, &Oids::default()).is_ok(), expected, "{target} {name}");
        };
        check("/a?environment=x", "web.example.com", "", true);
        check("/a?environment=z", "web.example.com", "", false);
        check("/a?environment=x", "bad.example.com", "", false);
        check("/a?environment=x", "example.com", "", false);
        check("/b/1/me", "me", "", true);
        check("/b/1/me", "you", "", false);
        check("/b/1/me", "adm7", "", true);
        check("/b/1/me", "you", "web", true);
        check("/b/1/me", "you", "mail", false);
        let wrong = |text: &str, expected: &str| assert_eq!(Authorization::parse(text).unwrap_err(), expected);
        wrong("a: 1", "there is no section 'authorization'");
        wrong("authorization: { version: 2, rules: [] }", "the version of the section 'authorization' must be 1");
        wrong(
            "authorization: { version: 1, rules: [ { name: x, sort-order: 1, match-request: { path: \"/\", type: path } } ] }",
            "rule 'x' has neither 'allow', 'deny' nor 'allow-unauthenticated'",
        );
    }
}
