//! The rows of tables: what accesses have in common, and their sums.

use super::measured::Measured;
use counterpoint::memory::{Key, Object, Sums};
use counterpoint::perf::records::{DataSource, Snoop};
use counterpoint::profil::write::Symbol;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;

/// An object, ordered by its name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct By<'m>(pub &'m Object);

impl Ord for By<'_> {
    fn cmp(&self, other: &By<'_>) -> Ordering {
        let name = |of: &By<'_>| (of.0.to_string(), format!("{:?}", of.0));
        name(self).cmp(&name(other))
    }
}

impl PartialOrd for By<'_> {
    fn partial_cmp(&self, other: &By<'_>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The sums by what `key` tells of accesses: those with the greatest cost first, as perf orders them.
pub fn sums<K: Ord + Hash + Clone>(measured: &Measured, key: impl Fn(&Key) -> K) -> Vec<(K, Sums)> {
    let mut sums: HashMap<K, Sums> = HashMap::new();
    for (of, counted) in &measured.sums {
        sums.entry(key(of)).or_default().merge(counted);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable_by(|(one, a), (other, b)| b.cost.cmp(&a.cost).then(one.cmp(other)));
    sums
}

/// The sums of each object.
pub fn objects(measured: &Measured) -> Vec<(By<'_>, Sums)> {
    sums(measured, |key| By(&measured.objects[key.object]))
}

/// The number of pages of each object that have accesses.
pub fn pages(measured: &Measured) -> HashMap<&Object, u64> {
    let mut pages = HashMap::new();
    for page in &measured.pages {
        *pages.entry(&measured.objects[page.object]).or_default() += 1;
    }
    pages
}

/// What an access does and where its data was found, in words; empty if nothing is known.
pub fn source(source: DataSource) -> (&'static str, String) {
    let operation = source.operation().map_or("", |operation| operation.name());
    let level = source.level().map_or(String::new(), |level| level.to_string());
    let snoop = match source.snoop() {
        Some(Snoop::HitModified) => "modified by another core",
        Some(Snoop::Peer) => "from a peer",
        Some(Snoop::Forward) => "forwarded",
        _ => "",
    };
    let separator = if level.is_empty() || snoop.is_empty() { "" } else { ", " };
    (operation, format!("{level}{separator}{snoop}"))
}

/// The number of a node of memory, if it is known.
pub fn node(of: Option<u32>) -> String {
    of.map_or("?".to_string(), |node| node.to_string())
}

/// The name of an object with that of its file, or of its process where there are several.
pub fn object(of: &Object, measured: &Measured) -> String {
    if let (Object::Anonymous { pid, .. }, true) = (of, measured.has_processes) {
        return format!("{of}  process {pid}");
    }
    let module = of.module().and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
    match module {
        Some(module) => format!("{of}  {module}"),
        None => of.to_string(),
    }
}

/// The name of a function and that of its file; code without a name is told apart by its file.
pub fn function(of: Option<&Symbol>) -> (String, String) {
    let Some(symbol) = of else { return ("[unknown]".to_string(), String::new()) };
    let module = symbol.module.clone().unwrap_or_default();
    if symbol.function.starts_with('[') && !module.starts_with('[') && !module.is_empty() {
        (format!("{} of {module}", symbol.function), module)
    } else {
        (symbol.function.clone(), module)
    }
}
