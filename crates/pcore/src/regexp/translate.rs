//! Writes a pattern for the engine, whose syntax is close to Ruby's but whose meaning differs in many details.

use bunraku_syntax::regexp::{Mode, Node, Pattern, Reference, literal, minimum_length};

use super::fold;

/// A pattern for the engine, and the names of its groups: `names[0]` belongs to group 1.
pub(super) struct Translation {
    pub(super) pattern: String,
    /// The pattern for texts of one line, where that brings it within reach of the linear engine.
    pub(super) line_pattern: Option<String>,
    pub(super) names: Vec<Option<String>>,
}

/// Translates a pattern. Groups are numbered only; where there are names, those without one do not capture.
pub(super) fn translate(pattern: &Pattern) -> Translation {
    let has_names = pattern.groups.iter().any(Option::is_some);
    let mut numbers = Vec::new();
    let mut names = Vec::new();
    for name in &pattern.groups {
        let is_captured = name.is_some() || !has_names;
        if is_captured {
            names.push(name.clone());
        }
        numbers.push(is_captured.then_some(names.len()));
    }
    let mut writer = Writer {
        text: String::new(),
        numbers,
        groups: &pattern.groups,
        is_behind: false,
        ignores_case: false,
        is_of_line: false,
        looks_for_end: false,
    };
    writer.write(&pattern.node, false);
    let text = std::mem::take(&mut writer.text);
    let line_pattern = writer.looks_for_end.then(|| {
        writer.is_of_line = true;
        writer.write(&pattern.node, false);
        writer.text
    });
    Translation { pattern: text, line_pattern, names }
}

struct Writer<'p> {
    text: String,
    /// The number of each group of the pattern, if it captures.
    numbers: Vec<Option<usize>>,
    groups: &'p [Option<String>],
    is_behind: bool,
    ignores_case: bool,
    /// Whether the pattern is for texts without line breaks.
    is_of_line: bool,
    /// Whether the start of a line was told by looking ahead.
    looks_for_end: bool,
}

impl Writer<'_> {
    /// Writes a part; `tail` tells whether something must be taken after it.
    fn write(&mut self, node: &Node, tail: bool) {
        match node {
            Node::Literal(character) => self.write_literals(&[*character]),
            Node::Set(set) => self.text.push_str(set),
            Node::Any { newline: true } => self.text.push_str("(?s:.)"),
            Node::Any { newline: false } => self.text.push_str("(?-s:.)"),
            Node::Fixed { text, .. } => self.text.push_str(text),
            // A line does not start at the very end of the text. Where that can be told from what follows, the plain
            // anchor keeps the pattern within reach of the linear engine.
            Node::LineStart if self.is_of_line => self.text.push_str(r"\A"),
            Node::LineStart if tail || self.is_behind => self.text.push_str("(?m:^)"),
            Node::LineStart => {
                self.looks_for_end = true;
                self.text.push_str(r"(?:\A|(?m:^)(?!\z))");
            }
            Node::Sequence(nodes) => self.write_sequence(nodes, tail),
            Node::Alternation(nodes) => {
                self.text.push_str("(?:");
                for (index, node) in nodes.iter().enumerate() {
                    if index > 0 {
                        self.text.push('|');
                    }
                    self.write(node, tail);
                }
                self.text.push(')');
            }
            Node::Repeat { node, minimum, maximum, mode } => self.write_repeat(node, *minimum, *maximum, *mode, tail),
            Node::Capture { group, node } => {
                let number = self.numbers.get(*group).copied().flatten();
                self.wrap(if number.is_some() { "(" } else { "(?:" }, node, tail);
            }
            Node::IgnoreCase { on, node } => {
                let outer = std::mem::replace(&mut self.ignores_case, *on);
                self.wrap(if *on { "(?i:" } else { "(?-i:" }, node, tail);
                self.ignores_case = outer;
            }
            Node::Atomic(node) => self.wrap("(?>", node, tail),
            Node::Absent(node) => self.wrap("(?~", node, false),
            Node::Look { behind: false, negative, node } => {
                self.wrap(if *negative { "(?!" } else { "(?=" }, node, false);
            }
            Node::Look { behind: true, negative, node } => self.write_look_behind(*negative, node),
            Node::Conditional { condition, node } => self.write_conditional(condition, node, tail),
            Node::Backreference(reference) => self.write_backreference(reference),
            Node::Call(reference) => {
                let number = self.targets(reference).last().copied().unwrap_or(0);
                self.text.push_str(&format!("\\g<{number}>"));
            }
        }
    }

    fn wrap(&mut self, open: &str, node: &Node, tail: bool) {
        self.text.push_str(open);
        self.write(node, tail);
        self.text.push(')');
    }

    fn write_sequence(&mut self, nodes: &[Node], tail: bool) {
        let mut index = 0;
        while let Some(node) = nodes.get(index) {
            let letters = self.ligature(nodes.get(index..).unwrap_or_default());
            if !letters.is_empty() {
                self.write_literals(&letters);
                index += letters.len();
                continue;
            }
            index += 1;
            let mut rest = nodes.iter().skip(index);
            let tail = tail || rest.any(|node| minimum_length(node) > 0);
            self.write(node, tail);
        }
    }

    /// The letters that come next, if one character stands for them where case does not count.
    fn ligature(&self, nodes: &[Node]) -> Vec<char> {
        if !self.ignores_case {
            return Vec::new();
        }
        let letters = nodes.iter().map_while(|node| match node {
            Node::Literal(character) => Some(*character),
            _ => None,
        });
        let mut letters: Vec<char> = letters.take(fold::LONGEST).collect();
        while letters.len() > 1 && fold::ligatures(&letters).is_empty() {
            letters.pop();
        }
        if letters.len() > 1 { letters } else { Vec::new() }
    }

    /// Writes letters, and what is as good as they are where case does not count. What is looked for behind must have one
    /// length, so there they are written as they are.
    fn write_literals(&mut self, letters: &[char]) {
        let mut others: Vec<Vec<char>> = Vec::new();
        if self.ignores_case && !self.is_behind {
            match letters {
                [only] => others.extend(fold::unfolded(*only)),
                several => others.extend(fold::ligatures(several).iter().map(|ligature| vec![*ligature])),
            }
        }
        self.text.push_str(if others.is_empty() { "" } else { "(?:" });
        self.text.extend(letters.iter().map(|letter| literal(*letter)));
        for other in &others {
            self.text.push('|');
            self.text.extend(other.iter().map(|letter| literal(*letter)));
        }
        self.text.push_str(if others.is_empty() { "" } else { ")" });
    }

    fn write_repeat(&mut self, node: &Node, minimum: u32, maximum: Option<u32>, mode: Mode, tail: bool) {
        if is_assertion(node) {
            // The engine does not repeat what takes nothing: once is as good as many times.
            self.text.push_str("(?:");
            self.write(node, tail);
            self.text.push_str(if minimum == 0 { "|)" } else { ")" });
            return;
        }
        self.text.push_str(if mode == Mode::Possessive { "(?>(?:" } else { "(?:" });
        self.write(node, tail);
        self.text.push(')');
        match (minimum, maximum) {
            (0, None) => self.text.push('*'),
            (1, None) => self.text.push('+'),
            (0, Some(1)) => self.text.push('?'),
            (minimum, None) => self.text.push_str(&format!("{{{minimum},}}")),
            (minimum, Some(maximum)) => self.text.push_str(&format!("{{{minimum},{maximum}}}")),
        }
        match mode {
            Mode::Greedy => {}
            Mode::Lazy => self.text.push('?'),
            Mode::Possessive => self.text.push(')'),
        }
    }

    /// Alternatives of different length are looked at one by one.
    fn write_look_behind(&mut self, negative: bool, node: &Node) {
        let was_behind = std::mem::replace(&mut self.is_behind, true);
        let open = if negative { "(?<!" } else { "(?<=" };
        match outermost_alternatives(node) {
            [only] => self.wrap(open, only, false),
            alternatives => {
                self.text.push_str("(?:");
                for (index, alternative) in alternatives.iter().enumerate() {
                    if index > 0 && !negative {
                        self.text.push('|');
                    }
                    self.wrap(open, alternative, false);
                }
                self.text.push(')');
            }
        }
        self.is_behind = was_behind;
    }

    fn write_conditional(&mut self, condition: &Reference, node: &Node, tail: bool) {
        let number = self.targets(condition).last().copied().unwrap_or(0);
        self.text.push_str(&format!("(?({number})"));
        match node {
            Node::Alternation(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    if index > 0 {
                        self.text.push('|');
                    }
                    self.write(node, tail);
                }
            }
            node => self.write(node, tail),
        }
        self.text.push(')');
    }

    /// A name may belong to several groups: any of them will do, the last one first.
    fn write_backreference(&mut self, reference: &Reference) {
        let targets: Vec<String> = self.targets(reference).iter().rev().map(|number| format!("\\{number}")).collect();
        self.text.push_str(&format!("(?:{})", targets.join("|")));
    }

    fn targets(&self, reference: &Reference) -> Vec<usize> {
        match reference {
            Reference::Number(number) => vec![*number],
            Reference::Name(name) => {
                let named = self.groups.iter().zip(&self.numbers).filter(|(group, _)| group.as_ref() == Some(name));
                named.filter_map(|(_, number)| *number).collect()
            }
        }
    }
}

fn outermost_alternatives(node: &Node) -> &[Node] {
    match node {
        Node::Alternation(nodes) => nodes,
        Node::Sequence(nodes) => match nodes.as_slice() {
            [Node::Alternation(nodes)] => nodes,
            _ => std::slice::from_ref(node),
        },
        _ => std::slice::from_ref(node),
    }
}

fn is_assertion(node: &Node) -> bool {
    match node {
        Node::LineStart | Node::Look { .. } | Node::Fixed { takes: 0, .. } => true,
        Node::Sequence(nodes) => nodes.iter().all(is_assertion),
        Node::Repeat { node, .. } => is_assertion(node),
        _ => false,
    }
}
