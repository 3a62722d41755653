//! Address ranges in debug registers: exact, in one pair, or in fine mode.

use super::cover::{Block, Cover, MASK_FIELD};
use super::input::{Range, RangeRegisters, Ranges};
use crate::libpfm3::{DispatchError, ErrorKind};
use crate::privilege::Privilege;

/// Code is fetched in bundles of this many bytes.
const BUNDLE: u64 = 16;

/// The ranges that are given, each checked, at most four.
pub(super) fn code_limits(ranges: &Ranges) -> Result<&[Range], DispatchError> {
    let given = given(ranges);
    for range in given {
        if range.start >= range.end {
            return Err(DispatchError::new(
                ErrorKind::CodeRange,
                "a code range ends where it starts, or before",
            ));
        }
        if !range.start.is_multiple_of(BUNDLE) || !range.end.is_multiple_of(BUNDLE) {
            let reason = "a code range does not start and end at a multiple of 16";
            return Err(DispatchError::new(ErrorKind::CodeRangeAlignment, reason));
        }
    }
    if given.is_empty() {
        return Err(DispatchError::new(ErrorKind::CodeRange, "there is no code range"));
    }
    Ok(given)
}

/// As [`code_limits`], for data, which may start anywhere.
pub(super) fn data_limits(ranges: &Ranges) -> Result<&[Range], DispatchError> {
    let given = given(ranges);
    if given.is_empty() {
        return Err(DispatchError::new(ErrorKind::DataRange, "there is no data range"));
    }
    if given.iter().any(|range| range.start >= range.end) {
        let refusal = DispatchError::new(
            ErrorKind::DataRange,
            "a data range ends where it starts, or before",
        );
        return Err(refusal.libpfm3(ErrorKind::CodeRange));
    }
    Ok(given)
}

pub(super) fn too_many_code() -> DispatchError {
    DispatchError::new(
        ErrorKind::TooManyCodeRanges,
        "the code ranges do not fit into four pairs of debug registers",
    )
}

pub(super) fn too_many_data() -> DispatchError {
    DispatchError::new(
        ErrorKind::TooManyDataRanges,
        "the data ranges do not fit into four pairs of debug registers",
    )
}

fn given(ranges: &Ranges) -> &[Range] {
    let end = ranges.limits.iter().take(4).position(|range| range.start == 0 && range.end == 0);
    &ranges.limits[..end.unwrap_or(ranges.limits.len().min(4))]
}

/// Levels of `range`, or else the default ones.
fn plm(range: &Range, default: Privilege) -> Privilege {
    if range.plm.is_empty() { default } else { range.plm }
}

/// Covers every range with as many of the pairs that are left as it can use; none when they do not suffice.
pub(super) fn exact(ranges: &[Range], default_plm: Privilege) -> Option<RangeRegisters> {
    let mut out = RangeRegisters::default();
    let mut pair = 0;
    for (index, range) in ranges.iter().enumerate() {
        if pair == 4 {
            return None;
        }
        let cover = Cover::of(range.start, range.end, 4 - pair);
        for block in cover.blocks() {
            out.push(pair, block.start, block.mask(), plm(range, default_plm));
            pair += 1;
        }
        out.excess[index] = cover.excess(range.start, range.end);
    }
    Some(out)
}

/// One pair that covers `range`: exact for an aligned block, coarse otherwise.
pub(super) fn coarse(
    out: &mut RangeRegisters,
    range: &Range,
    pair: usize,
    default_plm: Privilege,
) -> Result<(), DispatchError> {
    let size = range.end - range.start;
    if size.ilog2() > 62 && !size.is_power_of_two() {
        return Err(DispatchError::new(
            ErrorKind::CodeRangeTooBig,
            "one pair cannot hold a code range of more than 2^63 bytes",
        ));
    }
    let block = Block::around(range.start, range.end);
    if block.bits > 63 {
        return Err(DispatchError::new(
            ErrorKind::CodeRange,
            "no aligned block of 2^63 bytes holds the code range",
        ));
    }
    out.push(pair, block.start, block.mask(), plm(range, default_plm));
    out.excess[0] = [range.start - block.start, block.end().wrapping_sub(range.end)];
    Ok(())
}

/// The form in which fine mode holds a range: two pairs compare the offsets in a page.
#[derive(Clone, Copy)]
pub(super) struct FineMode {
    /// The offset in a page, in bits.
    pub page_bits: u32,
}

impl FineMode {
    /// Fine mode, unless `ranges` are not to be held in it.
    pub(super) fn unless_refused(self, ranges: &Ranges) -> Option<FineMode> {
        (ranges.flags & Ranges::NO_FINE == 0).then_some(self)
    }

    /// Returns true if `range` lies in one page and ends before the page does.
    pub(super) fn holds_inside(self, range: &Range) -> bool {
        range.start >> self.page_bits == range.end >> self.page_bits
    }

    /// Returns true if `range` lies in one page.
    pub(super) fn holds(self, range: &Range) -> bool {
        range.start >> self.page_bits == (range.end - 1) >> self.page_bits
    }

    /// Returns true if the low 32 bits of `range` lie in one page.
    pub(super) fn seems_inside(self, range: &Range) -> bool {
        (range.start ^ range.end) as u32 >> self.page_bits == 0
    }

    /// The lower limit in `pair`, the upper one two pairs later.
    ///
    /// The mask registers hold 32 bits of the page mask, as libpfm-3 writes them.
    pub(super) fn push(
        self,
        out: &mut RangeRegisters,
        index: usize,
        range: &Range,
        pair: usize,
        default_plm: Privilege,
    ) {
        let lower = range.start & !(2 * BUNDLE - 1);
        let last = range.end - BUNDLE;
        let upper = if last.is_multiple_of(2 * BUNDLE) { range.end } else { last };
        let mask = (MASK_FIELD << self.page_bits) & 0xffff_ffff;
        let plm = plm(range, default_plm);
        out.push(pair, lower, mask, plm);
        out.push(pair + 2, upper, mask, plm);
        out.fine_ranges = index as u8 + 1;
        out.excess[index] = [range.start - lower, upper - last];
    }
}
