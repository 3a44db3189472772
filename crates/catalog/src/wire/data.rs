//! A document as plain data.

use bunraku_pcore::{Hash, Value};

use super::Writer;

/// Builds the value of a document.
#[derive(Debug, Default)]
pub(super) struct Data {
    open: Vec<Open>,
    value: Value,
}

/// A map, with the key that waits for its value, or a list that has not ended.
#[derive(Debug)]
enum Open {
    Map(Hash, Value),
    List(Vec<Value>),
}

impl Data {
    /// The document.
    pub(super) fn finish(self) -> Value {
        self.value
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::Map(hash, key)) => _ = hash.insert(std::mem::take(key), value),
            Some(Open::List(list)) => list.push(value),
            None => self.value = value,
        }
    }

    fn end(&mut self) {
        let value = match self.open.pop() {
            Some(Open::Map(hash, _)) => Value::from(hash),
            Some(Open::List(list)) => Value::from(list),
            None => return,
        };
        self.add(value);
    }
}

impl Writer for Data {
    fn begin_map(&mut self) {
        self.open.push(Open::Map(Hash::default(), Value::Undef));
    }

    fn key(&mut self, key: &str) {
        if let Some(Open::Map(_, next)) = self.open.last_mut() {
            *next = Value::from(key);
        }
    }

    fn end_map(&mut self) {
        self.end();
    }

    fn begin_list(&mut self) {
        self.open.push(Open::List(Vec::new()));
    }

    fn end_list(&mut self) {
        self.end();
    }

    fn string(&mut self, text: &str) {
        self.add(Value::from(text));
    }

    fn data(&mut self, value: &Value) {
        self.add(value.clone());
    }
}
