//! A catalog in JSON: read, written in every form, compared and drawn.

use bunraku_catalog::diff::{Diff, Format, render};
use bunraku_catalog::graph::Graph;
use bunraku_catalog::{Catalog, summary, wire};

pub(crate) fn catalog(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let Ok(catalog) = wire::from_json(text) else { return };
        let _ = wire::to_json(&catalog, wire::Options::default());
        let _ = wire::to_data(&catalog, wire::Options::default());
        let _ = summary::summary(&catalog);
        let diff = Diff::new(&Catalog::new("other", "production"), &catalog);
        for format in [Format::Text, Format::Json, Format::Markdown, Format::Html] {
            let _ = render(&diff, format);
        }
        let graph = Graph::new(&catalog);
        let _ = (graph.cycle(&|_| None), graph.to_dot());
    });
}
