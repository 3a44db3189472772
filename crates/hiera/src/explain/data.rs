//! Gives an explanation as data, as `--explain --render-as json` shows it.

use bunraku_pcore::{Hash, Value};
use bunraku_syntax::deep;

use super::{Event, Explanation, Node, NodeKind};

impl Explanation {
    /// The explanation as nested hashes.
    pub fn to_value(&self) -> Value {
        let Some(root) = self.nodes.first() else { return Value::from(Hash::new()) };
        match root.branches.as_slice() {
            [only] => self.nodes.get(*only).map_or_else(Value::default, |node| self.hash(node)),
            _ => Value::from(self.with_branches(root)),
        }
    }

    fn with_branches(&self, node: &Node) -> Hash {
        let mut hash = Hash::new();
        if !node.branches.is_empty() {
            hash.insert("branches".into(), Value::array(self.branches(node).map(|branch| self.hash(branch))));
        }
        hash
    }

    fn hash(&self, node: &Node) -> Value {
        deep(|| {
            if let NodeKind::MergeSource(source) = &node.kind {
                return Value::hash([
                    ("type".into(), "merge_source".into()),
                    ("merge_source".into(), Value::String(source.clone())),
                ]);
            }
            if let (NodeKind::Merge { .. }, [only]) = (&node.kind, node.branches.as_slice()) {
                return self.nodes.get(*only).map_or_else(Value::default, |node| self.hash(node));
            }
            let mut hash = self.with_branches(node);
            let mut set = |name: &str, value: Value| hash.insert(name.into(), value);
            if let Some(key) = &node.key {
                set("key", Value::String(key.clone()));
            }
            if let Some(event) = node.event {
                if matches!(event, Event::Found | Event::FoundInDefaults | Event::FoundInOverrides | Event::Result) {
                    set("value", node.value.clone());
                }
                set("event", event_name(event).into());
            }
            if !node.texts.is_empty() {
                set("texts", Value::array(node.texts.iter().map(|text| Value::String(text.clone()))));
            }
            set("type", type_name(&node.kind).into());
            match &node.kind {
                NodeKind::Interpolate(expression) => {
                    set("expression", Value::String(expression.clone()));
                }
                NodeKind::Merge { strategy, options } => {
                    set("merge", (*strategy).into());
                    if let Some(options) = options {
                        set("options", options.clone());
                    }
                }
                NodeKind::Provider { name, configuration, module } => {
                    set("name", Value::String(name.clone()));
                    if let Some(path) = configuration {
                        set("configuration_path", Value::String(path.clone()));
                    }
                    if let Some(module) = module {
                        set("module", Value::String(module.clone()));
                    }
                }
                NodeKind::Location { is_uri, location, original } => {
                    let (original_name, name) =
                        if *is_uri { ("original_uri", "uri") } else { ("original_path", "path") };
                    set(original_name, Value::String(original.clone()));
                    set(name, Value::String(location.clone()));
                }
                NodeKind::Scope(name) => {
                    set("name", Value::String(name.clone()));
                }
                _ => {}
            }
            Value::from(hash)
        })
    }
}

fn event_name(event: Event) -> &'static str {
    match event {
        Event::Found => "found",
        Event::FoundInOverrides => "found_in_overrides",
        Event::FoundInDefaults => "found_in_defaults",
        Event::NotFound => "not_found",
        Event::LocationNotFound => "location_not_found",
        Event::ModuleNotFound => "module_not_found",
        Event::ModuleProviderNotFound => "module_provider_not_found",
        Event::Result => "result",
    }
}

fn type_name(kind: &NodeKind) -> &'static str {
    match kind {
        // Compatibility: the search for a key has no name of its own.
        NodeKind::Root | NodeKind::Top => "root",
        NodeKind::InvalidKey => "invalid_key",
        NodeKind::MergeSource(_) => "merge_source",
        NodeKind::Module(_) => "module",
        NodeKind::Interpolate(_) => "interpolate",
        NodeKind::Merge { .. } => "merge",
        NodeKind::Provider { .. } => "data_provider",
        NodeKind::Location { is_uri: false, .. } => "path",
        NodeKind::Location { is_uri: true, .. } => "uri",
        NodeKind::SubKey(_) => "sub_key",
        NodeKind::Segment => "segment",
        NodeKind::Scope(_) => "scope",
    }
}
