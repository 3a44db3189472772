//! A resource of a catalog: its reference, its parameters, and where it was declared.

use bunraku_pcore::{OrderMap, Value};
use ecow::EcoString;

use crate::reference::Reference;
use crate::tag::Tags;

/// Parameters by name, in the order an agent receives them.
pub type Parameters = OrderMap<EcoString, Value>;

/// One resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Its type and title.
    pub reference: Reference,
    /// Its parameters.
    pub parameters: Parameters,
    /// Names of the parameters whose value was sensitive; the value itself is in the clear.
    pub sensitive_parameters: Vec<EcoString>,
    /// Its tags.
    pub tags: Tags,
    /// The file it was declared in; nothing for resources no expression declared.
    pub file: Option<EcoString>,
    /// The line it was declared at.
    pub line: Option<u32>,
    /// Whether it is meant for other nodes. Nothing is said about resources that functions such as `create_resources`
    /// make without `@@`.
    pub exported: Option<bool>,
    /// Whether it is declared but not to be managed.
    pub is_virtual: bool,
    /// What kind of type it has.
    pub kind: Kind,
}

impl Resource {
    /// A resource without parameters, declared nowhere.
    pub fn new(reference: Reference, kind: Kind) -> Self {
        Resource {
            reference,
            parameters: Parameters::default(),
            sensitive_parameters: Vec::new(),
            tags: Tags::default(),
            file: None,
            line: None,
            exported: Some(false),
            is_virtual: false,
            kind,
        }
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name)
    }

    /// Whether it is meant for other nodes.
    pub fn is_exported(&self) -> bool {
        self.exported == Some(true)
    }

    /// Whether this is a class.
    pub fn is_class(&self) -> bool {
        self.reference.type_name == "Class"
    }
}

/// What an agent needs to know about the type of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A native resource type.
    CompilableType,
    /// A defined type.
    DefinedType,
    /// A class declared like a resource.
    Class,
    /// An included class, the main class, `settings` or a node.
    #[default]
    Unknown,
}

impl Kind {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::CompilableType => "compilable_type",
            Kind::DefinedType => "defined_type",
            Kind::Class => "class",
            Kind::Unknown => "unknown",
        }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Self {
        match text {
            "compilable_type" => Kind::CompilableType,
            "defined_type" => Kind::DefinedType,
            "class" => Kind::Class,
            _ => Kind::Unknown,
        }
    }
}
