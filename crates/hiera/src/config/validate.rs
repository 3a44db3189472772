//! Compares a configuration with the data type it must have.

use bunraku_pcore::Hash;

use crate::error::Error;

pub(super) fn version_5(_hash: &Hash, _path: &str) -> Result<(), Error> {
    Ok(())
}

pub(super) fn version_4(_hash: &Hash, _path: &str) -> Result<(), Error> {
    Ok(())
}

pub(super) fn version_3(_hash: &Hash, _path: &str) -> Result<(), Error> {
    Ok(())
}
