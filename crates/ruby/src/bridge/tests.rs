//! Templates and functions in a session, with a compiler that answers little.

use std::sync::Arc;

use bunraku_compiler::change::Replaced;
use bunraku_environment::Memory;
use bunraku_pcore::Value;

use super::*;
use crate::sidecar::{HostError, HostResult, RubyBlock, Variable};

/// A compiler with one variable; it keeps what it is told.
#[derive(Default)]
struct Compiler {
    list: Option<Value>,
    done: Vec<String>,
}

impl Host for Compiler {
    fn variable(&mut self, name: &str) -> Variable {
        match name {
            "list" => Variable::Found(self.list.get_or_insert_with(|| Value::array(["b".into(), "a".into()])).clone()),
            _ => Variable::NotFound { name: name.to_string(), reason: "it is not there".to_string() },
        }
    }
    fn variables(&mut self) -> Vec<(String, Value)> {
        Vec::new()
    }
    fn set_variable(&mut self, name: &str, value: Value) -> HostResult {
        self.done.push(format!("{name} = {value}"));
        Ok(Value::Undef)
    }
    fn values_changed(&mut self, replaced: &Replaced) {
        #[expect(clippy::iter_over_hash_type, reason = "there is one")]
        for value in replaced.values() {
            self.list = Some(value.clone());
            self.done.push(format!("the list is {value}"));
        }
    }
    fn has_function(&mut self, _: &str) -> bool {
        true
    }
    fn call_function(&mut self, name: &str, args: Vec<Value>, block: Option<&dyn RubyBlock>) -> HostResult {
        if let Some(block) = block {
            return Ok(block.call(self, &args)?);
        }
        if name == "fail" {
            return Err(HostError::message("failed on purpose"));
        }
        Ok(Value::string(format!("{name}({})", Value::array(args))))
    }
    fn call_block(&mut self, args: Vec<Value>) -> HostResult {
        Ok(Value::string(format!("block({})", Value::array(args))))
    }
    fn log(&mut self, level: &str, message: &str, _: Option<&str>) {
        self.done.push(format!("{level}: {message}"));
    }
}

fn environment() -> RubyEnvironment {
    let settings = vec![("strict".to_string(), "error".into()), ("log_level".to_string(), "notice".into())];
    RubyEnvironment { name: "production".to_string(), load_path: vec!["/m/lib".to_string()], settings }
}

fn shown(result: Result<String, Failure>, compiler: &Compiler) -> String {
    let result = result.map_err(|failure| match failure {
        Failure::Unsupported { otherwise: Some(error), .. } => Failure::Error(*error),
        other => other,
    });
    let text = match result {
        Ok(text) => text,
        Err(Failure::Error(error)) => {
            format!("{}: {} at {:?}", error.class.unwrap_or_default(), error.message, error.line.unwrap_or_default())
        }
        Err(Failure::Unsupported { reason, is_clean, .. }) => {
            format!("unsupported: {reason}, clean: {is_clean}")
        }
    };
    [vec![text], compiler.done.clone()].concat().join("|")
}

/// What a template gives, followed by what it does.
fn template(text: &str, expected: &str) {
    let mut compiler = Compiler::default();
    let world: Arc<dyn World> = Arc::new(Memory::default());
    let text: Arc<str> = text.into();
    let read = Templates::default().read(&text, Some("/m/t.erb"));
    let result =
        with_session(&environment(), world, false, &mut compiler, |vm| read.render(vm, Some("/m/t.erb"), &text));
    assert_eq!(shown(result, &compiler), expected, "{text}");
}

/// What a function gives for some arguments.
fn function(path: &str, text: &str, args: &[Value], block: Option<i64>, expected: &str) {
    let mut compiler = Compiler::default();
    let world: Arc<dyn World> = Arc::new(Memory::default());
    let text: Arc<str> = text.into();
    let result = with_session(&environment(), world, false, &mut compiler, |vm| {
        let described = function::describe(vm, path, &text)?;
        function::call(vm, &described, Some(0), args, block, false).map(|value| value.to_string())
    });
    assert_eq!(shown(result, &compiler), expected, "{text}");
}

#[test]
fn templates_are_rendered() {
    template("<% @list.sort.each do |x| -%>\n<%= x %>\n<% end -%>\n", "a\nb\n");
    template("<%= scope['list'].first %> <%= scope.lookupvar('list').size %>", "b 2");
    template("<%= scope.function_upcase(['x']) %>", "upcase([x])");
    template("<%= scope.call_function('map', [@list]) { |l| l.map { |x| x + '!' }.join } %>", "b!a!");
    template("<%= has_variable?('list') %> <%= scope.include?('other') %> <%= @other.inspect %>", "true false nil");
    template("<% if template_source =~ /erb/ %>yes<% end %>", "yes");
}

#[test]
fn changes_are_told() {
    template("<% @list << 'c' %><%= scope['list'].size %>", "3|the list is [b, a, c]");
    template("<% y = @list.dup; y << 'c' %><%= @list.size %>", "2");
    template("<% scope.setvar('x', [1]); scope['x'] << 2 %><%= scope['x'].inspect %>", "[1, 2]|x = [1]");
}

#[test]
fn errors_have_their_place() {
    template("\n<%= nil.size %>", "NoMethodError: undefined method `size' for nil:NilClass at 2");
    template("<%= scope['other'] %>", "ArgumentError: Undefined variable 'other'; it is not there at 1");
    template("\n\n<% scope.function_fail([]) %>", "Puppet::ParseError: failed on purpose at 10");
    template(
        "<% begin; scope.function_fail([]); rescue Puppet::Error => e %><%= e.message %><% end %>",
        "failed on purpose",
    );
}

#[test]
fn what_only_ruby_has_is_left_to_it() {
    template(
        "<%= ObjectSpace.count_objects.size %>",
        "unsupported: the method ObjectSpace.count_objects (/m/t.erb:1), clean: true",
    );
    template("<%= (require 'fiddle') rescue 'none' %>", "unsupported: the library fiddle (/m/t.erb:1), clean: true");
    template(
        "<%= ''.unicode_normalize!(:nfd, 1) rescue 2 %>",
        "unsupported: the method String#unicode_normalize! (/m/t.erb:1), clean: true",
    );
    template("<%= begin; require 'some_gem'; rescue LoadError; 'none'; end %>", "none");
    template("<%= Digest::MD5.hexdigest('a') + 'x y'.shellescape %>", "0cc175b9c0f1b6a831c399e269772661x\\ y");
}

#[test]
fn functions_are_called() {
    let path = "/m/lib/puppet/functions/f.rb";
    let text = "Puppet::Functions.create_function(:f) do
      dispatch :f do
        param 'String', :a
        optional_param 'Integer', :b
        return_type 'String'
      end
      def f(a, b = 2)
        Puppet.warning('careful')
        a * b
      end
    end";
    function(path, text, &["ab".into()], None, "abab|warning: careful");
    let text = "Puppet::Functions.create_function(:f, Puppet::Functions::InternalFunction) do
      dispatch :f do
        scope_param
        param 'Any', :a
        block_param
      end
      def f(scope, a) = yield(a, scope['list'].size) + call_function('size', a)
    end";
    function(path, text, &[1.into()], Some(2), "block([1, 2])size([1])");
}

#[test]
fn functions_of_the_old_kind_are_called() {
    let path = "/m/lib/puppet/parser/functions/f.rb";
    let text = "module Puppet::Parser::Functions
      newfunction(:f, :type => :rvalue, :doc => 'x') do |args|
        raise Puppet::ParseError, 'f(): wrong' if args.empty?
        return args[0].map { |x| x.upcase } if args[0].is_a?(Array)
        lookupvar('list').join(args[0])
      end
    end";
    function(path, text, &["-".into()], None, "b-a");
    function(path, text, &[Value::array(["x".into()])], None, "[X]");
    function(path, text, &[], None, "Puppet::ParseError: f(): wrong at 3");
}
