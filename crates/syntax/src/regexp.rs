//! Ruby's regular expression syntax: reads a pattern into a tree, and refuses what Ruby refuses with Ruby's words.

mod class;
mod escape;
mod plain;
mod unicode;
mod validate;

pub use class::literal;
pub(crate) use plain::is_plain;
pub use unicode::is_unicode;
pub use validate::minimum_length;

/// How deep groups may nest; the engine has a similar limit.
const MAXIMUM_DEPTH: usize = 60;
/// The highest count Ruby accepts in `{n,m}`.
const MAXIMUM_REPEAT: u32 = 100_000;

/// A part of a pattern.
#[derive(Debug)]
pub enum Node {
    /// One character.
    Literal(char),
    /// One character of a set, which is written as the engine reads it.
    Set(String),
    /// Any character.
    Any {
        /// Whether a line break is one, too.
        newline: bool,
    },
    /// A fixed construct.
    Fixed {
        /// What the engine reads.
        text: &'static str,
        /// The fewest characters it takes.
        takes: usize,
    },
    /// `^`.
    LineStart,
    /// One after the other.
    Sequence(Vec<Node>),
    /// One of several.
    Alternation(Vec<Node>),
    /// `*`, `+`, `?` or `{minimum,maximum}`.
    Repeat {
        /// What is repeated.
        node: Box<Node>,
        /// The fewest times.
        minimum: u32,
        /// The most times.
        maximum: Option<u32>,
        /// How eagerly.
        mode: Mode,
    },
    /// A group that may capture.
    Capture {
        /// An index into [`Pattern::groups`].
        group: usize,
        /// What is captured.
        node: Box<Node>,
    },
    /// A part in which case does or does not matter.
    IgnoreCase {
        /// Whether it does not matter.
        on: bool,
        /// The part.
        node: Box<Node>,
    },
    /// `(?=`, `(?!`, `(?<=` or `(?<!`.
    Look {
        /// Whether at what comes before.
        behind: bool,
        /// Whether it must not be there.
        negative: bool,
        /// What is looked for.
        node: Box<Node>,
    },
    /// `(?>`: no other way of matching it is tried.
    Atomic(Box<Node>),
    /// `(?~`: any text without it.
    Absent(Box<Node>),
    /// `(?(condition)`: taken if the group has matched.
    Conditional {
        /// The group.
        condition: Reference,
        /// What is taken then.
        node: Box<Node>,
    },
    /// The text of a group once more.
    Backreference(Reference),
    /// The pattern of a group once more.
    Call(Reference),
}

/// How eagerly a repetition takes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As much as possible.
    Greedy,
    /// As little as possible.
    Lazy,
    /// As much as possible, and nothing is given back.
    Possessive,
}

/// What a back reference or a call refers to.
#[derive(Debug)]
pub enum Reference {
    /// The number of a group.
    Number(usize),
    /// The name of a group.
    Name(String),
}

/// A pattern that has been read.
#[derive(Debug)]
pub struct Pattern {
    /// What the text must look like.
    pub node: Node,
    /// The names of the groups in order; `None` for one without a name.
    pub groups: Vec<Option<String>>,
    /// Whether only the engine can tell if the pattern is valid: it has properties or calls.
    pub is_uncertain: bool,
}

/// Why a pattern is refused; Ruby's words.
pub type Refusal = String;

/// What the flags of a group turn on.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    ignore_case: bool,
    dot_all: bool,
    extended: bool,
    alphabet: class::Alphabet,
}

/// Reads a pattern.
pub fn parse(source: &str) -> Result<Pattern, Refusal> {
    let characters: Vec<char> = source.chars().collect();
    let mut parser = Parser {
        characters: &characters,
        position: 0,
        flags: Flags::default(),
        depth: 0,
        groups: Vec::new(),
        is_uncertain: false,
    };
    let node = parser.alternation()?;
    if parser.peek().is_some() {
        return Err("unmatched close parenthesis".into());
    }
    let pattern = Pattern { node, groups: parser.groups, is_uncertain: parser.is_uncertain };
    validate::validate(&pattern)?;
    Ok(pattern)
}

struct Parser<'s> {
    characters: &'s [char],
    position: usize,
    flags: Flags,
    depth: usize,
    groups: Vec<Option<String>>,
    is_uncertain: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.position + ahead).copied()
    }

    fn advance(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.position += 1;
        Some(character)
    }

    fn take(&mut self, text: &str) -> bool {
        let fits = text.chars().enumerate().all(|(ahead, character)| self.peek_at(ahead) == Some(character));
        if fits {
            self.position += text.chars().count();
        }
        fits
    }

    /// The text up to `end`, which is consumed; `None`, and nothing consumed, if `end` does not come.
    fn take_until(&mut self, end: char) -> Option<String> {
        let length = self.rest().iter().position(|character| *character == end)?;
        let text = self.rest().iter().take(length).collect();
        self.position += length + 1;
        Some(text)
    }

    fn rest(&self) -> &[char] {
        self.characters.get(self.position..).unwrap_or_default()
    }

    fn alphabet(&self) -> class::Alphabet {
        self.flags.alphabet
    }

    fn alternation(&mut self) -> Result<Node, Refusal> {
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return Err("too deep nest level".into());
        }
        let mut alternatives = vec![self.sequence()?];
        while self.take("|") {
            alternatives.push(self.sequence()?);
        }
        self.depth -= 1;
        match alternatives.pop() {
            Some(only) if alternatives.is_empty() => Ok(only),
            last => Ok(Node::Alternation(alternatives.into_iter().chain(last).collect())),
        }
    }

    fn sequence(&mut self) -> Result<Node, Refusal> {
        let mut nodes = Vec::new();
        loop {
            self.skip_insignificant()?;
            match self.peek() {
                None | Some('|' | ')') => return Ok(Node::Sequence(nodes)),
                Some('*' | '+' | '?') => return Err("target of repeat operator is not specified".into()),
                Some('{') if self.interval()?.is_some() => {
                    return Err("target of repeat operator is not specified".into());
                }
                Some(_) => {}
            }
            if let Some(flags) = self.isolated_flags()? {
                // The flags hold to the end of the group, and take in its alternatives.
                let outer = std::mem::replace(&mut self.flags, flags);
                let rest = self.alternation()?;
                self.flags = outer;
                nodes.push(with_case(flags.ignore_case, outer.ignore_case, rest));
                return Ok(Node::Sequence(nodes));
            }
            if let Some(atom) = self.atom(&mut nodes)? {
                let atom = self.quantified(atom)?;
                nodes.push(atom);
            }
        }
    }

    /// Skips comments, and in extended mode also space.
    fn skip_insignificant(&mut self) -> Result<(), Refusal> {
        loop {
            if self.take("(?#") {
                loop {
                    match self.advance() {
                        None => return Err("end pattern in group".into()),
                        Some(')') => break,
                        Some('\\') => {
                            self.advance();
                        }
                        Some(_) => {}
                    }
                }
            } else if self.flags.extended && self.peek().is_some_and(|character| character.is_ascii_whitespace()) {
                self.position += 1;
            } else if self.flags.extended && self.peek() == Some('#') {
                while self.advance().is_some_and(|character| character != '\n') {}
            } else {
                return Ok(());
            }
        }
    }

    /// Reads `(?imx)`, which applies to what follows; anything else is left alone.
    fn isolated_flags(&mut self) -> Result<Option<Flags>, Refusal> {
        let start = self.position;
        if !self.take("(?") || !matches!(self.peek(), Some('a' | 'd' | 'i' | 'm' | 'u' | 'x' | '-')) {
            self.position = start;
            return Ok(None);
        }
        let flags = self.flag_letters()?;
        if self.take(")") {
            return Ok(Some(flags));
        }
        self.position = start;
        Ok(None)
    }

    fn flag_letters(&mut self) -> Result<Flags, Refusal> {
        let mut flags = self.flags;
        let mut on = true;
        loop {
            match self.peek() {
                None => return Err("end pattern in group".into()),
                Some(')' | ':') => return Ok(flags),
                Some('-') => on = false,
                Some('i') => flags.ignore_case = on,
                Some('m') => flags.dot_all = on,
                Some('x') => flags.extended = on,
                Some('a') if on => flags.alphabet = class::Alphabet::Ascii,
                Some('u') if on => flags.alphabet = class::Alphabet::Unicode,
                Some('d') if on => flags.alphabet = class::Alphabet::Ruby,
                Some(_) => return Err("undefined group option".into()),
            }
            self.position += 1;
        }
    }

    /// What a quantifier may follow. Of several characters that one escape stands for it is the last; the others become
    /// part of the sequence at once.
    fn atom(&mut self, sequence: &mut Vec<Node>) -> Result<Option<Node>, Refusal> {
        let Some(character) = self.advance() else { return Ok(None) };
        Ok(Some(match character {
            '(' => self.group()?,
            '[' => Node::Set(class::parse(self)?),
            '.' => Node::Any { newline: self.flags.dot_all },
            '^' => Node::LineStart,
            '$' => Node::Fixed { text: "(?m:$)", takes: 0 },
            '\\' => {
                let mut atoms = self.escape()?;
                let last = atoms.pop();
                sequence.append(&mut atoms);
                return Ok(last);
            }
            other => Node::Literal(other),
        }))
    }

    fn quantified(&mut self, mut node: Node) -> Result<Node, Refusal> {
        loop {
            self.skip_insignificant()?;
            let (minimum, maximum, is_interval) = match self.peek() {
                Some('*') => (0, None, false),
                Some('+') => (1, None, false),
                Some('?') => (0, Some(1), false),
                Some('{') => match self.interval()? {
                    Some((minimum, maximum, length)) => {
                        self.position += length - 1;
                        (minimum, maximum, true)
                    }
                    None => return Ok(node),
                },
                _ => return Ok(node),
            };
            self.position += 1;
            // `{n}?` is not lazy, and `{n,m}+` is not possessive: both are a second repetition.
            let is_exact = is_interval && maximum == Some(minimum);
            let mode = if !is_exact && self.take("?") {
                Mode::Lazy
            } else if !is_interval && self.take("+") {
                Mode::Possessive
            } else {
                Mode::Greedy
            };
            node = Node::Repeat { node: Box::new(node), minimum, maximum, mode };
        }
    }

    /// Looks at `{n}`, `{n,}`, `{n,m}` or `{,m}` and gives its bounds and length; anything else is plain text.
    fn interval(&self) -> Result<Option<(u32, Option<u32>, usize)>, Refusal> {
        let Some(end) = self.rest().iter().position(|character| *character == '}') else { return Ok(None) };
        let body: String = self.rest().iter().take(end).skip(1).collect();
        let (low, high) = match body.split_once(',') {
            Some((low, high)) => (low, Some(high)),
            None => (body.as_str(), None),
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(low) || !high.is_none_or(digits) || (low.is_empty() && high.is_none_or(str::is_empty)) {
            return Ok(None);
        }
        let count = |text: &str| match text.parse::<u32>() {
            Ok(count) if count <= MAXIMUM_REPEAT => Ok(count),
            _ => Err(Refusal::from("too big number for repeat range")),
        };
        let minimum = if low.is_empty() { 0 } else { count(low)? };
        let maximum = match high {
            None => Some(minimum),
            Some("") => None,
            Some(high) => Some(count(high)?),
        };
        if maximum.is_some_and(|maximum| maximum < minimum) {
            return Err("upper is smaller than lower in repeat range".into());
        }
        Ok(Some((minimum, maximum, end + 1)))
    }

    fn group(&mut self) -> Result<Node, Refusal> {
        if !self.take("?") {
            let group = self.groups.len();
            self.groups.push(None);
            return Ok(Node::Capture { group, node: self.body()? });
        }
        let look = |behind: bool, negative: bool, node: Box<Node>| Node::Look { behind, negative, node };
        match self.peek() {
            None => Err("end pattern in group".into()),
            Some(':') => {
                self.position += 1;
                Ok(*self.body()?)
            }
            Some('=' | '!') => {
                let negative = self.advance() == Some('!');
                Ok(look(false, negative, self.body()?))
            }
            Some('<') if matches!(self.peek_at(1), Some('=' | '!')) => {
                self.position += 1;
                let negative = self.advance() == Some('!');
                Ok(look(true, negative, self.body()?))
            }
            Some('<') if self.peek_at(1).is_none() => Err("end pattern with unmatched parenthesis".into()),
            Some('<' | '\'') => {
                let name = self.delimited_name()?;
                if name.starts_with(|first: char| first.is_ascii_digit() || first == '-' || first == '+') {
                    return Err(format!("invalid group name <{name}>"));
                }
                let group = self.groups.len();
                self.groups.push(Some(name));
                Ok(Node::Capture { group, node: self.body()? })
            }
            Some('>') => {
                self.position += 1;
                Ok(Node::Atomic(self.body()?))
            }
            Some('~') => {
                self.position += 1;
                Ok(Node::Absent(self.body()?))
            }
            Some('(') => {
                self.position += 1;
                let condition = self.condition()?;
                Ok(Node::Conditional { condition, node: self.body()? })
            }
            Some(_) => {
                let flags = self.flag_letters()?;
                self.position += 1;
                let outer = std::mem::replace(&mut self.flags, flags);
                let node = *self.body()?;
                self.flags = outer;
                Ok(with_case(flags.ignore_case, outer.ignore_case, node))
            }
        }
    }

    /// What is inside a group, up to and with its closing parenthesis.
    fn body(&mut self) -> Result<Box<Node>, Refusal> {
        let outer = self.flags;
        let node = self.alternation()?;
        self.flags = outer;
        if self.take(")") { Ok(Box::new(node)) } else { Err("end pattern with unmatched parenthesis".into()) }
    }

    fn condition(&mut self) -> Result<Reference, Refusal> {
        let invalid = || Refusal::from("invalid conditional pattern");
        let reference = match self.peek() {
            Some('<' | '\'') => self.reference()?,
            _ => {
                let number = self.rest().iter().take_while(|digit| digit.is_ascii_digit()).collect::<String>();
                self.position += number.len();
                Reference::Number(number.parse().map_err(|_| invalid())?)
            }
        };
        if self.take(")") { Ok(reference) } else { Err(invalid()) }
    }

    /// Reads `<name>` or `'name'`.
    fn delimited_name(&mut self) -> Result<String, Refusal> {
        let end = if self.advance() == Some('\'') { '\'' } else { '>' };
        if self.peek().is_none() {
            return Err("group name is empty".into());
        }
        let Some(name) = self.take_until(end) else {
            return Err(format!("invalid group name <{}>", self.rest().iter().collect::<String>()));
        };
        if name.is_empty() { Err("group name is empty".into()) } else { Ok(name) }
    }

    /// Reads what `\k` or `\g` refers to; relative numbers count from here.
    fn reference(&mut self) -> Result<Reference, Refusal> {
        let name = self.delimited_name()?;
        let here = self.groups.len();
        let number = |digits: &str| digits.parse::<usize>().ok();
        if let Some(back) = name.strip_prefix('-').and_then(number) {
            let target = (here + 1).checked_sub(back).filter(|target| *target > 0);
            return target.map(Reference::Number).ok_or_else(|| "invalid backref number/name".into());
        }
        if let Some(ahead) = name.strip_prefix('+').and_then(number) {
            return Ok(Reference::Number(here.saturating_add(ahead)));
        }
        Ok(number(&name).map_or(Reference::Name(name), Reference::Number))
    }

    fn group_count(&self) -> usize {
        self.groups.len()
    }
}

fn with_case(inner: bool, outer: bool, node: Node) -> Node {
    if inner == outer { node } else { Node::IgnoreCase { on: inner, node: Box::new(node) } }
}
