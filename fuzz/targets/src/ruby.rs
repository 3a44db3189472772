//! Ruby files that declare resource types and providers, the generated form of types, templates and functions.

use std::sync::Arc;

use bunraku_pcore::Value;
use bunraku_ruby::native::{NativeFunction, Templates};
use bunraku_ruby::resource_types::{read_generated, read_providers, read_resource_types};
use bunraku_ruby::sidecar::{Host, HostError, HostResult, RubyBlock, Variable};
use bunraku_syntax::{FileId, Source, parse};

pub(crate) fn ruby_type(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = read_resource_types("/modules/a/lib/puppet/type/a.rb", text, &|_| None);
        let _ = read_providers(text);
        let source = Source::string(FileId(0), text);
        let _ = read_generated(&source, &parse(&source).program);
    });
}

pub(crate) fn erb(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = Templates::default().render(&text.into(), &mut Compiler);
        if let Some((_, function)) = NativeFunction::read("a.rb", &Arc::from(text)) {
            let _ = function.call(0, &[some(), some()], &mut Compiler);
        }
    });
}

/// A compiler in which every variable has the same value.
struct Compiler;

impl Host for Compiler {
    fn variable(&mut self, _: &str) -> Variable {
        Variable::Found(some())
    }
    fn variables(&mut self) -> Vec<(String, Value)> {
        vec![("a".to_string(), some())]
    }
    fn is_native_function(&mut self, _: &str) -> bool {
        true
    }
    fn call_function(&mut self, _: &str, args: Vec<Value>, _: Option<&dyn RubyBlock>) -> HostResult {
        Ok(Value::array(args))
    }
    fn call_block(&mut self, _: Vec<Value>) -> HostResult {
        Err(HostError::message("there is no block"))
    }
    fn log(&mut self, _: &str, _: &str, _: Option<&str>) {}
    fn read_template(&mut self, name: &str) -> Option<Arc<str>> {
        Some(name.into())
    }
}

/// A value with something of every kind in it.
fn some() -> Value {
    let list = Value::array([Value::string("b"), Value::Integer(3), Value::Undef, Value::Float(1.5)]);
    Value::hash([(Value::string("a"), list), (Value::Integer(1), Value::Boolean(true))])
}

/// Any code, run by the interpreter, which touches nothing outside.
pub(crate) fn ruby_code(bytes: &[u8]) {
    super::on_text(bytes, |text| {
        let _ = bunraku_ruby::interpreter::answer(&[text], "fuzz.rb");
    });
}
