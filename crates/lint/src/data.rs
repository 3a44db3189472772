//! Hiera data: only legacy facts are looked for, in what is interpolated. Data is never changed.

use bunraku_notation::yaml;

use crate::legacy::is_legacy;
use crate::problem::Problem;
use crate::{Report, Settings, rules};

/// Whether a path is that of a data file.
pub(crate) fn is_data(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["yaml", "yml"].iter().any(|it| extension.eq_ignore_ascii_case(it))
}

/// Checks the text of a data file.
pub(crate) fn check(text: &str, settings: &Settings) -> Report {
    let rule = rules::LEGACY_FACTS;
    if !settings.is_on(rule.name) {
        return Report::default();
    }
    let mut problems = Vec::new();
    for (scalar, place) in yaml::scalars(text.as_bytes()) {
        for interpolation in interpolations(&scalar) {
            let name = interpolation.trim();
            let name = name.strip_prefix("::").or_else(|| name.strip_prefix("facts.")).unwrap_or(name);
            if !is_legacy(name) {
                continue;
            }
            let first = u32::try_from(place.line).unwrap_or(u32::MAX);
            let (line, start) = line_of(text, first, &format!("%{{{interpolation}}}"));
            problems.push(Problem {
                kind: rule.kind,
                check: rule.name,
                message: format!("legacy fact '{name}'").into(),
                line,
                column: 1,
                range: (start, start),
                reason: None,
                details: Vec::new(),
                fix: None,
            });
        }
    }
    Report { problems, warnings: Vec::new() }
}

/// What stands between `%{` and `}`.
fn interpolations(scalar: &str) -> impl Iterator<Item = &str> {
    scalar.split("%{").skip(1).filter_map(|rest| rest.split_once('}').map(|(inside, _)| inside))
}

/// The first line from a line on that has this in it, or else that line itself; and where it begins.
fn line_of(text: &str, first: u32, wanted: &str) -> (u32, u32) {
    let mut start = 0;
    let mut fallback = (first, 0);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if number == first {
            fallback = (first, start);
        }
        if number >= first && line.contains(wanted) {
            return (number, start);
        }
        start += line.len() as u32;
    }
    fallback
}

#[cfg(test)]
mod tests {
    use crate::{Settings, check};

    fn found(text: &str) -> Vec<(u32, String)> {
        let report = check(text, "data/common.yaml", &Settings::default());
        report.problems.into_iter().map(|it| (it.line, it.message.into_owned())).collect()
    }

    #[test]
    fn legacy_facts_in_data_are_found_where_they_are() {
        let text =
            "a: '%{facts.osfamily}'\n# %{::fqdn}\nb:\n  - |\n    x\n    %{::fqdn} %{facts.os.family}\n'%{id}': 1\n";
        let legacy = |name: &str| format!("legacy fact '{name}'");
        assert_eq!(found(text), [(1, legacy("osfamily")), (6, legacy("fqdn")), (7, legacy("id"))]);
        assert_eq!(found("a: '%{lookup(\"fqdn\")} %{fqdn'\n"), []);
    }
}
