//! The stacks of the accesses, below the objects.

use super::measured::Measured;
use super::row::object;
use counterpoint::profil::write::{CallTree, Symbol};

/// The tree, whose outermost frames are the objects; counts are the costs of accesses.
pub fn tree(measured: &Measured) -> CallTree {
    let roots = roots(measured);
    let counts = measured
        .sums
        .iter()
        .map(|(key, sums)| (roots[key.object].as_slice(), key.stack as usize, sums.cost));
    let names = |at: u64| -> Vec<Symbol> { measured.names[at as usize].clone() };
    CallTree::of_groups(&measured.stacks, counts, measured.beyond.accesses, &names)
}

/// The outermost frame of each object.
pub fn roots(measured: &Measured) -> Vec<Vec<String>> {
    measured.objects.iter().map(|of| vec![object(of, measured)]).collect()
}
