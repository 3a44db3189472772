//! The backend `yaml_data`.

use std::sync::Arc;

use bunraku_environment::Strict;
use bunraku_notation::yaml;
use bunraku_pcore::{Hash, Value};
use ecow::EcoString;

use super::Data;
use crate::error::Error;

pub(super) fn parse(bytes: &[u8], path: &str, strict: Strict) -> Result<Data, Error> {
    let document =
        yaml::load(bytes, path).map_err(|error| Error::lookup(format!("Unable to parse {}", error.message)))?;
    match document.value {
        Some(Value::Hash(hash)) => {
            let mut data = Data::new(hash);
            let keyed = |(key, foreign): (Value, _)| key.as_str().map(|key| (EcoString::from(key), foreign));
            data.foreign = document.foreign.into_iter().filter_map(keyed).collect();
            Ok(data)
        }
        value => {
            let warning = format!("{path}: file does not contain a valid yaml hash");
            let is_empty = matches!(value, None | Some(Value::Undef | Value::Boolean(false)));
            if strict == Strict::Error && !is_empty {
                return Err(Error::lookup(warning));
            }
            Ok(Data { warning: Some(warning), ..Data::new(Arc::new(Hash::new())) })
        }
    }
}
