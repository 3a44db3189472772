//! Reads DER, the notation of keys, certificates and encrypted messages: tag, length, content.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A whole number.
pub const INTEGER: u8 = 0x02;
/// Bits, after a byte that tells how many of the last are not used.
pub const BIT_STRING: u8 = 0x03;
/// Bytes.
pub const OCTET_STRING: u8 = 0x04;
/// What names an algorithm or a kind of content.
pub const OBJECT_IDENTIFIER: u8 = 0x06;
/// Elements in order.
pub const SEQUENCE: u8 = 0x30;
/// Elements in any order.
pub const SET: u8 = 0x31;
/// Content that stands at a number: `[0]`, made of further elements.
pub const CONTEXT_0: u8 = 0xa0;
/// The same, but plain bytes.
pub const PLAIN_CONTEXT_0: u8 = 0x80;

/// Elements one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Der<'d>(pub &'d [u8]);

impl<'d> Der<'d> {
    /// The next element: its tag and its content.
    #[expect(clippy::should_implement_trait, reason = "an element is asked for, nobody iterates over them")]
    pub fn next(&mut self) -> Option<(u8, &'d [u8])> {
        let (tag, rest) = self.0.split_first()?;
        let (first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0..=0x7f => (usize::from(*first), rest),
            // Lengths of up to four bytes are more than any value needs.
            0x81..=0x84 => {
                let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                let length = digits.iter().fold(0_u32, |length, digit| (length << 8) | u32::from(*digit));
                (usize::try_from(length).ok()?, rest)
            }
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((*tag, content))
    }

    /// The content of the next element, which must have the tag.
    pub fn expect(&mut self, tag: u8) -> Option<&'d [u8]> {
        self.next().filter(|(found, _)| *found == tag).map(|(_, content)| content)
    }

    /// All bytes of the next element.
    pub fn whole(&mut self) -> Option<&'d [u8]> {
        let before = self.0;
        self.next()?;
        before.get(..before.len().checked_sub(self.0.len())?)
    }

    /// The elements inside of the next one, which must have the tag.
    pub fn inside(&mut self, tag: u8) -> Option<Der<'d>> {
        self.expect(tag).map(Der)
    }
}

/// Decodes Base64 with blanks in it.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let compact: String = text.split_ascii_whitespace().collect();
    STANDARD.decode(compact).ok()
}
