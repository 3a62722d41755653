//! Finds one of many distinct items that are stored elsewhere.

use alloc::collections::BTreeMap;
use core::borrow::Borrow;

/// Up to this many items, a scan is faster than an index.
pub(crate) const SCANNED: usize = 16;

/// The positions of items in a list that only grows; filled when an item is looked up.
pub(crate) struct Index<T>(BTreeMap<T, u32>);

impl<T: Ord> Index<T> {
    pub(crate) fn new() -> Index<T> {
        Index(BTreeMap::new())
    }

    /// The position of `item` in the list of `count` distinct items that `nth` returns.
    pub(crate) fn find<Q: Ord + ?Sized>(
        &mut self,
        item: &Q,
        count: usize,
        nth: impl Fn(usize) -> T,
    ) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        for at in self.0.len()..count {
            self.0.insert(nth(at), at as u32);
        }
        self.0.get(item).copied()
    }
}
