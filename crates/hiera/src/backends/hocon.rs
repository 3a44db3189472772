//! The backend `hocon_data`.

use super::Data;
use crate::error::Error;

pub(super) fn parse(_bytes: &[u8], _path: &str) -> Result<Data, Error> {
    Ok(Data::default())
}
