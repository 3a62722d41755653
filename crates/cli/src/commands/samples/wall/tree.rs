//! The stacks with their part of the wall time, below what the threads did.

use super::measured::Measured;
use super::row::Doing;
use counterpoint::profil::write::{CallTree, Symbol};
use counterpoint::wall::{Amount, State};

/// The unit of the counts of the tree.
pub const UNIT: &str = "µs";

/// The whole number of microseconds.
pub fn microseconds(nanoseconds: f64) -> u64 {
    (nanoseconds / 1000.0).round() as u64
}

/// The tree, whose outermost frames are what the threads did; counts are microseconds of wall time.
pub fn tree(measured: &Measured) -> CallTree {
    let roots: Vec<Vec<String>> =
        measured.wall.amounts.iter().map(|of| root(measured, of)).collect();
    let counts = measured.wall.amounts.iter().zip(&roots).map(|(of, root)| {
        let frame = of.stack.map_or(usize::MAX, |stack| stack as usize);
        (root.as_slice(), frame, microseconds(of.wall))
    });
    let names = |at: u64| -> Vec<Symbol> { measured.names[at as usize].clone() };
    let counts = counts.filter(|(.., count)| *count > 0);
    CallTree::of_groups(&measured.stacks, counts, 0, &names)
}

/// What a thread did, and a frame that says so if it is not known where.
pub fn root(measured: &Measured, of: &Amount) -> Vec<String> {
    let name = Doing::of(measured, of).name();
    let is_placed = of.stack.is_some_and(|stack| (stack as usize) < measured.stacks.frames().len());
    match (is_placed, of.state) {
        (false, State::Running) => vec![name, "[no sample]".to_string()],
        (false, State::Waiting | State::Preempted) => vec![name, "[no stack]".to_string()],
        _ => vec![name],
    }
}
