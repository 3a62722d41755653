//! The values of ranks, added up for each node or each socket.

use super::member::Member;
use super::merged::{Cell, EventCells, Merged};
use crate::Location;
use crate::MergedKey;
use std::collections::HashMap;
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
}

/// No row is of a socket, by which they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSockets;

/// Adds the values up for each of these.
///
/// # Errors
/// Returns an error if no row is of a socket.
pub fn regroup(merged: &mut Merged, by: By) -> Result<(), NoSockets> {
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
            groups.add(place, host, socket, cell);
        }
    }
    if groups.rows.is_empty() {
        return Err(NoSockets);
    }
    (merged.rows, merged.members) = (groups.rows, groups.members);
    Ok(())
}

#[derive(Default)]
struct Groups {
    rows: Vec<EventCells>,
    /// The place of the row of a key.
    places: HashMap<MergedKey, usize>,
    members: Vec<Member>,
    /// The place of the member of a host and a socket.
    known: HashMap<(Option<String>, Option<u32>), usize>,
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

    fn add(&mut self, place: usize, host: Option<&str>, socket: Option<u32>, cell: Cell) {
        let member = *self.known.entry((host.map(str::to_string), socket)).or_insert_with(|| {
            self.members.push(Member::of_node(host, socket));
            self.members.len() - 1
        });
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
