//! What a backslash means in a pattern: classes, anchors, references and characters given by number.

use super::class;
use super::{Node, Parser, Refusal};

/// An extended grapheme cluster, near enough: a character with its marks and joiners.
const GRAPHEME: &str = r"(?>\r\n|\P{M}[\p{M}\x{200C}\x{200D}\x{FE0E}\x{FE0F}]*|\p{M}+)";

impl Parser<'_> {
    /// Reads an escape outside of a class, behind its backslash.
    pub(super) fn escape(&mut self) -> Result<Vec<Node>, Refusal> {
        let Some(character) = self.peek() else { return Err("too short escape sequence".into()) };
        if let Some(set) = class::shorthand(character, self.alphabet()) {
            self.advance();
            return Ok(vec![Node::Set(format!("[{set}]"))]);
        }
        let fixed = |text: &'static str, takes: usize| Node::Fixed { text, takes };
        let node = match character {
            'A' => fixed(r"\A", 0),
            'z' => fixed(r"\z", 0),
            'Z' => fixed(r"(?=\n?\z)", 0),
            'b' => fixed(r"\b", 0),
            'B' => fixed(r"\B", 0),
            'G' => fixed(r"\G", 0),
            'K' => fixed(r"\K", 0),
            'R' => fixed(r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])", 1),
            'X' => fixed(GRAPHEME, 1),
            'p' | 'P' if self.peek_at(1) == Some('{') => {
                self.advance();
                return Ok(vec![Node::Set(format!("[{}]", self.property(character == 'P')?))]);
            }
            'k' if matches!(self.peek_at(1), Some('<' | '\'')) => {
                self.advance();
                return Ok(vec![Node::Backreference(self.reference()?)]);
            }
            'g' if matches!(self.peek_at(1), Some('<' | '\'')) => {
                self.advance();
                self.is_uncertain = true;
                return Ok(vec![Node::Call(self.reference()?)]);
            }
            '1'..='9' => {
                if let Some(number) = self.backreference_number() {
                    return Ok(vec![Node::Backreference(super::Reference::Number(number))]);
                }
                return Ok(self.characters_of_escape()?.into_iter().map(Node::Literal).collect());
            }
            _ => return Ok(self.characters_of_escape()?.into_iter().map(Node::Literal).collect()),
        };
        self.advance();
        Ok(vec![node])
    }

    /// A number is a reference if it has one digit or if there are as many groups; else it is octal.
    fn backreference_number(&mut self) -> Option<usize> {
        let digits: String = self.rest().iter().take_while(|digit| digit.is_ascii_digit()).collect();
        let number: usize = digits.parse().ok()?;
        if number > 9 && number > self.group_count() {
            return None;
        }
        for _ in digits.chars() {
            self.advance();
        }
        Some(number)
    }

    /// Reads `{name}` or `{^name}` of a property.
    pub(super) fn property(&mut self, negated: bool) -> Result<String, Refusal> {
        self.is_uncertain = true;
        let Some(length) = self.rest().iter().position(|character| *character == '}') else {
            return Err("invalid character property name {}".into());
        };
        let name: String = self.rest().iter().take(length).skip(1).collect();
        for _ in 0..=length {
            self.advance();
        }
        let (negated, name) = match name.strip_prefix('^') {
            Some(name) => (!negated, name),
            None => (negated, name.as_str()),
        };
        class::property(name, negated).ok_or_else(|| format!("invalid character property name {{{name}}}"))
    }

    /// Reads an escape that stands for characters; `\u{..}` may give several.
    pub(super) fn characters_of_escape(&mut self) -> Result<Vec<char>, Refusal> {
        let Some(character) = self.advance() else { return Err("too short escape sequence".into()) };
        Ok(vec![match character {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'c' => self.control()?,
            'C' if self.take("-") => self.control()?,
            'u' => return self.unicode(),
            'x' => {
                let byte = self.hexadecimal_byte()?;
                self.character_of_bytes(byte)?
            }
            '0'..='7' => {
                let byte = self.octal_byte(character)?;
                self.character_of_bytes(byte)?
            }
            other => other,
        }])
    }

    fn control(&mut self) -> Result<char, Refusal> {
        let short = || Refusal::from("too short control escape");
        let character = self.advance().ok_or_else(short)?;
        let code = u32::from(character) & 0x1f;
        char::from_u32(if character == '?' { 0x7f } else { code }).ok_or_else(short)
    }

    fn hexadecimal_byte(&mut self) -> Result<u8, Refusal> {
        let digits: String = self.rest().iter().take(2).take_while(|digit| digit.is_ascii_hexdigit()).collect();
        let byte = u8::from_str_radix(&digits, 16).map_err(|_| Refusal::from("invalid hex escape"))?;
        for _ in digits.chars() {
            self.advance();
        }
        Ok(byte)
    }

    fn octal_byte(&mut self, first: char) -> Result<u8, Refusal> {
        let is_octal = |digit: &&char| matches!(digit, '0'..='7');
        let mut digits = String::from(first);
        digits.extend(self.rest().iter().take(2).take_while(is_octal));
        for _ in 1..digits.len() {
            self.advance();
        }
        let code = u32::from_str_radix(&digits, 8).unwrap_or(u32::MAX);
        u8::try_from(code).map_err(|_| "invalid escape code".into())
    }

    /// Bytes above ASCII that are given one by one make up a character together.
    fn character_of_bytes(&mut self, first: u8) -> Result<char, Refusal> {
        let length = match first {
            0x00..=0x7f => return Ok(char::from(first)),
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Err("invalid multibyte escape".into()),
        };
        let mut bytes = vec![first];
        while bytes.len() < length {
            if !self.take("\\x") {
                return Err("too short escaped multibyte character".into());
            }
            bytes.push(self.hexadecimal_byte()?);
        }
        let text = str::from_utf8(&bytes).ok().and_then(|text| text.chars().next());
        text.ok_or_else(|| "invalid multibyte escape".into())
    }

    /// Reads `\uHHHH` or `\u{H.. H..}`.
    fn unicode(&mut self) -> Result<Vec<char>, Refusal> {
        if self.peek().is_none() {
            return Err("too short escape sequence".into());
        }
        let character = |digits: &str| {
            let code = u32::from_str_radix(digits, 16).ok();
            code.and_then(char::from_u32).ok_or_else(|| Refusal::from("invalid Unicode range"))
        };
        if !self.take("{") {
            let digits: String = self.rest().iter().take(4).take_while(|digit| digit.is_ascii_hexdigit()).collect();
            if digits.len() < 4 {
                return Err("invalid Unicode escape".into());
            }
            for _ in digits.chars() {
                self.advance();
            }
            return Ok(vec![character(&digits)?]);
        }
        let list: String = self.rest().iter().take_while(|character| **character != '}').collect();
        for _ in 0..=list.chars().count() {
            if self.advance().is_none() {
                return Err("invalid Unicode list".into());
            }
        }
        let is_hexadecimal = |word: &str| word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if list.trim().is_empty() || !list.split_ascii_whitespace().all(is_hexadecimal) {
            return Err("invalid Unicode list".into());
        }
        list.split_ascii_whitespace().map(character).collect()
    }
}
