//! `Zlib`: checksums and compressed text.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::{GzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::interpreter::class::Kind;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::value::Value;
use crate::interpreter::{LONGEST, Outcome, Vm};

pub(super) fn define(core: &Core) {
    let module = core.class_named("Zlib", Kind::Module, None);
    core.add_own(&module, OWN);
}

const OWN: &[Row] = &[
    Row("crc32", 0, 2, |vm, _, args| {
        let (bytes, start) = input(vm, args.at(0), args.get(1), 0)?;
        let mut sum = !start;
        for byte in bytes {
            sum ^= u32::from(byte);
            for _ in 0..8 {
                sum = (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
            }
        }
        Ok(Value::Int(i64::from(!sum)))
    }),
    Row("adler32", 0, 2, |vm, _, args| {
        let (bytes, start) = input(vm, args.at(0), args.get(1), 1)?;
        let (mut low, mut high) = (start & 0xffff, start >> 16);
        for byte in bytes {
            low = (low + u32::from(byte)) % 65_521;
            high = (high + low) % 65_521;
        }
        Ok(Value::Int(i64::from(high << 16 | low)))
    }),
    Row("__deflate", 2, 2, |vm, _, args| {
        let bytes = vm.to_str(args.at(0))?.bytes.borrow().clone();
        let packed = match args.at(1).is_truthy() {
            true => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&bytes).and_then(|()| encoder.finish())
            }
            false => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&bytes).and_then(|()| encoder.finish())
            }
        };
        packed.map(Value::binary).map_err(|_| vm.error("IOError", "the text cannot be compressed"))
    }),
    Row("__inflate", 2, 2, |vm, _, args| {
        let bytes = vm.to_str(args.at(0))?.bytes.borrow().clone();
        let most = LONGEST as u64 + 1;
        let mut text = Vec::new();
        let outcome = match args.at(1).is_truthy() {
            true => GzDecoder::new(&*bytes).take(most).read_to_end(&mut text),
            false => ZlibDecoder::new(&*bytes).take(most).read_to_end(&mut text),
        };
        vm.count_made(text.len())?;
        Ok(if outcome.is_ok() { Value::binary(text) } else { Value::Nil })
    }),
];

fn input(vm: &mut Vm, value: &Value, start: Option<&Value>, default: u32) -> Outcome<(Vec<u8>, u32)> {
    let start = match start {
        Some(start) => u32::try_from(vm.to_int(start)? & 0xffff_ffff).unwrap_or_default(),
        None => default,
    };
    let bytes = if value.is_nil() { Vec::new() } else { vm.to_str(value)?.bytes.borrow().clone() };
    Ok((bytes, start))
}
