//! The manual of resource types: what the program knows of its own, and what modules say of theirs.

use bunraku_catalog::ResourceType;
use bunraku_catalog::resource_type::AttributeDefault;
use bunraku_catalog::resource_types::{builtin, builtin_names};
use bunraku_environment::Environment;
use bunraku_ruby::{Store, declared_type};

/// What is known of a resource type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeManual {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub documentation: String,
    /// Its properties and parameters by name.
    pub attributes: Vec<AttributeManual>,
    /// Its providers by name.
    pub providers: Vec<String>,
}

/// What is known of an attribute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttributeManual {
    /// Its name.
    pub name: String,
    /// What it is for, and what values it takes.
    pub documentation: String,
    /// Whether it names the resource.
    pub is_namevar: bool,
}

/// The types of Puppet itself and of the modules that come with it, and what each is for.
const SUMMARIES: [(&str, &str); 23] = [
    ("augeas", "Changes single entries of configuration files with the Augeas library."),
    ("cron", "Manages jobs in the crontabs of users."),
    (
        "exec",
        "Runs commands. A command must be safe to run more than once, or be kept from it by `creates`, `onlyif`, `unless` or `refreshonly`.",
    ),
    ("file", "Manages files, directories and symbolic links: their content, owner, group and mode."),
    ("filebucket", "A place where copies of replaced files are kept, by the checksum of their content."),
    ("group", "Manages groups of the system."),
    ("host", "Manages entries of the hosts file."),
    ("mailalias", "Manages entries of the file of mail aliases."),
    ("mount", "Manages mounted file systems and their entries in the mount table."),
    ("notify", "Sends a message to the log of the run. It counts as a change every time."),
    ("package", "Manages packages of software with the package manager of the system."),
    ("resources", "Manages all resources of one type: purges those that the catalog does not have."),
    ("schedule", "Says when, and how often in a period, resources may be managed."),
    ("selboolean", "Manages booleans of SELinux."),
    ("selmodule", "Loads policy modules of SELinux."),
    ("service", "Manages services: whether they run, and whether they start with the system."),
    ("ssh_authorized_key", "Manages the keys with which users may log in over SSH."),
    ("sshkey", "Manages the host keys that SSH knows."),
    ("stage", "Makes a new stage of the run. Classes are put into it with the metaparameter `stage`."),
    ("tidy", "Removes files that match patterns of name, age and size."),
    ("user", "Manages users of the system."),
    ("whit", "Stands for classes and defined types in the graph of a run. It is not meant for manifests."),
    ("yumrepo", "Manages repositories of yum and dnf."),
];

/// The metaparameters, and what each is for.
pub const METAPARAMETERS: [(&str, &str); 11] = [
    ("alias", "Another name for the resource, to refer to it by."),
    ("audit", "Attributes whose changes by others are reported."),
    ("before", "Resources that are managed after this one."),
    ("loglevel", "The level at which changes are logged: debug, info, notice, warning, err, alert, emerg or crit."),
    ("noop", "Whether changes are only reported, not made."),
    ("notify", "Resources that are managed after this one, and refreshed when it changes."),
    ("require", "Resources that are managed before this one."),
    ("schedule", "The schedule that says when the resource may be managed."),
    ("stage", "The stage of the run that a class belongs to."),
    ("subscribe", "Resources that are managed before this one, and whose changes refresh it."),
    ("tag", "Tags of the resource and of everything in it."),
];

/// What every type with `ensurable` says of it.
const ENSURE: &str = "The basic property that the resource should be in.";

/// The names of all types: the program's own, and those of the modules of an environment.
pub fn type_names(environment: Option<&Environment>) -> Vec<String> {
    let own = builtin_names().filter(|name| SUMMARIES.iter().any(|(known, _)| known == name)).map(str::to_owned);
    let of_modules = environment.into_iter().flat_map(|environment| environment.ruby_files().resource_type_names());
    let mut names: Vec<String> = own.chain(of_modules.map(str::to_owned)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The manual of a type. What a module says goes before what the program knows.
pub fn type_manual(name: &str, environment: Option<&Environment>) -> Option<TypeManual> {
    let store = Store::default();
    let declared = environment.and_then(|environment| declared_type(name, environment, &store));
    declared.map(of_module).or_else(|| SUMMARIES.iter().find(|(known, _)| *known == name).and_then(of_program))
}

fn of_program((name, summary): &(&str, &str)) -> Option<TypeManual> {
    let known: &ResourceType = builtin(name)?;
    let mut attributes: Vec<AttributeManual> = known
        .attributes
        .iter()
        .filter(|attribute| attribute.name != "provider")
        .map(|attribute| {
            let mut sentences = Vec::new();
            sentences.extend(values(attribute.values.iter()));
            if let AttributeDefault::Literal(value) = &attribute.default {
                sentences.push(format!("The default is `{value}`."));
            }
            if !attribute.features.is_empty() {
                sentences.push(format!("Requires features {}.", attribute.features.join(" ")));
            }
            AttributeManual {
                name: attribute.name.to_string(),
                documentation: sentences.join("\n\n"),
                is_namevar: known.is_namevar(&attribute.name),
            }
        })
        .collect();
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    let mut providers: Vec<String> = known.providers.iter().map(ToString::to_string).collect();
    providers.sort_unstable();
    Some(TypeManual { name: (*name).to_owned(), documentation: (*summary).to_owned(), attributes, providers })
}

fn of_module(declared: bunraku_ruby::resource_types::ResourceType) -> TypeManual {
    let mut attributes: Vec<AttributeManual> = declared
        .attributes
        .into_iter()
        .filter(|attribute| attribute.name != "provider")
        .map(|attribute| {
            let mut sections = vec![match unindented(&attribute.doc) {
                text if text.is_empty() && attribute.name == "ensure" => ENSURE.to_owned(),
                text => text,
            }];
            sections.retain(|text| !text.is_empty());
            let mut taken = values(attribute.values.iter()).unwrap_or_default();
            if !attribute.patterns.is_empty() {
                let patterns: Vec<String> = attribute.patterns.iter().map(|it| format!("/{}/", it.source)).collect();
                taken.push_str(&format!("Values can match `{}`.", patterns.join("`, `")));
            }
            sections.extend((!taken.is_empty()).then_some(taken));
            if !attribute.required_features.is_empty() {
                sections.push(format!("Requires features {}.", attribute.required_features.join(" ")));
            }
            let is_namevar = declared.namevars.contains(&attribute.name);
            AttributeManual { name: attribute.name, documentation: sections.join("\n\n"), is_namevar }
        })
        .collect();
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    let mut providers = declared.providers;
    providers.sort_unstable();
    TypeManual { name: declared.name, documentation: unindented(&declared.doc), attributes, providers }
}

fn values(values: impl Iterator<Item = impl AsRef<str>>) -> Option<String> {
    let values: Vec<String> = values.map(|value| format!("`{}`", value.as_ref())).collect();
    (!values.is_empty()).then(|| format!("Valid values are {}. ", values.join(", ")))
}

/// Documentation without the indentation that it has in code: the least of all lines but the first.
fn unindented(text: &str) -> String {
    let text = text.trim();
    let width = |line: &&str| line.len() - line.trim_start().len();
    let least = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(|line| width(&line)).min().unwrap_or(0);
    let line = |(index, line): (usize, &str)| match index {
        0 => line.trim_end().to_owned(),
        _ => line.get(least..).unwrap_or_default().trim_end().to_owned(),
    };
    text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_the_program_has_a_page() {
        for name in type_names(None) {
            let manual = type_manual(&name, None).unwrap();
            assert!(manual.documentation.ends_with('.') && !manual.attributes.is_empty(), "{name}");
        }
    }

    #[test]
    fn documentation_loses_the_indentation_of_code() {
        assert_eq!(unindented("\n      First\n        code\n\n      last\n"), "First\n  code\n\nlast");
        assert_eq!(unindented("one"), "one");
    }
}
