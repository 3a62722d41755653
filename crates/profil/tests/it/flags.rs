//! The amount that a sample adds: the table of flags of `PAPI_profil(3)`.

use counterpoint_profil::{
    BucketWidth, Flags, FlagsError, Histogram, Outcome, PapiFlags, Random, Region, Scale, Snapshot,
};

fn histogram(flags: Flags, threshold: u64, width: BucketWidth) -> Histogram {
    let region = Region::new(0..16, Scale::ONE_ADDRESS).unwrap();
    Histogram::new(vec![region], width).unwrap().with_flags(flags, threshold)
}

#[test]
fn random_drops_a_quarter() {
    let mut histogram =
        histogram(Flags { random: true, ..Flags::default() }, 0, BucketWidth::Bits64);
    histogram.record_batch(&[3; 100_000]);
    let snapshot = histogram.snapshot();
    assert_eq!(snapshot.total() + snapshot.dropped, 100_000);
    assert!((74_000..76_000).contains(&snapshot.total()), "{}", snapshot.total());
}

#[test]
fn compress_keeps_a_narrow_bucket_from_wrapping() {
    let mut histogram =
        histogram(Flags { compress: true, ..Flags::default() }, 0, BucketWidth::Bits16);
    histogram.record_batch(&[3; 1_000_000]);
    let total = histogram.snapshot().total();
    assert!((60_000..=65_535).contains(&total), "{total}");
}

#[test]
fn weights_go_from_1_to_255() {
    let mut histogram =
        histogram(Flags { weighted: true, ..Flags::default() }, 1000, BucketWidth::Bits64);
    for (excess, weight) in
        [(-5, 1), (0, 1), (1, 1), (2, 1), (3, 1), (500, 166), (1000, 255), (1001, 255)]
    {
        let outcome = histogram.record_excess(0, excess);
        assert_eq!(
            outcome,
            Outcome::Counted { region: 0, bucket: 0, increment: weight },
            "{excess}"
        );
    }
}

#[test]
fn squares_of_weights_are_kept_beside_counts_and_merged() {
    let flags = Flags { weighted: true, ..Flags::default() };
    let mut histogram = histogram(flags, 1000, BucketWidth::Bits16);
    for (pc, excess) in [(3, 0), (3, 500), (3, 1001), (4, 0), (99, 500), (99, 0)] {
        histogram.record_excess(pc, excess);
    }
    let mut snapshot = histogram.snapshot();
    let sums = |snapshot: &Snapshot| -> Vec<(u64, u64)> {
        let buckets =
            snapshot.regions[0].buckets.iter().map(|bucket| (bucket.count, bucket.squares));
        buckets.chain([(snapshot.outside, snapshot.outside_squares)]).collect()
    };
    let once = [(1 + 166 + 255, 1 + 166 * 166 + 255 * 255), (1, 1), (166 + 1, 166 * 166 + 1)];
    assert_eq!(sums(&snapshot), once);
    snapshot.merge(&histogram.snapshot()).unwrap();
    assert_eq!(sums(&snapshot), once.map(|(count, squares)| (2 * count, 2 * squares)));
}

#[test]
fn a_profile_can_be_repeated_from_its_seed() {
    let flags = Flags { random: true, compress: true, weighted: true };
    let run = |seed| {
        let mut histogram =
            histogram(flags, 100, BucketWidth::Bits32).with_random(Random::new(seed));
        for pc in 0..1000 {
            histogram.record_excess(pc % 16, (pc % 128) as i64);
        }
        histogram.snapshot()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn full_buckets_wrap_or_stay_full() {
    let mut wrapping = histogram(Flags::default(), 0, BucketWidth::Bits16);
    assert_eq!(
        wrapping.add(5, 65_535),
        Outcome::Counted { region: 0, bucket: 5, increment: 65_535 }
    );
    wrapping.record(5);
    assert_eq!(wrapping.snapshot().total(), 0);

    let mut saturating = histogram(Flags::default(), 0, BucketWidth::Bits16).saturating();
    saturating.add(5, 1 << 40);
    saturating.record(5);
    saturating.record(6);
    let buckets = saturating.snapshot().regions.remove(0).buckets;
    assert_eq!((buckets[0].count, buckets[0].saturated), (65_535, true));
    assert_eq!((buckets[1].count, buckets[1].saturated), (1, false));
}

#[test]
fn the_bits_of_papi_are_read_or_refused() {
    let flags = PapiFlags::from_bits(0).unwrap();
    assert_eq!(flags, PapiFlags::default());
    assert_eq!((flags.width, flags.flags), (BucketWidth::Bits16, Flags::default()));
    let width = |bits| PapiFlags::from_bits(bits).unwrap().width;
    let widths = [BucketWidth::Bits16, BucketWidth::Bits32, BucketWidth::Bits64];
    assert_eq!([0x8, 0x10, 0x20].map(width), widths);
    let flags = PapiFlags::from_bits(0x1 | 0x4 | 0x20 | 0x40).unwrap();
    assert_eq!(flags.flags, Flags { random: true, compress: true, weighted: false });
    assert_eq!((flags.width, flags.force_software), (BucketWidth::Bits64, true));
    assert_eq!(PapiFlags::from_bits(0x18), Err(FlagsError::SeveralWidths { bits: 0x18 }));
    assert_eq!(PapiFlags::from_bits(0x88), Err(FlagsError::EventAddress { bits: 0x80 }));
    assert_eq!(PapiFlags::from_bits(0x208), Err(FlagsError::Unknown { bits: 0x200 }));
}
