//! The index of many files: merged tables, in which one file can be replaced.

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Kind;
use crate::file::{Definition, FileIndex, Use};

/// A file of a project and what it has there.
#[derive(Debug, Clone, Copy)]
pub struct Place<'i, T> {
    /// The path of the file.
    pub path: &'i EcoString,
    /// What is there.
    pub found: &'i T,
}

/// What the files of a project define and use, by name.
#[derive(Debug, Default)]
pub struct ProjectIndex {
    files: Vec<Option<(EcoString, FileIndex)>>,
    numbers: FxHashMap<EcoString, u32>,
    definitions: Table,
    uses: Table,
}

/// The numbers of the files that have a name of a kind, in their order.
type Table = FxHashMap<(Kind, EcoString), Vec<u32>>;

impl ProjectIndex {
    /// Puts a file into the index, in the place of what was known of it.
    pub fn update(&mut self, path: EcoString, index: FileIndex) {
        let number = match self.numbers.get(&path) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
                self.numbers.insert(path.clone(), number);
                self.files.push(None);
                number
            }
        };
        let Some(slot) = self.files.get_mut(number as usize) else { return };
        let before = slot.take().map(|(_, index)| index).unwrap_or_default();
        exchange(&mut self.definitions, &before.definitions, &index.definitions, defined_name, number);
        exchange(&mut self.uses, &before.uses, &index.uses, used_name, number);
        *slot = Some((path, index));
    }

    /// Takes a file out of the index.
    pub fn remove(&mut self, path: &str) {
        let Some(&number) = self.numbers.get(path) else { return };
        let Some((_, index)) = self.files.get_mut(number as usize).and_then(Option::take) else { return };
        exchange(&mut self.definitions, &index.definitions, &[], defined_name, number);
        exchange(&mut self.uses, &index.uses, &[], used_name, number);
    }

    /// What is known of a file.
    pub fn file(&self, path: &str) -> Option<&FileIndex> {
        self.files.get(*self.numbers.get(path)? as usize)?.as_ref().map(|(_, index)| index)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.iter().flatten().count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a name gets its meaning.
    pub fn definitions(&self, kind: Kind, name: &str) -> impl Iterator<Item = Place<'_, Definition>> {
        let name = EcoString::from(name);
        self.files_in(&self.definitions, kind, &name).flat_map(move |(path, index)| {
            let name = name.clone();
            let is_meant = move |found: &&Definition| found.kind == kind && found.name == name;
            index.definitions.iter().filter(is_meant).map(move |found| Place { path, found })
        })
    }

    /// Where a name is used.
    pub fn uses(&self, kind: Kind, name: &str) -> impl Iterator<Item = Place<'_, Use>> {
        let name = EcoString::from(name);
        self.files_in(&self.uses, kind, &name).flat_map(move |(path, index)| {
            let name = name.clone();
            let is_meant = move |found: &&Use| found.kind == kind && found.name == name;
            index.uses.iter().filter(is_meant).map(move |found| Place { path, found })
        })
    }

    fn files_in<'i>(
        &'i self,
        table: &'i Table,
        kind: Kind,
        name: &EcoString,
    ) -> impl Iterator<Item = (&'i EcoString, &'i FileIndex)> + use<'i> {
        let numbers = table.get(&(kind, name.clone())).into_iter().flatten();
        numbers.filter_map(|number| self.files.get(*number as usize)?.as_ref()).map(|(path, index)| (path, index))
    }

    /// All names of a kind that are defined, in the order of the alphabet.
    pub fn defined(&self, kind: Kind) -> Vec<&EcoString> {
        let mut names: Vec<&EcoString> =
            self.definitions.keys().filter(|(of, _)| *of == kind).map(|(_, name)| name).collect();
        names.sort_unstable();
        names
    }
}

fn defined_name(definition: &Definition) -> (Kind, &EcoString) {
    (definition.kind, &definition.name)
}

fn used_name(used: &Use) -> (Kind, &EcoString) {
    (used.kind, &used.name)
}

/// Puts the names that a file has now in the place of those that it had. An edit changes few, and only what stands between
/// the first and the last change is looked at.
fn exchange<T>(table: &mut Table, before: &[T], after: &[T], name_of: fn(&T) -> (Kind, &EcoString), file: u32) {
    let is_same = |(old, new): &(&T, &T)| name_of(old) == name_of(new);
    let head = before.iter().zip(after).take_while(is_same).count();
    let old = before.get(head..).unwrap_or_default();
    let new = after.get(head..).unwrap_or_default();
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(is_same).count();
    let old = old.get(..old.len() - tail).unwrap_or_default();
    let new = new.get(..new.len() - tail).unwrap_or_default();
    if !old.is_empty() {
        let mut lost: FxHashSet<_> = old.iter().map(name_of).collect();
        after.iter().for_each(|it| _ = lost.remove(&name_of(it)));
        for (kind, name) in old.iter().map(name_of).filter(|name| lost.remove(name)) {
            take(table, &(kind, name.clone()), file);
        }
    }
    for (kind, name) in new.iter().map(name_of) {
        add(table, (kind, name.clone()), file);
    }
}

fn add(table: &mut Table, key: (Kind, EcoString), file: u32) {
    let files = table.entry(key).or_default();
    if let Err(place) = files.binary_search(&file) {
        files.insert(place, file);
    }
}

fn take(table: &mut Table, key: &(Kind, EcoString), file: u32) {
    if let Some(files) = table.get_mut(key)
        && let Ok(place) = files.binary_search(&file)
    {
        files.remove(place);
        if files.is_empty() {
            table.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use bunraku_diagnostic::{FileId, Source};
    use bunraku_syntax::parse;

    use super::*;

    fn index(code: &str) -> FileIndex {
        FileIndex::new(&parse(&Source::string(FileId(0), code)).program)
    }

    #[test]
    fn a_file_takes_the_place_of_its_former_self() {
        let mut project = ProjectIndex::default();
        project.update("a.pp".into(), index("class a { include b }"));
        project.update("b.pp".into(), index("class b { }"));
        let users =
            |project: &ProjectIndex| project.uses(Kind::Class, "b").map(|it| it.path.clone()).collect::<Vec<_>>();
        assert_eq!(users(&project), ["a.pp"]);
        assert_eq!(project.defined(Kind::Class), ["a", "b"]);
        project.update("a.pp".into(), index("class a { include b  include d  include b }"));
        project.update("a.pp".into(), index("class a { include b  include e }"));
        assert_eq!((users(&project), project.uses(Kind::Class, "d").count()), (vec!["a.pp".into()], 0));
        assert_eq!(project.uses(Kind::Class, "e").count(), 1);
        project.update("a.pp".into(), index("class c { }"));
        assert_eq!(users(&project), [""; 0]);
        assert_eq!(project.defined(Kind::Class), ["b", "c"]);
        project.remove("b.pp");
        assert_eq!(project.definitions(Kind::Class, "b").count(), 0);
        assert_eq!(project.len(), 1);
    }
}
