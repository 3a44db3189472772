//! Ruby files that declare resource types and providers, and the generated form of types.

use bunraku_ruby::resource_types::{read_generated, read_providers, read_resource_types};
use bunraku_syntax::{FileId, Source, parse};

pub(crate) fn ruby_type(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = read_resource_types("/modules/a/lib/puppet/type/a.rb", text, &|_| None);
        let _ = read_providers(text);
        let source = Source::string(FileId(0), text);
        let _ = read_generated(&source, &parse(&source));
    });
}
