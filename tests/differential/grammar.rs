//! Grammars of random programs. A grammar file has rules: a name at the start of a line, and below it, indented by two
//! spaces, its alternatives. In an alternative `«rule»` stands for a text of that rule, `«rule?»` for one or none,
//! `«rule*»` and `«rule+»` for a list with commas, `⏎` for a line break, `␣` for a space, and `ε` for nothing.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::random::Random;

/// From this depth on only the alternatives that end soonest are taken.
const DEEP: usize = 4;

/// Rules by name, with the length of the shortest way to the end of each alternative.
pub(crate) struct Grammar {
    rules: HashMap<String, Vec<Alternative>>,
}

struct Alternative {
    pieces: Vec<Piece>,
    /// How many levels of rules it takes at least to write it out.
    height: usize,
}

enum Piece {
    Text(String),
    Rule { name: String, repeat: Repeat },
}

#[derive(Clone, Copy)]
enum Repeat {
    Once,
    Maybe,
    Any,
    Some,
}

impl Grammar {
    /// Reads the files in order; a rule in a later one replaces a rule of the same name.
    pub(crate) fn read(files: &[&Path]) -> Result<Self, String> {
        let mut rules: HashMap<String, Vec<Alternative>> = HashMap::new();
        for path in files {
            let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let mut current: Option<(String, Vec<Alternative>)> = None;
            for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
                match (line.strip_prefix("  "), &mut current) {
                    (Some(alternative), Some((_, alternatives))) => alternatives.push(parse(alternative)),
                    (Some(_), None) => return Err(format!("{}: an alternative without a rule", path.display())),
                    (None, _) => rules.extend(current.replace((line.trim().to_owned(), Vec::new()))),
                }
            }
            rules.extend(current);
        }
        let mut grammar = Self { rules };
        grammar.measure()?;
        Ok(grammar)
    }

    pub(crate) fn has(&self, rule: &str) -> bool {
        self.rules.contains_key(rule)
    }

    /// A random text of the rule.
    pub(crate) fn write(&self, rule: &str, random: &mut Random) -> String {
        let mut text = String::new();
        self.write_rule(rule, random, 0, &mut text);
        text
    }

    fn write_rule(&self, rule: &str, random: &mut Random, depth: usize, text: &mut String) {
        let Some(alternatives) = self.rules.get(rule) else { return };
        let least = alternatives.iter().map(|alternative| alternative.height).min().unwrap_or_default();
        let short: Vec<_> =
            alternatives.iter().filter(|alternative| depth < DEEP || alternative.height == least).collect();
        let Some(alternative) = random.pick(&short) else { return };
        for piece in &alternative.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Rule { name, repeat } => {
                    let times = match repeat {
                        Repeat::Once => 1,
                        Repeat::Maybe => random.below(2),
                        Repeat::Any => random.below(4),
                        Repeat::Some => 1 + random.below(3),
                    };
                    for time in 0..times {
                        text.push_str(if time == 0 { "" } else { ", " });
                        self.write_rule(name, random, depth + 1, text);
                    }
                }
            }
        }
    }

    /// Finds the heights of all alternatives, from the lowest up.
    fn measure(&mut self) -> Result<(), String> {
        let mut heights: HashMap<String, usize> = HashMap::new();
        loop {
            let mut found = Vec::new();
            for (name, alternatives) in &self.rules {
                let least = alternatives.iter().filter_map(|alternative| height(alternative, &heights)).min();
                if let Some(least) = least.filter(|_| !heights.contains_key(name)) {
                    found.push((name.clone(), least));
                }
            }
            if found.is_empty() {
                break;
            }
            heights.extend(found);
        }
        for (name, alternatives) in &mut self.rules {
            for alternative in alternatives {
                alternative.height =
                    height(alternative, &heights).ok_or_else(|| format!("a rule in `{name}` has no end"))?;
            }
        }
        Ok(())
    }
}

fn height(alternative: &Alternative, heights: &HashMap<String, usize>) -> Option<usize> {
    let mut height = 0;
    for piece in &alternative.pieces {
        if let Piece::Rule { name, .. } = piece {
            height = height.max(1 + heights.get(name)?);
        }
    }
    Some(height)
}

fn parse(line: &str) -> Alternative {
    let mut pieces = Vec::new();
    for (index, part) in line.split('«').enumerate() {
        let (rule, text) = if index == 0 { (None, part) } else { split_rule(part) };
        pieces.extend(rule);
        if !text.is_empty() {
            pieces.push(Piece::Text(text.replace('⏎', "\n").replace('␣', " ").replace('ε', "")));
        }
    }
    Alternative { pieces, height: 0 }
}

fn split_rule(part: &str) -> (Option<Piece>, &str) {
    let (name, text) = part.split_once('»').unwrap_or((part, ""));
    let (name, repeat) = match name.chars().last() {
        Some('?') => (name.trim_end_matches('?'), Repeat::Maybe),
        Some('*') => (name.trim_end_matches('*'), Repeat::Any),
        Some('+') => (name.trim_end_matches('+'), Repeat::Some),
        _ => (name, Repeat::Once),
    };
    (Some(Piece::Rule { name: name.to_owned(), repeat }), text)
}
