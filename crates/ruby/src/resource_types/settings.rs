//! Resource types that stand for settings of a file: those whose provider inherits from that of `ini_setting`, or from that
//! of `openstack_config`. What such a type adds is so little that it can be read, without running Ruby; what is not
//! understood to the last word is no such type.

use bunraku_catalog::setting_type::{Keeping, SettingType, Spelling};
use bunraku_syntax::with_ample_stack;
use ruby_prism::{BlockNode, CallNode, DefNode, Node, Visit};

use super::library::text;

/// Reads a resource type and its only provider; nothing if they are anything else than settings of a file.
pub fn read_setting_type(
    declaration: &str,
    provider: &str,
    library: &dyn Fn(&str) -> Option<String>,
) -> Option<SettingType> {
    with_ample_stack(|| {
        let kept = SettingType { separator: "=".to_owned(), has_sections: true, ..SettingType::default() };
        let mut read = Reader { kept, library, said: Vec::new(), depth: 0 };
        read.provider(provider)?;
        let tree = ruby_prism::parse(declaration.as_bytes());
        let call = only_call(&tree.node(), b"newtype")?;
        read.declaration(&call)?;
        (read.kept.path.is_some() || read.kept.takes_path).then_some(read.kept)
    })
}

/// The text of another file, by its path in the directory `lib` of its module.
type Library<'l> = dyn Fn(&str) -> Option<String> + 'l;

/// The only call of a method at the top of a file.
fn only_call<'pr>(root: &Node<'pr>, name: &[u8]) -> Option<CallNode<'pr>> {
    let statements: Vec<Node<'pr>> = root.as_program_node()?.statements().body().iter().collect();
    let mut calls = statements.into_iter().filter_map(|node| node.as_call_node());
    let call = calls.find(|call| call.name().as_slice() == name)?;
    calls.all(|call| call.name().as_slice() != name).then_some(call)
}

/// The source of a node, with one space for any number of them, and without comments of their own lines.
fn source(node: &Node<'_>) -> String {
    let part = text(node.location().as_slice());
    let lines = part.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn statements<'pr>(block: &BlockNode<'pr>) -> Vec<Node<'pr>> {
    let body = block.body().and_then(|body| body.as_statements_node());
    body.map(|body| body.body().iter().collect()).unwrap_or_default()
}

fn block_of<'pr>(call: &CallNode<'pr>) -> Option<BlockNode<'pr>> {
    call.block()?.as_block_node()
}

fn word(node: &Node<'_>) -> Option<String> {
    let symbol = node.as_symbol_node().map(|symbol| text(symbol.unescaped()));
    symbol.or_else(|| node.as_string_node().map(|string| text(string.unescaped())))
}

fn arguments<'pr>(call: &CallNode<'pr>) -> Vec<Node<'pr>> {
    call.arguments().map(|arguments| arguments.arguments().iter().collect()).unwrap_or_default()
}

/// A type that is being read.
struct Reader<'l> {
    kept: SettingType,
    library: &'l Library<'l>,
    /// The methods that providers say something about.
    said: Vec<String>,
    /// How many providers inherit from each other.
    depth: usize,
}

/// How many providers may inherit from each other.
const MOST: usize = 5;

impl Reader<'_> {
    /// Reads a provider, and before it the one it inherits from.
    fn provider(&mut self, text: &str) -> Option<()> {
        let tree = ruby_prism::parse(text.as_bytes());
        let call = only_call(&tree.node(), b"provide")?;
        let arguments = arguments(&call);
        let options = source(arguments.get(1)?).replace(":parent =>", "parent:");
        let parent = options.strip_prefix("parent: Puppet::Type.type(:")?;
        match parent {
            "openstack_config).provider(:ruby)" => {
                self.kept.keeping = Keeping::OpenStack;
                self.kept.may_be_immutable = true;
            }
            "openstack_config).provider(:ini_setting)" => self.kept.may_be_immutable = true,
            "ini_setting).provider(:ruby)" => {
                // Section and setting are parameters, unless the methods below say otherwise.
                self.kept.has_sections = false;
                self.kept.absent_value = None;
            }
            other => {
                let (type_name, name) = other.strip_suffix(')')?.split_once(").provider(:")?;
                self.depth = self.depth.checked_add(1).filter(|depth| *depth <= MOST)?;
                let parent = (self.library)(&format!("puppet/provider/{type_name}/{name}.rb"))?;
                self.provider(&parent)?;
            }
        }
        self.kept.provider = word(arguments.first()?)?;
        for node in statements(&block_of(&call)?) {
            let Some(method) = node.as_def_node() else {
                let is_harmless = node.as_call_node().is_some_and(|call| matches!(call.name().as_slice(), b"desc"));
                if is_harmless {
                    continue;
                }
                return None;
            };
            let name = self::text(method.name().as_slice());
            self.method(&name, &method)?;
            self.said.push(name);
        }
        let is_said = |name: &str| self.said.iter().any(|it| it == name);
        let is_plain = !self.kept.may_be_immutable;
        (!is_plain || (is_said("section") && is_said("setting") && is_said("separator"))).then_some(())
    }

    /// What a method of the provider says; nothing if it says something else than expected.
    fn method(&mut self, name: &str, method: &DefNode<'_>) -> Option<()> {
        let body = method.body().map(|body| source(&body)).unwrap_or_default();
        let literal = literal(method);
        match (name, body.as_str()) {
            ("file_path", "self.class.file_path") => {}
            ("file_path", "resource[:path]") => self.kept.takes_path = true,
            ("file_path", "if not resource[:path] self.class.file_path else resource[:path] end") => {
                self.kept.takes_path = true;
            }
            ("file_path", _) => self.kept.path = Some(literal?),
            ("section", "resource[:name].split('/', 2).first") => self.kept.has_sections = true,
            ("section", "''") => self.kept.has_sections = false,
            ("setting", "resource[:name].split('/', 2).last") if self.kept.has_sections => {}
            ("setting", "resource[:name]") if !self.kept.has_sections => {}
            ("separator", _) => self.kept.separator = literal?,
            ("ensure_absent_val", "resource[:ensure_absent_val]") => {}
            (
                "exists?",
                "if resource[:value] == ensure_absent_val resource[:ensure] = :absent elsif resource[:quote] unless \
                 resource[:value].start_with?('\"') resource[:value] = '\"' + resource[:value] + '\"' end end super",
            ) => self.kept.has_quotes = true,
            (
                "section" | "setting" | "ensure_absent_val" | "exists?" | "create" | "destroy" | "value" | "value="
                | "flush" | "prefetch" | "initialize" | "section_prefix" | "section_suffix" | "indent_char"
                | "indent_width" | "ini_file" | "config" | "transform" | "path",
                _,
            ) => return None,
            _ => {}
        }
        Some(())
    }

    fn declaration(&mut self, call: &CallNode<'_>) -> Option<()> {
        let mut declared = Declared::default();
        self.attributes(statements(&block_of(call)?), &mut declared)?;
        // Values are compared with it by the providers of OpenStack and by those with quotes.
        let compares = self.kept.may_be_immutable || self.kept.has_quotes;
        if !compares || !declared.takes_absent_value {
            self.kept.absent_value = None;
        }
        (!self.kept.has_secrets || declared.has_secret).then_some(())
    }

    /// What a type says of its attributes, or what a method says that it calls for that.
    fn attributes(&mut self, nodes: Vec<Node<'_>>, declared: &mut Declared) -> Option<()> {
        for node in nodes {
            let Some(call) = node.as_call_node() else {
                // A method of its own may change anything, but for one that nobody calls.
                let is_create = |method: DefNode<'_>| {
                    method.name().as_slice() == b"create"
                        && method.body().is_some_and(|body| source(&body) == "provider.create")
                };
                let is_harmless =
                    node.as_instance_variable_write_node().is_some() || node.as_def_node().is_some_and(is_create);
                if is_harmless {
                    continue;
                }
                return None;
            };
            let name = arguments(&call).first().and_then(word).unwrap_or_default();
            match (call.name().as_slice(), name.as_str()) {
                (b"ensurable", "") if call.block().is_none() => {}
                (b"newproperty", "value") => self.value(&call)?,
                (b"newparam", "ensure_absent_val") => {
                    declared.takes_absent_value = true;
                    self.kept.absent_value = default(&call);
                }
                (b"newparam", "key_val_separator") => {
                    self.kept.takes_separator = true;
                    self.kept.separator = default(&call)?;
                }
                (b"newparam", "secret") => declared.has_secret = true,
                (b"newparam", "transform_to") if self.kept.keeping != Keeping::OpenStack => return None,
                (b"newproperty", _) => return None,
                (b"newparam", _) => {}
                (b"autorequire", _) => {
                    let names = Literals::of(&block_of(&call)?)?;
                    self.kept.requires.extend(names.into_iter().map(|title| (name.clone(), title)));
                }
                (b"autonotify", _) => {
                    let names = Literals::of(&block_of(&call)?)?;
                    self.kept.notifies.extend(names.into_iter().map(|title| (name.clone(), title)));
                }
                (b"desc", _) => {}
                (b"extend", _) => {}
                (b"require", _) => declared.required = Some(required(&call)?),
                (method, "") if call.block().is_none() && call.receiver().is_none() => {
                    let text = (self.library)(declared.required.as_ref()?)?;
                    let tree = ruby_prism::parse(text.as_bytes());
                    let mut found = Methods { name: method, found: None };
                    found.visit(&tree.node());
                    self.attributes(found.found?, declared)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// What the property `value` says.
    fn value(&mut self, call: &CallNode<'_>) -> Option<()> {
        let options: Vec<String> = arguments(call).iter().skip(1).map(|it| source(it)).collect();
        self.kept.is_list = match options.join(" ").as_str() {
            "" => false,
            ":array_matching => :all" | "array_matching: :all" => true,
            _ => return None,
        };
        let mut shown = 0;
        let mut compares_lists = false;
        for node in statements(&block_of(call)?) {
            if let Some(method) = node.as_def_node() {
                let body = method.body().map(|body| source(&body)).unwrap_or_default();
                let secret = |what: &str, value: &str| {
                    format!("if resource.secret? return '[{what} secret redacted]' else return {value} end")
                };
                match (text(method.name().as_slice()).as_str(), body) {
                    ("is_to_s", body) if body == secret("old", "currentvalue") => shown += 1,
                    ("should_to_s", body) if body == secret("new", "newvalue") => shown += 1,
                    ("insync?", body)
                        if body
                            == "return true if @should.empty? return false unless is.is_a? Array return false unless \
                                is.length == @should.length return ( is & @should == is or is & \
                                @should.map(&:to_s) == is )" =>
                    {
                        compares_lists = true;
                    }
                    _ => return None,
                }
                continue;
            }
            let call = node.as_call_node()?;
            match call.name().as_slice() {
                b"desc" => {}
                b"munge" => {
                    let words = |how: &str| {
                        format!("value = value.to_s.strip value.{how}! if value =~ /^(true|false)$/i value")
                    };
                    let body = block_of(&call)?.body().map(|body| source(&body))?;
                    self.kept.spelling = match body.as_str() {
                        "value = value.to_s.strip value" | "value.to_s.strip" => Spelling::Kept,
                        body if body == words("capitalize") => Spelling::Capitalized,
                        body if body == words("downcase") => Spelling::Lowercase,
                        _ => return None,
                    };
                }
                b"newvalues" => {
                    let pattern = arguments(&call).first()?.as_regular_expression_node()?;
                    self.kept.pattern = Some(text(pattern.unescaped()));
                }
                _ => return None,
            }
        }
        self.kept.has_secrets = shown == 2;
        (shown != 1 && compares_lists == self.kept.is_list).then_some(())
    }
}

/// What was found while a type was read.
#[derive(Debug, Default)]
struct Declared {
    takes_absent_value: bool,
    has_secret: bool,
    /// The file that may have methods that are called.
    required: Option<String>,
}

/// The file that is loaded, by its path in `lib`: types are two directories below that.
fn required(call: &CallNode<'_>) -> Option<String> {
    let mut literals = Paths::default();
    literals.visit(&call.as_node());
    let up = literals.0.iter().filter(|part| *part == "..").count();
    let parts: Vec<&str> = literals.0.iter().map(String::as_str).filter(|part| *part != "..").collect();
    (up == 2).then(|| format!("{}.rb", parts.join("/").trim_end_matches(".rb")))
}

/// All texts of a piece of code.
#[derive(Default)]
struct Paths(Vec<String>);

impl<'pr> Visit<'pr> for Paths {
    fn visit_string_node(&mut self, node: &ruby_prism::StringNode<'pr>) {
        self.0.push(text(node.unescaped()));
    }
}

/// What a method of a name does.
struct Methods<'n, 'pr> {
    name: &'n [u8],
    found: Option<Vec<Node<'pr>>>,
}

impl<'pr> Visit<'pr> for Methods<'_, 'pr> {
    fn visit_def_node(&mut self, node: &DefNode<'pr>) {
        if node.name().as_slice() == self.name {
            let body = node.body().and_then(|body| body.as_statements_node());
            self.found = body.map(|body| body.body().iter().collect());
        }
    }
}

/// The only text of a method.
fn literal(method: &DefNode<'_>) -> Option<String> {
    let body: Vec<Node<'_>> = method.body()?.as_statements_node()?.body().iter().collect();
    match body.as_slice() {
        [only] => word(only),
        _ => None,
    }
}

/// The text that a parameter has by default.
fn default(call: &CallNode<'_>) -> Option<String> {
    let inner = statements(&block_of(call)?);
    let mut calls = inner.iter().filter_map(Node::as_call_node);
    let default = calls.find(|call| call.name().as_slice() == b"defaultto")?;
    word(arguments(&default).first()?)
}

/// Texts, and nothing but texts and lists of them.
#[derive(Default)]
struct Literals {
    found: Vec<String>,
    is_more: bool,
}

impl Literals {
    fn of(block: &BlockNode<'_>) -> Option<Vec<String>> {
        let mut literals = Literals::default();
        literals.visit(&block.body()?);
        (!literals.is_more).then_some(literals.found)
    }
}

impl<'pr> Visit<'pr> for Literals {
    fn visit_string_node(&mut self, node: &ruby_prism::StringNode<'pr>) {
        self.found.push(text(node.unescaped()));
    }

    fn visit_call_node(&mut self, _: &CallNode<'pr>) {
        self.is_more = true;
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    const PROVIDER: &str = "Puppet::Type.type(:x_config).provide(\n  :openstackconfig,\n  :parent => \
        Puppet::Type.type(:openstack_config).provider(:ruby)\n) do\n  def self.file_path\n    '/etc/x.conf'\n  end\nend\n";

    fn declaration(munge: &str) -> String {
        format!(
            "Puppet::Type.newtype(:x_config) do\n ensurable\n newparam(:name, :namevar => true) do\n newvalues(/\\S+\\/\\S+/)\n \
             end\n newproperty(:value) do\n munge do |value|\n {munge}\n end\n end\n newparam(:ensure_absent_val) do\n \
             defaultto('<SERVICE DEFAULT>')\n end\n autorequire(:anchor) do\n ['x::install::end']\n end\nend\n"
        )
    }

    #[test]
    fn settings_of_a_file_are_recognised() {
        let munge = "value = value.to_s.strip\n value.capitalize! if value =~ /^(true|false)$/i\n value";
        let read = read_setting_type(&declaration(munge), PROVIDER, &|_| None).unwrap();
        assert_eq!((read.path.as_deref(), read.provider.as_str()), (Some("/etc/x.conf"), "openstackconfig"));
        assert_eq!((read.keeping, read.spelling), (Keeping::OpenStack, Spelling::Capitalized));
        assert_eq!(read.absent_value.as_deref(), Some("<SERVICE DEFAULT>"));
        assert_eq!(read.requires, [("anchor".to_owned(), "x::install::end".to_owned())]);
    }

    #[test]
    fn what_is_not_understood_is_left_to_ruby() {
        assert_eq!(read_setting_type(&declaration("value.reverse"), PROVIDER, &|_| None), None);
        let other = PROVIDER.replace("def self.file_path", "def create\n 1\n end\n def self.file_path");
        assert_eq!(read_setting_type(&declaration("value.to_s.strip"), &other, &|_| None), None);
        let other = PROVIDER.replace("provider(:ruby)", "provider(:other)");
        assert_eq!(read_setting_type(&declaration("value.to_s.strip"), &other, &|_| None), None);
    }

    #[test]
    fn providers_inherit_and_types_share_their_attributes() {
        let derived = "Puppet::Type.type(:y_config).provide(:z, :parent => \
                       Puppet::Type.type(:x_config).provider(:openstackconfig)) do\n def self.file_path\n '/etc/y.conf'\n \
                       end\nend\n";
        let shared = "module M\n def create_parameters\n  ensurable\n  newparam(:name)\n  newproperty(:value) do\n   munge do \
                      |value|\n value.to_s.strip\n end\n  end\n end\nend\n";
        let declaration = "Puppet::Type.newtype(:y_config) do\n require File.expand_path(File.join(File.dirname(__FILE__), \
                           '..', '..', 'puppet_x', 'shared'))\n extend M\n create_parameters\n autonotify(:service) do\n \
                           ['y']\n end\nend\n";
        let library = |path: &str| match path {
            "puppet/provider/x_config/openstackconfig.rb" => Some(PROVIDER.to_owned()),
            "puppet_x/shared.rb" => Some(shared.to_owned()),
            _ => None,
        };
        let read = read_setting_type(declaration, derived, &library).unwrap();
        assert_eq!((read.path.as_deref(), read.provider.as_str()), (Some("/etc/y.conf"), "z"));
        assert_eq!((read.keeping, read.may_be_immutable), (Keeping::OpenStack, true));
        assert_eq!(read.notifies, [("service".to_owned(), "y".to_owned())]);
        assert_eq!(read_setting_type(declaration, derived, &|_| None), None);
    }
}
