//! PEM: Base64 between two lines that say what it is.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Why a text has no block of the kind that is wanted.
pub(crate) enum Missing {
    /// Nothing begins one.
    Start,
    /// The block has no end of its own.
    End,
}

/// The label and the body of the first block in a text whose label is wanted.
pub(crate) fn find(text: &str, is_wanted: impl Fn(&str) -> bool) -> Result<(&str, &str), Missing> {
    let mut rest = text;
    while let Some((_, block)) = split_at_line(rest, "-----BEGIN ") {
        let (head, body) = block.split_once('\n').unwrap_or((block, ""));
        rest = body;
        let Some(label) = head.trim_end().strip_suffix("-----").filter(|label| is_wanted(label)) else { continue };
        let end = split_at_line(body, "-----END ")
            .filter(|(_, end)| end.strip_prefix(label).is_some_and(|end| end.starts_with("-----")));
        return end.map(|(body, _)| (label, body)).ok_or(Missing::End);
    }
    Err(Missing::Start)
}

/// What stands before the first line that begins with a mark, and the rest of that line and all that follows.
fn split_at_line<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let at = text
        .match_indices(mark)
        .map(|(at, _)| at)
        .find(|at| text.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with('\n')))?;
    Some((text.get(..at)?, text.get(at..)?.strip_prefix(mark)?))
}

/// Decodes Base64 with blanks in it.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let compact: String = text.split_ascii_whitespace().collect();
    STANDARD.decode(compact).ok()
}

/// The content of all blocks whose label is wanted, in order; what is no Base64 is left out.
pub(crate) fn all(text: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, block)) = split_at_line(rest, "-----BEGIN ") {
        let (head, body) = block.split_once('\n').unwrap_or((block, ""));
        rest = body;
        let is_meant = head.trim_end().strip_suffix("-----").is_some_and(&is_wanted);
        if let Some((body, end)) = split_at_line(body, "-----END ").filter(|_| is_meant) {
            found.extend(decode_base64(body));
            rest = end;
        }
    }
    found
}

/// Bytes between the two lines that say what they are.
pub(crate) fn encode(label: &str, bytes: &[u8]) -> String {
    const WIDTH: usize = 64;
    let encoded = STANDARD.encode(bytes);
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in encoded.as_bytes().chunks(WIDTH) {
        text.extend(line.iter().map(|byte| char::from(*byte)));
        text.push('\n');
    }
    text.push_str(&format!("-----END {label}-----\n"));
    text
}
