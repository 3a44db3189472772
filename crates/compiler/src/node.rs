//! The node a catalog is compiled for, and how it is made of a name and facts as Puppet's own node setup does it.

use std::sync::Arc;

use ecow::EcoString;

use bunraku_environment::Environment;
use bunraku_pcore::inspect::{inspect_text, to_s};
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

/// What is known of a node before its catalog is compiled.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The certificate name.
    pub name: EcoString,
    /// The facts; each is also a variable at top scope.
    pub facts: Arc<Hash>,
    /// `$trusted`.
    pub trusted: Arc<Hash>,
    /// `$server_facts`.
    pub server_facts: Arc<Hash>,
    /// Parameters that a node classifier sets; they win over facts.
    pub parameters: Vec<(EcoString, Value)>,
    /// Classes that a node classifier assigns, some with parameters.
    pub classes: Vec<(EcoString, Option<Arc<Hash>>)>,
}

impl Node {
    /// A node of which nothing is known but its name, not even `$trusted`.
    pub fn new(name: impl Into<EcoString>) -> Node {
        Node { name: name.into(), ..Node::default() }
    }

    /// The node whose certificate has this name, as a server prepares it: with what its agent adds to its facts, should
    /// that be missing, with `$trusted`, and with `$server_facts` in the environment.
    pub fn prepare(name: &str, facts: &Hash, environment: &Environment, server_facts: &Hash) -> Result<Node, Issue> {
        let mut node = Node::known(name, facts, environment, server_facts)?;
        let facts = Arc::make_mut(&mut node.facts);
        // The agent is taken to be of the server's release.
        let version = server_facts.get_str("serverversion").cloned().unwrap_or_default();
        let local = [
            ("clientcert", Value::from(name)),
            ("clientversion", version),
            ("clientnoop", Value::from(environment.settings.boolean("noop")?)),
        ];
        for (fact, value) in local {
            if facts.get_str(fact).is_none() && !value.is_undef() {
                facts.insert(fact.into(), value);
            }
        }
        node.trusted = Arc::new(trusted("remote", name));
        Ok(node)
    }

    /// The node of this name as somebody on the server itself looks at it: nobody adds facts, and nobody has proved who
    /// the node is but the facts themselves. Where they do not tell, the node is who it was asked for as.
    pub fn known(name: &str, facts: &Hash, environment: &Environment, server_facts: &Hash) -> Result<Node, Issue> {
        Node::check_name(name)?;
        let mut node = Node {
            facts: Arc::new(facts.iter().map(|(fact, value)| (fact.clone(), sanitized(value))).collect()),
            server_facts: Arc::new(server_facts.clone()),
            ..Node::new(name)
        };
        node.move_to(&environment.name);
        Ok(node.trusting_facts())
    }

    /// The node with `$trusted` as its facts tell it, which is how somebody on the same machine sees it.
    pub fn trusting_facts(mut self) -> Node {
        let certname = self.facts.get_str("clientcert").and_then(Value::as_str).unwrap_or(&self.name);
        let mut local = trusted("local", certname);
        if let Some(external) = self.trusted.get_str("external") {
            local.insert("external".into(), external.clone());
        }
        self.trusted = Arc::new(local);
        self
    }

    /// Refuses the names that the reference refuses for its files and certificates: files are named after nodes here too.
    pub fn check_name(name: &str) -> Result<(), Issue> {
        let begins_with_drive = |line: &str| {
            let mut letters = line.chars();
            letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':')
        };
        let is_path = name.contains(['/', '\\', '\0'])
            || name.split('\n').any(|line| line.starts_with("..") || begins_with_drive(line));
        if is_path {
            let shown = inspect_text(name);
            let message = format!("directory traversal detected in Puppet::Node::Facts::Yaml: {shown}: invalid key");
            return Err(Issue::new("", message));
        }
        if name.is_empty() || !name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            let shown = inspect_text(name);
            let message = format!("Certname {shown} must not contain unprintable or non-ASCII characters");
            return Err(Issue::new("", message));
        }
        Ok(())
    }

    /// Puts the node into another environment.
    pub fn move_to(&mut self, environment: &str) {
        Arc::make_mut(&mut self.server_facts).insert("environment".into(), environment.into());
    }
}

fn trusted(authenticated: &str, certname: &str) -> Hash {
    let (hostname, domain) = match certname.split_once('.') {
        Some((hostname, domain)) => (hostname, Value::from(domain)),
        None => (certname, Value::Undef),
    };
    let empty = || Value::Hash(Arc::default());
    Hash::from_iter([
        ("authenticated".into(), authenticated.into()),
        ("certname".into(), certname.into()),
        ("extensions".into(), empty()),
        ("hostname".into(), hostname.into()),
        ("domain".into(), domain),
        ("external".into(), empty()),
    ])
}

/// Facts are what JSON has, but for null: everything else becomes a string.
fn sanitized(fact: &Value) -> Value {
    match fact {
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => fact.clone(),
        Value::Array(elements) => Value::array(elements.iter().map(sanitized)),
        Value::Hash(hash) => {
            Value::from(hash.iter().map(|(key, value)| (sanitized(key), sanitized(value))).collect::<Hash>())
        }
        other => Value::from(to_s(other).as_ref()),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use bunraku_environment::{Memory, RunMode, Settings};

    use super::*;

    fn environment() -> Environment {
        let settings = Settings::new(RunMode::Server);
        Environment::without_directory(Arc::new(Memory::default()), &settings, "production").unwrap()
    }

    fn hash(entries: &[(&str, Value)]) -> Hash {
        entries.iter().map(|(key, value)| (Value::from(*key), value.clone())).collect()
    }

    #[test]
    fn a_node_has_what_its_agent_adds() {
        let facts = hash(&[("kernel", "Linux".into()), ("nothing", Value::Undef), ("clientnoop", true.into())]);
        let server = hash(&[("serverversion", "8.0.0".into())]);
        let node = Node::prepare("web1.example.com", &facts, &environment(), &server).unwrap();
        assert_eq!(
            Value::Hash(node.facts).to_string(),
            "{kernel => Linux, nothing => , clientnoop => true, clientcert => web1.example.com, clientversion => 8.0.0}"
        );
        assert_eq!(
            Value::Hash(node.trusted).to_string(),
            "{authenticated => remote, certname => web1.example.com, extensions => {}, hostname => web1, \
             domain => example.com, external => {}}"
        );
        assert_eq!(Value::Hash(node.server_facts).to_string(), "{serverversion => 8.0.0, environment => production}");
    }

    #[test]
    fn names_that_are_paths_are_refused() {
        let check = |name: &str, expected: &str| {
            let refused = Node::prepare(name, &Hash::new(), &environment(), &Hash::new());
            assert_eq!(refused.map_err(|issue| issue.to_string()).err().unwrap_or_default(), expected, "{name:?}");
        };
        let traversal =
            |shown: &str| format!("directory traversal detected in Puppet::Node::Facts::Yaml: {shown}: invalid key");
        check("../x", &traversal(r#""../x""#));
        check("/abs/x", &traversal(r#""/abs/x""#));
        check("a\\b", &traversal(r#""a\\b""#));
        check("C:x", &traversal(r#""C:x""#));
        check("a\n..", &traversal(r#""a\n..""#));
        let unprintable =
            |shown: &str| format!("Certname {shown} must not contain unprintable or non-ASCII characters");
        check("a\nb", &unprintable(r#""a\nb""#));
        check("a\n", &unprintable(r#""a\n""#));
        check("\u{1b}[1m", &unprintable(r#""\e[1m""#));
        check("é", &unprintable(r#""é""#));
        check("", &unprintable(r#""""#));
        check("web1.example.com", "");
        check("..", &traversal(r#""..""#));
        check("a..b", "");
    }
}
