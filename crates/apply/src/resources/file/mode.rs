//! Permissions: octal, or symbolic as `chmod` takes them.

use bunraku_pcore::Value;

use crate::fault::{Fault, Outcome};
use crate::property::inspected;
use crate::resource::Given;

/// The mode as it was given, if it is one.
pub(super) fn validated(given: &Given<'_>, value: &Value) -> Outcome<String> {
    let Value::String(text) = value else {
        let class = match value {
            Value::Integer(_) => "Integer",
            Value::Float(_) => "Float",
            Value::Boolean(_) => "TrueClass",
            _ => "Array",
        };
        return Err(given.refuse("mode", &format!("The file mode specification must be a string, not '{class}'")));
    };
    let symbolic = "^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$";
    if is_octal(text) {
        let digits = text.trim_start_matches('0');
        return Ok(if digits.is_empty() { "0".to_owned() } else { digits.to_owned() });
    }
    if super::super::matches(symbolic, text) {
        return Ok(text.to_string());
    }
    Err(given.refuse("mode", &format!("The file mode specification is invalid: {}", inspected(value))))
}

fn is_octal(text: &str) -> bool {
    let digits = text.strip_prefix('0').unwrap_or(text);
    let is_octal = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|it| (b'0'..=b'7').contains(&it));
    is_octal(digits) || is_octal(text)
}

/// The mode as it is shown.
pub(super) fn displayed(mode: &str) -> String {
    if is_octal(mode) { format!("{mode:0>4}") } else { mode.to_owned() }
}

/// The mode for a directory, which can be entered by whom it can be read.
pub(super) fn for_directory(mode: &str, is_directory: bool) -> String {
    match u32::from_str_radix(mode, 8) {
        Ok(bits) if is_directory && is_octal(mode) => format!("{:o}", bits | (bits & 0o444) >> 2),
        _ => mode.to_owned(),
    }
}

/// The permissions that come of a mode and those that are there.
pub(super) fn applied(mode: &str, current: u32, is_directory: bool) -> Outcome<u32> {
    if let Ok(bits) = u32::from_str_radix(mode, 8) {
        return Ok(bits);
    }
    let mut bits = current;
    for part in mode.split(',') {
        bits = part_applied(part.trim(), bits, current, is_directory)
            .map_err(|reason| Fault::new(complaint(&reason, part, mode)))?;
    }
    Ok(bits)
}

fn complaint(reason: &str, part: &str, mode: &str) -> String {
    let place = if part == mode { String::new() } else { format!(" at {}", inspected(&part.into())) };
    format!("{reason}{place} in symbolic mode {}", inspected(&mode.into()))
}

fn part_applied(part: &str, before: u32, original: u32, is_directory: bool) -> Result<u32, String> {
    let start = part.find(['-', '+', '=']).ok_or("Missing action")?;
    let (whom, actions) = part.split_at(start);
    let whom = if whom.is_empty() { "a" } else { whom };
    let mut bits = before;
    for (letter, shift, set_bit) in [('u', 6, 0o4000), ('g', 3, 0o2000), ('o', 0, 0o1000)] {
        if !whom.contains(letter) && !whom.contains('a') {
            continue;
        }
        let mut value = (before >> shift) & 7;
        let mut special = bits & 0o7000;
        let mut action = '+';
        for letter in actions.chars() {
            let change = |value: u32, with: u32| if action == '-' { value & !with } else { value | with };
            match letter {
                '-' | '+' | '=' => {
                    action = letter;
                    if letter == '=' {
                        value = 0;
                    }
                }
                'u' => value = change(value, (before >> 6) & 7),
                'g' => value = change(value, (before >> 3) & 7),
                'o' => value = change(value, before & 7),
                'r' => value = change(value, 4),
                'w' => value = change(value, 2),
                'x' => value = change(value, 1),
                'X' if action != '+' => return Err("X only works with the '+' operator".to_owned()),
                'X' if is_directory || original & 0o111 != 0 => value = change(value, 1),
                'X' => {}
                's' => special = change(special, set_bit),
                't' => special = change(special, 0o1000),
                _ => return Err("Unknown operation".to_owned()),
            }
        }
        bits = (bits & !(7 << shift) & 0o777) | (value << shift) | special;
    }
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_change_what_is_there() {
        let check = |mode, current, is_directory, expected: Result<u32, &str>| {
            let found = applied(mode, current, is_directory).map_err(|fault| fault.message);
            assert_eq!(found, expected.map_err(str::to_owned), "{mode}");
        };
        check("0644", 0o777, false, Ok(0o644));
        check("u+x,g-w", 0o664, false, Ok(0o744));
        check("a=r", 0o777, false, Ok(0o444));
        check("g=u", 0o640, false, Ok(0o660));
        check("a+X", 0o644, false, Ok(0o644));
        check("a+X", 0o644, true, Ok(0o755));
        check("u+s,o+t", 0o755, false, Ok(0o5755));
        check("u=X", 0o755, false, Err("X only works with the '+' operator in symbolic mode \"u=X\""));
    }

    #[test]
    fn directories_can_be_entered() {
        assert_eq!(for_directory("644", true), "755");
        assert_eq!(for_directory("644", false), "644");
        assert_eq!(for_directory("u+r", true), "u+r");
    }
}
