//! Commands for Augeas as resources write them: split into words, with paths put behind the context.

use crate::fault::{Fault, Outcome};
use crate::property::inspected;

/// What a word of a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Path,
    Text,
    Comparator,
    Number,
    /// All the rest.
    Rest,
}

use Kind::{Comparator, Number, Path, Rest, Text};

const COMMANDS: [(&str, &[Kind]); 22] = [
    ("set", &[Path, Text]),
    ("setm", &[Path, Text, Text]),
    ("rm", &[Path]),
    ("remove", &[Path]),
    ("clear", &[Path]),
    ("clearm", &[Path, Text]),
    ("touch", &[Path]),
    ("mv", &[Path, Path]),
    ("move", &[Path, Path]),
    ("rename", &[Path, Text]),
    ("insert", &[Text, Text, Path]),
    ("ins", &[Text, Text, Path]),
    ("get", &[Path, Comparator, Text]),
    ("values", &[Path, Rest]),
    ("defvar", &[Text, Path]),
    ("defnode", &[Text, Path, Text]),
    ("match", &[Path, Rest]),
    ("size", &[Comparator, Number]),
    ("include", &[Text]),
    ("not_include", &[Text]),
    ("==", &[Rest]),
    ("!=", &[Rest]),
];

/// Commands that ask, and the ends of those.
const QUESTIONS: [&str; 8] = ["get", "values", "match", "size", "include", "not_include", "==", "!="];

/// A command with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) words: Vec<String>,
}

impl Command {
    /// Whether it changes something.
    pub(super) fn is_change(&self) -> bool {
        !QUESTIONS.contains(&self.name)
    }

    /// The command as `augtool` reads it.
    pub(super) fn line(&self) -> String {
        let name = match self.name {
            "remove" => "rm",
            "move" => "mv",
            "insert" => "ins",
            name => name,
        };
        let kinds = COMMANDS.iter().find(|(known, _)| *known == self.name).map(|(_, kinds)| *kinds).unwrap_or_default();
        let word = |(word, kind): (&String, &Kind)| if *kind == Path { path(word) } else { quoted(word) };
        let words: Vec<String> = self.words.iter().zip(kinds).map(word).collect();
        format!("{name} {}", words.join(" "))
    }

    /// What is said if it fails.
    pub(super) fn failure(&self) -> Fault {
        let words = bunraku_pcore::Value::array(self.words.iter().map(|it| it.as_str().into()));
        let (name, words) = (self.name, inspected(&words));
        let failed = format!("Error sending command '{name}' with params {words}");
        Fault::new(match name {
            "insert" | "ins" if !self.words.iter().any(|word| word == "before" || word == "after") => {
                let place = self.words.get(1).map(String::as_str).unwrap_or_default();
                format!("{failed}/Invalid value '{place}' for where param")
            }
            _ => format!("{failed}/{failed}"),
        })
    }
}

/// A path for `augtool`: in quotes if a space in it stands for itself.
pub(super) fn path(path: &str) -> String {
    let mut depth = 0_usize;
    let mut quote = None;
    let has_space = path.chars().any(|it| {
        match (it, quote) {
            ('[', None) => depth += 1,
            (']', None) => depth = depth.saturating_sub(1),
            ('\'' | '"', None) => quote = Some(it),
            (it, Some(open)) if it == open => quote = None,
            _ => {}
        }
        it.is_whitespace() && depth == 0
    });
    match (has_space, path.contains('"')) {
        (false, _) => path.to_owned(),
        (true, false) => format!("\"{path}\""),
        (true, true) => format!("'{path}'"),
    }
}

/// A value for `augtool`.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '\\' | '"' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// Splits lines into commands.
pub(super) fn parse(lines: &[String], context: &str) -> Outcome<Vec<Command>> {
    let lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    lines.map(|line| Reader { rest: line, context }.command()).collect()
}

struct Reader<'l> {
    rest: &'l str,
    context: &'l str,
}

impl<'l> Reader<'l> {
    fn take(&mut self, length: usize) -> &'l str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, is_in: impl Fn(char) -> bool) -> &'l str {
        self.take(self.rest.find(|it| !is_in(it)).unwrap_or(self.rest.len()))
    }

    fn command(mut self) -> Outcome<Command> {
        let name = match self.rest.get(..2) {
            Some("==" | "!=") => self.take(2),
            _ => self.take_while(|it| it.is_ascii_alphanumeric() || it == '_'),
        };
        let unknown = || Fault::new(format!("Unknown command {name}"));
        let (name, kinds) = COMMANDS.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?;
        let mut words = Vec::new();
        for (place, kind) in kinds.iter().enumerate() {
            self.take_while(char::is_whitespace);
            let number = place + 1;
            words.push(match kind {
                Path => {
                    if self.rest.is_empty() {
                        return Err(Fault::new(format!("missing path argument {number} for {name}")));
                    }
                    self.path()?
                }
                Text => {
                    let missing = || Fault::new(format!("missing string argument {number} for {name}"));
                    self.text().ok_or_else(missing)?
                }
                Comparator => {
                    let known = ["==", "!=", "=~", "<=", ">=", "<", ">"];
                    let found = known.into_iter().find(|it| self.rest.starts_with(it));
                    let missing = || Fault::new(format!("invalid comparator for command {name}"));
                    self.take(found.ok_or_else(missing)?.len()).to_owned()
                }
                Number => self.take_while(|it| it.is_ascii_digit()).to_owned(),
                Rest => self.take(self.rest.len()).to_owned(),
            });
        }
        Ok(Command { name, words })
    }

    /// A path ends at a space that is in no brackets and no quotes.
    fn path(&mut self) -> Outcome<String> {
        let (mut depth, mut end) = (0_usize, self.rest.len());
        let (mut in_single, mut in_double) = (false, false);
        let mut letters = self.rest.char_indices();
        while let Some((place, letter)) = letters.next() {
            match letter {
                '\\' => _ = letters.next(),
                '[' => depth += 1,
                ']' => depth = depth.checked_sub(1).ok_or_else(|| Fault::new("unmatched ["))?,
                '\'' => in_single = !in_single,
                '"' => in_double = !in_double,
                it if it.is_whitespace() && depth == 0 && !in_single && !in_double => {
                    end = place;
                    break;
                }
                _ => {}
            }
        }
        let path = self.take(end);
        let bare = match path.chars().next() {
            Some(quote @ ('\'' | '"')) => {
                let inner = path.strip_prefix(quote).unwrap_or(path);
                inner.get(..inner.len().saturating_sub(1)).unwrap_or(inner)
            }
            _ => path,
        };
        let bare = bare.strip_suffix('/').unwrap_or(bare);
        Ok(match (bare.starts_with(['$', '/']), self.context) {
            (true, _) | (_, "") => bare.to_owned(),
            (false, context) => format!("{}/{bare}", context.strip_suffix('/').unwrap_or(context)),
        })
    }

    fn text(&mut self) -> Option<String> {
        let Some(delimiter @ ('\'' | '"')) = self.rest.chars().next() else {
            let word = self.take_while(|it| !it.is_whitespace());
            return (!word.is_empty()).then(|| word.to_owned());
        };
        self.take(1);
        let mut text = String::new();
        let mut letters = self.rest.char_indices();
        let mut end = self.rest.len();
        while let Some((place, letter)) = letters.next() {
            if letter == delimiter {
                end = place;
                break;
            }
            match (letter, letters.clone().next()) {
                // Only the delimiter itself needs a backslash: others belong to the value.
                ('\\', Some((_, next))) => {
                    letters.next();
                    if next != delimiter {
                        text.push('\\');
                    }
                    text.push(next);
                }
                (letter, _) => text.push(letter),
            }
        }
        self.take(end);
        self.take(1);
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let parsed = parse(&[line.to_owned()], "/files/etc/hosts");
        let shown = match parsed.as_deref() {
            Ok([command]) => command.line(),
            Ok(_) => String::new(),
            Err(fault) => fault.message.clone(),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn lines_are_commands() {
        check("set 1/alias[1] here", "set /files/etc/hosts/1/alias[1] \"here\"");
        check("set /files/x 'a \"b\" \\' c'", "set /files/x \"a \\\"b\\\" ' c\"");
        check("set *[a = 'b c']/d \"\"", "set /files/etc/hosts/*[a = 'b c']/d \"\"");
        check("rm \"a b/\"", "rm \"/files/etc/hosts/a b\"");
        check("insert x before 1", "ins \"x\" \"before\" /files/etc/hosts/1");
        check("mv $a b", "mv $a /files/etc/hosts/b");
        check("frob x", "Unknown command frob");
        check("set x", "missing string argument 2 for set");
        check("set a] b", "unmatched [");
    }
}
