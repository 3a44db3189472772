//! What commands write as JSON fits the schemas that `bunraku schema` prints.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod schema;
mod site;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use running::{Running, configure};
use serde_json::{Value, json};
use site::Site;

/// The schemas, and which were used.
struct Schemas {
    all: BTreeMap<String, Value>,
    used: RefCell<BTreeSet<String>>,
}

impl Schemas {
    fn of(site: &Site) -> Schemas {
        let (list, _, _) = site.outcome(site.plain_command(&["schema"]).output().unwrap());
        let names = list.lines().map(|line| line.split(": ").next().unwrap().to_owned());
        let printed = |name: &str| site.outcome(site.plain_command(&["schema", name]).output().unwrap()).0;
        let all = names.map(|name| (name.clone(), serde_json::from_str(&printed(&name)).unwrap())).collect();
        Schemas { all, used: RefCell::default() }
    }

    /// What a command wrote has to fit.
    fn check(&self, name: &str, text: &str) -> Value {
        let document: Value = serde_json::from_str(text).unwrap_or_else(|error| json!(format!("{error}: {text}")));
        assert_eq!(schema::check(&document, &self.all[name]), Ok(()), "{name}");
        self.used.borrow_mut().insert(name.to_owned());
        document
    }
}

const CLASS: &str = "# @param port\nclass web($port = 80, $host, $name_of = 'x') {\n\tfile { '/etc/web': ensure => file, \
                     mode => '0644', content => Sensitive(\"${port}\") }\n  -> notify { 'done': message => /a+/ }\n}\n";

fn site() -> Site {
    let ruby = "Puppet::Functions.create_function(:'web::ruby') do\n  def ruby(*) = exit!\nend\n";
    let site = Site::new(
        "schemas",
        &[
            ("production/manifests/site.pp", "node default { include web }\nnode other { }\n"),
            (
                "production/hiera.yaml",
                "version: 5\nhierarchy:\n  - name: all\n    paths: ['%{trusted.certname}.yaml', common.yaml]\n",
            ),
            ("production/data/common.yaml", "web::host: here\nweb::port: 8080\nsecret: {a: [1, ~]}\n"),
            ("production/data/b.yaml", "web::host: there\n"),
            ("production/modules/web/manifests/init.pp", CLASS),
            (
                "production/modules/web/manifests/ruby.pp",
                "class web::ruby { notice(web::ruby(), inline_template('<% exit! %>')) }\n",
            ),
            ("production/modules/web/lib/puppet/functions/web/ruby.rb", ruby),
            (
                "production/modules/web/lib/puppet/type/thing.rb",
                "Puppet::Type.newtype(:thing) do\n  newparam(:name)\nend\n",
            ),
            ("facts/a.yaml", "clientcert: a\n"),
            ("facts/b.yaml", "clientcert: b\n"),
            ("wrong.pp", "$x = $y\n$x = 2\nnotify { 'a': mesage => \"${\nclass { }\n"),
            ("apply.pp", "notify { 'x': }\n"),
        ],
    );
    configure(&site, "");
    site.keep_facts(&["a", "b"]);
    site
}

#[test]
fn what_commands_write_fits_its_schema() {
    let site = site();
    let schemas = Schemas::of(&site);
    let run = |args: &[&str]| {
        let (output, messages, code) = site.run(args);
        assert!(!output.is_empty(), "{args:?} ends with {code}: {messages}");
        output
    };

    let catalog = schemas.check("catalog", &run(&["catalog", "compile", "a", "--facts", "facts/a.yaml"]));
    assert!(catalog["resources"].as_array().unwrap().iter().any(|it| it["title"] == "/etc/web"), "{catalog}");
    site.write("a.json", &catalog.to_string());
    site.write("b.json", &run(&["catalog", "compile", "other", "--facts", "facts/b.yaml"]));
    for args in [["a.json", "b.json"], ["b.json", "a.json"], ["a.json", "a.json"]] {
        let (text, _, _) = site.outcome(
            site.plain_command(&[&["catalog", "diff", "--format", "json"], &args[..]].concat()).output().unwrap(),
        );
        schemas.check("catalog-diff", &text);
    }
    for (directory, files) in [("old", ["a", "b"]), ("new", ["b", "c"])] {
        files.iter().for_each(|name| site.write(&format!("{directory}/{name}.json"), &catalog.to_string()));
    }
    site.write("new/b.json", &site.read("b.json"));
    let (text, _, _) =
        site.outcome(site.plain_command(&["catalog", "diff", "--format", "json", "old", "new"]).output().unwrap());
    assert_eq!(schemas.check("catalog-diff", &text)["only_new"], json!(["c"]));

    for args in [
        &["parser", "validate", "--format", "json", "wrong.pp"][..],
        &["catalog", "compile", "--format", "json", "--manifest", "wrong.pp", "--facts", "facts/a.yaml"],
        &["eval", "--format", "json", "-e", "[1, 2].each |$x| { nosuch($x) }"],
        &["eval", "--format", "json", "-e", "file { '/x': ensur => file }"],
        &["eval", "--format", "json", "-e", "$port = 1\nnotice($prot)"],
    ] {
        let (output, messages, _) = site.run(args);
        let text = if output.is_empty() { messages } else { output };
        assert_ne!(schemas.check("diagnostics", &text), json!([]), "{args:?}");
    }

    let of = |rest: &[&str]| run(&[&["lookup", "--format", "json", "--node", "a"], rest].concat());
    for key in ["web::host", "secret.a.0", "nothing"] {
        schemas.check("explanation", &of(&["--explain", key]));
    }
    schemas.check("explanation", &of(&["--explain", "web::host", "--merge", "unique"]));
    let parameters = schemas.check("parameters", &of(&["--class", "web"]));
    assert_eq!(parameters["host"]["origin"], "data");
    let different = ["lookup", "web::host", "web::port", "--diff", "a", "b", "--format", "json"];
    assert!(schemas.check("lookup-diff", &run(&different))["web::host"]["b"]["found"].as_bool().unwrap());

    let report = schemas.check("compat-report", &run(&["compat", "report", "--format", "json"]));
    assert_eq!(report["needs"].as_array().unwrap().len(), 2, "{report}");

    let manifest = "production/modules/web/manifests/init.pp";
    let lint = |rest: &[&str]| {
        let args = [&["lint"], rest, &[manifest, "wrong.pp"]].concat();
        site.outcome(site.plain_command(&args).output().unwrap()).0
    };
    assert_ne!(schemas.check("diagnostics", &lint(&["--format", "json"])), json!([]));
    schemas.check("lint", &lint(&["--json"]));
    schemas.check("lint", &lint(&["--json", "--with-context", "--show-ignored"]));
    lint(&["--write-baseline"]);
    schemas.check("lint-baseline", &site.read("lint-baseline.json"));

    let plan = site.directory.join("plan.json").display().to_string();
    let (_, messages, code) = site.run(&["apply", "apply.pp", "--facts", "facts/a.yaml", "--plan", &plan]);
    assert_eq!(code, 0, "{messages}");
    assert_eq!(schemas.check("plan", &site.read("plan.json"))["changes"].as_array().unwrap().len(), 1);

    let tree = ["parser", "dump", "--format", "json", "-e", "case $a { 1, default: { f({ a => 2.5 }) } } $b = undef"];
    schemas.check("syntax-tree", &run(&tree));

    let server = Running::start(&site, &["--log-format", "json"]);
    server.connect(&site, Some("puppet.test")).get("/status/v1/simple").unwrap();
    let mut has_request = false;
    for line in server.said() {
        has_request |= schemas.check("server-log", &line)["status"] == 200;
    }
    assert!(has_request, "{:?}", server.said());
    let listed =
        site.plain_command(&["ca", "list", "--all", "--format", "json", "--confdir", "conf"]).output().unwrap();
    let listed = schemas.check("certificates", &site.outcome(listed).0);
    assert!(!listed["signed"].as_array().unwrap().is_empty());

    let unused: Vec<&String> = schemas.all.keys().filter(|name| !schemas.used.borrow().contains(*name)).collect();
    assert!(unused.is_empty(), "schemas that nothing was compared with: {unused:?}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let site = Site::new("schemas_refused", &[]);
    let schemas = Schemas::of(&site);
    let refused = |name: &str, document: Value| {
        assert!(schema::check(&document, &schemas.all[name]).is_err(), "{name}: {document}");
    };
    refused("plan", json!({ "node": "a", "changes": [] }));
    refused("plan", json!({ "node": "a", "catalog": "x", "changes": [] }));
    refused("plan", json!({ "node": "a", "catalog": "0".repeat(64), "changes": [], "more": 1 }));
    refused("diagnostics", json!([{ "file": null, "severity": "bad", "message": "x" }]));
    refused("catalog-diff", json!({ "equal": true }));
    refused("lint-baseline", json!({ "files": { "a": { "b": { "c": 0 } } } }));
    refused("syntax-tree", json!({ "^": [] }));
}
