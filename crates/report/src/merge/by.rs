//! The values of ranks, added up for each node or each socket, and those of threads.

use super::member::Member;
use super::merged::{Cell, EventCells, Merged};
use crate::Location;
use crate::MergedKey;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::{iter, mem};

/// The units that are compared with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum By {
    /// Processes, by their rank.
    #[default]
    Rank,
    /// Nodes, with the sum of their ranks.
    Node,
    /// Sockets of nodes, from rows of sockets or cores.
    Socket,
    /// Threads of processes, from rows of threads.
    Thread,
}

/// No row is of a socket or of a thread, by which they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoneOfThese;

/// Adds the values up for each of these.
///
/// # Errors
/// Returns an error if no row is of a socket or of a thread.
pub fn regroup(merged: &mut Merged, by: By) -> Result<(), NoneOfThese> {
    if by == By::Thread {
        return by_thread(merged);
    }
    // The threads of a region are in its total already.
    merged.rows.retain(|row| row.key.region.is_none() || row.key.location.thread.is_none());
    if by == By::Rank {
        return Ok(());
    }
    let mut groups = Groups::default();
    for row in mem::take(&mut merged.rows) {
        let EventCells { key, cells } = row;
        let socket = key.location.socket;
        if by == By::Socket && socket.is_none() {
            continue;
        }
        let socket = socket.filter(|_| by == By::Socket);
        let place = groups.row(match by {
            By::Socket => MergedKey { location: Location::default(), ..key },
            _ => key,
        });
        for (member, cell) in cells {
            let host = merged.members[member].process.host.as_deref();
            let member = groups
                .member((host.map(str::to_string), socket, None), || Member::of_node(host, socket));
            groups.add(place, member, cell, Cell::add_member);
        }
    }
    if groups.rows.is_empty() {
        return Err(NoneOfThese);
    }
    (merged.rows, merged.members) = (groups.rows, groups.members);
    Ok(())
}

/// Makes each thread a member, and adds rows in which the threads of one number are compared between processes.
fn by_thread(merged: &mut Merged) -> Result<(), NoneOfThese> {
    let numbers = numbers(&merged.rows);
    let mut groups = Groups::default();
    for EventCells { key, cells } in mem::take(&mut merged.rows) {
        let Some(thread) = key.location.thread else { continue };
        let key_number = key.location.thread_number;
        let place = groups.row(MergedKey { location: Location::default(), ..key });
        for (process, cell) in cells {
            let number = key_number.unwrap_or_else(|| numbers[&(process, thread)]);
            let member = groups.member((None, Some(process as u32), Some(number)), || {
                merged.members[process].thread(number)
            });
            groups.add(place, member, cell, Cell::add_thread);
        }
    }
    if groups.rows.is_empty() {
        return Err(NoneOfThese);
    }
    for row in &mut groups.rows {
        row.cells.sort_by_key(|(member, _)| {
            let Member { process, thread, .. } = &groups.members[*member];
            (process.rank.is_none(), process.rank, process.pid, *thread)
        });
    }
    let each = |row: EventCells| {
        let of_numbers = of_numbers(&row, &groups.members);
        iter::once(row).chain(of_numbers)
    };
    merged.rows = groups.rows.into_iter().flat_map(each).collect();
    merged.members = groups.members;
    Ok(())
}

/// The numbers of threads of processes that have told none: in the order of their ids, which is that of their start, behind all that are told.
fn numbers(rows: &[EventCells]) -> HashMap<(usize, u32), u32> {
    let mut ids: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    let mut first = 0;
    for row in rows {
        match row.key.location {
            Location { thread_number: Some(number), .. } => {
                first = first.max(number.saturating_add(1));
            }
            Location { thread: Some(thread), .. } => {
                row.cells.iter().for_each(|(process, _)| {
                    ids.entry(*process).or_default().insert(thread);
                });
            }
            _ => {}
        }
    }
    let of_process = |(process, ids): (usize, BTreeSet<u32>)| {
        let numbered = (first..).zip(ids);
        numbered.map(move |(number, thread)| ((process, thread), number))
    };
    ids.into_iter().flat_map(of_process).collect()
}

/// For each number that several processes have, the values of these threads, as a row; none if there is one number only.
fn of_numbers(row: &EventCells, members: &[Member]) -> Vec<EventCells> {
    let mut numbers: BTreeMap<Option<u32>, Vec<(usize, Cell)>> = BTreeMap::new();
    for (member, cell) in &row.cells {
        numbers.entry(members[*member].thread).or_default().push((*member, cell.clone()));
    }
    let row = |(thread_number, cells)| {
        let location = Location { thread_number, ..Location::default() };
        EventCells { key: MergedKey { location, ..row.key.clone() }, cells }
    };
    let numbers = Some(numbers).filter(|numbers| numbers.len() > 1).into_iter().flatten();
    numbers.filter(|(_, cells)| cells.len() > 1).map(row).collect()
}

/// A host and a socket, or a process and a thread.
type MemberKey = (Option<String>, Option<u32>, Option<u32>);

#[derive(Default)]
struct Groups {
    rows: Vec<EventCells>,
    /// The place of the row of a key.
    places: HashMap<MergedKey, usize>,
    members: Vec<Member>,
    /// The place of a member.
    known: HashMap<MemberKey, usize>,
    /// The place in a row of the value of a member.
    cells: HashMap<(usize, usize), usize>,
}

impl Groups {
    /// The place of the row of this key.
    fn row(&mut self, key: MergedKey) -> usize {
        if let Some(place) = self.places.get(&key) {
            return *place;
        }
        self.places.insert(key.clone(), self.rows.len());
        self.rows.push(EventCells { key, cells: Vec::new() });
        self.rows.len() - 1
    }

    /// The place of a member, which is made if it is new.
    fn member(&mut self, key: MemberKey, make: impl FnOnce() -> Member) -> usize {
        *self.known.entry(key).or_insert_with(|| {
            self.members.push(make());
            self.members.len() - 1
        })
    }

    /// Adds a value, as `add` does if the member has one.
    fn add(&mut self, place: usize, member: usize, cell: Cell, add: fn(&mut Cell, Cell)) {
        let cells = &mut self.rows[place].cells;
        match self.cells.get(&(place, member)) {
            Some(known) => add(&mut cells[*known].1, cell),
            None => {
                self.cells.insert((place, member), cells.len());
                cells.push((member, cell));
            }
        }
    }
}
