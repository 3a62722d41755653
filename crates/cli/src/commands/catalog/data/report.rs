//! The values of a result buffer, with the names that a catalog has for them.

use crate::commands::catalog::words::name;
use counterpoint::catalog::data::{Counter, Counters, ResultBuffer};
use counterpoint::catalog::{Catalog, Domain};
use std::collections::{HashMap, HashSet};

/// A buffer with the names that the catalog has for its numbers.
pub struct Report<'r> {
    pub names: Names,
    pub results: &'r ResultBuffer,
    pub counters: Counters,
    pub grown: Option<Counters>,
}

impl Report<'_> {
    /// The growth of a counter since the earlier buffer.
    pub fn grown(&self, counter: &Counter) -> Option<u64> {
        self.grown.as_ref()?.at(counter)
    }
}

/// The domain of a counter whose request is unknown.
pub const UNKNOWN: Domain = Domain(0);

/// The names that a catalog has for counters: events and fields of schemas, by domain, address and width.
#[derive(Default)]
pub struct Names {
    events: Places,
    fields: Places,
}

impl Names {
    pub fn new(catalog: &Catalog, results: &ResultBuffer, counters: &Counters) -> Names {
        let there: HashSet<(u32, u8)> =
            counters.iter().map(|counter| (counter.address, counter.width)).collect();
        let mut names = Names::default();
        for event in catalog.events.iter().filter(|event| event.group_record_length > 0) {
            let address = event.counter_address();
            if there.contains(&(address, 8)) {
                let place = (event.domain, address, 8);
                names.events.entry(place).or_default().extend(name(event.name.as_ref()));
            }
        }
        let sizes: HashSet<u16> = results.results.iter().map(|result| result.data_size).collect();
        // Groups may share a record: each kind of record at each place once.
        let mut records: Vec<(u8, Domain, u16)> = Vec::new();
        for group in &catalog.groups {
            records.push((group.schema_index, group.domain, group.group_record_offset));
            if sizes.contains(&group.group_record_length) {
                records.push((group.schema_index, UNKNOWN, 0));
            }
        }
        records.sort_unstable();
        records.dedup();
        for (schema, domain, offset) in records {
            let schema = catalog.schemas.get(usize::from(schema));
            for field in schema.iter().flat_map(|schema| &schema.fields) {
                let Ok(width) = u8::try_from(field.length) else { continue };
                let address = u32::from(offset) + u32::from(field.offset);
                if !there.contains(&(address, width)) {
                    continue;
                }
                let Some(name) = field.kind.name() else { continue };
                let names = names.fields.entry((domain, address, width)).or_default();
                if !names.iter().any(|known| *known == name) {
                    names.push(name.to_string());
                }
            }
        }
        names
    }

    /// The names of the events and of the fields there; virtual CPUs have those of cores.
    pub fn at_counter(&self, counter: &Counter) -> (&[String], &[String]) {
        (at(&self.events, counter), at(&self.fields, counter))
    }
}

/// Names by domain, address and width.
type Places = HashMap<(Domain, u32, u8), Vec<String>>;

fn at<'n>(names: &'n Places, counter: &Counter) -> &'n [String] {
    let of = |domain| names.get(&(domain, counter.address, counter.width));
    let is_virtual = counter.domain.is_virtual();
    let found = of(counter.domain).or_else(|| of(Domain::CORE).filter(|_| is_virtual));
    found.map(Vec::as_slice).unwrap_or_default()
}
