//! No function shows a secret that it is given in a log or an error.

use serde_json::{Value as Json, json};

const SECRET: &str = "hidden-secret";

/// Calls with a secret where a function may look at it.
fn calls(name: &str) -> Vec<String> {
    let secret = format!("Sensitive('{SECRET}')");
    let arguments = [
        secret.clone(),
        format!("{secret}, {secret}"),
        format!("{secret}, {secret}, {secret}"),
        format!("[{secret}]"),
        format!("{{'a' => {secret}}}"),
        format!("[{secret}], 'a'"),
        format!("'a', {secret}"),
        format!("'a', 'b', {secret}"),
        format!("'a', {{'b' => {secret}}}"),
    ];
    let mut calls: Vec<String> = arguments.iter().map(|arguments| format!("{name}({arguments})")).collect();
    calls.extend([" |$x| { $x }", " |$x, $y| { $x }"].map(|block| format!("{name}([{secret}]){block}")));
    calls
}

#[test]
fn secrets_are_not_shown() {
    let library = bunraku::library(bunraku::Target::default());
    let modules = library.iter().filter_map(|native| native.function.module);
    let files: serde_json::Map<String, Json> =
        modules.map(|module| (format!("modules/{module}/metadata.json"), json!("{}"))).collect();
    let mut shown = Vec::new();
    for native in library.iter() {
        for code in calls(native.function.name) {
            let case = json!({ "id": "x", "mode": "eval", "code": code, "files": files, "strict": "warning" });
            let mut result = bunraku_tests::harness::run(&case);
            // What a function returns is for the program to handle.
            if let Json::Object(result) = &mut result {
                result.remove("value");
            }
            if result.to_string().contains(SECRET) {
                shown.push(format!("{code}: {result}"));
            }
        }
    }
    assert!(shown.is_empty(), "shown:\n  {}", shown.join("\n  "));
}
