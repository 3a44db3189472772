//! The programs that both implementations run.

use std::fmt::Write;

/// A program and the environment it is compiled in.
pub(crate) struct Workload {
    /// What it shows.
    pub(crate) name: &'static str,
    /// The main manifest.
    pub(crate) code: String,
    /// Files of the environment: modules, data.
    pub(crate) files: Vec<(String, String)>,
}

fn code(name: &'static str, code: impl Into<String>) -> Workload {
    Workload { name, code: code.into(), files: Vec::new() }
}

/// All of them.
pub(crate) fn workloads() -> Vec<Workload> {
    vec![
        code(
            "100,000 calls of a function in Puppet",
            "function add(Integer $a, Integer $b) >> Integer { $a + $b }\n\
             $sum = Integer[1, 100000].reduce(0) |$memo, $x| { add($memo, $x) }\nnotice($sum)",
        ),
        code(
            "map, filter and reduce over 100,000 elements",
            "$a = Integer[1, 100000].map |$x| { $x * 2 }\n$b = $a.filter |$x| { $x % 3 == 0 }\n\
             $c = $b.reduce |$m, $x| { $m + $x }\nnotice($c)",
        ),
        code(
            "a hash of 3,000 entries built by reduce",
            "$h = Integer[1, 3000].reduce({}) |$m, $x| { $m + { \"k${x}\" => $x } }\nnotice($h.size)",
        ),
        code(
            "50,000 interpolated strings",
            "$s = Integer[1, 50000].map |$x| { \"item ${x} of ${$x * 2}: ${facts} \".length }\nnotice($s.size)",
        ),
        code(
            "case over types, 50,000 times",
            "$r = Integer[1, 50000].map |$x| { case $x { String: { 's' } Float: { 'f' } Integer[0, 10]: { 'low' } \
             Integer: { 'i' } default: { 'd' } } }\nnotice($r.size)",
        ),
        code(
            "50,000 matches of a regular expression",
            "$r = Integer[1, 50000].filter |$x| { \"node${x}.example.com\" =~ /^node(\\d*)7\\./ }\nnotice($r.size)",
        ),
        code(
            "20,000 elements checked against Array[Data]",
            "$a = Integer[1, 20000].map |$x| { { 'a' => [$x, 'b'], 'c' => undef } }\n\
             $r = Integer[1, 20].map |$i| { $a =~ Array[Data] }\nnotice($r.size)",
        ),
        classes(),
        defined_types(),
        files(),
        hiera(),
    ]
}

fn classes() -> Workload {
    let mut files = Vec::new();
    let mut code = String::new();
    for class in 0..101 {
        let mut body = format!("class c{class}::main {{\n");
        for resource in 0..10 {
            _ = writeln!(body, "  notify {{ 'n{class}-{resource}': message => \"of ${{title}}\" }}");
        }
        body.push_str("}\n");
        files.push((format!("modules/c{class}/manifests/main.pp"), body));
        _ = writeln!(code, "include c{class}::main");
    }
    Workload { name: "101 classes with 10 notifies each", code, files }
}

fn defined_types() -> Workload {
    code(
        "2,000 instances of a defined type",
        "define thing(Integer $size, String $text = 'x') { notify { \"t-${title}\": message => \"${size} ${text}\" } }\n\
         Integer[1, 2000].each |$i| { thing { \"t${i}\": size => $i } }",
    )
}

fn files() -> Workload {
    code(
        "5,000 files with collectors and arrows",
        "File { owner => 'root' }\nnotify { 'first': }\nnotify { 'last': }\n\
         Integer[1, 5000].each |$i| { @file { \"/tmp/f${i}\": ensure => file, tag => 'wanted' } }\n\
         File <| tag == 'wanted' |> { mode => '0644' }\nNotify['first'] -> File <| |> -> Notify['last']",
    )
}

fn hiera() -> Workload {
    let mut hierarchy =
        String::from("---\nversion: 5\ndefaults: { datadir: data, data_hash: yaml_data }\nhierarchy:\n");
    let mut files = Vec::new();
    for level in 0..12 {
        _ = writeln!(hierarchy, "  - name: level {level}\n    path: \"level{level}.yaml\"");
        let mut data = String::from("---\n");
        for key in 0..100 {
            _ = writeln!(data, "key{key}:\n  level{level}: {{ a: {key}, b: [1, 2] }}");
        }
        files.push((format!("data/level{level}.yaml"), data));
    }
    files.push(("hiera.yaml".to_owned(), hierarchy));
    let code = "$r = Integer[0, 999].map |$i| { lookup(\"key${$i % 100}\", Hash, 'deep') }\nnotice($r.size)".to_owned();
    Workload { name: "1,000 deep lookups over 12 levels", code, files }
}
