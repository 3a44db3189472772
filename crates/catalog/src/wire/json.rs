//! Catalogs as JSON, in the layout of Ruby's library.

use bunraku_pcore::Value;
use bunraku_pcore::float_text::float_text;
use bunraku_pcore::serialize::{JsonLayout, JsonWriter};
use bunraku_syntax::deep;

use super::Writer;

/// Writes JSON, in one line or with two spaces for every level.
#[derive(Debug)]
pub(crate) struct Json(JsonWriter<'static>);

impl Json {
    /// An empty document with room for so many bytes.
    pub(crate) fn new(is_pretty: bool, room: usize) -> Self {
        Json(JsonWriter::new(if is_pretty { JsonLayout::PRETTY } else { JsonLayout::SHORT }, room))
    }

    /// The text of the document.
    pub(crate) fn finish(self) -> String {
        self.0.text
    }
}

impl Writer for Json {
    fn begin_map(&mut self) {
        self.0.begin_object();
    }

    fn key(&mut self, key: &str) {
        self.0.key(key);
    }

    fn end_map(&mut self) {
        self.0.end_object();
    }

    fn begin_list(&mut self) {
        self.0.begin_array();
    }

    fn end_list(&mut self) {
        self.0.end_array();
    }

    fn string(&mut self, text: &str) {
        self.0.string(text);
    }

    fn data(&mut self, value: &Value) {
        deep(|| match value {
            Value::Boolean(true) => self.0.literal("true"),
            Value::Boolean(false) => self.0.literal("false"),
            Value::Integer(number) => self.0.literal(&number.to_string()),
            Value::Float(number) if number.is_finite() => self.0.literal(&float_text(*number)),
            Value::String(text) => self.0.string(text),
            Value::Array(elements) => {
                self.begin_list();
                elements.iter().for_each(|element| self.data(element));
                self.end_list();
            }
            Value::Hash(hash) => {
                self.begin_map();
                for (key, value) in hash.iter() {
                    self.key(key.as_str().unwrap_or_default());
                    self.data(value);
                }
                self.end_map();
            }
            _ => self.0.literal("null"),
        })
    }
}
