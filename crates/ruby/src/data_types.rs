//! Data types that modules create in Ruby: `Puppet::DataTypes.create_type`. Their interface is Puppet and is read without
//! running Ruby; what their functions do, only Ruby knows.

use bunraku_compiler::issues;
use bunraku_syntax::Issue;
use ruby_prism::{CallNode, Node, Visit};

/// The function that calls methods of such types, for the helper.
pub(crate) const CALL_MEMBER: &str = include_str!("shim/call_member.rb");

/// What a file creates.
#[derive(Debug, PartialEq)]
pub(crate) struct DataTypeFile {
    /// The name of the type.
    name: String,
    /// The entries of its initialization hash, in Puppet.
    interface: String,
    /// Whether functions have an implementation.
    pub(crate) is_implemented: bool,
}

impl DataTypeFile {
    /// Reads the file of the type that is looked for under a name.
    pub(crate) fn read(path: &str, text: &str, wanted: &str) -> Result<DataTypeFile, Issue> {
        if !text.contains("Puppet::DataTypes.create_type") {
            return Err(issues::runtime(format!(
                "The code loaded from {path} does not seem to be a Puppet 5x API data type - no create_type call."
            )));
        }
        let parsed = ruby_prism::parse(text.as_bytes());
        let mut found = Found::default();
        found.visit(&parsed.node());
        let Found { name: Some(name), interface, is_implemented } = found else { return Err(unreadable(path)) };
        let failure = |message: &str| issues::runtime(format!("Data Type Load Error for type '{name}': {message}"));
        let interface = match interface.as_slice() {
            [] => return Err(failure("a data type must have an interface")),
            [Some(interface)] => interface.clone(),
            [None] => return Err(unreadable(path)),
            _ => return Err(failure("a data type can only have one interface")),
        };
        if !name.eq_ignore_ascii_case(wanted) {
            return Err(issues::runtime(format!(
                "The code loaded from {path} produced mis-matched name, expected '{wanted}', got {name}"
            )));
        }
        Ok(DataTypeFile { name, interface, is_implemented })
    }

    /// The same type, declared in Puppet.
    pub(crate) fn declaration(&self) -> String {
        format!("type {} = Object[{{ {} }}]", self.name, self.interface)
    }
}

fn unreadable(path: &str) -> Issue {
    issues::runtime(format!(
        "the data type that {path} creates is only known to Ruby: its name and interface must be literal"
    ))
}

/// What is looked for in a file.
#[derive(Default)]
struct Found {
    name: Option<String>,
    /// One entry for each interface; nothing if it is no literal.
    interface: Vec<Option<String>>,
    is_implemented: bool,
}

impl<'pr> Visit<'pr> for Found {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        let argument = || node.arguments().and_then(|arguments| arguments.arguments().first());
        match node.name().as_slice() {
            b"create_type" => self.name = self.name.take().or_else(|| literal(&argument()?)),
            b"interface" if node.receiver().is_none() => {
                self.interface.push(argument().and_then(|argument| literal(&argument)));
            }
            b"implementation" | b"implementation_class" => self.is_implemented = true,
            _ => {}
        }
        ruby_prism::visit_call_node(self, node);
    }
}

/// The text of a string, heredoc or symbol without interpolation.
fn literal(node: &Node<'_>) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    if let Some(string) = node.as_string_node() {
        return text(string.unescaped());
    }
    if let Some(symbol) = node.as_symbol_node() {
        return text(symbol.unescaped());
    }
    let parts = node.as_interpolated_string_node()?;
    parts.parts().iter().map(|part| text(part.as_string_node()?.unescaped())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_are_read() {
        let check = |body: &str, expected: Result<&str, &str>| {
            let text = format!("Puppet::DataTypes.create_type('M::T') do\n{body}\nend\n");
            let read = DataTypeFile::read("t.rb", &text, "m::t");
            let read = read.map(|file| format!("{} {}", file.declaration(), file.is_implemented));
            let read = read.as_ref().map(String::as_str).map_err(|issue| issue.message());
            assert_eq!(read, expected, "{body}");
        };
        check("interface 'attributes => {}'", Ok("type M::T = Object[{ attributes => {} }] false"));
        check(
            "interface <<-PUPPET\n  a => 1\n  PUPPET\nimplementation do\n  def x\n  end\nend",
            Ok("type M::T = Object[{   a => 1\n }] true"),
        );
        check(
            "implementation_class X",
            Err("Data Type Load Error for type 'M::T': a data type must have an interface"),
        );
        check(
            "interface '1'\ninterface '2'",
            Err("Data Type Load Error for type 'M::T': a data type can only have one interface"),
        );
        check(
            "interface TEXT",
            Err("the data type that t.rb creates is only known to Ruby: its name and interface must be literal"),
        );
    }
}
