//! The binary `bunraku`.

fn main() {}
