//! What templates do most, done without making values only to look at them: `hash['key']`, `value == 'text'`, and
//! conditions.

use super::interpret::Interpreter;
use super::method::Method;
use super::tree::{Argument, Call, Node};
use super::value::{Key, Outcome, Table, Value};

impl Call {
    /// The call as a node; one with a text as its only argument may be a shorter one.
    pub(super) fn into_node(self) -> Node {
        match (self.method, self.args.as_slice(), &self.block, self.is_safe) {
            (Method::At, [Argument::One(Node::String(text))], None, false) => {
                let key = Key::String(text.clone());
                Node::Entry(Box::new(self), key)
            }
            (Method::Equal | Method::NotEqual, [Argument::One(Node::String(text))], None, false) => {
                let (text, wanted) = (text.clone(), self.method == Method::Equal);
                Node::EqualsText(Box::new(self.receiver), text, wanted)
            }
            _ => Node::Call(Box::new(self)),
        }
    }
}

impl<'t> Interpreter<'t, '_, '_> {
    /// `receiver['key']`.
    pub(super) fn entry(&mut self, call: &'t Call, key: &Key) -> Outcome {
        if let Some(Value::Hash(table)) = self.held(&call.receiver) {
            return Ok(entry_of(table, key));
        }
        match self.eval(&call.receiver)? {
            Value::Hash(table) => Ok(entry_of(&table, key)),
            other => {
                let args = self.arguments(&call.args)?;
                self.send(&other, call.method, &args, None)
            }
        }
    }

    /// Whether a value is a text, or is not one if that is wanted.
    pub(super) fn equals_text(&mut self, left: &'t Node, text: &'t str, wanted: bool) -> Outcome<bool> {
        Ok(match self.eval(left)? {
            Value::String(left) => (*left.look() == text) == wanted,
            Value::Nil | Value::Boolean(_) | Value::Integer(_) => !wanted,
            other => {
                let method = if wanted { Method::Equal } else { Method::NotEqual };
                self.send(&other, method, &[Value::string(text)], None)?.is_truthy()
            }
        })
    }

    /// Whether the value of a node is neither nil nor false.
    pub(super) fn is_true(&mut self, node: &'t Node) -> Outcome<bool> {
        let (is_and, left, right) = match node {
            Node::And(left, right) => (true, left, right),
            Node::Or(left, right) => (false, left, right),
            Node::Not(value) => {
                self.run.step()?;
                return Ok(!self.is_true(value)?);
            }
            Node::EqualsText(left, text, wanted) => {
                self.run.step()?;
                return self.equals_text(left, text, *wanted);
            }
            other => return Ok(self.eval(other)?.is_truthy()),
        };
        self.run.step()?;
        if self.is_true(left)? == is_and { self.is_true(right) } else { Ok(!is_and) }
    }
}

fn entry_of(table: &Table, key: &Key) -> Value {
    table.get(key).unwrap_or_else(|| table.default())
}
