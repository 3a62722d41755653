use super::Profile;
use std::collections::BTreeMap;

/// A `gmon.out` file for `gprof EXECUTABLE gmon.out`, which reads it as a flat profile.
///
/// `link_address` turns an address of the running program into the one that the executable's symbols have (the same for
/// an executable at a fixed place, less by its load address otherwise), and is none for addresses of other modules,
/// which such a file cannot hold.
///
/// Counts keep their sum: gprof adds up records of the same addresses, and a count beyond 65535, the greatest of the
/// format, is spread over several.
/// Buckets are cut no finer than 2 addresses, which is gprof's own unit.
///
/// Source: the GNU profiler's manual, "Profiling Data File Format"; numbers are in this machine's byte order.
pub fn gmon(profile: &Profile<'_>, link_address: &dyn Fn(u64) -> Option<u64>) -> Vec<u8> {
    let width = bin_width(profile);
    let mut bins: BTreeMap<u64, u64> = BTreeMap::new();
    for bucket in profile.placed() {
        if let Some(address) = link_address(bucket.first) {
            let sum = bins.entry(address / width).or_default();
            *sum = sum.saturating_add(bucket.count);
        }
    }
    let mut file = b"gmon".to_vec();
    file.extend(1u32.to_ne_bytes());
    file.extend([0; 12]);
    for run in runs(&bins) {
        histogram(&mut file, profile.event, width, run);
    }
    file
}

/// Every record of a file must have bins of one width: the widest bucket's.
fn bin_width(profile: &Profile<'_>) -> u64 {
    let scales = profile.snapshot.regions.iter().filter(|region| !region.region.is_catch_all());
    let coarsest = scales.map(|region| region.region.scale.value()).min().unwrap_or(65_536);
    (131_072 / u64::from(coarsest)).next_power_of_two().max(2)
}

/// Bins that are near enough to share a record, which has room for those between them too.
fn runs(bins: &BTreeMap<u64, u64>) -> Vec<Vec<(u64, u64)>> {
    const NEAR: u64 = 4096;
    let mut runs: Vec<Vec<(u64, u64)>> = Vec::new();
    for (&bin, &count) in bins {
        match runs.last_mut().and_then(|run| run.last().copied().zip(Some(run))) {
            Some(((last, _), run)) if bin - last <= NEAR => run.push((bin, count)),
            _ => runs.push(vec![(bin, count)]),
        }
    }
    runs
}

/// Writes a run as as many records as its greatest count needs.
fn histogram(file: &mut Vec<u8>, event: &str, width: u64, mut run: Vec<(u64, u64)>) {
    let (Some(&(first, _)), Some(&(last, _))) = (run.first(), run.last()) else { return };
    let bins = last - first + 1;
    while run.iter().any(|&(_, count)| count > 0) {
        file.push(0);
        file.extend((first * width).to_ne_bytes());
        file.extend((first + bins).saturating_mul(width).to_ne_bytes());
        file.extend((bins as u32).to_ne_bytes());
        file.extend(1u32.to_ne_bytes());
        file.extend(dimension(event));
        let mut counts = vec![0u16; bins as usize];
        for (bin, count) in &mut run {
            let part = (*count).min(u64::from(u16::MAX));
            counts[(*bin - first) as usize] = part as u16;
            *count -= part;
        }
        file.extend(counts.iter().flat_map(|count| count.to_ne_bytes()));
    }
}

/// The name of what is counted, in 15 bytes, and its abbreviation in one.
fn dimension(event: &str) -> [u8; 16] {
    let mut name = [0; 16];
    for (to, from) in name.iter_mut().zip(event.bytes().filter(u8::is_ascii_graphic).take(14)) {
        *to = from;
    }
    name[15] = b'n';
    name
}
