//! Whether a text is JSON, and if not, which rest of it the reference's JSON parser complains about.

/// How deeply arrays and objects may be nested.
const MAX_NESTING: u32 = 100;

/// Checks a text; the error is the reference's sentence.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut reader = Reader { text, position: 0, nesting: 0 };
    reader.document().map_err(|failure| match failure {
        Failure::TooDeep => format!("nesting of {} is too deep", MAX_NESTING + 1),
        Failure::At(position) => {
            let rest = text.get(position..).unwrap_or_default();
            format!("unexpected token at '{rest}'")
        }
        Failure::Value => format!("unexpected token at '{text}'"),
    })
}

enum Failure {
    /// The reference points here.
    At(usize),
    /// The value is wrong; the reference points at the value in the innermost array, or at the whole.
    Value,
    TooDeep,
}

struct Reader<'t> {
    text: &'t str,
    position: usize,
    nesting: u32,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Result<(), Failure> {
        self.skip_ignored();
        let start = self.position;
        match self.value() {
            Err(Failure::Value) => return Err(Failure::At(start)),
            other => other?,
        }
        self.skip_ignored();
        if self.position < self.text.len() {
            return Err(Failure::At(self.position));
        }
        Ok(())
    }

    fn value(&mut self) -> Result<(), Failure> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.eat("true") || self.eat("false") || self.eat("null") => Ok(()),
            // Known, but refused.
            _ if self.rest().starts_with("NaN") || self.rest().starts_with("Infinity") => {
                Err(Failure::At(self.position))
            }
            _ => Err(Failure::Value),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Failure::TooDeep);
        }
        self.position += 1;
        read(self)?;
        self.nesting -= 1;
        Ok(())
    }

    fn array(&mut self) -> Result<(), Failure> {
        self.skip_ignored();
        if self.eat("]") {
            return Ok(());
        }
        loop {
            self.skip_ignored();
            let start = self.position;
            match self.value() {
                Err(Failure::Value) => return Err(Failure::At(start)),
                other => other?,
            }
            self.skip_ignored();
            if self.eat("]") {
                return Ok(());
            }
            if !self.eat(",") {
                return Err(Failure::At(self.position));
            }
        }
    }

    fn object(&mut self) -> Result<(), Failure> {
        self.skip_ignored();
        if self.eat("}") {
            return Ok(());
        }
        loop {
            self.skip_ignored();
            if self.peek() != Some(b'"') {
                return Err(Failure::Value);
            }
            self.string()?;
            self.skip_ignored();
            if !self.eat(":") {
                return Err(Failure::Value);
            }
            self.skip_ignored();
            self.value()?;
            self.skip_ignored();
            if self.eat("}") {
                return Ok(());
            }
            if !self.eat(",") {
                return Err(Failure::Value);
            }
        }
    }

    fn string(&mut self) -> Result<(), Failure> {
        self.position += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.position += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.position += 1;
                    let is_unicode = self.eat("u");
                    let hex = self.rest().bytes().take(4).filter(u8::is_ascii_hexdigit).count();
                    if is_unicode && hex < 4 {
                        return Err(Failure::Value);
                    }
                    if !is_unicode {
                        self.skip_character()?;
                    }
                }
                Some(0..=0x1f) | None => return Err(Failure::Value),
                Some(_) => self.skip_character()?,
            }
        }
    }

    fn skip_character(&mut self) -> Result<(), Failure> {
        let character = self.rest().chars().next().ok_or(Failure::Value)?;
        self.position += character.len_utf8();
        Ok(())
    }

    fn number(&mut self) -> Result<(), Failure> {
        let start = self.position;
        if self.rest().starts_with("-Infinity") {
            return Err(Failure::At(start));
        }
        self.eat("-");
        let is_zero = self.peek() == Some(b'0');
        match self.digits() {
            0 => return Err(Failure::Value),
            count if is_zero && count > 1 => return Err(Failure::Value),
            _ => {}
        }
        if self.eat(".") && self.digits() == 0 {
            return Err(Failure::Value);
        }
        if self.eat("e") || self.eat("E") {
            let _ = self.eat("+") || self.eat("-");
            if self.digits() == 0 {
                return Err(Failure::Value);
            }
        }
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.position += count;
        count
    }

    /// Skips white space and comments, which the reference allows.
    fn skip_ignored(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            self.position += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("/*") {
                trimmed.find("*/").map(|end| end + 2)
            } else if trimmed.starts_with("//") {
                Some(trimmed.find('\n').map_or(trimmed.len(), |end| end + 1))
            } else {
                None
            };
            match comment {
                Some(length) => self.position += length,
                None => return,
            }
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.position += expected.len();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(text: &str, expected: Option<&str>) {
        let expected = expected.map(|rest| format!("unexpected token at '{rest}'"));
        assert_eq!(check(text).err(), expected, "{text:?}");
    }

    #[test]
    fn valid_texts() {
        for text in ["1", "{}", "[1, -2.5e3, \"a\\u0041\"]", " {\"a\": [true, null]} // c\n", "\"é\""] {
            check_error(text, None);
        }
    }

    #[test]
    fn invalid_texts() {
        check_error("", Some(""));
        check_error("{a: 1}\n", Some("{a: 1}\n"));
        check_error("[1,2\n", Some(""));
        check_error("[1 2]", Some("2]"));
        check_error("1 2", Some("2"));
        check_error("{\"a\":[1,{\"b\":x}]}", Some("{\"b\":x}]}"));
        check_error("{\"a\": NaN}", Some("NaN}"));
        check_error("{\"a\":01}", Some("{\"a\":01}"));
    }
}
