//! The file `gmon.out`, for gprof.

use super::Profile;
use std::collections::BTreeMap;

/// A `gmon.out` file for `gprof EXECUTABLE gmon.out`, which shows it as a flat profile.
///
/// `link_address` converts an address of the running program to that of the executable's symbols (the same for an executable at a fixed address, otherwise less by its load address), and returns `None` for addresses of other modules, which the format cannot represent.
///
/// Sums of counts are preserved: gprof adds up records of the same addresses, so a count beyond 65535, the maximum of the format, is spread over several records.
/// If the total exceeds a billion, counts are written in thousands, and so on, so that the file stays small; gprof then prints "Each sample counts as 1 kcycles".
/// Buckets cover at least 2 addresses, which is gprof's own unit.
/// gprof divides the count of a bucket among the functions that share it, by the parts of its addresses that they have.
///
/// Source: the GNU profiler's manual, "Profiling Data File Format"; numbers are in the machine's byte order.
pub fn gmon(profile: &Profile<'_>, link_address: &dyn Fn(u64) -> Option<u64>) -> Vec<u8> {
    let width = bin_width(profile);
    // Bins begin where buckets do, so that gprof does not see functions outside a bucket in its bin.
    let linked = profile.placed().filter_map(|bucket| link_address(bucket.first));
    let phase = linked.min().map_or(0, |address| (address % width) & !1);
    let mut bins: BTreeMap<u64, u64> = BTreeMap::new();
    for bucket in profile.placed() {
        if let Some(address) = link_address(bucket.first) {
            let sum = bins.entry(address.saturating_sub(phase) / width).or_default();
            *sum = sum.saturating_add(bucket.count);
        }
    }
    let (unit, prefix) = unit(bins.values().fold(0, |sum, &count| sum.saturating_add(count)));
    bins.values_mut().for_each(|count| *count = count.saturating_add(unit / 2) / unit);
    bins.retain(|_, count| *count > 0);
    let dimension = dimension(prefix, profile.event);
    let mut file = b"gmon".to_vec();
    file.extend(1u32.to_ne_bytes());
    file.extend([0; 12]);
    for run in runs(&bins) {
        histogram(&mut file, &dimension, phase, width, run);
    }
    file
}

/// The unit of the file's counts, chosen so that the total needs no more than a few thousand records, and its prefix.
fn unit(total: u64) -> (u64, &'static str) {
    const MOST: u64 = 1 << 30;
    let units =
        [(1, ""), (1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G"), (1_000_000_000_000, "T")];
    let fits = |&(unit, _): &(u64, &str)| total / unit <= MOST;
    units.into_iter().find(fits).unwrap_or(units[4])
}

/// All records of a file must have bins of the same width: that of the widest bucket.
fn bin_width(profile: &Profile<'_>) -> u64 {
    let scales = profile.snapshot.regions.iter().filter(|region| !region.region.is_catch_all());
    let coarsest = scales.map(|region| region.region.scale.value()).min().unwrap_or(65_536);
    (131_072 / u64::from(coarsest)).next_power_of_two().max(2)
}

/// Groups bins that are close enough to share a record, which also has room for the bins between them.
///
/// A bin that needs several records does not share them: records may have the same addresses, but must not overlap otherwise.
fn runs(bins: &BTreeMap<u64, u64>) -> Vec<Vec<(u64, u64)>> {
    const NEAR: u64 = 4096;
    let fits = |count: u64| count <= u64::from(u16::MAX);
    let mut runs: Vec<Vec<(u64, u64)>> = Vec::new();
    for (&bin, &count) in bins {
        match runs.last_mut().and_then(|run| run.last().copied().zip(Some(run))) {
            Some(((last, before), run)) if bin - last <= NEAR && fits(before) && fits(count) => {
                run.push((bin, count));
            }
            _ => runs.push(vec![(bin, count)]),
        }
    }
    runs
}

/// Writes a run, as as many records as its maximum count needs.
fn histogram(
    file: &mut Vec<u8>,
    dimension: &[u8; 16],
    phase: u64,
    width: u64,
    mut run: Vec<(u64, u64)>,
) {
    let (Some(&(first, _)), Some(&(last, _))) = (run.first(), run.last()) else { return };
    let bins = last - first + 1;
    while run.iter().any(|&(_, count)| count > 0) {
        file.push(0);
        file.extend((phase + first * width).to_ne_bytes());
        file.extend((first + bins).saturating_mul(width).saturating_add(phase).to_ne_bytes());
        file.extend((bins as u32).to_ne_bytes());
        file.extend(1u32.to_ne_bytes());
        file.extend(dimension);
        let mut counts = vec![0u16; bins as usize];
        for (bin, count) in &mut run {
            let part = (*count).min(u64::from(u16::MAX));
            counts[(*bin - first) as usize] = part as u16;
            *count -= part;
        }
        file.extend(counts.iter().flat_map(|count| count.to_ne_bytes()));
    }
}

/// The name of what is counted, in 15 bytes, and its abbreviation in one byte.
fn dimension(prefix: &str, event: &str) -> [u8; 16] {
    let mut name = [0; 16];
    let text = prefix.bytes().chain(event.bytes().filter(u8::is_ascii_graphic));
    for (to, from) in name.iter_mut().zip(text.take(14)) {
        *to = from;
    }
    name[15] = b'n';
    name
}
