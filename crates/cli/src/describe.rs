//! `bunraku describe`: the manual of resource types, those of modules included.

use std::fmt::Write;
use std::process::ExitCode;

use bunraku::{AttributeManual, Environment, METAPARAMETERS, RunMode, TypeManual, type_manual, type_names};
use clap::Args;

use crate::output::{print, tell};
use crate::report::log;
use crate::settings::SettingFlags;

/// Show what resource types are for and which attributes they have.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  bunraku describe --list\n  bunraku describe file --short\n  bunraku describe user --meta"
)]
pub(crate) struct Describe {
    /// The names of resource types
    #[arg(value_name = "TYPE")]
    types: Vec<String>,
    /// List all types
    #[arg(short, long)]
    list: bool,
    /// List attributes without saying what they are for
    #[arg(short, long)]
    short: bool,
    /// Describe the metaparameters too
    #[arg(short, long)]
    meta: bool,
    /// List the providers one by one
    #[arg(short, long)]
    providers: bool,
    #[command(flatten)]
    settings: Box<SettingFlags>,
}

/// How wide a line may be.
const WIDTH: usize = 76;

impl Describe {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let environment = match self.settings.environment(RunMode::User, Some("")) {
            Ok(environment) => environment,
            Err(issue) => {
                log("Error", issue.message());
                return ExitCode::FAILURE;
            }
        };
        if self.list && !self.types.is_empty() {
            tell("Warning: ignoring types when listing all types\n");
        }
        let text = match self.list {
            true => list(&environment),
            false => self.types.iter().map(|name| self.page(name, &environment)).collect(),
        };
        match print(text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                log("Error", &message);
                ExitCode::FAILURE
            }
        }
    }

    fn page(&self, name: &str, environment: &Environment) -> String {
        let Some(manual) = type_manual(name, Some(environment)) else { return format!("Unknown type {name}\n") };
        let mut text = format!("{}\n", header(&manual.name, '='));
        _ = write!(text, "{}\n\n", wrapped(&manual.documentation, 0));
        _ = writeln!(text, "\n{}", header("Parameters", '-').trim_start_matches('\n'));
        self.add_attributes(&manual.attributes, &mut text);
        if self.meta {
            _ = writeln!(text, "{}", header("Meta Parameters", '-'));
            let metaparameters: Vec<AttributeManual> = METAPARAMETERS
                .iter()
                .map(|(name, documentation)| AttributeManual {
                    name: (*name).to_owned(),
                    documentation: (*documentation).to_owned(),
                    is_namevar: false,
                })
                .collect();
            self.add_attributes(&metaparameters, &mut text);
        }
        self.add_providers(&manual, &mut text);
        text
    }

    fn add_attributes(&self, attributes: &[AttributeManual], text: &mut String) {
        if self.short {
            let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name.as_str()).collect();
            _ = writeln!(text, "{}", wrapped(&names.join(", "), 4));
            return;
        }
        for AttributeManual { name, documentation, is_namevar } in attributes {
            let mark = if *is_namevar && name != "name" { " (*namevar*)" } else { "" };
            _ = writeln!(text, "\n- **{name}**{mark}");
            _ = writeln!(text, "{}", wrapped(documentation, 4));
        }
    }

    fn add_providers(&self, manual: &TypeManual, text: &mut String) {
        if manual.providers.is_empty() {
            return;
        }
        _ = writeln!(text, "{}", header("Providers", '-'));
        match self.providers {
            true => manual.providers.iter().for_each(|name| _ = writeln!(text, "\n- **{name}**")),
            false => _ = writeln!(text, "{}", wrapped(&manual.providers.join(", "), 4)),
        }
    }
}

/// All types with the beginning of what they are for.
fn list(environment: &Environment) -> String {
    let mut text = "These are the types known to puppet:\n".to_owned();
    for name in type_names(Some(environment)) {
        let documentation = type_manual(&name, Some(environment)).map(|manual| manual.documentation);
        let words: Vec<&str> = documentation.as_deref().unwrap_or_default().split_whitespace().collect();
        let words = words.join(" ");
        let sentence = words.find('.').unwrap_or(words.len());
        let shown = match words.is_empty() {
            true => ".. no documentation ..".to_owned(),
            false if words.chars().count() > 45 && sentence > 45 => words.chars().take(45).collect::<String>() + " ...",
            false => words.chars().take(words.get(..sentence).unwrap_or(&words).chars().count()).collect(),
        };
        _ = writeln!(text, "{name:<15} - {shown}");
    }
    text
}

fn header(title: &str, line: char) -> String {
    format!("\n{title}\n{}", line.to_string().repeat(title.len()))
}

/// Compatibility: breaks lines as the reference does: what is short enough stays as it is, with its own line breaks.
fn wrapped(text: &str, indent: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let (width, margin) = (WIDTH - indent, " ".repeat(indent));
    let text = scrubbed(text);
    let mut rest: Vec<char> = text.chars().collect();
    let mut lines: Vec<String> = Vec::new();
    while rest.len() > width {
        // The longest beginning without a line break that ends before a blank or a line break.
        let first_break = rest.iter().position(|it| *it == '\n').unwrap_or(rest.len());
        let most = width.min(first_break);
        let end = (0..=most).rev().find(|end| matches!(rest.get(*end), Some(' ' | '\n')));
        let (end, skipped) = end.map_or((width, 0), |end| (end, 1));
        lines.push(rest.drain(..end).collect());
        rest.drain(..skipped);
    }
    if !rest.is_empty() {
        lines.push(rest.into_iter().collect());
    }
    format!("{margin}{}", lines.join(&format!("\n{margin}")))
}

/// Compatibility: the first blank beginning of a line, line breaks included, is taken away from all lines.
fn scrubbed(text: &str) -> String {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let blank = starts.filter_map(|start| text.get(start..)).find_map(|rest| {
        let length = rest.len() - rest.trim_start().len();
        rest.get(..length).filter(|blank| !blank.is_empty())
    });
    let Some(blank) = blank.filter(|_| text.contains('\n')) else { return text.to_owned() };
    let (mut result, mut rest, mut is_start) = (String::new(), text, true);
    while let Some(letter) = rest.chars().next() {
        if is_start && let Some(after) = rest.strip_prefix(blank) {
            rest = after;
            is_start = blank.ends_with('\n');
            continue;
        }
        result.push(letter);
        is_start = letter == '\n';
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_as_by_the_reference() {
        let check = |text: &str, indent, expected: &str| assert_eq!(wrapped(text, indent), expected);
        check("Whether to show.\n\nValid values are `true`. ", 4, "    Whether to show.\nValid values are `true`. ");
        let margin = " ".repeat(60);
        check("one two three four five", 60, &format!("{margin}one two three\n{margin}four five"));
        check("short", 4, "    short");
    }
}
