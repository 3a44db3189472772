//! Ruby files that declare resource types and providers, the generated form of types, templates and functions.

use bunraku_ruby::forecast;
use bunraku_ruby::interpreter::answer;
use bunraku_ruby::resource_types::{read_generated, read_providers, read_resource_types};
use bunraku_syntax::{FileId, Source, parse};

pub(crate) fn ruby_type(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = read_resource_types("/modules/a/lib/puppet/type/a.rb", text, &|_| None);
        let _ = read_providers(text);
        let source = Source::string(FileId(0), text);
        let _ = read_generated(&source, &parse(&source).program);
    });
}

/// A template: what it would need of Ruby, then rendered by the interpreter's own `ERB`.
pub(crate) fn erb(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = (forecast::of_template(text), forecast::of_file(text));
        let literal = text.replace('\\', "\\\\").replace('\'', "\\'");
        let code = format!(
            "require 'erb'\n@a = {{'a' => ['b', 3, nil, 1.5], 1 => true}}\nERB.new('{literal}', trim_mode: '-').result"
        );
        let _ = answer(&[&code], "fuzz.rb");
    });
}

/// Any code, run by the interpreter, which touches nothing outside.
pub(crate) fn ruby_code(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = answer(&[text], "fuzz.rb");
    });
}
