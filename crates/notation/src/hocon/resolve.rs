//! Puts values in the place of substitutions.

use bunraku_pcore::deep;
use bunraku_pcore::{Hash, Value, inspect};

use super::{MAXIMUM_DEPTH, Node};

/// How many values substitutions may stand for, so that a short text cannot grow without bound.
const MAXIMUM_SIZE: usize = 1_000_000;

/// The value of a tree, or the problem with it.
pub(super) fn resolve(root: &Node) -> Result<Value, String> {
    let mut resolver = Resolver { root, depth: 0, size: 0 };
    Ok(resolver.value(root)?.unwrap_or_default())
}

struct Resolver<'n> {
    root: &'n Node,
    depth: usize,
    size: usize,
}

impl Resolver<'_> {
    /// The value of a node; nothing for an optional substitution that leads nowhere.
    fn value(&mut self, node: &Node) -> Result<Option<Value>, String> {
        deep(|| {
            self.size = self.size.saturating_add(1);
            if self.size > MAXIMUM_SIZE {
                return Err("String: substitutions stand for too many values".to_owned());
            }
            Ok(Some(match node {
                Node::Value(value) => value.clone(),
                Node::Array(elements) => {
                    let mut values = Vec::with_capacity(elements.len());
                    for element in elements {
                        values.extend(self.value(element)?);
                    }
                    Value::from(values)
                }
                Node::Object(fields) => {
                    let mut hash = Hash::with_capacity(fields.len());
                    for (name, field) in fields {
                        if let Some(value) = self.value(field)? {
                            hash.insert(Value::from(name.as_str()), value);
                        }
                    }
                    Value::from(hash)
                }
                Node::Substitution { path, is_optional } => return self.substitution(path, *is_optional),
                Node::Concatenation(parts) => return self.concatenation(parts),
                Node::Append(existing, added) => {
                    let existing = existing.as_ref().map(|existing| self.value(existing)).transpose()?.flatten();
                    let mut elements = match existing {
                        None => Vec::new(),
                        Some(Value::Array(elements)) => elements.to_vec(),
                        Some(other) => vec![other],
                    };
                    for node in added {
                        elements.extend(self.value(node)?);
                    }
                    Value::from(elements)
                }
                // They were merged before.
                Node::Layers(_) => Value::Undef,
            }))
        })
    }

    fn substitution(&mut self, path: &[String], is_optional: bool) -> Result<Option<Value>, String> {
        let unresolved =
            || Err(format!("String: 1: Could not resolve substitution to a value: ${{{}}}", path.join(".")));
        let mut target = Some(self.root);
        for name in path {
            target = match target {
                Some(Node::Object(fields)) => fields.get(name),
                _ => None,
            };
        }
        match target {
            None if is_optional => Ok(None),
            None => unresolved(),
            // A cycle is found by its depth.
            Some(_) if self.depth >= MAXIMUM_DEPTH => unresolved(),
            Some(node) => {
                self.depth = self.depth.saturating_add(1);
                let value = self.value(node);
                self.depth = self.depth.saturating_sub(1);
                value
            }
        }
    }

    /// Objects merge, arrays follow each other, all else becomes text.
    fn concatenation(&mut self, parts: &[Node]) -> Result<Option<Value>, String> {
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            values.extend(self.value(part)?);
        }
        let is_blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        let solid: Vec<&Value> = values.iter().filter(|value| !is_blank(value)).collect();
        if let [only] = solid.as_slice() {
            return Ok(Some((*only).clone()));
        }
        if !solid.is_empty() && solid.iter().all(|value| matches!(value, Value::Hash(_))) {
            return Ok(solid.into_iter().cloned().reduce(merge));
        }
        if !solid.is_empty() && solid.iter().all(|value| matches!(value, Value::Array(_))) {
            let elements = solid.into_iter().filter_map(|value| match value {
                Value::Array(elements) => Some(elements.iter().cloned()),
                _ => None,
            });
            return Ok(Some(Value::array(elements.flatten())));
        }
        let text = |value: &Value| if value.is_undef() { "null".to_owned() } else { inspect::to_s(value).into_owned() };
        Ok(Some(Value::from(values.iter().map(text).collect::<String>())))
    }
}

fn merge(existing: Value, new: Value) -> Value {
    deep(|| {
        let (Value::Hash(existing), Value::Hash(new)) = (&existing, &new) else { return new };
        let mut merged = Hash::with_capacity(existing.len());
        for (key, value) in new.iter() {
            let value = match existing.get(key) {
                Some(old) => merge(old.clone(), value.clone()),
                None => value.clone(),
            };
            merged.insert(key.clone(), value);
        }
        for (key, value) in existing.iter().filter(|(key, _)| !new.contains_key(key)) {
            merged.insert(key.clone(), value.clone());
        }
        Value::from(merged)
    })
}
