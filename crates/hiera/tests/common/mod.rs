//! What a lookup sees in these tests: variables, and nothing else of a compilation.

use bunraku_hiera::{Context, DataFunction, Error, FunctionCall, Missing};
use bunraku_pcore::{Type, Value};
use ecow::EcoString;

/// A context with the variables that a function gives.
pub(crate) struct Variables<F>(pub(crate) F);

impl<F: FnMut(&str) -> Result<Value, EcoString>> Context for Variables<F> {
    fn variable(&mut self, name: &str) -> Result<Value, Missing> {
        (self.0)(name).map_err(|reason| Missing { name: name.into(), reason })
    }

    fn function(&mut self, _name: &str) -> Result<Option<DataFunction>, Error> {
        Ok(None)
    }

    fn call_function(&mut self, _call: FunctionCall<'_>) -> Result<Option<Value>, Error> {
        Ok(None)
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, Error> {
        Err(Error::general(text))
    }

    fn new_instance(&mut self, _data_type: &Value, _arguments: Vec<Value>) -> Result<Value, Error> {
        Ok(Value::Undef)
    }

    fn warn(&mut self, _message: &str) {}
}
