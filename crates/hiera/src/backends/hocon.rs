//! The backend `hocon_data`.

use bunraku_notation::hocon;

use super::Data;
use crate::error::Error;

pub(super) fn parse(bytes: &[u8], path: &str) -> Result<Data, Error> {
    let failed = |problem: String| Error::lookup(format!("Unable to parse ({path}): {problem}"));
    let text = std::str::from_utf8(bytes).map_err(|error| failed(error.to_string()))?;
    hocon::value(text).map(Data::of_value).map_err(failed)
}
