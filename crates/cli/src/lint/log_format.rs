//! The format of lines that `--log-format` asks for: Ruby's `%{name}` and `%-10<name>s`, with its flags, widths and
//! precisions.

use super::shown::{NAMES, Shown};

/// A format, cut into pieces.
#[derive(Debug, Default)]
pub(super) struct LogFormat(Vec<Piece>);

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Value { name: String, layout: Layout },
}

/// How a value is laid out.
#[derive(Debug, Default, PartialEq, Eq)]
struct Layout {
    /// Whether it is padded on the right.
    is_left: bool,
    /// Whether it is padded with zeros, if it is a number.
    with_zeros: bool,
    width: usize,
    /// How many characters of it are shown at most; of a number, how many digits at least.
    precision: Option<usize>,
    is_number: bool,
}

impl LogFormat {
    /// Reads a format; what is wrong with it otherwise.
    pub(super) fn read(format: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('%') {
            pieces.push(Piece::Text(before.to_owned()));
            rest = match after.chars().next() {
                None => return Err("incomplete format specifier; use %% (double %) instead".to_owned()),
                Some('%') => {
                    pieces.push(Piece::Text("%".to_owned()));
                    after.get(1..).unwrap_or_default()
                }
                Some('\n' | '\0') => {
                    pieces.push(Piece::Text("%".to_owned()));
                    after
                }
                Some(_) => {
                    let (piece, rest) = value(after)?;
                    pieces.push(piece);
                    rest
                }
            };
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }

    /// Whether nothing was asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Piece::Text(text) if text.is_empty()))
    }

    /// The line of a problem.
    pub(super) fn line(&self, shown: Shown<'_>) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value { name, layout } => layout.apply(&shown.named(name).unwrap_or_default()),
        };
        self.0.iter().map(piece).collect()
    }
}

/// What follows a percent sign, and the rest.
fn value(text: &str) -> Result<(Piece, &str), String> {
    let mut layout = Layout::default();
    let mut rest = layout.read(text)?;
    let mut name = None;
    if let Some(after) = rest.strip_prefix('<') {
        let (given, after) = after.split_once('>').ok_or("malformed name - unmatched parenthesis")?;
        name = Some(given);
        rest = layout.read(after)?;
    }
    let name = match (name, rest.chars().next()) {
        (None, Some('{')) => {
            let (given, after) = rest.split_once('}').ok_or("malformed name - unmatched parenthesis")?;
            rest = after;
            given.get(1..).unwrap_or_default()
        }
        (Some(name), Some(kind @ ('s' | 'd' | 'i'))) => {
            layout.is_number = kind != 's';
            rest = rest.get(1..).unwrap_or_default();
            name
        }
        (_, Some(other)) => return Err(format!("malformed format string - %{other}")),
        (_, None) => return Err("incomplete format specifier; use %% (double %) instead".to_owned()),
    };
    if !NAMES.contains(&name) {
        return Err(format!("key<{name}> not found; there are {}", NAMES.join(", ")));
    }
    Ok((Piece::Value { name: name.to_owned(), layout }, rest))
}

impl Layout {
    /// Reads flags, width and precision; the rest.
    fn read<'f>(&mut self, text: &'f str) -> Result<&'f str, String> {
        let rest = text.trim_start_matches(['-', '0', ' ', '+', '#']);
        let flags = text.get(..text.len() - rest.len()).unwrap_or_default();
        self.is_left |= flags.contains('-');
        self.with_zeros |= flags.contains('0');
        let (width, mut rest) = number(rest)?;
        self.width = width.unwrap_or(self.width);
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = number(after)?;
            self.precision = Some(precision.unwrap_or_default());
            rest = after;
        }
        Ok(rest)
    }

    fn apply(&self, value: &str) -> String {
        let width = self.width;
        let value = match self.precision {
            Some(digits) if self.is_number => format!("{value:0>digits$}"),
            Some(most) => value.chars().take(most).collect(),
            None => value.to_owned(),
        };
        match (self.is_left, self.is_number && self.with_zeros && self.precision.is_none()) {
            (true, _) => format!("{value:<width$}"),
            (false, true) => format!("{value:0>width$}"),
            (false, false) => format!("{value:>width$}"),
        }
    }
}

/// The number that a text begins with, and the rest.
fn number(text: &str) -> Result<(Option<usize>, &str), String> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = text.get(..text.len() - rest.len()).unwrap_or_default();
    if digits.is_empty() {
        return Ok((None, rest));
    }
    let number: u16 = digits.parse().map_err(|_| "width too big".to_owned())?;
    Ok((Some(number.into()), rest))
}

#[cfg(test)]
mod tests {
    use super::{Layout, LogFormat, Piece};

    #[test]
    fn formats_are_read_as_ruby_reads_them() {
        let value = |name: &str, layout| Piece::Value { name: name.to_owned(), layout };
        let text = |text: &str| Piece::Text(text.to_owned());
        let read = |format: &str| LogFormat::read(format).map(|it| it.0);
        assert_eq!(
            read("%{line}%%"),
            Ok(vec![text(""), value("line", Layout::default()), text(""), text("%"), text("")])
        );
        let zeros = Layout { with_zeros: true, width: 5, is_number: true, ..Layout::default() };
        assert_eq!(zeros.apply("7"), "00007");
        assert_eq!(read("%<line>05d"), Ok(vec![text(""), value("line", zeros), text("")]));
        let left = Layout { is_left: true, width: 4, precision: Some(2), ..Layout::default() };
        assert_eq!(left.apply("abc"), "ab  ");
        assert_eq!(read("%-4.2{check}|"), Ok(vec![text(""), value("check", left), text("|")]));
        for (format, message) in [
            ("a %", "incomplete format specifier; use %% (double %) instead"),
            ("%{line", "malformed name - unmatched parenthesis"),
            ("%<line>q", "malformed format string - %q"),
            ("%99999{line}", "width too big"),
        ] {
            assert_eq!(read(format), Err(message.to_owned()), "{format}");
        }
        assert!(read("%{nope}").is_err_and(|it| it.starts_with("key<nope> not found; there are message, line")));
    }
}
