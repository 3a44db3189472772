//! What is known about a node when it asks for something: its facts, its certificate, what a classifier says.

use std::sync::Arc;

use bunraku::notation::yaml;
use bunraku::{Classification, Compiler, Hash, Issue, Node, Value, facts, server_facts, trust_external, whole_file};

use crate::client::Client;
use crate::{Refusal, Server};

/// Among kept facts this is no fact.
pub(crate) const TRUSTED: &str = "trusted";

impl Server {
    /// The compiler of an environment; it is the client's mistake if there is none.
    pub(crate) fn compiler(&self, environment: &str) -> Result<Arc<Compiler>, Refusal> {
        self.project.compiler(environment).map_err(|_| Refusal::environment_not_found(environment))
    }

    /// What a classifier says about a node.
    pub(crate) fn classification(&self, name: &str) -> Result<Classification, Refusal> {
        Ok(Classification::of(name, self.settings(), &*self.world)?)
    }

    /// The facts that a node has sent before.
    pub(crate) fn kept_facts(&self, name: &str) -> Result<Arc<Hash>, Issue> {
        let mut kept = self.all_kept(name)?;
        if kept.get_str(TRUSTED).is_some() {
            Arc::make_mut(&mut kept).remove(&Value::from(TRUSTED));
        }
        Ok(kept)
    }

    /// The trusted data that a service has sent along with the facts of a node.
    pub(crate) fn kept_trusted(&self, name: &str) -> Result<Option<Arc<Hash>>, Issue> {
        Ok(match self.all_kept(name)?.get_str(TRUSTED) {
            Some(Value::Hash(trusted)) => Some(Arc::clone(trusted)),
            _ => None,
        })
    }

    fn all_kept(&self, name: &str) -> Result<Arc<Hash>, Issue> {
        match facts::kept(&*self.world, name, self.settings())? {
            Some(path) => facts::read(&*self.world, &path),
            None => Ok(Arc::default()),
        }
    }

    /// Keeps the facts of a node where the reference does.
    pub(crate) fn keep_facts(&self, name: &str, facts: &Hash) -> Result<(), Refusal> {
        Node::check_name(name)?;
        let directory = format!("{}/facts", self.setting("yamldir")?);
        let path = format!("{directory}/{name}.yaml");
        let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.9f+00:00").to_string();
        let document = Hash::from_iter([
            ("name".into(), name.into()),
            ("values".into(), Value::from(facts.clone())),
            ("timestamp".into(), now.as_str().into()),
        ]);
        let text = yaml::emit(&Value::from(document));
        let text = text.replacen("---", "--- !ruby/object:Puppet::Node::Facts", 1);
        crate::ca::create_directory(std::path::Path::new(&directory))
            .and_then(|()| whole_file::write_soon(std::path::Path::new(&path), &text))
            .map_err(|error| Refusal::server_error(format!("{path}: {error}")))
    }

    /// The node as it is compiled for.
    pub(crate) fn prepared(
        &self,
        name: &str,
        facts: &Hash,
        client: Option<&Client>,
        classification: Classification,
        compiler: &Compiler,
    ) -> Result<Node, Issue> {
        let server = server_facts(&*self.world, self.settings().target);
        let mut node = Node::prepare(name, facts, compiler.environment(), &server)?;
        if let Some(client) = client.filter(|client| client.name == name) {
            Arc::make_mut(&mut node.trusted).insert("extensions".into(), self.extensions(client));
        }
        trust_external(&mut node, compiler.environment())?;
        classification.apply(&mut node);
        node.move_to(&compiler.environment().name);
        Ok(node)
    }

    /// The extensions of a certificate by their short names.
    fn extensions(&self, client: &Client) -> Value {
        let extensions = client.extensions();
        let named = extensions.iter().map(|it| (self.oids.name(&it.oid).as_str().into(), it.text().as_str().into()));
        Value::from(Hash::from_iter(named))
    }
}
