//! Data and templates.

use std::fmt::Write;

use super::Workload;
use super::language::thousands;

/// Twelve levels, eight of which have a file for each of 24 values of a variable: 192 files, and four more.
pub(super) fn lookups(count: usize) -> Workload {
    let mut hierarchy =
        String::from("---\nversion: 5\ndefaults: { datadir: data, data_hash: yaml_data }\nhierarchy:\n");
    let mut files = Vec::new();
    let data = |level: usize, file: usize| {
        let mut text = String::from("---\n");
        for key in 0..100 {
            _ = writeln!(
                text,
                "key{key}:\n  level{level}: {{ a: {key}, b: [1, {file}] }}\n  common: [{level}, {file}]"
            );
        }
        text
    };
    for level in 0..12 {
        if level < 8 {
            _ = writeln!(hierarchy, "  - name: level {level}\n    path: \"level{level}/%{{group}}.yaml\"");
            files.extend((0..24).map(|file| (format!("data/level{level}/g{file}.yaml"), data(level, file))));
        } else {
            _ = writeln!(hierarchy, "  - name: level {level}\n    path: \"level{level}.yaml\"");
            files.push((format!("data/level{level}.yaml"), data(level, 0)));
        }
    }
    files.push(("hiera.yaml".to_owned(), hierarchy));
    let code = format!(
        "$group = 'g7'\n$r = Integer[1, {count}].map |$i| {{ lookup(\"key${{$i % 100}}\", Hash, 'deep') }}\nnotice($r.size)"
    );
    let name = format!("{} deep lookups over 12 levels and 200 files", thousands(count));
    Workload::new("lookups", name, 100, code).with_files(files)
}

pub(super) fn templates() -> Workload {
    let mut files = Vec::new();
    let mut code = String::from("class t {\n  $list = ['a', 'b', 'c']\n  $name_of = 'web'\n");
    for template in 0..300 {
        files.push((
            format!("modules/t/templates/e{template}.erb"),
            format!("# {template}\n<% @list.each do |it| -%>\nitem <%= it %> of <%= @name_of %>\n<% end -%>\n"),
        ));
        files.push((
            format!("modules/t/templates/p{template}.epp"),
            format!("# {template}\n<% $list.each |$it| {{ -%>\nitem <%= $it %> of <%= $name_of %>\n<% }} -%>\n"),
        ));
        _ = writeln!(
            code,
            "  file {{ '/e{template}': content => template('t/e{template}.erb') }}\n  \
             file {{ '/p{template}': content => epp('t/p{template}.epp', {{ 'list' => $list, 'name_of' => $name_of }}) }}"
        );
    }
    code.push_str("}\n");
    files.push(("modules/t/manifests/init.pp".to_owned(), code));
    Workload::new("templates", "300 ERB and 300 EPP templates", 5, "include t").with_files(files)
}
