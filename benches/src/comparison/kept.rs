//! What a process keeps that compiles for a long time, while the code and data of its environments change.

use std::path::Path;
use std::process::Command;

use bunraku::{Disk, Node, Project, RunMode, Settings};
use serde_json::{Value as Json, json};

use super::memory;
use crate::{Result, ours};

/// How many catalogs are compiled, and after how many of them files change.
const COMPILATIONS: usize = 10_000;
const CHANGED_AFTER: usize = 25;

/// After how many compilations memory is measured.
const MEASURED: [usize; 4] = [100, 1_000, 5_000, COMPILATIONS];

/// How many classes an environment has, and for how many nodes it is compiled.
const CLASSES: usize = 40;
const NODES: usize = 50;

/// What was found, as a sentence. The work is done in a process of its own.
pub fn text(directory: &Path) -> Result<String> {
    let output = Command::new(std::env::current_exe()?).arg("keep").arg(directory).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let found: Vec<(usize, u64)> = serde_json::from_slice(&output.stdout)?;
    let shown = found.iter().map(|(count, private)| format!("{:.1} MB after {count}", *private as f64 / 1024.0));
    Ok(format!(
        "A process that compiles {COMPILATIONS} catalogs of two environments, a manifest, a template and data of which \
         change after every {CHANGED_AFTER}, has private memory of {}.",
        shown.collect::<Vec<_>>().join(", ")
    ))
}

/// Compiles for a long time, and tells the private memory in kilobytes after so many compilations.
pub fn keep(directory: &Path) -> Result<Json> {
    let names = ["production", "staging"];
    for name in names {
        write(&directory.join(name), 0)?;
    }
    let mut settings = Settings::new(RunMode::Server);
    settings.set("environmentpath", directory.to_string_lossy());
    let project = Project::new(std::sync::Arc::new(Disk), settings);
    let mut found = Vec::new();
    for count in 1..=COMPILATIONS {
        let Some(name) = names.get(count % names.len()) else { continue };
        if count % CHANGED_AFTER == 0 {
            change(&directory.join(name), count)?;
        }
        let mut node = Node::new(format!("node{}.example.com", count % NODES));
        node.facts = std::sync::Arc::new([("number".into(), i64::try_from(count)?.into())].into_iter().collect());
        drop(ours::compile(&*project.compiler(name)?, &node)?);
        if MEASURED.contains(&count) {
            found.push(json!([count, memory().ok_or("this system does not tell its memory")?.private]));
        }
    }
    Ok(Json::from(found))
}

/// An environment in which every class looks data up, has templates of both kinds, and code that differs for each node.
fn write(root: &Path, version: usize) -> Result<()> {
    let put = |path: String, text: String| -> Result<()> {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().ok_or("a file without a directory")?)?;
        Ok(std::fs::write(path, text)?)
    };
    put("manifests/site.pp".into(), (0..CLASSES).map(|class| format!("include c{class}\n")).collect())?;
    let levels =
        "hierarchy:\n  - { name: node, path: \"nodes/%{facts.number}.yaml\" }\n  - { name: all, path: all.yaml }\n";
    put("hiera.yaml".into(), format!("version: 5\ndefaults: {{ datadir: data, data_hash: yaml_data }}\n{levels}"))?;
    put("data/all.yaml".into(), data(version))?;
    for class in 0..CLASSES {
        put(format!("modules/c{class}/manifests/init.pp"), manifest(class, version))?;
        put(format!("modules/c{class}/templates/e.erb"), template(version))?;
        put(format!("modules/c{class}/templates/p.epp"), format!("<%= $size %> of {class}\n"))?;
    }
    Ok(())
}

/// Changes a manifest, a template and the data.
fn change(root: &Path, version: usize) -> Result<()> {
    let class = version / CHANGED_AFTER % CLASSES;
    std::fs::write(root.join(format!("modules/c{class}/manifests/init.pp")), manifest(class, version))?;
    std::fs::write(root.join(format!("modules/c{class}/templates/e.erb")), template(version))?;
    Ok(std::fs::write(root.join("data/all.yaml"), data(version))?)
}

fn manifest(class: usize, version: usize) -> String {
    format!(
        "class c{class}(Integer $size) {{\n  file {{ '/c{class}': content => template('c{class}/e.erb') }}\n  \
         file {{ '/d{class}': content => epp('c{class}/p.epp', {{ 'size' => $size }}) }}\n  \
         notify {{ 'n{class}': message => inline_epp(\"{version} of ${{facts['number']}}\") }}\n}}\n"
    )
}

fn template(version: usize) -> String {
    format!("# {version}\n<% 3.times do |i| -%>\n<%= i %> of <%= @size %>\n<% end -%>\n")
}

fn data(version: usize) -> String {
    (0..CLASSES).map(|class| format!("c{class}::size: {}\n", version + class)).collect()
}
