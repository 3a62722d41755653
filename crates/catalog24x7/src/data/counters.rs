//! The numbers of a result buffer, and the events that they belong to.

use super::request::Request;
use super::result::ResultBuffer;
use crate::catalog::Catalog;
use crate::records::{Domain, Event};
use crate::schema::{Field, FieldKind, Schema};
use std::collections::BTreeSet;

/// The numbers of a result buffer, keyed by where they are counted and by their position among the counters of their domain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Sorted by domain, partition, index, thread group and address.
    list: Vec<Counter>,
}

/// One number of a group record on one chip, core or virtual CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counter {
    /// The place where it is counted.
    pub domain: Domain,
    /// The logical partition.
    pub lpar: u16,
    /// The chip, core or virtual CPU.
    pub index: u16,
    /// The thread group, in version 2.
    pub thread_group: Option<u8>,
    /// Its position among the counters of the domain, in bytes: [`Event::counter_address`], or the offset of its group record plus that of the schema's field.
    pub address: u32,
    /// Its width in bytes, 1 to 8.
    pub width: u8,
    /// The number.
    pub value: u64,
}

impl Counter {
    fn place(&self) -> (Domain, u16, u16, Option<u8>, u32, u8) {
        (self.domain, self.lpar, self.index, self.thread_group, self.address, self.width)
    }

    /// The chip, core or virtual CPU that is counted: domain, partition, index and thread group.
    pub fn unit(&self) -> (Domain, u16, u16, Option<u8>) {
        (self.domain, self.lpar, self.index, self.thread_group)
    }
}

/// The progress between two results, which formulas call `delta-timebase`, `delta-cycles`, `delta-instructions` and `delta-seconds`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elapsed {
    /// Timebase ticks: the maximum over all group records.
    pub timebase: Option<u64>,
    /// Non-idle cycles, summed over cores: counter 4 of the first group record of each core.
    pub cycles: Option<u128>,
    /// Non-idle instructions, summed over cores: counter 3 of the first group record of each core.
    pub instructions: Option<u128>,
}

impl Elapsed {
    /// The frequency of the timebase on POWER8 and later, in Hz.
    pub const TIMEBASE_HZ: f64 = 512e6;

    /// The time in seconds, for a timebase of this frequency.
    pub fn seconds(&self, timebase_hz: f64) -> Option<f64> {
        Some(self.timebase? as f64 / timebase_hz)
    }
}

impl Counters {
    /// The numbers in `results`, which are the answer to `requests` made from `catalog`.
    ///
    /// A range that contains whole group records is split by their schemas; bytes that neither a schema nor an event describes are read as 8-byte words.
    /// Results for requests that do not exist are omitted.
    pub fn read(results: &ResultBuffer, requests: &[Request], catalog: &Catalog) -> Counters {
        let mut list = Vec::new();
        let layouts = layouts(catalog);
        for result in &results.results {
            let Some(request) = requests.get(usize::from(result.request)) else { continue };
            if result.elements.is_empty() {
                continue;
            }
            let pieces = pieces(catalog, &layouts, request, result.data_size);
            for element in &result.elements {
                for (at, width) in &pieces {
                    let end = usize::from(*at) + usize::from(*width);
                    let Some(bytes) = element.data.get(usize::from(*at)..end) else { continue };
                    list.push(Counter {
                        domain: request.domain,
                        lpar: element.lpar,
                        index: element.index,
                        thread_group: element.thread_group,
                        address: request.data_offset.saturating_add(u32::from(*at)),
                        width: *width,
                        value: number(bytes),
                    });
                }
            }
        }
        list.sort_unstable();
        list.dedup_by_key(|counter| counter.place());
        Counters { list }
    }

    /// The increase of each number since `before`, modulo its width; numbers that are not in both are omitted.
    ///
    /// ```
    /// # use counterpoint_catalog24x7::data::*;
    /// # use counterpoint_catalog24x7::{CatalogBuilder, Domain, Event};
    /// # let catalog = CatalogBuilder::new(0).event(Event::new("PM_CYC", Domain::CHIP)).build()?;
    /// # let requests = [Request::of_event(&catalog.events[0])];
    /// # let counters = |value: u64| {
    /// #     let mut bytes = vec![0; 56];
    /// #     (bytes[0], bytes[1], bytes[33], bytes[35], bytes[37]) = (1, 1, 1, 1, 8);
    /// #     bytes[48..].copy_from_slice(&value.to_be_bytes());
    /// #     Counters::read(&ResultBuffer::decode(&bytes).buffer.unwrap(), &requests, &catalog)
    /// # };
    /// let (before, after) = (counters(u64::MAX), counters(4));
    /// assert_eq!(after.since(&before).sum(&catalog.events[0]), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn since(&self, before: &Counters) -> Counters {
        let grown = |counter: &Counter| {
            let grown = counter.value.wrapping_sub(before.at(counter)?);
            let unused = 64 - 8 * u32::from(counter.width);
            Some(Counter { value: grown << unused >> unused, ..*counter })
        };
        Counters { list: self.list.iter().filter_map(grown).collect() }
    }

    /// The number at the same position as `counter`.
    pub fn at(&self, counter: &Counter) -> Option<u64> {
        let place = self.list.binary_search_by_key(&counter.place(), Counter::place).ok()?;
        self.list.get(place).map(|counter| counter.value)
    }

    /// Iterates over all numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Counter> {
        self.list.iter()
    }

    /// The numbers of an event, one per chip, core or virtual CPU.
    ///
    /// A core event may have been counted in several domains.
    pub fn of_event(&self, event: &Event) -> impl Iterator<Item = &Counter> {
        let (address, domain) = (event.counter_address(), event.domain);
        self.list.iter().filter(move |counter| {
            counter.width == 8 && counter.address == address && is_of(domain, counter.domain)
        })
    }

    /// The sum of an event over chips, cores or virtual CPUs, in the first domain that has it.
    pub fn sum(&self, event: &Event) -> Option<u128> {
        let first = self.of_event(event).next()?.domain;
        let same = self.of_event(event).filter(|counter| counter.domain == first);
        Some(same.map(|counter| u128::from(counter.value)).sum())
    }

    /// The progress, if the numbers are differences (see [`Counters::since`]) and contain whole group records.
    pub fn elapsed(&self, catalog: &Catalog) -> Elapsed {
        let timebase = self.fields(catalog, FieldKind::TIMEBASE_UPDATE, |_| true);
        let sum = |number| {
            let mut counters =
                self.fields(catalog, FieldKind::counter(number), |domain| domain == Domain::CORE);
            counters.dedup_by_key(|counter| counter.unit());
            let first = counters.first()?.domain;
            let same = counters.iter().filter(|counter| counter.domain == first);
            Some(same.map(|counter| u128::from(counter.value)).sum())
        };
        Elapsed {
            timebase: timebase.iter().map(|counter| counter.value).max(),
            cycles: sum(4),
            instructions: sum(3),
        }
    }

    /// The numbers that are fields of this kind in groups of the given domain.
    fn fields(
        &self,
        catalog: &Catalog,
        kind: FieldKind,
        of: impl Fn(Domain) -> bool,
    ) -> Vec<&Counter> {
        let groups = catalog.groups.iter().filter(|group| of(group.domain));
        let schemas = catalog.schemas.iter().take(256);
        let of_schemas: Vec<Option<Field>> = schemas.map(|schema| schema.field(kind)).collect();
        let places: BTreeSet<(Domain, u32, u16)> = groups
            .filter_map(|group| {
                let field = (*of_schemas.get(usize::from(group.schema_index))?)?;
                let address = u32::from(group.group_record_offset) + u32::from(field.offset);
                Some((group.domain, address, field.length))
            })
            .collect();
        let is_such = |counter: &&Counter| {
            let place = |domain| (domain, counter.address, u16::from(counter.width));
            places.contains(&place(counter.domain))
                || is_of(Domain::CORE, counter.domain) && places.contains(&place(Domain::CORE))
        };
        self.list.iter().filter(is_such).collect()
    }
}

/// Returns true if a counter of `counted` can belong to records of `domain`: the virtual domains use the counters of cores.
fn is_of(domain: Domain, counted: Domain) -> bool {
    domain == counted || domain == Domain::CORE && counted.is_virtual()
}

/// The numbers in records of one schema: end, start and width of each; sorted and without duplicates.
type Layout = BTreeSet<(usize, u16, u8)>;

/// The layouts of the schemas that a group can refer to.
fn layouts(catalog: &Catalog) -> Vec<Layout> {
    let layout = |schema: &Schema| {
        let fields = schema.fields.iter().filter(|field| (1..=8).contains(&field.length));
        fields.map(|field| (field.end(), field.offset, field.length as u8)).collect()
    };
    catalog.schemas.iter().take(256).map(layout).collect()
}

/// The position and the width of the numbers in the data of a request.
fn pieces(catalog: &Catalog, layouts: &[Layout], request: &Request, size: u16) -> Vec<(u16, u8)> {
    let mut pieces = BTreeSet::new();
    let begin = request.data_offset;
    let inside = |address: u32, width: u32| -> Option<u16> {
        let at = address.checked_sub(begin)?;
        (at.checked_add(width)? <= u32::from(size)).then_some(at as u16)
    };
    // Groups can share a record, so each kind of record is used once per position.
    let groups = catalog.groups.iter().filter(|group| is_of(group.domain, request.domain));
    let records: BTreeSet<(u16, u16, u8)> = groups
        .filter(|group| group.group_record_length > 0)
        .filter_map(|group| {
            let (offset, length) = (group.group_record_offset, group.group_record_length);
            let at = inside(offset.into(), length.into())?;
            Some((at, length, group.schema_index))
        })
        .collect();
    for (at, length, schema) in records {
        let numbers = layouts.get(usize::from(schema)).into_iter().flatten();
        for (_, offset, width) in numbers.take_while(|(end, ..)| *end <= usize::from(length)) {
            pieces.extend(at.checked_add(*offset).map(|at| (at, *width)));
        }
    }
    for event in catalog.events.iter().filter(|event| is_of(event.domain, request.domain)) {
        if event.group_record_length > 0
            && let Some(at) = inside(event.counter_address(), 8)
        {
            pieces.insert((at, 8));
        }
    }
    let mut named = vec![false; size.into()];
    for (at, width) in &pieces {
        named.iter_mut().skip((*at).into()).take((*width).into()).for_each(|byte| *byte = true);
    }
    let words = (0..size).step_by(8).filter(|at| {
        named.get(usize::from(*at)..usize::from(*at) + 8).is_some_and(|word| !word.contains(&true))
    });
    pieces.extend(words.map(|at| (at, 8)));
    pieces.into_iter().collect()
}

/// The big-endian number of up to 8 bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
