//! Sets of characters: `[a-z&&[^b]]`, `\d`, `[:alpha:]` and `\p{Greek}`, written for the engine.
//!
//! Ruby's `\w \d \s` are ASCII while its POSIX brackets and properties are Unicode; `(?a)` and `(?u)` change that.

use super::{Parser, Refusal};

/// Which characters the named sets hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// `(?d)`, the default: shorthands are ASCII, POSIX brackets are Unicode.
    #[default]
    Ruby,
    /// `(?a)`: both are ASCII.
    Ascii,
    /// `(?u)`: both are Unicode.
    Unicode,
}

/// The engine has no empty class; this is one.
const EMPTY: &str = r"[^\x{0}-\x{10FFFF}]";

/// What is inside a class: characters, or a part written for the engine.
enum Item {
    Characters(Vec<char>),
    /// A shorthand, property or POSIX bracket, which cannot be an end of a range.
    Named(String),
    /// A class within the class.
    Nested(String),
}

/// Reads a class behind its opening bracket.
pub(super) fn parse(parser: &mut Parser<'_>) -> Result<String, Refusal> {
    parse_nested(parser, 0)
}

fn parse_nested(parser: &mut Parser<'_>, depth: usize) -> Result<String, Refusal> {
    if depth > 32 {
        return Err("too deep nest level".into());
    }
    let negated = parser.take("^");
    let mut operands = vec![String::new()];
    let mut is_first = true;
    loop {
        let Some(character) = parser.peek() else { return Err("premature end of char-class".into()) };
        let operand_start = is_first;
        is_first = false;
        if character == ']' {
            if !operand_start {
                parser.advance();
                break;
            }
            // A bracket that comes first is text, provided that another one closes the class.
            if !has_unescaped_bracket(parser.rest()) {
                return Err("empty char-class".into());
            }
        }
        if parser.take("&&") {
            operands.push(String::new());
            continue;
        }
        let text = element(parser, depth)?;
        if let Some(operand) = operands.last_mut() {
            operand.push_str(&text);
        }
    }
    let sign = if negated { "^" } else { "" };
    let bracketed = |operand: &String| if operand.is_empty() { EMPTY.to_owned() } else { format!("[{operand}]") };
    match operands.as_slice() {
        [only] if !only.is_empty() => Ok(format!("[{sign}{only}]")),
        operands => Ok(format!("[{sign}{}]", operands.iter().map(bracketed).collect::<Vec<_>>().join("&&"))),
    }
}

fn has_unescaped_bracket(rest: &[char]) -> bool {
    let mut characters = rest.iter().skip(1);
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            ']' => return true,
            _ => {}
        }
    }
    false
}

/// Reads one item or one range.
fn element(parser: &mut Parser<'_>, depth: usize) -> Result<String, Refusal> {
    let item = item(parser, depth)?;
    let has_range = parser.peek() == Some('-') && !matches!(parser.peek_at(1), Some(']') | None);
    match item {
        Item::Characters(mut characters) => {
            let is_text = parser.peek_at(1) == Some('&') && parser.peek_at(2) == Some('&');
            let starts_class = parser.peek_at(1) == Some('[') && !is_posix_bracket(parser.rest().get(1..));
            if !has_range || is_text || starts_class {
                return Ok(characters.into_iter().map(literal).collect());
            }
            parser.advance();
            let low = characters.pop();
            let mut text: String = characters.into_iter().map(literal).collect();
            let Item::Characters(end) = self::item(parser, depth)? else {
                return Err("char-class value at end of range".into());
            };
            let mut end = end.into_iter();
            if let (Some(low), Some(high)) = (low, end.next()) {
                if high < low {
                    return Err("empty range in char class".into());
                }
                text.push_str(&format!("{}-{}", literal(low), literal(high)));
            }
            text.extend(end.map(literal));
            Ok(text)
        }
        Item::Named(_) if has_range => Err("unmatched range specifier in char-class".into()),
        Item::Named(text) | Item::Nested(text) => Ok(text),
    }
}

fn item(parser: &mut Parser<'_>, depth: usize) -> Result<Item, Refusal> {
    if is_posix_bracket(Some(parser.rest())) {
        return posix_bracket(parser).map(Item::Named);
    }
    match parser.advance() {
        None => Err("premature end of char-class".into()),
        Some('[') => parse_nested(parser, depth + 1).map(Item::Nested),
        Some('\\') => escape(parser),
        Some(character) => Ok(Item::Characters(vec![character])),
    }
}

fn escape(parser: &mut Parser<'_>) -> Result<Item, Refusal> {
    let Some(character) = parser.peek() else { return Err("too short escape sequence".into()) };
    if let Some(set) = shorthand(character, parser.alphabet()) {
        parser.advance();
        return Ok(Item::Named(set));
    }
    match character {
        'p' | 'P' if parser.peek_at(1) == Some('{') => {
            parser.advance();
            parser.property(character == 'P').map(Item::Named)
        }
        'b' => {
            parser.advance();
            Ok(Item::Characters(vec!['\u{8}']))
        }
        _ => parser.characters_of_escape().map(Item::Characters),
    }
}

/// Whether `[:` follows, and `:]` somewhere before the class could end.
fn is_posix_bracket(rest: Option<&[char]>) -> bool {
    let Some(body) = rest.and_then(|rest| rest.strip_prefix(&['[', ':'])) else { return false };
    let end = body.windows(2).position(|pair| pair == [':', ']']);
    end.is_some_and(|end| !body.iter().take(end).any(|character| *character == ']'))
}

fn posix_bracket(parser: &mut Parser<'_>) -> Result<String, Refusal> {
    let name: String = parser.rest().iter().skip(2).take_while(|character| **character != ':').collect();
    for _ in 0..name.chars().count() + 4 {
        parser.advance();
    }
    let (negated, name) = match name.strip_prefix('^') {
        Some(name) => (true, name),
        None => (false, name.as_str()),
    };
    let set = match parser.alphabet() {
        Alphabet::Ascii => ascii(name),
        Alphabet::Ruby | Alphabet::Unicode => unicode(name),
    };
    set.map(|set| signed(set, negated)).ok_or_else(|| "invalid POSIX bracket type".into())
}

/// The set of `\d`, `\w`, `\s` or `\h`, or of its opposite in capitals.
pub(super) fn shorthand(letter: char, alphabet: Alphabet) -> Option<String> {
    let name = match letter.to_ascii_lowercase() {
        'd' => "digit",
        'w' => "word",
        's' => "space",
        'h' => "xdigit",
        _ => return None,
    };
    let set = if alphabet == Alphabet::Unicode { unicode(name) } else { ascii(name) };
    set.map(|set| signed(set, letter.is_ascii_uppercase()))
}

/// The set of a property; the engine knows those that have no POSIX name.
pub(super) fn property(name: &str, negated: bool) -> Option<String> {
    let plain: String = name.chars().filter(|character| !matches!(character, ' ' | '_' | '-')).collect();
    // Compatibility: `[:punct:]` has signs of ASCII that `\p{Punct}` does not have.
    if plain.eq_ignore_ascii_case("punct") {
        return Some(signed(r"\p{P}", negated));
    }
    if let Some(set) = unicode(&plain.to_ascii_lowercase()) {
        return Some(signed(set, negated));
    }
    let is_name = |character: char| character.is_ascii_alphanumeric() || "_-= .".contains(character);
    let is_plausible = !name.is_empty() && name.chars().all(is_name);
    is_plausible.then(|| signed(&format!("\\p{{{}}}", name.replace(' ', "_")), negated))
}

fn signed(set: &str, negated: bool) -> String {
    if negated { format!("[^{set}]") } else { set.to_owned() }
}

fn ascii(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => r"\x{0}-\x{7F}",
        "blank" => r"\x{9}\x{20}",
        "cntrl" => r"\x{0}-\x{1F}\x{7F}",
        "digit" => "0-9",
        "graph" => r"\x{21}-\x{7E}",
        "lower" => "a-z",
        "print" => r"\x{20}-\x{7E}",
        "punct" => r"\x{21}-\x{2F}\x{3A}-\x{40}\x{5B}-\x{60}\x{7B}-\x{7E}",
        "space" => r"\x{9}-\x{D}\x{20}",
        "upper" => "A-Z",
        "word" => "0-9A-Z_a-z",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

fn unicode(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "alpha" => r"\p{Alphabetic}",
        "ascii" => r"\x{0}-\x{7F}",
        "blank" => r"\x{9}\p{Zs}",
        "cntrl" => r"\p{Cc}",
        "digit" => r"\p{Nd}",
        "graph" => r"[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]",
        "lower" => r"\p{Lowercase}",
        "print" => r"[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]\p{Zs}",
        "punct" => r"\p{P}\x{24}\x{2B}\x{3C}-\x{3E}\x{5E}\x{60}\x{7C}\x{7E}",
        "space" => r"\p{White_Space}",
        "upper" => r"\p{Uppercase}",
        "word" => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

/// A character as the engine reads it, in a class and outside.
pub fn literal(character: char) -> String {
    if character.is_ascii_alphanumeric() { character.to_string() } else { format!("\\x{{{:X}}}", u32::from(character)) }
}
