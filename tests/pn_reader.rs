//! A reader of PN text, independent of what writes it.

use bunraku::syntax::pn::Pn;

/// A tree read from PN text.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// `nil`, `true`, a number: whatever is written without quotes.
    Word(String),
    /// `"text"`
    Text(String),
    /// `[a b]`
    List(Vec<Tree>),
    /// `{:key value}`
    Map(Vec<(String, Tree)>),
    /// `(name a b)`
    Call(String, Vec<Tree>),
}

/// The tree as it should be read.
pub fn tree_of(pn: &Pn) -> Tree {
    let all = |elements: &[Pn]| elements.iter().map(tree_of).collect();
    match pn {
        Pn::Nil => Tree::Word("nil".to_owned()),
        Pn::Boolean(value) => Tree::Word(value.to_string()),
        Pn::Integer(value) => Tree::Word(value.to_string()),
        Pn::BigInteger(digits) => Tree::Word(digits.to_string()),
        Pn::Float(_) => Tree::Word(pn.to_compact()),
        Pn::String(text) => Tree::Text(text.to_string()),
        Pn::List(elements) => Tree::List(all(elements)),
        Pn::Map(entries) => Tree::Map(entries.iter().map(|(key, value)| (key.to_string(), tree_of(value))).collect()),
        Pn::Call(name, elements) => Tree::Call((*name).to_owned(), all(elements)),
    }
}

/// Reads one tree; nothing may follow it.
pub fn read(text: &str) -> Result<Tree, String> {
    let mut reader = Reader { rest: text };
    let tree = reader.tree()?;
    reader.skip_space();
    if reader.rest.is_empty() { Ok(tree) } else { Err(format!("unexpected text: {:.40}", reader.rest)) }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn tree(&mut self) -> Result<Tree, String> {
        self.skip_space();
        match self.rest.chars().next() {
            Some('[') => Ok(Tree::List(self.elements(']')?)),
            Some('(') => {
                self.take();
                let name = self.word();
                Ok(Tree::Call(name, self.rest_of_elements(')')?))
            }
            Some('{') => {
                let mut entries = Vec::new();
                self.take();
                while !self.is_at('}') {
                    self.expect(':')?;
                    entries.push((self.word(), self.tree()?));
                }
                self.expect('}')?;
                Ok(Tree::Map(entries))
            }
            Some('"') => self.text().map(Tree::Text),
            Some(_) => Ok(Tree::Word(self.word())),
            None => Err("the text ends too early".to_owned()),
        }
    }

    fn elements(&mut self, end: char) -> Result<Vec<Tree>, String> {
        self.take();
        self.rest_of_elements(end)
    }

    fn rest_of_elements(&mut self, end: char) -> Result<Vec<Tree>, String> {
        let mut elements = Vec::new();
        while !self.is_at(end) {
            elements.push(self.tree()?);
        }
        self.expect(end)?;
        Ok(elements)
    }

    fn text(&mut self) -> Result<String, String> {
        let mut text = String::new();
        self.take();
        loop {
            match self.take().ok_or("an open quote")? {
                '"' => return Ok(text),
                '\\' => match self.take().ok_or("an open quote")? {
                    't' => text.push('\t'),
                    'n' => text.push('\n'),
                    'r' => text.push('\r'),
                    'o' => {
                        let digits: String = (0..3).filter_map(|_| self.take()).collect();
                        let code = u32::from_str_radix(&digits, 8).map_err(|error| error.to_string())?;
                        text.extend(char::from_u32(code));
                    }
                    other => text.push(other),
                },
                other => text.push(other),
            }
        }
    }

    fn word(&mut self) -> String {
        let end = self.rest.find(|c: char| c.is_whitespace() || "()[]{}\"".contains(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.to_owned()
    }

    fn is_at(&mut self, wanted: char) -> bool {
        self.skip_space();
        self.rest.starts_with(wanted) || self.rest.is_empty()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.take() {
            Some(found) if found == wanted => Ok(()),
            other => Err(format!("{other:?} in the place of {wanted:?}")),
        }
    }

    fn take(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let first = characters.next();
        self.rest = characters.as_str();
        first
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }
}
