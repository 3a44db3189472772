//! `lookup` from outside: forms of the answer, differences between nodes, places of values, backends in Ruby.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

mod site;

use site::Site;

const HIERA: &str = "version: 5\nhierarchy:\n  - name: node\n    path: '%{trusted.certname}.yaml'\n  - name: common\n    path: common.yaml\n";

fn example(name: &str) -> Site {
    Site::new(
        name,
        &[
            ("production/hiera.yaml", HIERA),
            (
                "production/data/common.yaml",
                "# shared\nport: 80\nh: {a: 1, b: [x, 1.5, ~, true]}\narr: [1, two]\nn: ~\nweb::port: 80\nweb::name: shop\n",
            ),
            ("production/data/a.example.com.yaml", "port: 8080\nweb::port: eighty\n"),
            (
                "production/modules/web/manifests/init.pp",
                "class web(Integer $port, String $name_ = 'x', $other = 1) {}",
            ),
            ("production/manifests/site.pp", "include web\n"),
            ("facts/a.example.com.yaml", "role: a\n"),
            ("facts/b.example.com.yaml", "role: b\n"),
        ],
    )
}

#[test]
fn no_explanation_shows_a_secret() {
    let data = "lookup_options:
  k: {convert_to: Sensitive}
  list: {convert_to: [Sensitive]}
  wrong: {convert_to: 'Sensitive[Integer]'}
  merged: {convert_to: Sensitive, merge: deep}
k: hidden
list: [hidden]
wrong: hidden
merged: {a: hidden}
interpolated: \"%{lookup('k')}\"
alias: \"%{alias('merged')}\"
";
    let site = Site::new(
        "lookup_secrets",
        &[("production/hiera.yaml", "version: 5\n"), ("production/data/common.yaml", data)],
    );
    for key in ["k", "list", "wrong", "merged", "interpolated", "alias", "k.x", "merged.a", "merged.a.b", "list.0"] {
        for form in ["s", "json", "yaml", "flat", "console"] {
            for merge in ["first", "deep"] {
                let (output, messages, _) =
                    site.run(&["lookup", key, "--explain", "--render-as", form, "--merge", merge]);
                assert!(!output.contains("hidden") && !messages.contains("hidden"), "{key} {form}: {output}{messages}");
            }
        }
    }
}

#[test]
fn the_forms_of_an_answer() {
    let site = example("lookup_forms");
    let check = |key: &str, form: &str, expected: &str| {
        let (output, messages, code) = site.run(&["lookup", key, "--render-as", form]);
        assert_eq!((output.as_str(), messages.as_str(), code), (expected, "", 0), "{key} as {form}");
    };
    check("port", "s", "80\n");
    check("port", "yaml", "--- 80\n");
    check("h", "s", "{\"a\"=>1, \"b\"=>[\"x\", 1.5, nil, true]}\n");
    check("h", "json", "{\"a\":1,\"b\":[\"x\",1.5,null,true]}\n");
    check("h", "console", "a  1\nb  [\"x\",1.5,null,true]\n");
    check("h", "flat", "a=1\nb.0=x\nb.1=1.5\nb.2=\nb.3=true\n");
    check("arr", "console", "1\ntwo\n");
    check("arr", "flat", "0=1\n1=two\n");
    check("n", "s", "\n");
    check("n", "console", "null\n");
    let refuse = |form: &str, expected: &str| {
        let (output, messages, code) = site.run(&["lookup", "h", "--render-as", form]);
        assert_eq!((output.as_str(), code), ("", 1));
        assert_eq!(messages, format!("Error: Could not run: {expected}\n"));
    };
    refuse("msgpack", "Hash does not respond to to_msgpack; can not render instances to application/x-msgpack");
    refuse("binary", "Hash does not respond to to_binary; can not render instances to application/octet-stream");
    refuse("bogus", "Unknown rendering format 'bogus'");
}

#[test]
fn two_nodes_are_compared() {
    let site = example("lookup_diff");
    let compare = |args: &[&str]| {
        let all = [&["lookup", "--diff", "a.example.com", "b.example.com", "--facts", "facts"], args].concat();
        let (output, messages, code) = site.run(&all);
        assert_eq!(messages, "");
        (output, code)
    };
    assert_eq!(compare(&["arr", "h.a"]), (String::new(), 0));
    let expected = "port\n  a.example.com: 8080\n    from production/data/a.example.com.yaml:1\n  \
                    b.example.com: 80\n    from production/data/common.yaml:2\n";
    assert_eq!(compare(&["arr", "port", "none"]), (expected.to_owned(), 2));
    let (output, code) = compare(&["--class", "web", "--format", "json"]);
    let output: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(code, 2);
    assert_eq!(output.as_object().unwrap().keys().collect::<Vec<_>>(), ["web::port"]);
    assert_eq!(output["web::port"]["a.example.com"]["value"], "eighty");
    assert_eq!(output["web::port"]["b.example.com"]["found"], true);
    let (_, messages, code) = site.run(&["lookup", "port", "--diff", "a.example.com", "c", "--facts", "facts"]);
    assert_eq!((messages.as_str(), code), ("Error: Could not run: facts has no facts of the node c\n", 1));
}

#[test]
fn a_wrong_parameter_names_the_data() {
    let site = example("lookup_place");
    site.keep_facts(&["a.example.com"]);
    let (output, messages, code) = site.run(&["catalog", "compile", "a.example.com"]);
    assert_eq!((output.as_str(), code), ("", 1));
    let lines: Vec<&str> = messages.lines().collect();
    assert!(
        lines[0].contains("Class[Web]: parameter 'port' expects an Integer value, got String (file: "),
        "{messages}"
    );
    assert!(lines[1].starts_with("  note: the value of 'web::port' comes from "), "{messages}");
    assert!(lines[1].ends_with(" production/data/a.example.com.yaml:2"), "{messages}");
    assert_eq!(lines.len(), 2, "{messages}");
    // A value that the code gives is not the fault of data.
    site.write("production/manifests/site.pp", "class { 'web': port => 'x' }\n");
    assert_eq!(site.run(&["catalog", "compile", "a.example.com"]).1.lines().count(), 1);
}

#[test]
fn backends_in_ruby() {
    let site = example("lookup_ruby");
    site.write(
        "production/hiera.yaml",
        "version: 5\nhierarchy:\n  - name: ruby\n    lookup_key: web::key\n    path: x.txt\n",
    );
    site.write("production/data/x.txt", "hello");
    let function = "Puppet::Functions.create_function(:'web::key') do
      dispatch(:key) { param 'String', :key; param 'Hash', :options; param 'Puppet::LookupContext', :context }
      def key(key, options, context)
        context.not_found unless key.start_with?('file')
        context.explain { 'reading' }
        context.cached_file_data(options['path']) { |text| text.upcase }
      end
    end\n";
    site.write("production/modules/web/lib/puppet/functions/web/key.rb", function);
    assert_eq!(site.run(&["lookup", "file"]), ("--- HELLO\n".to_owned(), String::new(), 0));
    assert_eq!(site.run(&["lookup", "none"]), (String::new(), String::new(), 1));
    let (explanation, _, _) = site.run(&["lookup", "file", "--explain"]);
    assert!(
        explanation.contains("reading") && explanation.contains("Found key: \"file\" value: \"HELLO\""),
        "{explanation}"
    );
    assert_eq!(site.run(&["lookup", "file", "--ruby", "no-such-ruby"]), ("--- HELLO\n".to_owned(), String::new(), 0));
    // A file is read once, however often it is asked for data.
    let told = function.replace("text.upcase", "Puppet.notice('reads'); text.upcase");
    site.write("production/modules/web/lib/puppet/functions/web/key.rb", &told);
    site.write("production/manifests/site.pp", "notice(lookup('file1'), lookup('file2'))\n");
    let (_, messages, code) = site.run(&["catalog", "compile", "a.example.com", "--ruby", "no-such-ruby"]);
    assert_eq!((messages.matches("Notice: reads").count(), code), (1, 0), "{messages}");
    // What only a real Ruby can do is refused without one.
    let objects = function.replace("text.upcase", "ObjectSpace.count_objects.to_s");
    site.write("production/modules/web/lib/puppet/functions/web/key.rb", &objects);
    let (_, messages, code) = site.run(&["lookup", "file", "--ruby", "no-such-ruby"]);
    assert_eq!(code, 1);
    assert!(messages.contains("web/key.rb"), "{messages}");
}

#[test]
fn a_backend_in_ruby_is_passed_over_with_a_warning() {
    let site = Site::new(
        "lookup_backend",
        &[
            (
                "conf/hiera.yaml",
                "---\n:backends:\n  - mysql\n  - yaml\n:hierarchy: [common]\n:yaml:\n  :datadir: data\n",
            ),
            ("data/common.yaml", "k: 1\n"),
        ],
    );
    let (output, messages, code) = site.run(&["lookup", "k", "--hiera_config", "conf/hiera.yaml"]);
    assert_eq!((output.as_str(), code), ("--- 1\n", 0), "{messages}");
    assert!(messages.contains("The Hiera 3 backend 'mysql' is written in Ruby and is not run"), "{messages}");
    assert!(messages.contains("(file: conf/hiera.yaml, line: 3)"), "{messages}");
}

#[test]
fn a_value_may_look_like_a_flag() {
    let hierarchy = "version: 5\nhierarchy:\n  - {name: a, path: a.yaml}\n  - {name: b, path: b.yaml}\n";
    let site = Site::new(
        "lookup_prefix",
        &[
            ("production/hiera.yaml", hierarchy),
            ("production/data/a.yaml", "k: {l: ['--x', z]}\n"),
            ("production/data/b.yaml", "k: {l: [x, y]}\n"),
        ],
    );
    for prefix in [&["--knock-out-prefix", "--"][..], &["--knock_out_prefix=--"]] {
        let (output, _, code) = site.run(&[&["lookup", "k", "--merge", "deep"], prefix].concat());
        assert_eq!((output.as_str(), code), ("---\nl:\n- \"y\"\n- z\n", 0));
    }
}
