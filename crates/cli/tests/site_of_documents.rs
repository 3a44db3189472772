//! The website of the documents: every link leads somewhere, nothing comes from elsewhere, the search knows the reference.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The values of an attribute in a page.
fn values<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    let start = format!(" {attribute}=\"");
    page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_site_is_whole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    let _ = fs::remove_dir_all(&site);
    let mut build = Command::new("python3");
    build.arg(root.join("docs/site/build")).args(["--program", env!("CARGO_BIN_EXE_bunraku")]).arg(&site);
    let output = build.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let mut pages = BTreeMap::new();
    for entry in fs::read_dir(&site).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        pages.insert(name, fs::read_to_string(path).unwrap());
    }
    let anchors: BTreeMap<&str, BTreeSet<&str>> =
        pages.iter().map(|(name, page)| (name.as_str(), values(page, "id").into_iter().collect())).collect();
    let mut wrong = Vec::new();
    for (name, page) in pages.iter().filter(|(name, _)| name.ends_with(".html")) {
        for target in values(page, "href").into_iter().chain(values(page, "src")) {
            if target.starts_with("data:") {
                continue;
            }
            let (file, section) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { name } else { file };
            let is_there = anchors.get(file).is_some_and(|ids| section.is_empty() || ids.contains(section));
            // Only a link that a reader follows leads out of the site.
            let is_outside = target.starts_with("https://") && !values(page, "src").contains(&target);
            if !is_there && !is_outside {
                wrong.push(format!("{name}: {target}"));
            }
        }
        assert_eq!(page.matches("<h1").count(), 1, "{name} has one title");
        let ids = values(page, "id");
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{name} has an anchor twice");
    }
    assert!(wrong.is_empty(), "links to nowhere:\n  {}", wrong.join("\n  "));
    assert!(
        !["style.css", "search.js"].iter().any(|name| pages[*name].contains("http")),
        "nothing comes from elsewhere"
    );
    for word in [
        "\"t\":\"catalog diff\"",
        "\"t\":\"split\"",
        "\"t\":\"cron\"",
        "\"t\":\"UNKNOWN_VARIABLE\"",
        "\"t\":\"vardir\"",
    ] {
        assert!(pages["index.js"].contains(word), "the search does not know {word}");
    }
    fs::remove_dir_all(site).unwrap();
}
