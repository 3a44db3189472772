//! Resource types written in Ruby, read without running Ruby.
//!
//! A type in `lib/puppet/type` is a program that declares attributes. The part of Ruby such programs use to
//! declare (literals, loops over them, mixins, helper methods) is evaluated by a small interpreter over the syntax
//! tree; what it cannot know, such as the answer of a fact, it leaves open and follows both branches.

mod builtins;
mod catalog;
mod generated;
mod interpreter;
mod library;
mod methods;
mod providers;
mod resource_api;
mod settings;
mod type_dsl;
mod value;

use std::sync::Arc;

use bunraku_syntax::with_ample_stack;

pub use generated::read_generated;
pub use providers::{Provider, read_providers};
pub use settings::read_setting_type;

/// What a resource type declares.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResourceType {
    /// The name, as in `Puppet::Type.newtype(:name)`.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// Properties in order, then parameters in order, as the reference lists them.
    pub attributes: Vec<Attribute>,
    /// The attributes that identify a resource.
    pub namevars: Vec<String>,
    /// How a title is split into namevars; empty where several namevars lack patterns.
    pub title_patterns: Vec<TitlePattern>,
    /// Whether two resources with the same namevars are the same resource.
    pub isomorphic: bool,
    /// Names of features that providers may have.
    pub features: Vec<String>,
    /// Names of the providers.
    pub providers: Vec<String>,
    /// Types whose resources are required implicitly.
    pub autorequire: Vec<String>,
    /// Types whose resources come after implicitly.
    pub autobefore: Vec<String>,
    /// Types whose resources are subscribed to implicitly.
    pub autosubscribe: Vec<String>,
    /// Types whose resources are notified implicitly.
    pub autonotify: Vec<String>,
    /// What kind of target the type manages.
    pub apply_to: ApplyTo,
}

/// One attribute of a resource type.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// Whether it is state or only steers.
    pub kind: AttributeKind,
    /// The documentation.
    pub doc: String,
    /// Values listed literally.
    pub values: Vec<String>,
    /// Values listed as regular expressions.
    pub patterns: Vec<Pattern>,
    /// Features a provider needs for this attribute.
    pub required_features: Vec<String>,
    /// The data type in Puppet's syntax, where the declaration names one.
    pub data_type: Option<String>,
    /// Whether the declaration makes it a namevar.
    pub namevar: bool,
}

/// The two kinds of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeKind {
    /// Something to bring into a desired state.
    Property,
    /// Something that steers how this is done.
    Parameter,
}

/// What kind of target a type manages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ApplyTo {
    /// The machine the agent runs on.
    #[default]
    Host,
    /// A device managed remotely.
    Device,
    /// Either of them.
    Both,
}

/// A regular expression with Ruby's options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The text between the slashes.
    pub source: String,
    /// The option `i`.
    pub ignore_case: bool,
    /// The option `x`.
    pub extended: bool,
    /// The option `m`: a dot matches a newline.
    pub multi_line: bool,
}

impl Pattern {
    /// The expression with its options inside, as Ruby embeds one expression in another.
    pub fn embedded(&self) -> String {
        let (mut on, mut off) = (String::new(), String::new());
        for (letter, set) in [('m', self.multi_line), ('i', self.ignore_case), ('x', self.extended)] {
            if set { on.push(letter) } else { off.push(letter) }
        }
        let dash = if off.is_empty() { "" } else { "-" };
        let mut source = String::with_capacity(self.source.len());
        let mut escaped = false;
        for letter in self.source.chars() {
            if letter == '/' && !escaped {
                source.push('\\');
            }
            escaped = letter == '\\' && !escaped;
            source.push(letter);
        }
        format!("(?{on}{dash}{off}:{source})")
    }
}

/// One way to split a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitlePattern {
    /// Must match the title.
    pub pattern: Pattern,
    /// The attributes that take the captures, in order.
    pub attributes: Vec<String>,
}

/// Reads a Ruby file that a resource type refers to.
///
/// An absolute path is that file; any other is searched for in the `lib` directories of all modules.
pub type ReadRuby<'r> = &'r (dyn Fn(&str) -> Option<Arc<str>> + Sync);

/// The resource types that the Ruby file at `path` declares; `read` finds the files it requires.
///
/// The parser of Ruby recurses ten thousand levels deep and no deeper, so the stack must be as large as evaluation needs it.
pub fn read_resource_types(path: &str, text: &str, read: ReadRuby<'_>) -> Vec<ResourceType> {
    with_ample_stack(|| {
        let sources = library::Sources::gather(path, text, read);
        let files = sources.parse();
        let library = library::Library::index(&files);
        let mut interpreter = interpreter::Interpreter::new(&library);
        interpreter.run_file(0);
        interpreter.into_types()
    })
}

impl ResourceType {
    /// Adds its own among the providers that were found, and with the first of them the parameter `provider`.
    pub fn add_providers(&mut self, providers: &[Provider]) {
        for provider in providers.iter().filter(|provider| provider.resource_type == self.name) {
            if !self.providers.contains(&provider.name) {
                self.providers.push(provider.name.clone());
            }
        }
        self.providers.sort();
        if !self.providers.is_empty() && !self.attributes.iter().any(|a| a.name == "provider") {
            self.attributes.push(Attribute::new("provider", AttributeKind::Parameter));
        }
    }

    /// Settles what follows from the attributes once all of them are known.
    fn finish(&mut self, title_patterns: Option<Vec<TitlePattern>>) {
        self.attributes.sort_by_key(|attribute| match attribute.kind {
            AttributeKind::Property if attribute.name == "ensure" => 0,
            AttributeKind::Property => 1,
            AttributeKind::Parameter => 2,
        });
        self.namevars = self
            .attributes
            .iter()
            .filter(|a| a.kind == AttributeKind::Parameter && (a.namevar || a.name == "name"))
            .map(|a| a.name.clone())
            .collect();
        self.title_patterns = title_patterns.unwrap_or_else(|| match self.namevars.as_slice() {
            [namevar] => vec![TitlePattern::whole(namevar)],
            _ => Vec::new(),
        });
    }
}

impl Attribute {
    fn new(name: &str, kind: AttributeKind) -> Self {
        Attribute {
            name: name.to_string(),
            kind,
            doc: String::new(),
            values: Vec::new(),
            patterns: Vec::new(),
            required_features: Vec::new(),
            data_type: None,
            namevar: false,
        }
    }
}

impl TitlePattern {
    /// The whole title is the value of one attribute.
    fn whole(attribute: &str) -> Self {
        let pattern = Pattern { source: "(.*)".to_string(), multi_line: true, ..Pattern::default() };
        TitlePattern { pattern, attributes: vec![attribute.to_string()] }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::expect_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    /// Reads a type from `type.rb` with other files beside it, and shows it in one line per fact.
    fn show(files: &[(&str, &str)]) -> String {
        let read = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| Arc::from(*text));
        let (path, text) = files.first().expect("a type");
        let types = read_resource_types(path, text, &read);
        let declared = types.first().expect("the file declares a type");
        let mut lines = vec![declared.name.clone()];
        for attribute in &declared.attributes {
            let kind = if attribute.kind == AttributeKind::Property { "property" } else { "parameter" };
            let values = attribute.values.join(" ");
            lines.push(format!("{kind} {} {values}", attribute.name).trim_end().to_string());
        }
        lines.push(format!("namevars {}", declared.namevars.join(" ")).trim_end().to_string());
        lines.join("\n")
    }

    fn check(body: &str, expected: &str) {
        let text = format!("Puppet::Type.newtype(:example) do\n{body}\nend\n");
        assert_eq!(show(&[("/m/lib/puppet/type/example.rb", &text)]), format!("example\n{expected}"), "{body}");
    }

    fn read_one(body: &str) -> ResourceType {
        let text = format!("Puppet::Type.newtype(:example) do\n{body}\nend\n");
        read_resource_types("/m/lib/puppet/type/example.rb", &text, &|_| None).pop().unwrap()
    }

    #[test]
    fn declarations() {
        check("newparam(:name, :namevar => true)", "parameter name\nnamevars name");
        check(
            "newparam(:path) { isnamevar }\nensurable",
            "property ensure present absent\nparameter path\nnamevars path",
        );
        check(
            "newparam(:name)\nnewproperty(:b) { newvalues(:yes, 'no', /x/) }\nensurable do\nnewvalue(:on) { }\nend",
            "property ensure on\nproperty b yes no\nparameter name\nnamevars name",
        );
        check("newparam(:flag, parent: Puppet::Parameter::Boolean)", "parameter flag true false yes no\nnamevars");
    }

    #[test]
    fn loops_and_helpers() {
        check("[:a, :b].each do |x|\n newproperty(x)\nend", "property a\nproperty b\nnamevars");
        check("%w[a b].map(&:to_sym).each { |x| newparam(x) }", "parameter a\nparameter b\nnamevars");
        check("{ a: :x, b: :y }.each { |n, v| newparam(n) { newvalues v } }", "parameter a x\nparameter b y\nnamevars");
        check("NAMES = %i[a].freeze\nNAMES.each { |x| newparam(:\"#{x}_1\") }", "parameter a_1\nnamevars");
        check(
            "def self.check(n, o = {}, &b)\nnewparam(n, o, &b)\nend\ncheck(:a) { isnamevar }",
            "parameter a\nnamevars a",
        );
        check("list = []\n[:a].each { |x| list << x }\nlist.each { |x| newparam(x) }", "parameter a\nnamevars");
    }

    #[test]
    fn unknown_conditions_follow_both_branches() {
        check(
            "if Facter.value(:kernel) == 'Linux'\nnewparam(:a)\nelse\nnewparam(:b)\nend",
            "parameter a\nparameter b\nnamevars",
        );
        check("newparam(:a) if Puppet::Util::Package.versioncmp(Puppet.version, '4.0') < 0", "namevars");
        check("case :x\nwhen :x then newparam(:a)\nelse newparam(:b)\nend", "parameter a\nnamevars");
    }

    #[test]
    fn mixins_of_required_files() {
        let text = "require 'puppet_x/shared'\nPuppet::Type.newtype(:example) do\n  extend PuppetX::Shared\n  create\n  newproperty(:b) { include PuppetX::Values }\nend";
        let shared = "module PuppetX\n module Shared\n  def create\n   newparam(:name)\n  end\n end\n module Values\n  def self.included(klass)\n   klass.class_eval { newvalues :x }\n  end\n end\nend";
        let shown = show(&[("/m/lib/puppet/type/example.rb", text), ("puppet_x/shared.rb", shared)]);
        assert_eq!(shown, "example\nproperty b x\nparameter name\nnamevars name");
        let text = text.replace("require 'puppet_x/shared'", "require_relative '../../puppet_x/shared'");
        let shown = show(&[("/m/lib/puppet/type/example.rb", &text), ("/m/lib/puppet_x/shared.rb", shared)]);
        assert_eq!(shown, "example\nproperty b x\nparameter name\nnamevars name");
    }

    #[test]
    fn title_patterns() {
        let declared = read_one(
            "newparam(:name)\nnewparam(:domain, namevar: true)\ndef self.title_patterns\n part = /[^:\\/]+/\n [[/^(#{part})\\/(.*)$/m, [[:name], [:domain, lambda { |x| x }]]]]\nend",
        );
        let pattern = &declared.title_patterns.first().unwrap();
        assert_eq!(pattern.pattern.source, "^((?-mix:[^:\\/]+))/(.*)$");
        assert!(pattern.pattern.multi_line);
        assert_eq!(pattern.attributes, ["name", "domain"]);
        assert_eq!(read_one("newparam(:a) { isnamevar }").title_patterns, [TitlePattern::whole("a")]);
    }

    #[test]
    fn other_facts_of_a_type() {
        let declared = read_one(
            "@doc = 'Words.'\n@isomorphic = false\nfeature :x, 'doc'\nautorequire(:file) { [] }\nautonotify(:service) { }\napply_to_all",
        );
        assert_eq!(declared.doc, "Words.");
        assert!(!declared.isomorphic);
        assert_eq!(declared.features, ["x"]);
        assert_eq!(declared.autorequire, ["file"]);
        assert_eq!(declared.autonotify, ["service"]);
        assert_eq!(declared.apply_to, ApplyTo::Both);
    }

    #[test]
    fn resource_api() {
        let text = "Puppet::ResourceApi.register_type(\n  name: 'example',\n  docs: 'Words.',\n  attributes: {\n    ensure: { type: 'Enum[present, absent]', desc: 'd', default: 'present' },\n    name: { type: 'String', behaviour: :namevar },\n    port: { type: 'Optional[Integer]' },\n    id: { type: 'String', behavior: :read_only },\n  },\n  title_patterns: [{ pattern: %r{^(?<name>.*)/(?<port>\\d+)$} }],\n  autorequires: {},\n  autorequire: { Package: 'x' },\n)";
        let shown = show(&[("/m/lib/puppet/type/example.rb", text)]);
        assert_eq!(
            shown,
            "example\nproperty ensure absent present\nproperty port\nparameter name\nparameter id\nnamevars name"
        );
        let declared = read_resource_types("example.rb", text, &|_| None).pop().unwrap();
        assert_eq!(declared.title_patterns.first().unwrap().attributes, ["name", "port"]);
        assert_eq!(declared.autorequire, ["package"]);
    }

    #[test]
    fn providers_bring_their_parameter() {
        let providers = read_providers("Puppet::Type.type(:example).provide(:apt, parent: :x) do\nend");
        assert_eq!(providers, [Provider { resource_type: "example".to_string(), name: "apt".to_string() }]);
        let mut declared = read_one("newparam(:name)");
        declared.add_providers(&providers);
        assert_eq!(declared.attributes.last().unwrap().name, "provider");
        assert_eq!(declared.namevars, ["name"]);
    }

    #[test]
    fn endless_and_broken_programs_end() {
        check("def self.again\nagain\nend\nagain\nnewparam(:a)", "parameter a\nnamevars");
        read_resource_types("x.rb", "Puppet::Type.newtype(:x) do newparam(", &|_| None);
        assert_eq!(read_resource_types("x.rb", &"[".repeat(50_000), &|_| None), []);
    }
}
