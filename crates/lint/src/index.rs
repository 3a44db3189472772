//! What tokens belong to: resources, classes and defined types, titles. Each list is made once, when a check asks for it.

use std::cell::OnceCell;

use crate::problem::Problem;
use crate::token::{Cursor, Kind, MaybeToken, Tokens};

/// The lists of one source.
pub(crate) struct Index<'t> {
    tokens: &'t Tokens<'t>,
    resources: OnceCell<Result<Vec<Resource>, Box<Problem>>>,
    definitions: OnceCell<Vec<Definition>>,
    /// For every token the bracket that closes it.
    closing: OnceCell<Vec<Option<u32>>>,
    /// For every brace its partner, other brackets not looked at.
    braces: OnceCell<Vec<Option<u32>>>,
}

/// A title with its attributes: what is between the colon and the `;` or `}`.
#[derive(Debug)]
pub(crate) struct Resource {
    /// The colon after the title.
    pub(crate) colon: usize,
    /// The `;` or `}`.
    pub(crate) end: usize,
    /// The resource type.
    pub(crate) resource_type: usize,
    /// The names of the attributes.
    pub(crate) attributes: Vec<usize>,
}

impl Resource {
    /// The tokens from the colon to the end.
    pub(crate) fn tokens<'t>(
        &self,
        tokens: &'t Tokens<'t>,
    ) -> impl DoubleEndedIterator<Item = Cursor<'t>> + Clone + use<'t> {
        tokens.between(self.colon, self.end)
    }

    /// The values of the attributes with a name.
    pub(crate) fn values<'t>(
        &self,
        tokens: &'t Tokens<'t>,
        name: &'static str,
    ) -> impl Iterator<Item = Cursor<'t>> + use<'_, 't> {
        let attributes = self.attributes.iter().filter_map(|&attribute| tokens.get(attribute));
        attributes.filter(move |attribute| attribute.value() == name).filter_map(|name| name.next_code()?.next_code())
    }
}

/// A class or defined type.
#[derive(Debug)]
pub(crate) struct Definition {
    /// The keyword.
    pub(crate) start: usize,
    /// The closing brace.
    pub(crate) end: usize,
    pub(crate) name: usize,
    pub(crate) inherited: Option<usize>,
    /// The tokens between the parentheses of the parameters: the first, and the one behind the last.
    pub(crate) parameters: Option<(usize, usize)>,
    pub(crate) is_class: bool,
}

impl Definition {
    /// `class` or `defined type`.
    pub(crate) fn label(&self) -> &'static str {
        if self.is_class { "class" } else { "defined type" }
    }

    /// The tokens of the parameters.
    pub(crate) fn parameter_tokens<'t>(
        &self,
        tokens: &'t Tokens<'t>,
    ) -> Option<impl Iterator<Item = Cursor<'t>> + Clone + use<'t>> {
        let (start, end) = self.parameters?;
        Some(tokens.between(start, usize::MAX).take(end.saturating_sub(start)))
    }
}

impl<'t> Index<'t> {
    pub(crate) fn new(tokens: &'t Tokens<'t>) -> Self {
        Self {
            tokens,
            resources: OnceCell::new(),
            definitions: OnceCell::new(),
            closing: OnceCell::new(),
            braces: OnceCell::new(),
        }
    }

    /// The resources, unless one has no end, which is a syntax error.
    pub(crate) fn resources(&self) -> Result<&[Resource], Box<Problem>> {
        self.resources.get_or_init(|| self.find_resources()).as_deref().map_err(Clone::clone)
    }

    /// The classes, then the defined types.
    pub(crate) fn definitions(&self) -> &[Definition] {
        self.definitions.get_or_init(|| {
            let find = |kind| self.tokens.of(kind).filter_map(|keyword| self.definition(keyword));
            find(Kind::Class).chain(find(Kind::Define)).collect()
        })
    }

    /// The classes.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &Definition> {
        self.definitions().iter().filter(|definition| definition.is_class)
    }

    /// The partner of a brace.
    pub(crate) fn brace(&self, index: usize) -> Option<Cursor<'t>> {
        let braces = self.braces.get_or_init(|| {
            let mut partners = vec![None; self.tokens.len()];
            let mut open: Vec<usize> = Vec::new();
            for token in self.tokens.iter() {
                match token.kind {
                    Kind::LBrace => open.push(token.index),
                    Kind::RBrace => {
                        if let Some(start) = open.pop() {
                            set(&mut partners, start, token.index);
                            set(&mut partners, token.index, start);
                        }
                    }
                    _ => {}
                }
            }
            partners
        });
        braces.get(index).copied().flatten().and_then(|index| self.tokens.get(index as usize))
    }

    /// The next token of one of these kinds behind this one; what is in brackets is skipped.
    pub(crate) fn next_of(&self, from: usize, kinds: &[Kind]) -> Option<Cursor<'t>> {
        let closing = self.closing.get_or_init(|| closing(self.tokens));
        let mut token = self.tokens.get(from + 1)?;
        loop {
            if kinds.contains(&token.kind) {
                return Some(token);
            }
            if token.kind.closing().is_some() {
                token = self.tokens.get(closing.get(token.index).copied().flatten()? as usize)?;
            }
            token = token.next()?;
        }
    }

    fn find_resources(&self) -> Result<Vec<Resource>, Box<Problem>> {
        let mut found: Vec<Resource> = Vec::new();
        // The last word that tells whether a colon may belong to a reference, and the last brace that opens no selector.
        let (mut last_word, mut last_brace) = (None, None);
        let mut done = 0;
        for token in self.tokens.iter() {
            match token.kind {
                Kind::ClassRef | Kind::Name => last_word = Some(token.kind),
                Kind::LBrace if !token.prev_code().is(Kind::QuestionMark) => last_brace = Some(token),
                Kind::Colon => {
                    let follows = token.next_code();
                    if follows.is_none_or(|follows| follows.kind == Kind::LBrace) || last_word == Some(Kind::ClassRef) {
                        continue;
                    }
                    // Compatibility: after a resource inside another one puppet-lint looks no further.
                    if token.index < done {
                        break;
                    }
                    let end = self.next_of(token.index, &[Kind::Semicolon, Kind::RBrace]);
                    let (Some(end), Some(brace)) = (end, last_brace) else {
                        return Err(Box::new(Problem::syntax("Syntax error", token.line, token.column, token.start)));
                    };
                    done = end.index;
                    let resource_type = brace.prev_code().unwrap_or(brace).index;
                    let attributes = self.attributes(token.index, end.index);
                    found.push(Resource { colon: token.index, end: end.index, resource_type, attributes });
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn attributes(&self, colon: usize, end: usize) -> Vec<usize> {
        let mut attributes = Vec::new();
        let mut from = colon;
        while let Some(name) = self.next_of(from, &[Kind::Name]).filter(|name| name.index <= end) {
            if name.next_code().is(Kind::FArrow) {
                attributes.push(name.index);
            }
            from = name.index;
        }
        attributes
    }

    fn definition(&self, keyword: Cursor<'t>) -> Option<Definition> {
        let name = keyword.next_code().filter(|next| next.kind != Kind::LBrace)?;
        let (mut braces, mut parentheses, mut in_parameters) = (0_i64, 0_i64, false);
        let mut inherited = None;
        for token in keyword.after() {
            match token.kind {
                Kind::Inherits => inherited = token.next_code().map(|parent| parent.index),
                Kind::LParen => {
                    in_parameters |= parentheses == 0;
                    parentheses += 1;
                }
                Kind::RParen => {
                    in_parameters &= parentheses != 1;
                    parentheses -= 1;
                }
                Kind::LBrace => braces += 1,
                Kind::RBrace => {
                    braces -= 1;
                    if braces == 0 && !in_parameters {
                        return Some(Definition {
                            start: keyword.index,
                            end: token.index,
                            name: name.index,
                            inherited,
                            parameters: self.parameters(keyword.index, token.index),
                            is_class: keyword.kind == Kind::Class,
                        });
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn parameters(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let mut depth = 0_i64;
        let mut open = None;
        for token in self.tokens.between(start, end) {
            match token.kind {
                Kind::LParen => {
                    depth += 1;
                    if depth == 1 {
                        open = Some(token.index + 1);
                    }
                }
                Kind::RParen => {
                    depth -= 1;
                    if depth == 0 {
                        return Some((open?, token.index));
                    }
                }
                Kind::LBrace if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }
}

/// For every opening bracket the one that closes it, what is in other brackets between them skipped.
fn closing(tokens: &Tokens<'_>) -> Vec<Option<u32>> {
    let mut table: Vec<Option<u32>> = vec![None; tokens.len()];
    for open in tokens.iter().rev() {
        let Some(wanted) = open.kind.closing() else { continue };
        let mut inside = open.next();
        let found = loop {
            let Some(token) = inside else { break None };
            if token.kind == wanted {
                break Some(token.index);
            }
            if token.kind.closing().is_some() {
                let Some(close) = table.get(token.index).copied().flatten() else { break None };
                inside = tokens.get(close as usize + 1);
            } else {
                inside = token.next();
            }
        };
        if let Some(found) = found {
            set(&mut table, open.index, found);
        }
    }
    table
}

fn set(table: &mut [Option<u32>], index: usize, value: usize) {
    if let Some(entry) = table.get_mut(index) {
        *entry = Some(value as u32);
    }
}
