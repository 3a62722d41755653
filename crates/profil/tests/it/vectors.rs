//! Samples counted by PAPI itself, corrected where PAPI is wrong: see `fixtures/profil/README.md`.

use counterpoint_profil::{Flags, Histogram, Outcome, Random, Region, Scale};

struct Row<'a> {
    line: &'a str,
    pc: u64,
    regions: Vec<(u64, usize, u32)>,
    flags: u32,
    width: u32,
    excess: i64,
    threshold: u64,
    random: u32,
    before: u64,
    hit: Option<(usize, usize, u64)>,
    after: Option<u64>,
    random_after: u32,
}

#[test]
fn every_sample_is_counted_as_the_rules_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/profil/samples.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Row<'_>> =
        text.lines().filter(|line| !line.starts_with('#')).skip(1).map(row).collect();
    assert!(rows.len() > 500);
    for row in &rows {
        match row.width {
            16 => check(row, row.before as u16, |slice: &mut [u16], region| slice[region].into()),
            32 => check(row, row.before as u32, |slice: &mut [u32], region| slice[region].into()),
            64 => check(row, row.before, |slice: &mut [u64], region| slice[region]),
            _ => panic!("{}", row.line),
        }
    }
}

fn row(line: &str) -> Row<'_> {
    let cells: Vec<&str> = line.split('\t').collect();
    let number = |cell: usize| cells[cell].parse().unwrap();
    let optional = |cell: usize| (cells[cell] != "-").then(|| cells[cell].parse::<u64>().unwrap());
    let hit = optional(9).zip(optional(10)).zip(optional(11));
    Row {
        line,
        pc: address(cells[1]),
        regions: cells[2].split(' ').map(region).collect(),
        flags: cells[3].parse().unwrap(),
        width: cells[4].parse().unwrap(),
        excess: cells[5].parse().unwrap(),
        threshold: number(6),
        random: cells[7].parse().unwrap(),
        before: number(8),
        hit: hit.map(|((region, bucket), increment)| (region as usize, bucket as usize, increment)),
        after: optional(12),
        random_after: cells[13].parse().unwrap(),
    }
}

fn region(text: &str) -> (u64, usize, u32) {
    let parts: Vec<&str> = text.split('/').collect();
    (address(parts[0]), parts[1].parse().unwrap(), parts[2].parse().unwrap())
}

fn address(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

/// Counts the row's sample in buffers filled with `before`.
fn check<T: Copy>(row: &Row<'_>, before: T, get: fn(&mut [T], usize) -> u64)
where
    for<'a> &'a mut [T]: counterpoint_profil::Buckets,
{
    let buckets = |bytes: usize| bytes / (row.width as usize / 8);
    let mut buffers: Vec<Vec<T>> =
        row.regions.iter().map(|&(_, bytes, _)| vec![before; buckets(bytes)]).collect();
    let regions: Vec<Region> = row
        .regions
        .iter()
        .map(|&(start, bytes, scale)| Region {
            start,
            scale: Scale::new(scale).unwrap(),
            buckets: buckets(bytes),
            end: None,
        })
        .collect();
    let slices = buffers.iter_mut().map(Vec::as_mut_slice);
    let flags = Flags {
        random: row.flags & 1 != 0,
        weighted: row.flags & 2 != 0,
        compress: row.flags & 4 != 0,
    };
    let mut histogram = Histogram::with_buckets(regions.into_iter().zip(slices).collect())
        .unwrap()
        .with_flags(flags, row.threshold)
        .with_random(Random::new(row.random));

    let outcome = histogram.record_excess(row.pc, row.excess);
    let hit = match outcome {
        Outcome::Counted { region, bucket, increment } => Some((region, bucket, increment)),
        Outcome::Dropped | Outcome::Outside => None,
    };
    assert_eq!(hit, row.hit, "{}", row.line);
    assert_eq!(histogram.random().state(), row.random_after, "{}", row.line);
    let after = row.hit.map(|(region, bucket, _)| get(&mut buffers[region], bucket));
    assert_eq!(after, row.after, "{}", row.line);
}
