//! The text form of types, as programs and messages show it.

use std::fmt::{self, Display, Write};
use std::sync::Arc;

use bunraku_syntax::deep;

use crate::data_type::Type;
use crate::data_types::type_set::Definition as TypeSet;
use crate::data_types::{IntegerType, TypeAlias};
use crate::float_text::float_text;
use crate::hash::Hash;
use crate::value::Value;

pub use crate::quote::quote;

impl Display for Type {
    /// An alias or object type shows what it stands for; inside of other types only its name is shown.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        TypeWriter::new(formatter, matches!(self, Type::Alias(_) | Type::Object(_) | Type::TypeSet(_))).data_type(self)
    }
}

impl Type {
    /// The text form in which all aliases show what they stand for.
    pub fn to_expanded_string(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = TypeWriter::new(&mut text, true).data_type(self);
        text
    }
}

/// The text form of a value as part of a type.
pub(crate) fn value_text(value: &Value) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = TypeWriter::new(&mut text, false).value(value);
    text
}

/// Writes types and their parameters.
pub struct TypeWriter<'w> {
    out: &'w mut dyn Write,
    expanded: bool,
    expanding: Vec<*const TypeAlias>,
    /// The set whose types are being written: names are relative to it.
    type_set: Option<Arc<TypeSet>>,
}

impl<'w> TypeWriter<'w> {
    fn new(out: &'w mut dyn Write, expanded: bool) -> TypeWriter<'w> {
        TypeWriter { out, expanded, expanding: Vec::new(), type_set: None }
    }

    /// Whether types are shown with what they stand for.
    pub(crate) fn is_expanded(&self) -> bool {
        self.expanded
    }

    /// Writes something with or without what types stand for.
    pub(crate) fn with_expansion(
        &mut self,
        expanded: bool,
        write: impl FnOnce(&mut TypeWriter<'w>) -> fmt::Result,
    ) -> fmt::Result {
        let before = std::mem::replace(&mut self.expanded, expanded);
        let written = write(self);
        self.expanded = before;
        written
    }

    /// Writes the types of a set.
    pub(crate) fn with_type_set(
        &mut self,
        type_set: &Arc<TypeSet>,
        write: impl FnOnce(&mut TypeWriter<'w>) -> fmt::Result,
    ) -> fmt::Result {
        let before = self.type_set.replace(type_set.clone());
        let written = write(self);
        self.type_set = before;
        written
    }

    /// Whether a type with a name is of the set whose types are being written.
    pub(crate) fn is_of_type_set(&self, name: &str) -> bool {
        self.type_set.as_ref().is_some_and(|type_set| type_set.own_name(name).is_some())
    }

    /// Writes the name of a type.
    pub(crate) fn type_name(&mut self, name: &str) -> fmt::Result {
        match self.type_set.as_ref().and_then(|type_set| type_set.local_name(name)) {
            Some(local) => self.text(&local),
            None => self.text(name),
        }
    }

    /// Writes text as it is.
    pub fn text(&mut self, text: &str) -> fmt::Result {
        self.out.write_str(text)
    }

    /// Writes a type.
    pub fn data_type(&mut self, data_type: &Type) -> fmt::Result {
        deep(|| data_type.data_type().write(self))
    }

    /// Writes a value that is part of a type.
    pub(crate) fn value(&mut self, value: &Value) -> fmt::Result {
        match value {
            Value::Undef => self.text("undef"),
            Value::Default => self.text("default"),
            Value::Boolean(value) => write!(self, "{value}"),
            Value::Integer(number) => write!(self, "{number}"),
            Value::Float(number) => self.text(&float_text(*number)),
            Value::String(text) => self.text(&quote(text)),
            Value::Regexp(regexp) => self.text(&regexp.to_text()),
            Value::Symbol(name) => self.text(name),
            Value::SemVer(_) | Value::SemVerRange(_) | Value::Timespan(_) | Value::Timestamp(_) => {
                write!(self, "'{value}'")
            }
            Value::Type(data_type) => self.data_type(data_type),
            Value::Array(elements) => deep(|| self.elements(elements)),
            Value::Hash(hash) => deep(|| self.entries(hash)),
            Value::Uri(uri) => write!(self, "URI({})", quote(&uri.to_string())),
            Value::Object(object) => {
                write!(self, "{}(", object.object_type().label())?;
                self.entries(&object.initializer())?;
                self.text(")")
            }
            Value::Sensitive(_) | Value::Iterator(_) | Value::Binary(_) => {
                write!(self, "Instance of {}", Type::infer(value))
            }
        }
    }

    fn elements(&mut self, elements: &[Value]) -> fmt::Result {
        self.text("[")?;
        for (index, element) in elements.iter().enumerate() {
            self.text(if index > 0 { ", " } else { "" })?;
            self.value(element)?;
        }
        self.text("]")
    }

    fn entries(&mut self, hash: &Hash) -> fmt::Result {
        self.text("{")?;
        for (index, (key, value)) in hash.iter().enumerate() {
            self.text(if index > 0 { ", " } else { "" })?;
            self.value(key)?;
            self.text(" => ")?;
            self.value(value)?;
        }
        self.text("}")
    }

    /// Writes the name of an alias, and what it stands for if that is asked for and not being written already. In a
    /// type set only what its aliases stand for is shown.
    pub(crate) fn alias(&mut self, alias: &TypeAlias) -> fmt::Result {
        let address = std::ptr::from_ref(alias);
        let is_expanded = self.expanded && !self.expanding.contains(&address);
        match &self.type_set {
            Some(_) if is_expanded && self.is_of_type_set(alias.alias_name()) => {}
            None if is_expanded => {
                self.text(alias.alias_name())?;
                self.text(" = ")?;
            }
            _ => return self.type_name(alias.alias_name()),
        }
        self.expanding.push(address);
        let written = self.data_type(alias.resolved());
        self.expanding.pop();
        written
    }

    /// Starts a list of parameters; without any there are no brackets.
    pub(crate) fn list(&mut self, name: &str) -> Result<List<'_, 'w>, fmt::Error> {
        self.text(name)?;
        Ok(List { writer: self, is_open: false })
    }
}

impl Write for TypeWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_str(text)
    }
}

/// The parameters of a type, in brackets and with commas between them.
pub(crate) struct List<'l, 'w> {
    writer: &'l mut TypeWriter<'w>,
    is_open: bool,
}

impl List<'_, '_> {
    fn separate(&mut self) -> fmt::Result {
        let separator = if self.is_open { ", " } else { "[" };
        self.is_open = true;
        self.writer.text(separator)
    }

    /// Adds what prints as it is.
    pub(crate) fn item(&mut self, item: impl Display) -> fmt::Result {
        self.separate()?;
        write!(self.writer, "{item}")
    }

    /// Adds text in quotes.
    pub(crate) fn quoted(&mut self, text: &str) -> fmt::Result {
        self.item(quote(text))
    }

    /// Adds a value.
    pub(crate) fn value(&mut self, value: &Value) -> fmt::Result {
        self.separate()?;
        self.writer.value(value)
    }

    /// Adds a type.
    pub(crate) fn data_type(&mut self, data_type: &Type) -> fmt::Result {
        self.separate()?;
        self.writer.data_type(data_type)
    }

    /// Adds a type; the type of one text is shown as that text.
    pub(crate) fn data_type_or_text(&mut self, data_type: &Type) -> fmt::Result {
        if let Type::String(string) = data_type
            && let Some(text) = string.value()
        {
            return self.quoted(text);
        }
        self.data_type(data_type)
    }

    /// Adds the limits of a range, if it has any.
    pub(crate) fn range(&mut self, range: Option<&IntegerType>) -> fmt::Result {
        let Some(range) = range.filter(|range| !range.is_unbounded()) else { return Ok(()) };
        match range.from {
            Some(from) => self.item(from)?,
            None => self.item("default")?,
        }
        range.to.map_or(Ok(()), |to| self.item(to))
    }

    /// Ends the list.
    pub(crate) fn end(self) -> fmt::Result {
        if self.is_open { self.writer.text("]") } else { Ok(()) }
    }
}
