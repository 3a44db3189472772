//! Manifests and templates: read, shown, and evaluated in a world of nothing but text.

use std::sync::{Arc, LazyLock};

use bunraku::{
    Compilation, Environment, Form, Frame, Library, Memory, Node, RunMode, Settings, Target, TemplateScope, Value,
    render, wire,
};
use bunraku_syntax::{FileId, Parsed, Source, dump, pn, validate};

static LIBRARY: LazyLock<Library> = LazyLock::new(|| bunraku::library(Target::default()));

/// A manifest: lexer, parser, validation and every form of the tree.
pub(crate) fn parse(bytes: &[u8]) {
    let (source, _) = Source::from_bytes(FileId(0), None, bytes.to_vec());
    walk(&source, &bunraku_syntax::parse(&source));
}

fn walk(source: &Source, parsed: &Parsed) {
    let found = validate(source, &parsed.program, &Default::default());
    for diagnostic in parsed.diagnostics.iter().chain(&found) {
        let _ = (diagnostic.located(Some(source)), render::human(diagnostic, source, true));
    }
    let tree = pn::program(&parsed.program);
    let _ = (tree.to_pretty(), tree.to_json(), dump(&parsed.program));
}

/// A manifest, with all checks and fixes of `lint`; then the same as data.
pub(crate) fn lint(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let mut settings = bunraku_lint::Settings { unsafe_fixes: true, ..Default::default() };
        settings.only(|_| true);
        let _ = bunraku_lint::fix(text, "modules/m/manifests/init.pp", &settings);
        let _ = bunraku_lint::check(text, "data/common.yaml", &settings);
    });
}

/// A manifest in the one layout: a fixed point, with the same tree.
pub(crate) fn fmt(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let style = bunraku_format::Style::default();
        let (source, tree) = read(text);
        let written = bunraku_format::format(&source, &style);
        assert!(!matches!(written, Err(bunraku_format::Failure::Meaning)), "it refuses its own result: {text:?}");
        if let Ok(written) = written {
            let (again, other) = read(&written);
            assert!(tree == other, "the tree differs: {text:?} {written:?}");
            let again = bunraku_format::format(&again, &style).ok();
            assert!(again.as_ref() == Some(&written), "no fixed point: {text:?} {written:?} {again:?}");
        }
    });
}

/// A source and its tree, if it is one of a manifest.
fn read(text: &str) -> (Source, Option<pn::Pn>) {
    let source = Source::string(FileId(0), text);
    let parsed = bunraku_syntax::parse(&source);
    let tree = parsed.first_error().is_none().then(|| pn::program(&parsed.program));
    (source, tree)
}

/// A template: read and shown like a manifest, then rendered.
pub(crate) fn epp(bytes: &[u8]) {
    let (source, _) = Source::from_bytes(FileId(0), None, bytes.to_vec());
    walk(&source, &bunraku_syntax::parse_epp(&source));
    let Some(environment) = environment("\n") else { return };
    let node = Node::new("node.example.com");
    let Ok(mut compilation) = Compilation::new(&environment, &LIBRARY, &node) else { return };
    if compilation.evaluate().is_ok()
        && let Ok(code) = environment.inline(&source.text, Form::Template)
    {
        let _ = Frame::top(&mut compilation).render_template(code, None, TemplateScope::Top);
    }
}

/// A manifest, evaluated into a catalog. There is no Ruby.
pub(crate) fn evaluate(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let Some(environment) = environment(text) else { return };
        let facts = [("os", Value::from("Debian")), ("count", Value::Integer(4))];
        let facts = facts.into_iter().map(|(name, value)| (Value::from(name), value)).collect();
        let node = Node { facts: Arc::new(facts), ..Node::new("node.example.com") };
        let compiled = bunraku_compiler::compile(&environment, &LIBRARY, &node, Default::default());
        let _ = compiled.value.to_string();
        if let Ok(catalog) = compiled.catalog {
            let _ = wire::to_json(&catalog, wire::Options::default());
        }
    });
}

fn environment(code: &str) -> Option<Environment> {
    let mut settings = Settings::new(RunMode::Server);
    settings.set("code", code);
    settings.set("manifest", "/none");
    settings.set("modulepath", "/modules");
    Environment::without_directory(Arc::new(Memory::default()), &settings, "production").ok()
}
