//! Where a variable would come from that is a fact the node does not have.

use bunraku_diagnostic::Diagnostic;
use bunraku_environment::Environment;

/// How many files with custom facts are read before giving up.
const MOST_FILES: usize = 2000;

/// What to do about an unknown variable that is a legacy, a core or a custom fact.
pub fn missing_fact(diagnostic: &Diagnostic, environment: &Environment) -> Option<String> {
    if diagnostic.issue.code() != "UNKNOWN_VARIABLE" {
        return None;
    }
    let name = diagnostic.issue.message().split('\'').nth(1)?.trim_start_matches("::");
    if name.contains("::") {
        return None;
    }
    match bunraku_facts::structured_name(name) {
        Some(path) if path == name => {
            Some(format!("'{name}' is a core fact, which this node does not have: give facts with --facts"))
        }
        Some(path) => {
            let path: String = path.split('.').map(|part| format!("['{part}']")).collect();
            Some(format!(
                "'{name}' is a legacy fact, which agents of release 8 do not send: use $facts{path}, or set \
                 include_legacy_facts on the agent"
            ))
        }
        None => {
            let (module, path) = custom(name, environment)?;
            Some(format!(
                "'{name}' is a custom fact of the module {module} ({path}), which this node does not have: `bunraku facts` \
                 finds it out on the node itself"
            ))
        }
    }
}

/// The module and the file that define a custom fact.
fn custom(name: &str, environment: &Environment) -> Option<(String, String)> {
    let world = environment.world();
    let forms = [format!("(:{name}"), format!("('{name}'"), format!("(\"{name}\"")];
    let defines = |text: &str| {
        let mut calls = text.split("Facter.add").skip(1);
        calls.any(|call| {
            forms.iter().any(|form| {
                let rest = call.trim_start().strip_prefix(form.as_str());
                rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
            })
        })
    };
    let files = environment.modules().flat_map(|module| {
        let directory = format!("{}/lib/facter", module.path);
        let entries = world.list(&directory).unwrap_or_default().into_iter();
        let entries = entries.filter(|entry| entry.name.ends_with(".rb"));
        entries.map(move |entry| (module.name.to_string(), format!("{directory}/{}", entry.name)))
    });
    files.take(MOST_FILES).find(|(_, path)| world.read_text(path).is_ok_and(|text| defines(&text)))
}
