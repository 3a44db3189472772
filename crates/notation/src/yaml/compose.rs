//! Makes values of the events of a YAML document: anchors, merge keys, tags.

use bunraku_pcore::issues::string_of;
use bunraku_pcore::{Hash, Value};
use rustc_hash::FxHashMap;

use super::error::Error;
use super::scalar::{self, Fault, Scalar};
use super::scanner::{Event, EventData, Parser};
use super::tag::{self, CollectionTag, ScalarTag};
use super::{MAXIMUM_ALIASED, MAXIMUM_DEPTH};

/// The first document of a YAML text.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The value; nothing when the text has no document at all.
    pub value: Option<Value>,
    /// What the document holds that is no value of the language, with the key at the top under which it stands.
    pub foreign: Vec<(Value, Foreign)>,
}

/// Something YAML can say and a value cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Foreign {
    /// A Ruby symbol; the value has its name as text.
    Symbol(String),
    /// An integer beyond 64 bits; the value has its digits as text.
    Integer(String),
    /// A key below the top that is neither text nor a number.
    Key,
}

/// Reads the first document of a YAML text. The name of the file is for messages; Psych's is `<unknown>`.
pub fn load(text: &[u8], file: &str) -> Result<Document, Error> {
    let mut composer = Composer {
        parser: Parser::new(text),
        file,
        anchors: FxHashMap::default(),
        size: 0,
        aliased: 0,
        fault: None,
        foreign: Vec::new(),
        top: Value::Undef,
    };
    composer.document()
}

struct Composer<'t> {
    parser: Parser<'t>,
    file: &'t str,
    anchors: FxHashMap<String, Anchor>,
    /// How many values the document has so far, aliases counted as what they stand for.
    size: usize,
    aliased: usize,
    /// The first thing wrong with what the text means. Psych reads the whole document before it looks at meanings, so a
    /// text that breaks the rules further down is reported first.
    fault: Option<Error>,
    foreign: Vec<(Value, Foreign)>,
    top: Value,
}

enum Anchor {
    /// The collection is still being read.
    Open,
    Complete {
        value: Value,
        size: usize,
    },
}

/// What kind of node a value was made of; merge keys ask.
#[derive(PartialEq, Eq)]
enum Kind {
    Scalar,
    Sequence,
    MappingOrAlias,
}

impl Composer<'_> {
    fn next(&mut self) -> Result<Event, Error> {
        self.parser.parse().map_err(|error| Error::syntax(self.file, &error))
    }

    fn document(&mut self) -> Result<Document, Error> {
        loop {
            match self.next()?.data {
                EventData::StreamEnd => return Ok(Document::default()),
                EventData::DocumentStart => break,
                _ => {}
            }
        }
        let event = self.next()?;
        let (value, _) = self.node(event, 0)?;
        self.next()?;
        match self.fault.take() {
            Some(fault) => Err(fault),
            None => Ok(Document { value: Some(value), foreign: std::mem::take(&mut self.foreign) }),
        }
    }

    fn node(&mut self, event: Event, depth: usize) -> Result<(Value, Kind), Error> {
        let mark = event.start_mark;
        let limit = |file, problem| {
            Err(Error::limit(file, problem, mark.line.saturating_add(1), mark.column.saturating_add(1)))
        };
        if depth > MAXIMUM_DEPTH {
            return limit(self.file, "collections are nested too deeply");
        }
        let start = self.size;
        self.size = self.size.saturating_add(1);
        let (value, kind, anchor) = match event.data {
            EventData::Alias { anchor } => {
                let value = self.alias(&anchor);
                if self.aliased > MAXIMUM_ALIASED {
                    return limit(self.file, "aliases stand for too many values");
                }
                return Ok((value, Kind::MappingOrAlias));
            }
            EventData::Scalar { anchor, tag, value, is_quoted, .. } => {
                (self.scalar(&value, tag.as_deref(), is_quoted), Kind::Scalar, anchor)
            }
            EventData::SequenceStart { anchor, tag, .. } => {
                self.open(anchor.as_deref());
                (self.sequence(tag.as_deref(), depth)?, Kind::Sequence, anchor)
            }
            EventData::MappingStart { anchor, tag, .. } => {
                self.open(anchor.as_deref());
                (self.mapping(tag.as_deref(), depth)?, Kind::MappingOrAlias, anchor)
            }
            _ => (Value::Undef, Kind::Scalar, None),
        };
        if let Some(anchor) = anchor {
            let size = self.size.saturating_sub(start);
            self.anchors.insert(anchor, Anchor::Complete { value: value.clone(), size });
        }
        Ok((value, kind))
    }

    fn open(&mut self, anchor: Option<&str>) {
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor.to_owned(), Anchor::Open);
        }
    }

    fn blame(&mut self, error: Error) -> Value {
        self.fault.get_or_insert(error);
        Value::Undef
    }

    fn alias(&mut self, name: &str) -> Value {
        let error = match self.anchors.get(name) {
            Some(Anchor::Complete { value, size }) => {
                self.size = self.size.saturating_add(*size);
                self.aliased = self.aliased.saturating_add(*size);
                return value.clone();
            }
            // Psych makes an endless structure, on which every later walk hangs.
            Some(Anchor::Open) => {
                Error::plain(format!("({}): Alias '{name}' stands for what it is part of", self.file))
            }
            None => Error::unknown_alias(name),
        };
        self.blame(error)
    }

    fn scalar(&mut self, text: &str, tag: Option<&str>, is_quoted: bool) -> Value {
        if is_quoted {
            return Value::string(text);
        }
        let result = match tag.map_or(ScalarTag::Plain, |tag| tag::of_scalar(tag, text)) {
            ScalarTag::Plain => scalar::resolve(text),
            ScalarTag::Text => Ok(Scalar::String(text)),
            ScalarTag::Symbol => Ok(Scalar::Symbol(text)),
            ScalarTag::Float => scalar::resolve(text).and_then(|scalar| scalar::to_float(&scalar)).map(Scalar::Float),
            ScalarTag::Base64 => match string_of(decode_base64(text)) {
                Ok(text) => return Value::string(text),
                Err(issue) => return self.blame(Error::plain(issue.message().to_owned())),
            },
            ScalarTag::Class(class) => Err(Fault::Class(class.to_owned())),
        };
        match result {
            Ok(scalar) => self.value(&scalar),
            Err(Fault::Class(class)) => self.blame(Error::disallowed_class(self.file, &class)),
            Err(Fault::Number(message)) => self.blame(Error::plain(message)),
        }
    }

    fn value(&mut self, scalar: &Scalar<'_>) -> Value {
        match *scalar {
            Scalar::Undef => Value::Undef,
            Scalar::Boolean(boolean) => Value::Boolean(boolean),
            Scalar::Integer(integer) => Value::Integer(integer),
            Scalar::Float(float) => Value::Float(float),
            Scalar::String(text) => Value::string(text),
            // The reference's own `default` is this symbol.
            Scalar::Symbol("default") => Value::Default,
            Scalar::Symbol(name) => self.note_foreign(name, Foreign::Symbol(name.to_owned())),
            Scalar::BigInteger(digits) => self.note_foreign(digits, Foreign::Integer(digits.to_owned())),
        }
    }

    fn note_foreign(&mut self, text: &str, foreign: Foreign) -> Value {
        self.foreign.push((self.top.clone(), foreign));
        Value::string(text)
    }

    /// A key, which may be a symbol: the readers of data take its name.
    fn key(&mut self, event: Event, depth: usize) -> Result<(Value, bool), Error> {
        let is_text = matches!(&event.data, EventData::Scalar { tag: Some(tag), .. } if tag == "tag:yaml.org,2002:str");
        let noted = self.foreign.len();
        let (key, _) = self.node(event, depth)?;
        let is_symbol = matches!(self.foreign.get(noted), Some((_, Foreign::Symbol(_)))) && key.as_str().is_some();
        if is_symbol {
            self.foreign.truncate(noted);
        }
        let key = if key == Value::Default { Value::string("default") } else { key };
        let is_merge = key.as_str() == Some("<<") && !is_text && !is_symbol;
        Ok((key, is_merge))
    }

    fn sequence(&mut self, tag: Option<&str>, depth: usize) -> Result<Value, Error> {
        let mut elements = Vec::new();
        loop {
            let event = self.next()?;
            if matches!(event.data, EventData::SequenceEnd) {
                break;
            }
            elements.push(self.node(event, depth.saturating_add(1))?.0);
        }
        Ok(match tag.map_or(CollectionTag::Plain, tag::of_sequence) {
            CollectionTag::Class(class) => self.blame(Error::disallowed_class(self.file, class)),
            CollectionTag::OrderedMap => Value::hash(elements.iter().filter_map(pair)),
            CollectionTag::Plain | CollectionTag::Text => Value::from(elements),
        })
    }

    fn mapping(&mut self, tag: Option<&str>, depth: usize) -> Result<Value, Error> {
        let mut hash = Hash::new();
        loop {
            let event = self.next()?;
            if matches!(event.data, EventData::MappingEnd) {
                break;
            }
            let (key, is_merge) = self.key(event, depth.saturating_add(1))?;
            if depth == 0 {
                self.top = key.clone();
            } else if !matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_)) {
                self.foreign.push((self.top.clone(), Foreign::Key));
            }
            let event = self.next()?;
            let (value, kind) = self.node(event, depth.saturating_add(1))?;
            if !(is_merge && merge(&mut hash, &value, &kind)) {
                hash.insert(key, value);
            }
        }
        Ok(match tag.map_or(CollectionTag::Plain, tag::of_mapping) {
            CollectionTag::Class(class) => self.blame(Error::disallowed_class(self.file, class)),
            CollectionTag::Text => hash.get_str("str").cloned().unwrap_or_default(),
            CollectionTag::Plain | CollectionTag::OrderedMap => Value::from(hash),
        })
    }
}

/// Merges what stands at `<<` into a hash; false if it is nothing that can be merged, and so an ordinary entry.
fn merge(hash: &mut Hash, value: &Value, kind: &Kind) -> bool {
    let entries = |source: &Hash| source.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>();
    match (kind, value) {
        (Kind::MappingOrAlias, Value::Hash(source)) => hash.extend(entries(source)),
        (Kind::Sequence, Value::Array(sources)) if sources.iter().all(|source| matches!(source, Value::Hash(_))) => {
            let mut merged = Hash::new();
            for source in sources.iter().rev() {
                if let Value::Hash(source) = source {
                    merged.extend(entries(source));
                }
            }
            hash.extend(merged);
        }
        _ => return false,
    }
    true
}

/// The pair an element of an ordered map stands for.
fn pair(element: &Value) -> Option<(Value, Value)> {
    match element {
        Value::Hash(hash) => Some((hash.keys().next()?.clone(), hash.values().next_back()?.clone())),
        Value::Array(elements) => Some((elements.first()?.clone(), elements.last()?.clone())),
        _ => None,
    }
}

/// Decodes as Ruby's `unpack('m')` does: what is no Base64 is passed over, and the first padding ends it.
fn decode_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).unwrap_or(0));
        }
    }
    bytes
}
