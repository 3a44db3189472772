//! Reads the text of a HOCON file.

use bunraku_pcore::Value;
use bunraku_pcore::deep;

use super::{Fields, MAXIMUM_DEPTH, Node, set};

/// Reads a text; the problem with a wrong one names its line.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    let mut parser = Parser { rest: text, line: 1, depth: 0 };
    parser.skip_blank_lines();
    let root = if parser.eat("{") {
        Node::Object(parser.fields(Some('}'))?)
    } else if parser.eat("[") {
        Node::Array(parser.elements()?)
    } else {
        Node::Object(parser.fields(None)?)
    };
    parser.skip_blank_lines();
    match parser.peek() {
        None => Ok(root),
        Some(_) => {
            Err(parser
                .problem(&format!("Document has trailing tokens after first object or array: {}", parser.token())))
        }
    }
}

struct Parser<'t> {
    rest: &'t str,
    line: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let character = characters.next()?;
        self.rest = characters.as_str();
        if character == '\n' {
            self.line = self.line.saturating_add(1);
        }
        Some(character)
    }

    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn problem(&self, text: &str) -> String {
        format!("String: {}: {text}", self.line)
    }

    /// What a message calls the next token.
    fn token(&self) -> String {
        match self.peek() {
            None => "end of file".to_owned(),
            Some('\n') => "end of line".to_owned(),
            Some(character) => format!("'{character}'"),
        }
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|c| c != '\n' && (c.is_whitespace() || c == '\u{feff}')) {
            self.take();
        }
        if self.rest.starts_with('#') || self.rest.starts_with("//") {
            while self.peek().is_some_and(|c| c != '\n') {
                self.take();
            }
        }
    }

    fn skip_blank_lines(&mut self) {
        self.skip_blanks();
        while self.peek() == Some('\n') {
            self.take();
            self.skip_blanks();
        }
    }

    fn nested<R>(&mut self, read: impl FnOnce(&mut Self) -> Result<R, String>) -> Result<R, String> {
        self.nested_by(1, read)
    }

    fn nested_by<R>(&mut self, levels: usize, read: impl FnOnce(&mut Self) -> Result<R, String>) -> Result<R, String> {
        if self.depth.saturating_add(levels) > MAXIMUM_DEPTH {
            return Err(self.problem("objects and arrays are nested too deeply"));
        }
        self.depth += levels;
        let result = deep(|| read(self));
        self.depth -= levels;
        result
    }

    fn fields(&mut self, close: Option<char>) -> Result<Fields, String> {
        let mut fields = Fields::new();
        loop {
            self.skip_blank_lines();
            match self.peek() {
                None if close.is_none() => return Ok(fields),
                None => return Err(self.problem("expecting a close brace or a field name here, got end of file")),
                character if character == close => {
                    self.take();
                    return Ok(fields);
                }
                _ => {}
            }
            if !self.include()? {
                self.field(&mut fields)?;
            }
            self.skip_blanks();
            match self.peek() {
                Some(',' | '\n') => {
                    self.take();
                }
                None => {}
                character if character == close => {}
                _ => {
                    let token = self.token();
                    return Err(self.problem(&format!(
                        "Expecting close brace }} or a comma, got {token} (if you intended {token} to be part of a key \
                         or string value, try enclosing the key or value in double quotes"
                    )));
                }
            }
        }
    }

    /// An include is passed over: data comes from the levels of the hierarchy alone.
    fn include(&mut self) -> Result<bool, String> {
        let is_include = self.rest.strip_prefix("include").is_some_and(|rest| rest.trim_start().starts_with('"'));
        if is_include {
            self.eat("include");
            self.skip_blanks();
            self.quoted()?;
        }
        Ok(is_include)
    }

    fn field(&mut self, fields: &mut Fields) -> Result<(), String> {
        let path = self.path(&['=', ':', '{', '+'])?;
        self.skip_blank_lines();
        let is_append = self.eat("+=");
        if !is_append && !self.eat("=") && !self.eat(":") && self.peek() != Some('{') {
            let problem = format!("Key '{}' may not be followed by token: {}", path.join("."), self.token());
            return Err(self.problem(&problem));
        }
        self.skip_blank_lines();
        let value = self.nested_by(path.len(), Self::value)?;
        set(fields, path, if is_append { Node::Append(None, vec![value]) } else { value });
        Ok(())
    }

    /// A dotted path, up to one of the characters that end it.
    fn path(&mut self, ends: &[char]) -> Result<Vec<String>, String> {
        let mut path = Vec::new();
        let mut part = String::new();
        let mut has_part = false;
        loop {
            match self.peek() {
                Some('"') => {
                    part.push_str(&self.quoted()?);
                    has_part = true;
                }
                Some('.') => {
                    self.take();
                    path.push(std::mem::take(&mut part).trim().to_owned());
                    has_part = false;
                }
                Some(character) if is_unquoted(character) && !ends.contains(&character) && character != '\n' => {
                    part.push(character);
                    has_part |= !character.is_whitespace();
                    self.take();
                }
                _ => break,
            }
        }
        if !has_part || path.iter().any(String::is_empty) {
            return Err(self.problem(&format!("expecting a close brace or a field name here, got {}", self.token())));
        }
        path.push(part.trim().to_owned());
        Ok(path)
    }

    fn elements(&mut self) -> Result<Vec<Node>, String> {
        let mut elements = Vec::new();
        loop {
            self.skip_blank_lines();
            match self.peek() {
                Some(']') => {
                    self.take();
                    return Ok(elements);
                }
                None if elements.is_empty() => {
                    return Err(self.problem(
                        "List should have ] or a first element after the open [, instead had token: end of file",
                    ));
                }
                None => {
                    return Err(
                        self.problem("List should have had new element after a comma, instead had token: end of file (if you want the \
                             comma or end of file to be part of a string value, then double-quote it)")
                    );
                }
                _ => elements.push(self.nested(Self::value)?),
            }
            self.skip_blanks();
            match self.peek() {
                Some(',' | '\n') => {
                    self.take();
                    self.skip_blank_lines();
                    self.eat(",");
                }
                Some(']') => {}
                _ => {
                    let problem =
                        format!("List should have ended with ] or had a comma, instead had token: {}", self.token());
                    return Err(self.problem(&problem));
                }
            }
        }
    }

    /// Parts beside each other on one line.
    fn value(&mut self) -> Result<Node, String> {
        let mut parts = Vec::new();
        loop {
            let blanks = self.blanks();
            let part = match self.peek() {
                None | Some('\n' | ',' | '}' | ']' | '#') => break,
                Some('{') => {
                    self.take();
                    Node::Object(self.nested(|parser| parser.fields(Some('}')))?)
                }
                Some('[') => {
                    self.take();
                    Node::Array(self.nested(Self::elements)?)
                }
                Some('"') => Node::Value(Value::from(self.quoted()?)),
                Some('$') => self.substitution()?,
                Some(_) => match self.unquoted() {
                    "" => break,
                    text => scalar(text),
                },
            };
            if !parts.is_empty() && !blanks.is_empty() {
                parts.push(Node::Value(Value::string(blanks)));
            }
            parts.push(part);
        }
        match parts.len() {
            0 => Err(self.problem(&format!("Expecting a value but got wrong token: {}", self.token()))),
            1 => Ok(parts.swap_remove(0)),
            _ => Ok(Node::Concatenation(parts)),
        }
    }

    fn blanks(&mut self) -> &'t str {
        let start = self.rest;
        self.skip_blanks();
        start.get(..start.len().saturating_sub(self.rest.len())).unwrap_or_default()
    }

    fn unquoted(&mut self) -> &'t str {
        let start = self.rest;
        while let Some(character) = self.peek() {
            let is_end = character.is_whitespace() || !is_unquoted(character) || matches!(character, '=' | ':' | '+');
            if is_end || self.rest.starts_with("//") {
                break;
            }
            self.take();
        }
        start.get(..start.len().saturating_sub(self.rest.len())).unwrap_or_default()
    }

    fn substitution(&mut self) -> Result<Node, String> {
        if !self.eat("${") {
            return Err(self.problem("'$' not followed by {, '$' not allowed after is outside of quotes"));
        }
        let is_optional = self.eat("?");
        let path = self.path(&['}'])?;
        if !self.eat("}") {
            return Err(self.problem("Substitution ${ was not closed with a }"));
        }
        Ok(Node::Substitution { path, is_optional })
    }

    fn quoted(&mut self) -> Result<String, String> {
        if self.eat("\"\"\"") {
            return self.triple_quoted();
        }
        self.take();
        let mut text = String::new();
        loop {
            match self.take() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some('\n') | None => return Err(self.problem("End of input but string quote was still open")),
                Some(character) => text.push(character),
            }
        }
    }

    fn triple_quoted(&mut self) -> Result<String, String> {
        let mut text = String::new();
        while !self.eat("\"\"\"") {
            match self.take() {
                Some(character) => text.push(character),
                None => return Err(self.problem("End of input but triple-quoted string was still open")),
            }
        }
        while self.eat("\"") {
            text.push('"');
        }
        Ok(text)
    }

    fn escape(&mut self) -> Result<char, String> {
        Ok(match self.take() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(character @ ('"' | '\\' | '/')) => character,
            Some('u') => {
                let digits = self.rest.get(..4).unwrap_or_default();
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                let character = code.ok_or_else(|| self.problem("Malformed hex digits after \\u escape in string"))?;
                self.rest = self.rest.get(4..).unwrap_or_default();
                character
            }
            _ => return Err(self.problem("backslash followed by an unknown escape in string")),
        })
    }
}

fn is_unquoted(character: char) -> bool {
    !"$\"{}[],#`^?!@*&\\".contains(character)
}

/// A number, a constant, or text.
fn scalar(text: &str) -> Node {
    Node::Value(match text {
        "true" => Value::Boolean(true),
        "false" => Value::Boolean(false),
        "null" => Value::Undef,
        _ => number(text).unwrap_or_else(|| Value::string(text)),
    })
}

fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit())
        || !digits.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b))
    {
        return None;
    }
    if let Ok(integer) = text.parse() {
        return Some(Value::Integer(integer));
    }
    let float: f64 = text.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "the bounds are checked")]
    let value =
        if float.fract() == 0.0 && float.abs() < 1e15 { Value::Integer(float as i64) } else { Value::Float(float) };
    Some(value)
}
