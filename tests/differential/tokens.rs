//! Pieces of a program, good enough to leave some out or to put others in their place.

/// Splits code into words, strings, operators and white space. The pieces together are the code.
pub(crate) fn split(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = length(rest, first);
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after;
    }
    tokens
}

fn length(rest: &str, first: char) -> usize {
    let run = |wanted: fn(char) -> bool| rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    if first.is_alphanumeric() || first == '_' {
        return run(|c| c.is_alphanumeric() || c == '_');
    }
    if first == ' ' {
        return run(|c| c == ' ');
    }
    for operator in
        ["<<|", "|>>", "::", "=>", "+>", "->", "~>", "<-", "<~", "==", "!=", "=~", "!~", "<=", ">=", "<<", ">>"]
    {
        if rest.starts_with(operator) {
            return operator.len();
        }
    }
    first.len_utf8()
}
