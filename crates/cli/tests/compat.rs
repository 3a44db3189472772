//! `compat report` from outside: what needs Ruby is listed without running anything.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

mod site;

use site::Site;

/// Only a real Ruby can end like this.
const FUNCTION: &str = "Puppet::Functions.create_function(:'web::ruby') do\n  def ruby(*) = exit!\nend\n";

#[test]
fn what_needs_ruby_is_listed() {
    let class = "class web(\n  $text = web::ruby(),\n) {\n  file { '/a': content => template('web/a.erb', \"web/${x}.erb\") }\n  \
                 $b = 'x'.web::ruby\n  notice(web::puppet(), upcase('x'), epp('web/c.epp'), web::nowhere())\n}\n";
    let site = Site::new(
        "compat",
        &[
            (
                "production/manifests/site.pp",
                "node default { if true { notice(inline_template('<% exit! %>'), inline_template('x')) } }\n",
            ),
            (
                "production/hiera.yaml",
                "version: 5\nhierarchy:\n  - name: r\n    lookup_key: web::ruby\n  - name: y\n    data_hash: yaml_data\n    path: x.yaml\n",
            ),
            ("production/modules/web/manifests/init.pp", class),
            ("production/modules/web/manifests/plain.pp", "class web::plain { notify { 'x': } }\n"),
            ("production/modules/web/manifests/broken.pp", "class web::broken {\n"),
            ("production/modules/web/functions/puppet.pp", "function web::puppet() { 1 }\n"),
            ("production/modules/web/lib/puppet/functions/web/ruby.rb", FUNCTION),
            ("production/modules/web/lib/puppet/functions/web/puppet.rb", "raise 'not used'\n"),
            ("production/modules/web/templates/a.erb", "<%= @x %>\n<% fork { } %>\n"),
            ("production/modules/web/templates/c.epp", "text\n<%= web::ruby() %>\n"),
        ],
    );
    let (output, messages, code) = site.run(&["compat", "report", "production"]);
    let expected = "production/manifests/site.pp:1: a node definition renders an inline template: the method exit! (inline:1)
production/hiera.yaml:4: lookup_key of the level 'r' is the function web::ruby: the method exit! (production/modules/web/lib/puppet/functions/web/ruby.rb:2)
production/modules/web/manifests/init.pp:2: class web calls the function web::ruby: the method exit! (production/modules/web/lib/puppet/functions/web/ruby.rb:2)
production/modules/web/manifests/init.pp:4: class web renders the template web/a.erb: the method fork (production/modules/web/templates/a.erb:2)
production/modules/web/manifests/init.pp:4: class web renders the template \"web/${x}.erb\"
production/modules/web/manifests/init.pp:5: class web calls the function web::ruby: the method exit! (production/modules/web/lib/puppet/functions/web/ruby.rb:2)
production/modules/web/templates/c.epp:2: this template calls the function web::ruby: the method exit! (production/modules/web/lib/puppet/functions/web/ruby.rb:2)
4 classes, defined types and other users; 3 templates, 1 functions and 1 Hiera backends need Ruby
";
    assert_eq!((output.as_str(), code), (expected, 2));
    assert_eq!(messages, "Warning: production/modules/web/manifests/broken.pp:1: Syntax error at end of input\n");
    let (output, _, code) = site.run(&["compat", "report", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(code, 2);
    assert_eq!(report["needs"].as_array().unwrap().len(), 7);
    assert_eq!(report["summary"]["templates"], 3);
    assert_eq!(report["needs"][2]["user"], "class web");
}

#[test]
fn nothing_needs_ruby() {
    let site = Site::new("compat_none", &[("production/manifests/site.pp", "notify { 'x': }\n")]);
    let (output, messages, code) = site.run(&["compat", "report"]);
    assert!(output.starts_with("0 classes"), "{output}");
    assert_eq!((messages.as_str(), code), ("", 0));
    assert_eq!(site.run(&["compat", "report", "missing"]).2, 1);
}

#[test]
fn resource_types_that_ruby_applies_are_listed() {
    let manifest = "web_thing { ['a', 'b']: }\nweb_thing { 'c': ; 'd': }\nselmodule { 'x': }\nnotify { 'y': }\n\
                    web_config { 'a/b': value => 'c' }\nmysql_user { 'a@b': }\n";
    let provider = "Puppet::Type.type(:web_config).provide(\n  :ini_setting,\n  \
                    :parent => Puppet::Type.type(:ini_setting).provider(:ruby)\n) do\n  def self.file_path\n    \
                    '/etc/web.conf'\n  end\n  def exists?\n    system('false')\n  end\nend\n";
    let site = Site::new(
        "compat_types",
        &[
            ("production/manifests/site.pp", manifest),
            ("production/modules/web/lib/puppet/type/web_thing.rb", "Puppet::Type.newtype(:web_thing) do\nend\n"),
            ("production/modules/web/lib/puppet/provider/web_thing/api.rb", "\n"),
            ("production/modules/web/lib/puppet/type/web_config.rb", "Puppet::Type.newtype(:web_config) do\nend\n"),
            ("production/modules/web/lib/puppet/provider/web_config/ini_setting.rb", provider),
        ],
    );
    let (output, _, code) = site.run(&["compat", "report", "production"]);
    let expected = "selmodule: declared once, applied by a Ruby with Puppet: it has no provider that could be read
web_config (production/modules/web/lib/puppet/type/web_config.rb): declared once, applied by a Ruby with Puppet: its provider adds code of its own to that of ini_setting
web_thing (production/modules/web/lib/puppet/type/web_thing.rb): declared 2 times, applied by a Ruby with Puppet: there is no native one
0 classes, defined types and other users; 0 templates, 0 functions and 0 Hiera backends need Ruby
";
    assert_eq!((output.as_str(), code), (expected, 0));
}
