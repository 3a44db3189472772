//! `succ`: what follows a string, as version numbers, letters and digits count.

/// What follows a string.
pub(crate) fn succ(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return String::new();
    }
    if !letters.iter().any(char::is_ascii_alphanumeric) {
        return succ_of_others(letters);
    }
    // Only what stands to the right of other signs counts, as long as there is something that counts.
    let mut index = letters.iter().rposition(char::is_ascii_alphanumeric).unwrap_or_default();
    while let Some(letter) = letters.get_mut(index) {
        let (next, carry) = match *letter {
            'z' => ('a', Some('a')),
            'Z' => ('A', Some('A')),
            '9' => ('0', Some('1')),
            other => (char::from_u32(u32::from(other) + 1).unwrap_or(other), None),
        };
        *letter = next;
        let Some(carry) = carry else { break };
        let is_digit = next == '0';
        match next_left(&letters, index, is_digit) {
            Some(left) => index = left,
            None => {
                letters.insert(index, carry);
                break;
            }
        }
    }
    letters.into_iter().collect()
}

/// Where a carry goes: to the next alphanumeric to the left, but not over other signs from digits to letters.
fn next_left(letters: &[char], index: usize, is_digit: bool) -> Option<usize> {
    let before = letters.get(..index)?;
    let left = before.iter().rposition(char::is_ascii_alphanumeric)?;
    let is_near = left + 1 == index;
    let left_is_digit = letters.get(left)?.is_ascii_digit();
    (is_near || left_is_digit == is_digit || !is_digit && !left_is_digit).then_some(left)
}

fn succ_of_others(mut letters: Vec<char>) -> String {
    for letter in letters.iter_mut().rev() {
        match char::from_u32(u32::from(*letter) + 1) {
            Some(next) => {
                *letter = next;
                return letters.into_iter().collect();
            }
            None => *letter = '\u{1}',
        }
    }
    letters.insert(0, '\u{1}');
    letters.into_iter().collect()
}

/// What follows a string of bytes.
pub(super) fn succ_of_bytes(bytes: &[u8]) -> Vec<u8> {
    if bytes.iter().any(u8::is_ascii_alphanumeric) {
        let text: String = bytes.iter().copied().map(char::from).collect();
        return succ(&text).chars().filter_map(|letter| u8::try_from(letter).ok()).collect();
    }
    let mut next = bytes.to_vec();
    for byte in next.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return next;
        }
    }
    next.insert(0, 1);
    next
}

/// The strings of a range.
pub(crate) fn strings_between(start: &str, end: &str, excludes_end: bool) -> Vec<String> {
    let mut all = Vec::new();
    if let ([from], [to]) = (start.as_bytes(), end.as_bytes())
        && from.is_ascii()
        && to.is_ascii()
    {
        let last = if excludes_end { to.checked_sub(1) } else { Some(*to) };
        return last.map_or(all, |last| (*from..=last).map(|byte| char::from(byte).to_string()).collect());
    }
    // Numbers count as numbers.
    if let (Ok(from), Ok(to)) = (start.parse::<u64>(), end.parse::<u64>())
        && is_number(start)
        && is_number(end)
    {
        let width = start.len();
        let last = if excludes_end { to.checked_sub(1) } else { Some(to) };
        return match last {
            Some(last) => (from..=last).take(1 << 20).map(|number| format!("{number:0>width$}")).collect(),
            None => all,
        };
    }
    if start > end || (excludes_end && start == end) {
        return all;
    }
    let behind = succ(end);
    let mut current = start.to_string();
    while current != behind && all.len() < 1 << 20 {
        let (next, is_last) = (succ(&current), current == end);
        all.push(current);
        current = next;
        if is_last || (excludes_end && current == end) || current.len() > end.len() || current.is_empty() {
            break;
        }
    }
    all
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
