//! Finds where in a YAML text a value stands. Data is kept without places, for almost nobody asks; whoever reports a
//! wrong value reads the text once more.

use bunraku_pcore::Value;

use super::MAXIMUM_DEPTH;
use super::scalar::{self, Scalar};
use super::scanner::{Event, EventData, Mark, Parser};

/// A place in a text, counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

/// The place of the value at the end of a path of keys and indexes, or of the deepest value on the way to it that the
/// text itself shows (what aliases and merge keys bring is written elsewhere).
pub fn locate(text: &[u8], path: &[Value]) -> Option<Place> {
    let mut locator = Locator { parser: Parser::new(text) };
    loop {
        match locator.next()?.data {
            EventData::StreamEnd => return None,
            EventData::DocumentStart => break,
            _ => {}
        }
    }
    let root = locator.next()?;
    let place = place_of(root.start_mark);
    locator.find(root, path, place, 0)
}

/// All scalars of a text, keys included, each with its place, as far as it can be read: nobody asks here whether it is
/// valid.
pub fn scalars(text: &[u8]) -> Vec<(String, Place)> {
    let mut parser = Parser::new(text);
    let mut found = Vec::new();
    while let Ok(event) = parser.parse() {
        match event.data {
            EventData::StreamEnd => break,
            EventData::Scalar { value, .. } => found.push((value, place_of(event.start_mark))),
            _ => {}
        }
    }
    found
}

struct Locator<'t> {
    parser: Parser<'t>,
}

impl Locator<'_> {
    fn next(&mut self) -> Option<Event> {
        self.parser.parse().ok()
    }

    fn find(&mut self, event: Event, path: &[Value], place: Place, depth: usize) -> Option<Place> {
        if depth > MAXIMUM_DEPTH {
            return None;
        }
        match (event.data, path.split_first()) {
            (EventData::MappingStart { .. }, Some((key, rest))) => self.find_key(key, rest, place, depth),
            (EventData::SequenceStart { .. }, Some((index, rest))) => self.find_index(index, rest, place, depth),
            (EventData::MappingStart { .. } | EventData::SequenceStart { .. }, None) => self.skip().map(|()| place),
            _ => Some(place),
        }
    }

    fn find_key(&mut self, wanted: &Value, rest: &[Value], place: Place, depth: usize) -> Option<Place> {
        let mut found = place;
        loop {
            let key = self.next()?;
            let key_place = place_of(key.start_mark);
            let is_wanted = match key.data {
                EventData::MappingEnd => return Some(found),
                EventData::Scalar { value, is_quoted, .. } => is_key(&value, is_quoted, wanted),
                EventData::MappingStart { .. } | EventData::SequenceStart { .. } => self.skip().map(|()| false)?,
                _ => false,
            };
            let value = self.next()?;
            if is_wanted {
                found = self.find(value, rest, key_place, depth.saturating_add(1))?;
            } else {
                self.pass(&value)?;
            }
        }
    }

    fn find_index(&mut self, wanted: &Value, rest: &[Value], place: Place, depth: usize) -> Option<Place> {
        let mut found = place;
        let mut index = 0;
        loop {
            let event = self.next()?;
            if matches!(event.data, EventData::SequenceEnd) {
                return Some(found);
            }
            if *wanted == Value::Integer(index) {
                let element = place_of(event.start_mark);
                found = self.find(event, rest, element, depth.saturating_add(1))?;
            } else {
                self.pass(&event)?;
            }
            index = index.saturating_add(1);
        }
    }

    fn pass(&mut self, event: &Event) -> Option<()> {
        match event.data {
            EventData::MappingStart { .. } | EventData::SequenceStart { .. } => self.skip(),
            _ => Some(()),
        }
    }

    /// Reads to the end of the collection that has just begun.
    fn skip(&mut self) -> Option<()> {
        let mut open = 1_usize;
        while open > 0 {
            if open > MAXIMUM_DEPTH {
                return None;
            }
            match self.next()?.data {
                EventData::MappingStart { .. } | EventData::SequenceStart { .. } => open = open.saturating_add(1),
                EventData::MappingEnd | EventData::SequenceEnd => open = open.saturating_sub(1),
                _ => {}
            }
        }
        Some(())
    }
}

fn is_key(text: &str, is_quoted: bool, wanted: &Value) -> bool {
    if is_quoted {
        return wanted.as_str() == Some(text);
    }
    match (scalar::resolve(text), wanted) {
        (Ok(Scalar::String(text) | Scalar::Symbol(text)), Value::String(wanted)) => text == wanted.as_str(),
        (Ok(Scalar::Integer(integer)), Value::Integer(wanted)) => integer == *wanted,
        (Ok(Scalar::Boolean(boolean)), Value::Boolean(wanted)) => boolean == *wanted,
        _ => false,
    }
}

fn place_of(mark: Mark) -> Place {
    Place { line: mark.line.saturating_add(1), column: mark.column.saturating_add(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_a_place() {
        let text = b"a: 1\nb:\n  - x\n  - c: {d: 1}\n    e: 2\nf: &x {y: 1}\ng: *x\na: 2\n";
        let check =
            |path: &[Value], line, column| assert_eq!(locate(text, path), Some(Place { line, column }), "{path:?}");
        check(&["a".into()], 8, 1);
        check(&["b".into()], 2, 1);
        check(&["b".into(), Value::Integer(1)], 4, 5);
        check(&["b".into(), Value::Integer(1), "e".into()], 5, 5);
        check(&["b".into(), Value::Integer(1), "c".into(), "d".into()], 4, 9);
        check(&["g".into(), "y".into()], 7, 1);
    }

    #[test]
    fn scalars_have_places() {
        let found: Vec<_> = scalars(b"a: 'b'\n\n# c\n- d").into_iter().map(|(text, at)| (text, at.line)).collect();
        assert_eq!(found, [("a".to_owned(), 1), ("b".to_owned(), 1)]);
    }
}
