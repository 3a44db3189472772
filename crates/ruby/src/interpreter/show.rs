//! Values as text: `to_s` and `inspect`.

use std::rc::Rc;

use num_bigint::BigInt;

use super::symbol::sym;
use super::value::{Encoding, Str, Value};
use super::{Outcome, Vm};

/// How long a line of `pp` may be.
const WIDEST: usize = 79;

impl Vm {
    pub(crate) fn to_s(&mut self, value: &Value) -> Outcome<String> {
        Ok(match value {
            Value::Str(string) => string.to_text(),
            Value::Nil => String::new(),
            Value::Sym(name) => name.as_str().to_string(),
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => number(value),
            other => match self.send(other, sym::TO_S, &[])? {
                Value::Str(string) => string.to_text(),
                _ => format!("#<{}:{:#018x}>", self.class_name(other), other.address().unwrap_or_default()),
            },
        })
    }

    /// A value as `pp` shows it: arrays and hashes that do not fit into a line are broken, an item a line. `behind` is how
    /// many signs follow in the line.
    pub(crate) fn pretty(&mut self, value: &Value, indent: usize, behind: usize) -> Outcome<String> {
        let flat = self.inspect(value)?;
        let fits = |text: &str, indent: usize, behind: usize| indent + text.chars().count() + behind <= WIDEST;
        let mut parts = Vec::new();
        let signs = match value {
            Value::Array(array) if !fits(&flat, indent, behind) => {
                let items = array.items.borrow().clone();
                for (index, item) in items.iter().enumerate() {
                    let behind = if index + 1 == items.len() { behind + 1 } else { 1 };
                    parts.push(self.deeper(|vm| vm.pretty(item, indent + 1, behind))?);
                }
                ('[', ']')
            }
            Value::Hash(hash) if !fits(&flat, indent, behind) => {
                let pairs = hash.pairs();
                for (index, (key, item)) in pairs.iter().enumerate() {
                    let behind = if index + 1 == pairs.len() { behind + 1 } else { 1 };
                    let (key, shown) = (self.inspect(key)? + "=>", self.inspect(item)?);
                    parts.push(match fits(&shown, indent + 1 + key.chars().count(), behind) {
                        true => key + &shown,
                        false => {
                            let shown = self.deeper(|vm| vm.pretty(item, indent + 2, behind))?;
                            format!("{key}\n{}{shown}", " ".repeat(indent + 2))
                        }
                    });
                }
                ('{', '}')
            }
            _ => return Ok(flat),
        };
        let (open, close) = signs;
        Ok(format!("{open}{}{close}", parts.join(&format!(",\n{}", " ".repeat(indent + 1)))))
    }

    pub(crate) fn inspect(&mut self, value: &Value) -> Outcome<String> {
        match value {
            Value::Object(_) => {
                let class = self.class_of(value);
                let method = self.find_method(&class, sym::INSPECT);
                let owner = method.and_then(|method| method.owner.upgrade());
                let passes_on = owner.is_none() && self.find_method(&class, sym::METHOD_MISSING).is_some();
                match owner.filter(|owner| !Rc::ptr_eq(owner, &self.core.kernel)) {
                    None if passes_on => {
                        let shown = self.deeper(|vm| vm.send(value, sym::INSPECT, &[]))?;
                        self.to_s(&shown)
                    }
                    None => self.inspect_plain(value),
                    Some(_) => {
                        let shown = self.send(value, sym::INSPECT, &[])?;
                        self.to_s(&shown)
                    }
                }
            }
            other => self.inspect_plain(other),
        }
    }

    pub(crate) fn inspect_plain(&mut self, value: &Value) -> Outcome<String> {
        let address = value.address().unwrap_or_default();
        if matches!(value, Value::Array(_) | Value::Hash(_) | Value::Object(_)) {
            if self.showing.contains(&address) {
                return Ok(match value {
                    Value::Array(_) => "[...]".to_string(),
                    Value::Hash(_) => "{...}".to_string(),
                    other => format!("#<{}:{address:#018x} ...>", self.class_name(other)),
                });
            }
            self.showing.push(address);
            let shown = self.deeper(|vm| vm.inspect_parts(value));
            self.showing.pop();
            return shown;
        }
        self.inspect_parts(value)
    }

    fn inspect_parts(&mut self, value: &Value) -> Outcome<String> {
        Ok(match value {
            Value::Nil => "nil".to_string(),
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => number(value),
            Value::Sym(name) => inspect_symbol(name.as_str()),
            Value::Str(string) => inspect_string(string),
            Value::Array(array) => {
                let items = array.items.borrow().clone();
                let mut shown = Vec::with_capacity(items.len());
                for item in &items {
                    shown.push(self.inspect(item)?);
                }
                format!("[{}]", shown.join(", "))
            }
            Value::Hash(hash) => {
                let entries = hash.entries.borrow().clone();
                let mut shown = Vec::with_capacity(entries.len());
                for (key, value) in &entries {
                    shown.push(format!("{}=>{}", self.inspect(&key.value)?, self.inspect(value)?));
                }
                format!("{{{}}}", shown.join(", "))
            }
            Value::Range(range) => {
                let mut side = |value: &Value| if value.is_nil() { Ok(String::new()) } else { self.inspect(value) };
                let (start, end) = (side(&range.start)?, side(&range.end)?);
                let is_open = start.is_empty() && end.is_empty();
                let (start, end) = if is_open { ("nil".to_string(), "nil".to_string()) } else { (start, end) };
                format!("{start}{}{end}", if range.excludes_end { "..." } else { ".." })
            }
            Value::Regexp(regexp) => regexp.inspect(),
            Value::Match(found) => {
                let mut shown = format!("#<MatchData {}", inspect_text(found.group(0).unwrap_or_default()));
                for index in 1..found.groups.len() {
                    let names = found.regexp.compiled.names();
                    let name = names.get(index - 1).cloned().flatten().unwrap_or_else(|| index.to_string());
                    let group = found.group(index).map_or_else(|| "nil".to_string(), inspect_text);
                    shown.push_str(&format!(" {name}:{group}"));
                }
                shown + ">"
            }
            Value::Proc(proc) => {
                let lambda = if proc.is_lambda { " (lambda)" } else { "" };
                let place = match &proc.kind {
                    super::code::ProcKind::Code { code, frame, .. } => format!(" {}:{}", frame.file, code.line),
                    super::code::ProcKind::Symbol(name) => format!("(&:{})", name.as_str()),
                    _ => String::new(),
                };
                format!("#<Proc:{:#018x}{place}{lambda}>", value.address().unwrap_or_default())
            }
            Value::Method(method) => self.inspect_method(method)?,
            Value::Class(class) => self.name_of(class),
            Value::Object(object) => return self.inspect_object(value, object),
        })
    }

    /// A method with its class, the one that it comes from, its parameters and its place.
    fn inspect_method(&mut self, method: &super::value::MethodObject) -> Outcome<String> {
        use super::class::Body;
        let owner = method.method.owner.upgrade();
        let kind = if method.receiver.is_some() { "Method" } else { "UnboundMethod" };
        let own = owner.clone().filter(|it| it.is_singleton());
        let place = match (&method.receiver, own) {
            (Some(Value::Class(class)), Some(own)) => {
                let shown = self.name_of(class);
                match own.attached.borrow().upgrade().filter(|it| !Rc::ptr_eq(it, class)) {
                    Some(above) => format!("{shown}({}).", self.name_of(&above)),
                    None => format!("{shown}."),
                }
            }
            (Some(receiver), Some(_)) => format!("{}.", self.inspect(receiver)?),
            (receiver, _) => {
                let owner = owner.map(|it| self.name_of(&it)).unwrap_or_default();
                let class = match receiver {
                    Some(Value::Class(class)) => format!("#<Class:{}>", self.name_of(class)),
                    Some(receiver) => self.class_name(receiver),
                    None => owner.clone(),
                };
                if class == owner { format!("{class}#") } else { format!("{class}({owner})#") }
            }
        };
        let name = method.name.as_str();
        let original = if method.method.name == method.name || matches!(method.method.body, Body::Native(_)) {
            String::new()
        } else {
            format!("({})", method.method.name.as_str())
        };
        let parameters = crate::methods::shown_parameters(method);
        let location = match &method.method.body {
            Body::Code(code, _) => format!(" {}:{}", code.path, code.line),
            Body::Proc(proc) => match &proc.kind {
                super::code::ProcKind::Code { code, frame, .. } => format!(" {}:{}", frame.file, code.line),
                _ => String::new(),
            },
            _ => String::new(),
        };
        Ok(format!("#<{kind}: {place}{name}{original}({parameters}){location}>"))
    }

    fn inspect_object(&mut self, value: &Value, object: &std::rc::Rc<super::value::Object>) -> Outcome<String> {
        let class = self.class_name(value);
        if value.is_same(&self.main.clone()) {
            return Ok("main".to_string());
        }
        if self.is_a(value, &self.core.exception.clone()) {
            let message = self.message_of(value)?;
            return Ok(if message.is_empty() { class } else { format!("#<{class}: {message}>") });
        }
        if let Some(Value::Array(members)) = object.get(sym::HIDDEN_MEMBERS) {
            let names = self.struct_members(value);
            let items = members.items.borrow().clone();
            let mut shown = Vec::new();
            for (name, item) in names.iter().zip(&items) {
                shown.push(format!("{}={}", name.as_str(), self.inspect(item)?));
            }
            let name = self.class_of(value).real().name.borrow().clone();
            let name = name.map_or_else(String::new, |name| format!(" {name}"));
            return Ok(format!("#<struct{name} {}>", shown.join(", ")));
        }
        let variables = object.variables.borrow().clone();
        let mut shown = Vec::new();
        for (name, value) in variables.iter().filter(|(name, _)| name.as_str().starts_with('@')) {
            shown.push(format!("{}={}", name.as_str(), self.inspect(value)?));
        }
        let address = value.address().unwrap_or_default();
        let space = if shown.is_empty() { "" } else { " " };
        Ok(format!("#<{class}:{address:#018x}{space}{}>", shown.join(", ")))
    }
}

/// A number, or a truth value.
pub(crate) fn number(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Big(number) => number.to_string(),
        Value::Float(number) => float(*number),
        Value::Bool(value) => value.to_string(),
        _ => String::new(),
    }
}

/// A float as Ruby prints it: plain between 1e-4 and 1e16, with an exponent elsewhere.
pub(crate) fn float(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_string();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_string();
    }
    let size = number.abs();
    if size == 0.0 || (1e-4..1e15).contains(&size) {
        let text = format!("{number}");
        return if text.contains('.') { text } else { text + ".0" };
    }
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = if digits.contains('.') { digits.to_string() } else { format!("{digits}.0") };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ("-", exponent),
        None => ("+", exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

fn inspect_symbol(name: &str) -> String {
    let operators = [
        "[]", "[]=", "+", "-", "*", "/", "%", "**", "==", "!=", "===", "=~", "!~", "<=>", "<", "<=", ">", ">=", "<<",
        ">>", "!", "&", "|", "^", "~", "+@", "-@",
    ];
    let word = name.trim_start_matches(['@', '$']);
    let word = if word.len() == name.len() { word.strip_suffix(['?', '!', '=']).unwrap_or(word) } else { word };
    let starts =
        word.chars().next().is_some_and(|letter| letter.is_alphabetic() || letter == '_' || !letter.is_ascii());
    let is_word = starts && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || !letter.is_ascii());
    if is_word || operators.contains(&name) {
        return format!(":{name}");
    }
    let shown = Str::new(name);
    if name.is_ascii() {
        shown.encoding.set(Encoding::Ascii);
    }
    format!(":{}", inspect_string(&shown))
}

pub(crate) fn inspect_text(text: &str) -> String {
    inspect_string(&Str::new(text))
}

pub(crate) fn inspect_string(string: &Str) -> String {
    let bytes = string.bytes.borrow();
    if let encoding @ (Encoding::Utf16Le | Encoding::Utf16Be | Encoding::Utf16) = string.encoding.get() {
        let unit = |pair: [u8; 2]| match encoding {
            Encoding::Utf16Le => u16::from_le_bytes(pair),
            _ => u16::from_be_bytes(pair),
        };
        let (pairs, _) = bytes.as_chunks::<2>();
        let letters = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)));
        let shown = letters.map(|letter| match letter {
            Ok(letter) if letter.is_ascii() => {
                let shown = inspect_text(letter.encode_utf8(&mut [0; 4]));
                shown.get(1..shown.len() - 1).unwrap_or_default().to_owned()
            }
            Ok(letter) if u32::from(letter) > 0xffff => format!("\\u{{{:X}}}", u32::from(letter)),
            Ok(letter) => format!("\\u{:04X}", u32::from(letter)),
            Err(error) => format!("\\x{:04X}", error.unpaired_surrogate()),
        });
        return format!("\"{}\"", shown.collect::<String>());
    }
    let is_unicode = string.encoding.get() == Encoding::Utf8;
    let mut shown = String::from("\"");
    let mut rest: &[u8] = &bytes;
    while !rest.is_empty() {
        let (valid, after) = match std::str::from_utf8(rest) {
            _ if !is_unicode => {
                let length = rest.iter().take_while(|byte| byte.is_ascii()).count();
                let (valid, after) = rest.split_at(length);
                (std::str::from_utf8(valid).unwrap_or_default(), after)
            }
            Ok(text) => (text, &[][..]),
            Err(error) => {
                let (valid, after) = rest.split_at(error.valid_up_to());
                (std::str::from_utf8(valid).unwrap_or_default(), after)
            }
        };
        let mut letters = valid.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => shown.push_str("\\\""),
                '\\' => shown.push_str("\\\\"),
                '\n' => shown.push_str("\\n"),
                '\t' => shown.push_str("\\t"),
                '\r' => shown.push_str("\\r"),
                '\u{1b}' => shown.push_str("\\e"),
                '\u{7}' => shown.push_str("\\a"),
                '\u{8}' => shown.push_str("\\b"),
                '\u{b}' => shown.push_str("\\v"),
                '\u{c}' => shown.push_str("\\f"),
                '#' if matches!(letters.peek(), Some('{' | '$' | '@')) => shown.push_str("\\#"),
                letter if letter.is_ascii_control() && is_unicode => {
                    shown.push_str(&format!("\\u{:04X}", u32::from(letter)));
                }
                letter if letter.is_ascii_control() => shown.push_str(&format!("\\x{:02X}", u32::from(letter))),
                letter if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => {
                    shown.push_str(&format!("\\u{:04X}", u32::from(letter)));
                }
                letter => shown.push(letter),
            }
        }
        rest = match after.split_first() {
            Some((byte, after)) => {
                shown.push_str(&format!("\\x{byte:02X}"));
                after
            }
            None => after,
        };
    }
    shown + "\""
}

/// An integer from text in Ruby's forgiving way.
pub(crate) fn leading_integer(text: &str, radix: u32) -> Value {
    let text = text.trim_start();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let prefix = match radix {
        16 => "0x",
        2 => "0b",
        8 => "0o",
        _ => "",
    };
    let digits = match digits.get(..prefix.len()) {
        Some(start) if start.eq_ignore_ascii_case(prefix) => digits.get(prefix.len()..).unwrap_or_default(),
        _ => digits,
    };
    let mut read = String::new();
    let mut last = '_';
    for letter in digits.chars() {
        if letter == '_' && last != '_' {
            last = letter;
            continue;
        }
        if !letter.is_digit(radix) {
            break;
        }
        read.push(letter);
        last = letter;
    }
    let number = BigInt::parse_bytes(read.as_bytes(), radix).unwrap_or_default();
    Value::big(if is_negative { -number } else { number })
}
