//! The backend `yaml_data`.

use std::sync::Arc;

use bunraku_environment::Strict;
use bunraku_notation::yaml;
use bunraku_pcore::{Hash, Value};
use ecow::EcoString;

use super::Data;
use crate::error::{Cause, Error};

pub(super) fn parse(bytes: &[u8], path: &str, strict: Strict) -> Result<Data, Error> {
    let document = yaml::load(bytes, path).map_err(|error| {
        let failure = Error::lookup(format!("Unable to parse {}", error.message));
        failure.because(cause(bytes, path, &error))
    })?;
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

/// Where a text breaks the rules of YAML, with the reason that people know for it.
pub(crate) fn cause(bytes: &[u8], path: &str, error: &yaml::Error) -> Option<Cause> {
    let (line, column) = error.place?;
    let text = String::from_utf8_lossy(bytes);
    let written = text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?).unwrap_or_default();
    let blanks: &str = written.get(..written.len() - written.trim_start().len()).unwrap_or_default();
    let cause = Cause::on_line(path, bytes, line, Some(column));
    Some(match blanks.contains('\t') {
        true => Cause {
            headline: "YAML cannot be indented with tabs".into(),
            advice: "a tab begins this line: use spaces".into(),
            ..cause
        },
        false => Cause { headline: format!("this YAML cannot be read: {}", error.problem()).into(), ..cause },
    })
}
