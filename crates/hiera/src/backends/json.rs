//! The backend `json_data`.

use bunraku_notation::yaml::Foreign;
use bunraku_pcore::issues::string_of;
use bunraku_pcore::serialize::{from_json, parse_json};
use ecow::EcoString;
use serde_json::Value as Json;

use super::Data;
use crate::error::Error;

pub(super) fn parse(bytes: &[u8], path: &str) -> Result<Data, Error> {
    // Most files are plain JSON; what else Ruby reads, and how it complains, is known by the slower reader.
    let Ok(json) = serde_json::from_slice::<Json>(bytes) else {
        let value = string_of(bytes.to_vec()).and_then(|text| parse_json(&text));
        let value = value.map_err(|issue| Error::lookup(format!("Unable to parse ({path}): {}", issue.message())))?;
        return Ok(Data::of_value(value));
    };
    let foreign = match &json {
        Json::Object(object) => object
            .iter()
            .filter_map(|(key, value)| Some((EcoString::from(key.as_str()), Foreign::Integer(large_integer(value)?))))
            .collect(),
        _ => Default::default(),
    };
    Ok(Data { foreign, ..Data::of_value(from_json(json)) })
}

/// The digits of an integer beyond 64 bits somewhere in a value.
fn large_integer(json: &Json) -> Option<String> {
    match json {
        Json::Number(number) if number.is_u64() && number.as_i64().is_none() => Some(number.to_string()),
        Json::Array(elements) => elements.iter().find_map(large_integer),
        Json::Object(object) => object.values().find_map(large_integer),
        _ => None,
    }
}
