//! Finding one of many different items, which are kept elsewhere.

use alloc::collections::BTreeMap;
use core::borrow::Borrow;

/// Up to so many items a scan is faster than an index.
pub(crate) const SCANNED: usize = 16;

/// The places of items in a list that only grows, as far as anybody asked for one.
pub(crate) struct Index<T>(BTreeMap<T, u32>);

impl<T: Ord> Index<T> {
    pub(crate) fn new() -> Index<T> {
        Index(BTreeMap::new())
    }

    /// Where `item` is in the list of `count` different items of which `nth` gives each.
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
