//! The region of each address.

use crate::Region;

/// Maps every address to its region: the address space, split where the region changes.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// Sorted, without gaps, from 0 to the last address.
    spans: Vec<Span>,
}

/// A range of addresses in the same region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// `None` if the addresses are outside all regions.
    pub(crate) region: Option<usize>,
    pub(crate) start: u64,
    /// The region's scale, or 0 if every address has bucket 0.
    pub(crate) scale: u32,
}

impl Span {
    pub(crate) fn bucket(&self, pc: u64) -> usize {
        ((u128::from(pc - self.start) * u128::from(self.scale)) >> 17) as usize
    }
}

impl Map {
    /// If several regions contain an address, the one with the greatest start takes it, or the first of them on a tie; a catch-all takes the remaining addresses.
    pub(crate) fn new(regions: &[Region]) -> Map {
        let mut by_start: Vec<(u64, u64, usize)> = regions
            .iter()
            .enumerate()
            .filter_map(|(index, region)| region.span().map(|(first, last)| (first, last, index)))
            .collect();
        // If two regions overlap, the later one in this order wins.
        by_start.sort_by_key(|&(first, _, index)| {
            (first, !regions[index].is_catch_all(), usize::MAX - index)
        });
        let mut sweep = Sweep { regions, open: Vec::new(), spans: Vec::new(), next: Some(0) };
        for (first, last, index) in by_start {
            sweep.close_before(first);
            sweep.emit_until(first);
            sweep.open.push((last, index));
        }
        sweep.close_all();
        Map { spans: sweep.spans }
    }

    pub(crate) fn find(&self, pc: u64) -> &Span {
        &self.spans[self.spans.partition_point(|span| span.last < pc)]
    }
}

/// Sweeps over the regions by their starts; `open` is a stack whose top owns the addresses from `next` on.
struct Sweep<'a> {
    regions: &'a [Region],
    open: Vec<(u64, usize)>,
    spans: Vec<Span>,
    /// The first address without a span; `None` if all addresses have one.
    next: Option<u64>,
}

impl Sweep<'_> {
    /// Closes the regions that end before `first`, innermost first.
    fn close_before(&mut self, first: u64) {
        while let Some(&(last, _)) = self.open.last() {
            if last >= first {
                break;
            }
            self.emit_through(last);
            self.open.pop();
        }
    }

    fn close_all(&mut self) {
        while let Some(&(last, _)) = self.open.last() {
            self.emit_through(last);
            self.open.pop();
        }
        self.emit_through(u64::MAX);
    }

    fn emit_until(&mut self, end: u64) {
        if let Some(last) = end.checked_sub(1) {
            self.emit_through(last);
        }
    }

    /// Assigns the addresses from `next` through `last` to the region on top.
    fn emit_through(&mut self, last: u64) {
        let Some(first) = self.next.filter(|&next| next <= last) else { return };
        let span = match self.open.last() {
            None => Span { first, last, region: None, start: 0, scale: 0 },
            Some(&(_, index)) => {
                let region = &self.regions[index];
                let scale = if region.is_catch_all() { 0 } else { region.scale.value() };
                Span { first, last, region: Some(index), start: region.start, scale }
            }
        };
        self.spans.push(span);
        self.next = last.checked_add(1);
    }
}
