//! Events and groups of a catalog by name.

use crate::failure::Failure;
use counterpoint::catalog::{Catalog, Event, Group, Links};

pub fn event<'c>(catalog: &'c Catalog, name: &str) -> Option<&'c Event> {
    Links::new(catalog).by_name(name).and_then(|event| catalog.events.get(event))
}

pub fn group<'c>(catalog: &'c Catalog, name: &str) -> Option<&'c Group> {
    catalog.groups.iter().find(|group| group.name() == Some(name))
}

/// The failure of a name that nothing in the catalog has.
pub fn unknown(catalog: &Catalog, name: &str) -> Failure {
    let names = catalog.groups.iter().filter_map(|group| group.name());
    let names = names.chain(catalog.events.iter().filter_map(|event| event.name()));
    let similar = counterpoint::pmu::similar(name, names);
    let failure = Failure::new(format!("no group or event is called `{name}`"));
    if similar.is_empty() {
        failure.help("`counterpoint catalog dump` lists them")
    } else {
        failure.help(format!("did you mean `{}`?", similar.join("`, `")))
    }
}
