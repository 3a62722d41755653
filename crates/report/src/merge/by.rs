//! The values of ranks, added up for each node or each socket, and those of threads.

use super::member::Member;
use super::merged::{Cell, EventCells, Merged};
use crate::Location;
use crate::MergedKey;
use std::collections::{BTreeSet, HashMap};
use std::mem;

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
            groups.add(place, member, cell);
        }
    }
    if groups.rows.is_empty() {
        return Err(NoneOfThese);
    }
    (merged.rows, merged.members) = (groups.rows, groups.members);
    Ok(())
}

/// Makes each thread a member. The threads of a process have numbers in the order of their ids, which is that of their start: those of the same number are compared between processes.
fn by_thread(merged: &mut Merged) -> Result<(), NoneOfThese> {
    let mut ids: HashMap<usize, BTreeSet<u32>> = HashMap::new();
    for row in &merged.rows {
        for (member, _) in &row.cells {
            ids.entry(*member).or_default().extend(row.key.location.thread);
        }
    }
    let mut groups = Groups::default();
    for EventCells { key, cells } in mem::take(&mut merged.rows) {
        let Some(thread) = key.location.thread else { continue };
        let place = groups.row(MergedKey { location: Location::default(), ..key });
        for (process, cell) in cells {
            let number = ids[&process].range(..thread).count() as u32;
            let member = groups.member((None, Some(process as u32), Some(number)), || {
                merged.members[process].thread(number)
            });
            groups.add(place, member, cell);
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
    (merged.rows, merged.members) = (groups.rows, groups.members);
    Ok(())
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

    fn add(&mut self, place: usize, member: usize, cell: Cell) {
        let cells = &mut self.rows[place].cells;
        match self.cells.get(&(place, member)) {
            Some(known) => cells[*known].1.add_member(cell),
            None => {
                self.cells.insert((place, member), cells.len());
                cells.push((member, cell));
            }
        }
    }
}
