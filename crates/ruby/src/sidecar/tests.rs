//! The helper as its users see it: templates, functions of both kinds, data functions, and what misbehaves.

use bunraku_pcore::Type;

use super::*;

/// A compiler with a few variables and functions.
#[derive(Default)]
struct TestHost {
    variables: Vec<(String, Value)>,
    logs: Vec<String>,
    asked: Vec<String>,
}

/// A value from its form on the pipe.
fn value(json: Json) -> Value {
    Values::default().decode(&json, &mut TestHost::default()).unwrap()
}

impl TestHost {
    fn with(variables: Json) -> Self {
        let variables = variables.as_object().cloned().unwrap_or_default();
        let variables = variables.into_iter().map(|(name, json)| (name, value(json))).collect();
        TestHost { variables, ..TestHost::default() }
    }
}

impl Host for TestHost {
    fn variable(&mut self, name: &str) -> Variable {
        self.asked.push(name.to_string());
        match self.variables.iter().find(|(known, _)| known == name.trim_start_matches("::")) {
            Some((_, value)) => Variable::Found(value.clone()),
            None => Variable::NotFound { name: name.to_string(), reason: String::new() },
        }
    }
    fn variables(&mut self) -> Vec<(String, Value)> {
        self.variables.clone()
    }
    fn has_function(&mut self, name: &str) -> bool {
        name != "missing"
    }
    fn call_function(&mut self, name: &str, args: Vec<Value>, block: Option<&dyn RubyBlock>) -> HostResult {
        match (name, args.first(), block) {
            ("fail", _, _) => Err(HostError::message("it failed")),
            ("return", _, _) => Err(HostError::Unwind),
            (_, Some(Value::Array(items)), Some(block)) => {
                let results: Result<Vec<Value>, RubyError> =
                    items.iter().map(|item| block.call(self, std::slice::from_ref(item))).collect();
                Ok(Value::array(results?))
            }
            _ => Ok(Value::string(format!("{name}({})", Value::array(args)))),
        }
    }
    fn call_block(&mut self, args: Vec<Value>) -> HostResult {
        Ok(Value::string(format!("block({})", Value::array(args))))
    }
    fn log(&mut self, level: &str, message: &str, _: Option<&str>) {
        self.logs.push(format!("{level}: {message}"));
    }
    fn classes(&mut self) -> Vec<String> {
        vec!["settings".to_string(), "main".to_string()]
    }
    fn tags(&mut self) -> Vec<String> {
        vec!["class".to_string()]
    }
    fn setting(&mut self, name: &str) -> Value {
        Value::string(format!("<{name}>"))
    }
    fn parse_type(&mut self, text: &str) -> HostResult {
        Ok(Value::Type(bunraku_pcore::parse::data_type(text)?))
    }
    fn lookup_context(&mut self, context: &Value, method: &str, args: Vec<Value>) -> HostResult {
        match (method, args.as_slice()) {
            ("cache", [key, value]) => {
                self.variables.push((key.to_string(), value.clone()));
                Ok(value.clone())
            }
            ("cached_value", [key]) => Ok(match self.variable(&key.to_string()) {
                Variable::Found(value) => value,
                Variable::NotFound { .. } => Value::Undef,
            }),
            _ => Ok(Value::string(format!("{} {method} {}", Type::infer(context).name(), Value::array(args)))),
        }
    }
}

fn sidecar() -> Sidecar {
    limited(Options::default())
}

fn limited(options: Options) -> Sidecar {
    let environment = RubyEnvironment {
        name: "test".to_string(),
        load_path: vec!["/modules/a/lib".to_string()],
        settings: vec![
            ("strict".to_string(), Value::string("error")),
            ("puppetversion".to_string(), Value::string(crate::PUPPET_VERSION)),
        ],
    };
    Sidecar::new(options, Arc::new(environment))
}

fn render(sidecar: &Sidecar, text: &str) -> String {
    let mut host = TestHost::with(json!({
        "a": "A", "list": [1, 2.5, null, true], "hash": { "k": "v" }, "secret": { "__ptype": "Sensitive", "__pvalue": "s" },
        "m::q": "Q", "re": { "__ptype": "Regexp", "__pvalue": "x" }, "d": { "__ptype": "Default" },
    }));
    match sidecar.render_template(Some("/t.erb"), text, &mut host) {
        Ok(text) => text,
        Err(error) => format!("{:?}: {error}", error.kind),
    }
}

#[test]
fn templates() {
    let sidecar = sidecar();
    let check = |text: &str, expected: &str| assert_eq!(render(&sidecar, text), expected, "{text}");
    check("plain", "plain");
    check("<%= @a %>\n<%- if true -%>\nx\n<%- end -%>\n", "A\nx\n");
    check("<%= @missing.inspect %>", "nil");
    check(
        "<%= @list.inspect %> <%= @hash['k'] %> <%= @re.inspect %> <%= @d.inspect %>",
        "[1, 2.5, nil, true] v /x/ :default",
    );
    check("<%= @secret %> <%= @secret.unwrap %>", "Sensitive [value redacted] s");
    check("<%= scope['a'] %><%= scope.lookupvar('::m::q') %>", "AQ");
    check("<%= scope['nope'] %>", "Raised: Undefined variable 'nope';  (file: /t.erb, line: 1)");
    check("<%= has_variable?('a') %> <%= has_variable?('nope') %>", "true false");
    check(
        "<%= scope.function_upcase(['x']) %> <%= scope.call_function('downcase', ['X']) %>",
        "upcase([x]) downcase([X])",
    );
    check("<%= scope.call_function('map', [[1, 2]]) { |x| x + 1 } %>", "[2, 3]");
    check("<%= classes.inspect %> <%= all_tags.inspect %>", "[\"settings\", \"main\"] [\"class\"]");
    check("<%= instance_variable_get('@a') %>", "A");
    check("<%= file %> <%= __FILE__ %> <%= __LINE__ %>", "/t.erb /t.erb 1");
    check("<%= Puppet[:strict].inspect %> <%= Puppet[:vardir] %> <%= Puppet.version %>", ":error <vardir> 8.28.1");
    check("<% X1 = 1 %><%= X1 %>", "1");
    check("ä <%= 'ö'.length %>", "ä 1");
}

#[test]
fn errors_know_their_line() {
    let sidecar = sidecar();
    let check = |text: &str, expected: &str| assert_eq!(render(&sidecar, text), expected, "{text}");
    check("1\n2\n<% raise 'no' %>", "Raised: no (file: /t.erb, line: 3)");
    let place = "/usr/lib/ruby/vendor_ruby/puppet/parser/functions/fail.rb, line: 10";
    check("\n<%= scope.function_fail([]) %>", &format!("Raised: it failed (file: {place})"));
    check("<% scope.call_function('return', []) %>", "Unwound: the call was left (file: /t.erb)");
    assert!(render(&sidecar, "\n<% if %>").starts_with("Fatal: /t.erb:2: syntax error"));
    assert!(render(&sidecar, "<% foo %>").starts_with("Raised: undefined local variable or method `foo' for"));
    assert!(
        render(&sidecar, "<% scope.function_missing([]) %>")
            .starts_with("Raised: undefined method `function_missing' for")
    );
}

#[test]
fn misbehaviour_is_an_error_of_one_call() {
    let second = Duration::from_secs(1);
    let sidecar = limited(Options { time_limit: second, output_limit: 1 << 20, ..Options::default() });
    let check = |text: &str, expected: &str| {
        assert_eq!(render(&sidecar, text), expected, "{text}");
        assert_eq!(render(&sidecar, "<%= @a %>"), "A", "after {text}");
    };
    check("\n<% loop {} %>", "Limit: no result after 1.0 seconds (file: /t.erb, line: 2)");
    check("<% begin; loop {}; rescue; end %>", "Limit: no result after 1.0 seconds (file: /t.erb, line: 1)");
    check("\n<% exit %>", "Fatal: exit is not allowed here (file: /t.erb, line: 2)");
    check("<% exit! %>", "Died: the Ruby helper ended without a result (file: /t.erb)");
    check("<% Process.kill(:KILL, $$) %>", "Died: the Ruby helper ended without a result (file: /t.erb)");
    check("<% fork %>", "Fatal: fork is not allowed here (file: /t.erb, line: 1)");
    check("<% Process.fork {} %>", "Fatal: fork is not allowed here (file: /t.erb, line: 1)");
    check(
        "<% puts 'x' %>",
        "Raised: standard output is not available to templates and functions (file: /t.erb, line: 1)",
    );
    check("<% STDOUT.puts '' %>ok", "ok");
    check("<%= 'x' * 2_000_000 %>", "Limit: the result is larger than 1048576 bytes (file: /t.erb)");
    check("<% a = 'x' * 2_000_000_000 %>", "Limit: the limit of memory is reached (file: /t.erb)");
    check("<% def r; r; end; r %>", "Limit: stack level too deep (file: /t.erb, line: 1)");
    check("<%= `echo hello` %>", "hello\n");
}

fn call(text: &str, args: &[Json]) -> Result<Value, String> {
    let sidecar = sidecar();
    let mut host = TestHost::default();
    let text: Arc<str> = Arc::from(text);
    let args: Vec<Value> = args.iter().cloned().map(value).collect();
    let function = sidecar.describe_function("/f.rb", &text, &mut host).map_err(|error| error.to_string())?;
    sidecar.call_function(&function, Some(0), &args, None, &mut host).map_err(|error| error.to_string())
}

#[test]
fn functions_of_the_old_kind() {
    let check = |body: &str, args: &[Json], expected: Json| {
        let text = format!("Puppet::Parser::Functions.newfunction(:x, :type => :rvalue) {{ |args| {body} }}");
        assert_eq!(call(&text, args), Ok(value(expected)), "{body}");
    };
    check("args[0] * 2", &[json!("a")], json!("aa"));
    check("Gem::Version.new('1.10') > Gem::Version.new('1.9')", &[], json!(true));
    check("[[2, 2, 1].to_set.size, 'a b'.shellescape, Time.parse('2020-01-02').day]", &[], json!([2, "a\\ b", 2]));
    check(
        "[[1].to_yaml, Time.at(0).utc.iso8601, Time.at(0).to_date.year]",
        &[],
        json!(["---\n- 1\n", "1970-01-01T00:00:00Z", 1970]),
    );
    check("args[0] * 2", &[json!(null)], json!(""));
    check("args[0].inspect", &[json!([null, { "__ptype": "Regexp", "__pvalue": "x" }])], json!("[nil, \"/x/\"]"));
    check("return [function_y([1]), :undef]", &[], json!(["y([1])", null]));
    check("args[0].to_s", &[json!({ "__ptype": "Type", "__pvalue": "Class['x::y']" })], json!("Class[X::Y]"));
    let fails = |text: &str, message: &str| assert_eq!(call(text, &[]), Err(message.to_string()), "{text}");
    fails(
        "module Puppet::Parser::Functions\n newfunction(:x) do |args|\n  raise Puppet::ParseError, 'no'\n end\nend",
        "no (file: /f.rb, line: 3)",
    );
    fails(
        "Puppet::Parser::Functions.newfunction(:x, :type => :rvalue) { |a| Object.new }",
        "an object of the Ruby class Object is not a Puppet value (file: /f.rb)",
    );
    fails("1 + 1", "the file does not define a function (file: /f.rb)");
    assert!(call("def broken(", &[]).unwrap_err().starts_with("/f.rb:1: syntax error"));
}

#[test]
fn functions_of_the_new_kind() {
    let text: Arc<str> = Arc::from(
        "Puppet::Functions.create_function(:'a::b', Puppet::Functions::InternalFunction) do\n  local_types do\n    type 'Port = Integer[1]'\n  end\n  dispatch :one do\n    scope_param\n    param 'Port', :p\n    optional_param 'String', :s\n    repeated_param 'Any', :rest\n    optional_block_param 'Callable[1]', :block\n    return_type 'Array'\n  end\n  def one(scope, p, s = 'd', *rest, &block)\n    [scope.class.name, p, s, rest, block ? block.call(p, 2) : nil, call_function('f', 1)]\n  end\nend",
    );
    let sidecar = sidecar();
    let mut host = TestHost::default();
    let function = sidecar.describe_function("/f.rb", &text, &mut host).unwrap();
    assert_eq!(function.name, "a::b");
    let Signature::New { dispatches, local_types, .. } = &function.signature else { panic!("the new kind") };
    assert_eq!(local_types, &["Port = Integer[1]"]);
    let kinds: Vec<_> = dispatches.iter().flat_map(|d| &d.parameters).map(|p| (p.name.as_str(), p.kind)).collect();
    assert_eq!(
        kinds,
        [("p", ParameterKind::Required), ("s", ParameterKind::Optional), ("rest", ParameterKind::Repeated)]
    );
    let args = [Value::Integer(1), Value::string("x"), Value::Integer(3)];
    let result = sidecar.call_function(&function, Some(0), &args, Some(2), &mut host);
    assert_eq!(result, Ok(value(json!(["Puppet::Parser::Scope", 1, "x", [3], "block([1, 2])", "f([1])"]))));
    let result = sidecar.call_function(&function, Some(0), &[Value::Integer(1)], None, &mut host);
    assert_eq!(result, Ok(value(json!(["Puppet::Parser::Scope", 1, "d", [], null, "f([1])"]))));
}

#[test]
fn values_come_back_as_they_went() {
    let text = "Puppet::Functions.create_function(:same) do\n  def same(x)\n    x\n  end\nend";
    for json in [
        json!([1, -1.5, "ü", true, null, { "a": { "b": [] } }]),
        json!({ "__ptype": "Default" }),
        json!({ "__ptype": "Regexp", "__pvalue": "a/b" }),
        json!({ "__ptype": "Sensitive", "__pvalue": ["s"] }),
        json!({ "__ptype": "Hash", "__pvalue": [1, 2, "__ptype", 3] }),
        json!({ "__ptype": "Binary", "__pvalue": "YWJj" }),
        json!({ "__ptype": "URI", "__pvalue": "http://a/b" }),
        json!({ "__ptype": "Timestamp", "__pvalue": "2020-01-02T03:04:05.000000000 UTC" }),
        json!([{ "__ptype": "Type", "__pvalue": "Variant[Integer[1, 2], Class['a']]" }]),
    ] {
        assert_eq!(call(text, std::slice::from_ref(&json)), Ok(value(json)));
    }
    let large = "Puppet::Functions.create_function(:large) do\n  def large()\n    2**70\n  end\nend";
    let message = "Use of a Ruby Integer outside of Puppet Integer max range, got '0x400000000000000000' (file: /f.rb)";
    assert_eq!(call(large, &[]), Err(message.to_string()));
}

#[test]
fn hiera_backends() {
    let text: Arc<str> = Arc::from(
        "Puppet::Functions.create_function(:data) do
           def data(key, options, context)
             context.not_found if key == 'no'
             context.cache('object', Object.new) unless context.cached_value('object')
             context.cache('plain', 1)
             [context.interpolate(key), context.cached_value('object').class.name, context.cached_value('plain')]
           end
         end",
    );
    let sidecar = sidecar();
    let mut host = TestHost::default();
    let function = sidecar.describe_function("/f.rb", &text, &mut host).unwrap();
    let Some(Type::Object(context_type)) = Type::by_name("Puppet::LookupContext") else { panic!("it is built in") };
    let context = context_type.new_instance(&[Value::Undef]).unwrap();
    let mut look_up = |key: &str| {
        let args = [Value::string(key), value(json!({})), context.clone()];
        sidecar.call_function(&function, Some(0), &args, None, &mut host)
    };
    let expected = value(json!(["Puppet::LookupContext interpolate [k]", "Object", 1]));
    assert_eq!(look_up("k"), Ok(expected.clone()));
    assert_eq!(look_up("k"), Ok(expected));
    assert_eq!(look_up("no").unwrap_err().kind, RubyErrorKind::NotFound);
}

#[test]
fn without_ruby_there_is_one_clear_error() {
    let options = Options { ruby: PathBuf::from("no-such-ruby"), ..Options::default() };
    let environment = RubyEnvironment { name: String::new(), load_path: Vec::new(), settings: Vec::new() };
    let sidecar = Sidecar::new(options, Arc::new(environment));
    let error = sidecar.render_template(Some("/t.erb"), "x", &mut TestHost::default()).unwrap_err();
    assert_eq!(error.kind, RubyErrorKind::Missing);
    assert_eq!(error.file.as_deref(), Some("/t.erb"));
}

#[test]
fn only_named_variables_are_sent() {
    let sidecar = sidecar();
    let mut host = TestHost::with(json!({ "a": 1, "b": 2 }));
    for _ in 0..2 {
        sidecar.render_template(None, "<%= @a %> x@b.c", &mut host).unwrap();
    }
    assert_eq!(host.asked, ["a", "b", "a", "b"]);
}
