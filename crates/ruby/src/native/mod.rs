//! Runs Ruby without Ruby, as far as it is known here: ERB templates, and functions of modules.
//!
//! A template becomes a tree once (`scanner`, `lower`) and is then run (`interpret`, `methods`). Whatever is not known
//! here, and every exception, leaves the template to Ruby: it has done nothing yet that could be seen, so Ruby renders it
//! from the beginning, and errors have Ruby's words.

mod class;
mod compare;
mod convert;
mod function;
mod functions;
mod interpret;
mod lower;
mod lower_control;
mod method;
mod methods;
mod pattern;
mod run;
mod scanner;
mod shortcut;
mod show;
mod tree;
mod value;

use std::sync::Arc;

pub use self::function::NativeFunction;

use bunraku_environment::Cache;
use bunraku_pcore::Regexps;

use self::interpret::Interpreter;
use self::run::Run;
use self::tree::Tree;
use crate::sidecar::Host;

/// How many templates are remembered, in bytes of their text.
const MOST_BYTES: usize = 32 << 20;
/// What a template costs beyond its length.
const BYTES_EACH: usize = 1024;

/// Templates that were read once, by their text; nothing for one that is not correct.
pub struct Templates {
    trees: Cache<Arc<str>, Option<Arc<Tree>>>,
    /// The regular expressions that templates make as they run: most make the same ones every time.
    regexps: Regexps,
}

impl Default for Templates {
    fn default() -> Self {
        Templates { trees: Cache::new(MOST_BYTES), regexps: Regexps::default() }
    }
}

impl Templates {
    /// Renders a template; nothing where only Ruby can, and then nothing has happened either, save for logs.
    pub fn render(&self, text: &Arc<str>, host: &mut dyn Host) -> Option<String> {
        let tree = self.tree(text)?;
        let mut run = Run::new(host, self);
        let rendered = Interpreter::render(&tree, &mut run).ok()?;
        run.finish().ok()?;
        Some(rendered)
    }

    /// Whether a template has something in it that needs Ruby when it is reached.
    pub fn may_need_ruby(&self, text: &Arc<str>) -> bool {
        self.tree(text).is_none_or(|tree| !tree.is_known)
    }

    fn tree(&self, text: &Arc<str>) -> Option<Arc<Tree>> {
        self.trees.get(&**text).unwrap_or_else(|| {
            let tree = scanner::scan(text).and_then(|scanned| lower::lower(&scanned)).map(Arc::new);
            self.trees.insert(text.clone(), text.len().saturating_add(BYTES_EACH), tree.clone());
            tree
        })
    }
}

#[cfg(test)]
mod tests {
    use bunraku_pcore::Value;

    use super::*;
    use crate::sidecar::{HostError, HostResult, RubyBlock, Variable};

    /// A compiler with one variable; it keeps what a template does.
    #[derive(Default)]
    struct Compiler {
        done: Vec<String>,
    }

    impl Host for Compiler {
        fn variable(&mut self, name: &str) -> Variable {
            match name {
                "list" => Variable::Found(Value::array([Value::string("b"), Value::string("a")])),
                _ => Variable::NotFound { name: name.to_string(), reason: String::new() },
            }
        }
        fn variables(&mut self) -> Vec<(String, Value)> {
            Vec::new()
        }
        fn set_variable(&mut self, name: &str, value: Value) -> HostResult {
            self.done.push(format!("{name} = {value}"));
            Ok(Value::Undef)
        }
        fn variable_changed(&mut self, name: &str, value: Value) {
            self.done.push(format!("{name} becomes {value}"));
        }
        fn is_native_function(&mut self, _: &str) -> bool {
            true
        }
        fn call_function(&mut self, name: &str, args: Vec<Value>, _: Option<&dyn RubyBlock>) -> HostResult {
            Ok(Value::string(format!("{name}({})", Value::array(args))))
        }
        fn call_block(&mut self, _: Vec<Value>) -> HostResult {
            Err(HostError::message("there is no block"))
        }
        fn log(&mut self, _: &str, _: &str, _: Option<&str>) {}
        fn read_template(&mut self, name: &str) -> Option<Arc<str>> {
            Some(format!("{name}: <%= @list.first %>").into())
        }
    }

    /// What a template gives, followed by what it does.
    fn check(template: &str, expected: Option<&str>) {
        let mut compiler = Compiler::default();
        let rendered = Templates::default().render(&template.into(), &mut compiler);
        let shown = rendered.map(|text| [vec![text], compiler.done.clone()].concat().join("|"));
        assert_eq!(shown.as_deref(), expected, "{template}");
        assert!(expected.is_some() || compiler.done.is_empty(), "{template} has done something");
    }

    #[test]
    fn templates_are_rendered() {
        check("<% @list.sort.each do |x| -%>\n<%= x %>\n<% end -%>\n", Some("a\nb\n"));
        check("<%= scope.function_upcase(['x']) %>", Some("upcase([x])"));
        check("<%= scope.function_template(['m/t.erb']) %>", Some("m/t.erb: b"));
    }

    #[test]
    fn exceptions_are_rescued() {
        let is_address = |text: &str, expected| {
            let template =
                "begin\nIPAddr.new(a)\nx = 'yes'\nrescue ArgumentError => e\nx = 'no'\nensure\nx += '!'\nend";
            check(&format!("<% require 'ipaddr'; a = '{text}'; {template} %><%= x %>"), expected);
        };
        is_address("192.0.2.1", Some("yes!"));
        is_address("[2001:db8::1]", Some("yes!"));
        is_address("192.0.2.01", Some("no!"));
        is_address("*", Some("no!"));
        is_address("192.0.2.0/24", None);
        check("<%= (IPAddr.new('x') rescue 'none') %>", Some("none"));
        check("<% begin; IPAddr.new('x'); rescue Exception => e; end %><%= e %>", None);
        check("<%= IPAddr.new('x') %>", None);
    }

    #[test]
    fn what_a_template_does_is_told_at_the_end() {
        check("<% @list << 'c' %><%= scope['list'].size %>", Some("3|list becomes [b, a, c]"));
        check("<% scope.setvar('x', [1]); scope['x'] << 2 %><%= scope['x'].inspect %>", Some("[1, 2]|x = [1]"));
        check("<% y = @list.dup; y << 'c' %><%= @list.size %>", Some("2"));
        check("<% @list << 'c'; nil.unknown %>", None);
        check("<% scope.setvar('x', 1); raise 'no' %>", None);
    }

    #[test]
    fn what_only_ruby_knows_is_left_to_it() {
        for template in [
            "<%= `id` %>",
            "<%= ENV['HOME'] %>",
            "<%= nil.length %>",
            "<%= 1 / 0 %>",
            "<%= 9223372036854775807 + 1 %>",
            "<%= scope.function_create_resources(['file', {}]) %>",
            "<% 'a'.freeze << 'b' %>",
            "<%= [3, 'a'].sort %>",
            "<%= if %>",
        ] {
            check(template, None);
        }
    }

    #[test]
    fn nothing_runs_without_end() {
        for template in [
            "<% while true; end %>",
            "<% def f(x) f(x) end %><%= f(1) %>",
            "<% s = 'x' * 1000; 60.times { s += s } %>",
            "<% a = [1]; 60.times { a += a } %>",
            "<% a = []; a << a %>",
            "<% a = [1]; 200.times { a = [a] } %><%= a.flatten.inspect %>",
            "<% a = [1]; 60.times { a = [a, a] } %><%= a.inspect %>",
            "<%= 'x'.ljust(10**15) %><%= '%999999999d' % 1 %>",
            "<%= (1..10**15).to_a.size %>",
        ] {
            check(template, None);
        }
        check("<% a = []; 100_000.times { a = [a] } %>deep", Some("deep"));
    }
}
