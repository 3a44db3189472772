//! Text in another case, as Ruby does it: each letter is looked at alone, so a final sigma is an ordinary one.

/// The text in lower case.
pub fn downcase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The text in upper case.
pub fn upcase(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).collect()
}

/// The text with lowercase letters as capitals and capitals small.
pub fn swapcase(text: &str) -> String {
    let swap = |letter: char| -> String {
        if letter.is_lowercase() { letter.to_uppercase().collect() } else { letter.to_lowercase().collect() }
    };
    text.chars().map(swap).collect()
}

/// The first letter in title case and all others in lower case.
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let mut capitalized = letters.next().map(title_case).unwrap_or_default();
    capitalized.extend(letters.flat_map(char::to_lowercase));
    capitalized
}

/// A letter in title case.
fn title_case(letter: char) -> String {
    let moved = |distance| char::from_u32(u32::from(letter) + distance).into_iter().collect();
    match letter {
        '\u{149}' => letter.to_uppercase().collect(),
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}'.into(),
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}'.into(),
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}'.into(),
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}'.into(),
        // Georgian letters begin no word with a capital.
        '\u{10d0}'..='\u{10ff}' | '\u{1c90}'..='\u{1cbf}' => letter.to_lowercase().collect(),
        // A small iota below a Greek letter stays below the capital.
        '\u{1f80}'..='\u{1faf}' => moved(8 - (u32::from(letter) & 8)),
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => moved(9),
        '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}' => letter.into(),
        '\u{1fb2}'..='\u{1fb7}' | '\u{1fc2}'..='\u{1fc7}' | '\u{1ff2}'..='\u{1ff7}' => {
            letter.to_uppercase().map(|part| if part == '\u{399}' { '\u{345}' } else { part }).collect()
        }
        // Of a ligature only the first part is a capital.
        _ => {
            let mut parts = letter.to_uppercase();
            parts.next().into_iter().chain(parts.flat_map(char::to_lowercase)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_change_case_as_in_ruby() {
        let check = |change: fn(&str) -> String, text: &str, expected: &str| assert_eq!(change(text), expected);
        check(capitalize, "HELLO wORLD", "Hello world");
        check(capitalize, "éa", "Éa");
        check(capitalize, "ßa", "Ssa");
        check(capitalize, "ǆa", "ǅa");
        check(capitalize, "ŉA", "ʼNa");
        check(capitalize, "აB", "აb");
        check(capitalize, "Აb", "აb");
        check(capitalize, "ᾀᾳ", "ᾈᾳ");
        check(capitalize, "ᾳ", "ᾼ");
        check(capitalize, "ᾷ", "Α\u{342}\u{345}");
        check(capitalize, "ῖ", "Ι\u{342}");
        check(capitalize, "", "");
        check(downcase, "ΑΣ", "ασ");
        check(upcase, "straße", "STRASSE");
        check(swapcase, "aBß", "AbSS");
    }
}
