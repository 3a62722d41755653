//! Items with an index each, every one kept once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// Up to here a scan is faster than any index, and most formulas are this small.
const SCANNED: usize = 16;

pub(crate) struct Interner<T> {
    pub(crate) items: Vec<T>,
    /// Empty while the items are few.
    index: BTreeMap<T, u32>,
}

impl<T: Ord + Clone> Interner<T> {
    pub(crate) fn with_capacity(capacity: usize) -> Interner<T> {
        Interner { items: Vec::with_capacity(capacity), index: BTreeMap::new() }
    }

    pub(crate) fn find<Q: Ord + ?Sized>(&self, item: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        if self.items.len() <= SCANNED {
            self.items.iter().position(|known| known.borrow() == item).map(|at| at as u32)
        } else {
            self.index.get(item).copied()
        }
    }

    /// Appends an item that `find` does not know.
    pub(crate) fn push(&mut self, item: T) -> u32 {
        let at = self.items.len() as u32;
        self.items.push(item);
        if self.items.len() == SCANNED + 1 {
            self.index = self.items.iter().cloned().zip(0..).collect();
        } else if self.items.len() > SCANNED {
            self.index.insert(self.items[at as usize].clone(), at);
        }
        at
    }
}
