//! Finds the item that a path in a module names, through imports and re-exports.

use super::modules::Crate;

/// The names of a crate.
pub struct Names<'a> {
    read: &'a Crate,
}

/// An item, or `*` for all, and the module that defines it.
pub struct Used {
    pub module: usize,
    pub name: String,
}

/// The thing that a path names.
enum Named {
    Module(usize),
    Item(Used),
}

/// The most re-exports that are followed: those of a path that leads to itself never end.
const MOST_STEPS: usize = 16;

impl<'a> Names<'a> {
    pub fn new(read: &'a Crate) -> Names<'a> {
        Names { read }
    }

    /// The items of the crate that a module imports or has in its paths.
    pub fn used_by(&self, module: usize) -> impl Iterator<Item = Used> {
        let here = &self.read.modules[module];
        let imports = here.imports.iter().map(|import| (&import.path, import.name == "*"));
        let paths = here.paths.iter().map(|path| (path, false));
        imports.chain(paths).filter_map(move |(path, is_glob)| {
            match self.at(module, path, is_glob, 0)? {
                Named::Item(used) => Some(used),
                Named::Module(module) => is_glob.then(|| Used { module, name: "*".to_string() }),
            }
        })
    }

    /// The thing that a path in a module names, a module if the path goes on; none if it is not of this crate.
    fn at(&self, module: usize, path: &[String], goes_on: bool, steps: usize) -> Option<Named> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => module,
            "super" => self.read.modules[module].parent?,
            name => match self.inside(module, name, goes_on || !rest.is_empty(), steps)? {
                Named::Module(child) => child,
                item => return Some(item),
            },
        };
        while let Some((name, after)) = rest.split_first() {
            at = match name.as_str() {
                "super" => self.read.modules[at].parent?,
                name => match self.inside(at, name, goes_on || !after.is_empty(), steps)? {
                    Named::Module(child) => child,
                    item => return Some(item),
                },
            };
            rest = after;
        }
        Some(Named::Module(at))
    }

    /// The thing that has this name in a module; of an item and a module with the same name, the module goes on.
    fn inside(&self, module: usize, name: &str, goes_on: bool, steps: usize) -> Option<Named> {
        if steps > MOST_STEPS {
            return None;
        }
        let here = &self.read.modules[module];
        let child = here.children.iter().find(|child| self.read.modules[**child].name == name);
        let defined = here.defined.get(name);
        let item = defined.map(|name| Named::Item(Used { module, name: name.clone() }));
        let child = child.map(|child| Named::Module(*child));
        let imported = here
            .imports
            .iter()
            .filter(|import| import.name == name && import.path != [name])
            .filter_map(|import| self.at(module, &import.path, goes_on, steps + 1));
        let mut known: Vec<Named> = child.into_iter().chain(item).chain(imported).collect();
        let fits = known.iter().position(|named| matches!(named, Named::Module(_)) == goes_on);
        match fits {
            Some(index) => Some(known.swap_remove(index)),
            None => known.pop().or_else(|| self.in_globs(module, name, goes_on, steps)),
        }
    }

    fn in_globs(&self, module: usize, name: &str, goes_on: bool, steps: usize) -> Option<Named> {
        let globs = self.read.modules[module].imports.iter().filter(|import| import.name == "*");
        globs.filter(|import| import.path != [name]).find_map(|import| {
            match self.at(module, &import.path, true, steps + 1)? {
                Named::Module(other) => self.inside(other, name, goes_on, steps + 1),
                Named::Item(_) => None,
            }
        })
    }
}
