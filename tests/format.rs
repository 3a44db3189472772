//! The formatter: recorded examples, and its promises on every manifest of Debian's modules, of the recorded cases of lint and
//! on mutations of them: the same tree, the same comments, a fixed point, and silent checks of layout.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bunraku::syntax::trivia::Trivia;
use bunraku::syntax::{FileId, Source, parse, pn};
use bunraku_format::{Lines, Style, format, format_lines};
use bunraku_lint::{Problem, Settings, check};
use serde_json::Value;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("format")
}

fn formatted(text: &str) -> Option<String> {
    format(&Source::string(FileId(0), text), &Style::default()).ok()
}

fn tree(text: &str) -> pn::Pn {
    pn::program(&parse(&Source::string(FileId(0), text)).program)
}

fn comments(text: &str) -> Vec<String> {
    let source = Source::string(FileId(0), text);
    let pieces = Trivia::of(&source, &parse(&source)).pieces;
    pieces.iter().filter(|it| it.kind.is_comment()).map(|it| text[it.range()].trim_end().to_owned()).collect()
}

/// All that the formatter promises about a text that parses.
fn keeps_promises(text: &str, name: &str) -> Option<String> {
    let written = formatted(text)?;
    assert_eq!(formatted(&written).as_ref(), Some(&written), "{name}: formatting again changes it");
    assert_eq!(comments(&written), comments(text), "{name}: the comments");
    if parse(&Source::string(FileId(0), text)).first_error().is_none() {
        assert_eq!(tree(&written), tree(text), "{name}: the tree");
    }
    Some(written)
}

#[test]
fn examples_are_laid_out_as_agreed() {
    let text = fs::read_to_string(directory().join("examples.jsonl")).unwrap();
    let mut count = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (input, output) = (case["input"].as_str().unwrap(), case["output"].as_str().unwrap());
        assert_eq!(keeps_promises(input, &case["title"].to_string()).as_deref(), Some(output), "{}", case["title"]);
        assert_eq!(formatted(output).as_deref(), Some(output), "{}", case["title"]);
        count += 1;
    }
    assert!(count > 50);
}

/// The checks of lint that are about layout.
fn is_layout(check: &str) -> bool {
    let others = [
        "arrow_alignment",
        "arrow_on_right_operand_line",
        "2sp_soft_tabs",
        "hard_tabs",
        "space_before_arrow",
        "trailing_whitespace",
        "double_quoted_strings",
        "strict_indent",
        "trailing_comma",
    ];
    check.starts_with("manifest_whitespace_") || others.contains(&check)
}

/// Where the style is not that of a check: `docs/format.md` says why.
fn is_exception(problem: &Problem, line: Option<&str>) -> bool {
    let code = line.unwrap_or_default().split(" #").next().unwrap_or_default();
    match problem.check {
        // A value may stand on the line after its arrow.
        "manifest_whitespace_arrows_single_space_after" => code.ends_with("=>"),
        "manifest_whitespace_opening_brace_before" => code.trim_start().starts_with('{'),
        "manifest_whitespace_opening_bracket_before" => code.trim_start().starts_with('['),
        // A comment may follow a bracket.
        "manifest_whitespace_opening_bracket_after" => code.ends_with('['),
        // A comment in the first column stays there.
        "strict_indent" => code.starts_with("/*"),
        _ => false,
    }
}

fn manifests(directory: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            manifests(&path, into);
        } else if path.extension().is_some_and(|it| it == "pp") {
            into.push(path);
        }
    }
}

#[test]
fn debian_modules() {
    let mut paths = Vec::new();
    manifests(Path::new("/usr/share/puppet/modules.available"), &mut paths);
    paths.sort();
    assert!(paths.len() > 1800, "the packages puppet-module-* are installed by ./test");
    let mut settings = Settings::default();
    settings.only(is_layout);
    // Where other code is at hand, it is looked at as well.
    let more = std::env::var_os("MANIFESTS").unwrap_or_default();
    std::env::split_paths(&more).for_each(|directory| manifests(&directory, &mut paths));
    let (mut problems, mut formatted_count) = (Vec::new(), 0);
    for path in &paths {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let Some(written) = keeps_promises(&text, &path.display().to_string()) else { continue };
        formatted_count += 1;
        let found = check(&written, "init.pp", &settings).problems;
        for problem in found.into_iter().filter(|it| !is_exception(it, written.lines().nth(it.line as usize - 1))) {
            problems.push(format!(
                "{}:{}:{} {} {}",
                path.display(),
                problem.line,
                problem.column,
                problem.check,
                problem.message
            ));
        }
    }
    assert!(formatted_count > 1900, "{formatted_count}");
    assert!(problems.is_empty(), "{} problems: {:#?}", problems.len(), &problems[..problems.len().min(20)]);
}

#[test]
fn recorded_cases_of_lint() {
    let mut count = 0;
    for file in ["spec", "sets", "drill", "hand", "mutated", "extra", "crashes"] {
        let text = fs::read_to_string(directory().join(format!("../lint/{file}.jsonl"))).unwrap();
        for case in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            count += usize::from(keeps_promises(case["code"].as_str().unwrap(), &case["id"].to_string()).is_some());
        }
    }
    assert!(count > 2300, "{count}");
}

/// What mutations put before a token.
const SIGNS: &[&str] = &[
    " ",
    "",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    " # c\n",
    "/* x */",
    ",",
    ";",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "->\n",
    "!",
    "-",
    "*",
    "|",
    "=>",
    "\n# fmt: off\n",
    "\n# fmt: on\n",
    " # fmt: skip\n",
    "\n# lint:ignore:strict_indent\n",
    " # lint:ignore:trailing_comma\n",
];

#[test]
fn mutations_of_real_code() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % limit.max(1) as u64).unwrap()
    };
    let mut paths = Vec::new();
    manifests(Path::new("/usr/share/puppet/modules.available"), &mut paths);
    paths.sort();
    let mut count = 0;
    for path in paths.iter().step_by(13) {
        let text = fs::read_to_string(path).unwrap();
        for _ in 0..if text.len() < 20_000 { 8 } else { 0 } {
            let mut mutated = text.clone();
            for _ in 0..1 + below(3) {
                let tokens = parse(&Source::string(FileId(0), mutated.as_str())).tokens;
                let start = tokens[below(tokens.len())].start as usize;
                // Sometimes the white space before a token goes, sometimes only something comes.
                let kept = if below(3) == 0 { mutated[..start].trim_end().len() } else { start };
                mutated.replace_range(kept..start, SIGNS[below(SIGNS.len())]);
            }
            count += usize::from(keeps_promises(&mutated, &format!("{mutated}\n")).is_some());
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn long_manifests_take_time_in_proportion() {
    let lines = |count: usize| -> String {
        let resource =
            |number: usize| format!("file {{ '/{number}':\n  ensure=>file,\n  mode   => \"0644\"\n}}\n$a{number}=1\n");
        (0..count / 5).map(resource).collect()
    };
    let time = |count: usize| {
        let source = Source::string(FileId(0), lines(count));
        let start = Instant::now();
        assert!(format(&source, &Style::default()).is_ok());
        start.elapsed()
    };
    let (short, long) = (time(10_000), time(100_000));
    assert!(long < short * 30, "{short:?} {long:?}");
}

#[test]
fn some_lines_only() {
    let text = "class a {\n$a=1\n   $b=2\nif $c {\n$d=3\n      $e=4\n}\n}\n";
    let lines =
        |first, last| format_lines(&Source::string(FileId(0), text), Lines { first, last }, &Style::default()).unwrap();
    assert_eq!(lines(3, 3), "class a {\n$a=1\n  $b = 2\nif $c {\n$d=3\n      $e=4\n}\n}\n");
    assert_eq!(lines(5, 6), "class a {\n$a=1\n   $b=2\nif $c {\n    $d = 3\n    $e = 4\n}\n}\n");
    assert_eq!(lines(4, 4), "class a {\n$a=1\n   $b=2\n  if $c {\n    $d = 3\n    $e = 4\n  }\n}\n");
    assert_eq!(Some(lines(1, 9)), formatted(text));
    assert_eq!(lines(20, 30), text);
}
