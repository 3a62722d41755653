use crate::Region;

/// Which region takes an address: all addresses, cut where the answer changes.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// Sorted, without gaps, from 0 to the last address.
    spans: Vec<Span>,
}

/// Addresses that have the same answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    first: u64,
    last: u64,
    /// None where no region counts.
    pub(crate) region: Option<usize>,
    start: u64,
    /// The region's scale, or 0 where every address has bucket 0.
    scale: u32,
}

impl Span {
    pub(crate) fn bucket(&self, pc: u64) -> usize {
        ((u128::from(pc - self.start) * u128::from(self.scale)) >> 17) as usize
    }
}

/// What is left of a [`Span`] for the way most samples take: their buckets computed in 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    first: u64,
    /// How many addresses from `first` on; 0 takes none.
    len: u64,
    scale: u64,
    /// What the region's addresses before `first` add to the scaled offset.
    before: u64,
    pub(crate) region: usize,
}

impl Near {
    pub(crate) fn new(span: &Span) -> Near {
        let Span { first, last, region: Some(region), start, scale } = *span else {
            return Near::default();
        };
        let scale = u64::from(scale);
        // Farther offsets would not fit 64 bits when scaled.
        let farthest = start.saturating_add(u64::MAX.checked_div(scale).unwrap_or(u64::MAX));
        let len = last.min(farthest).saturating_sub(first);
        Near { first, len, scale, before: (first - start).wrapping_mul(scale), region }
    }

    /// The bucket of an address, or none for addresses to be looked up.
    #[inline]
    pub(crate) fn bucket(&self, pc: u64) -> Option<usize> {
        let offset = pc.wrapping_sub(self.first);
        let scaled = offset.wrapping_mul(self.scale).wrapping_add(self.before);
        (offset < self.len).then_some((scaled >> 17) as usize)
    }
}

impl Map {
    /// Of the regions that reach an address, the one with the greatest start has it, the first of them on a tie; a
    /// catch-all has what is left.
    pub(crate) fn new(regions: &[Region]) -> Map {
        let mut by_start: Vec<(u64, u64, usize)> = regions
            .iter()
            .enumerate()
            .filter_map(|(index, region)| region.span().map(|(first, last)| (first, last, index)))
            .collect();
        // The later of two in this order wins where both reach.
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

/// Goes over the regions by their starts; `open` is a stack whose top has the addresses from `next` on.
struct Sweep<'a> {
    regions: &'a [Region],
    open: Vec<(u64, usize)>,
    spans: Vec<Span>,
    /// The first address that no span has yet; none when all have one.
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

    /// Gives the addresses from `next` through `last` to the region on top.
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
