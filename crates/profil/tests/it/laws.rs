//! Properties of all regions and samples.

use counterpoint_profil::{BucketWidth, Flags, Histogram, Outcome, Region, Scale};
use proptest::prelude::*;

fn scale() -> impl Strategy<Value = Scale> {
    prop_oneof![Just(131_072), Just(65_536), Just(65_535), Just(3), Just(2), 2..65_536u32]
        .prop_map(|value| Scale::new(value).unwrap())
}

/// Regions that overlap, touch, repeat or are empty, at the start, in the middle and at the end of memory.
fn region() -> impl Strategy<Value = Region> {
    let start = prop_oneof![0..200u64, 0x4000..0x4100u64, u64::MAX - 300..=u64::MAX];
    prop_oneof![
        8 => (start, scale(), 0..80usize, prop::option::of(0..200u64)).prop_map(
            |(start, scale, buckets, length)| {
                let end = length.map(|length| start.saturating_add(length));
                Region { start, scale, buckets, end }
            }
        ),
        1 => Just(Region::catch_all()),
    ]
}

fn pc() -> impl Strategy<Value = u64> {
    prop_oneof![0..400u64, 0x3ff0..0x4200u64, u64::MAX - 400..=u64::MAX, any::<u64>()]
}

/// The rule taken literally: the greatest start that contains the address, the first on a tie, catch-alls last.
fn naive(regions: &[Region], pc: u64) -> Option<(usize, usize)> {
    let hits = regions.iter().enumerate().filter_map(|(index, region)| {
        let bucket = if region.is_catch_all() {
            0
        } else {
            let offset = u128::from(pc.checked_sub(region.start)?);
            offset * u128::from(region.scale.value()) / 131_072
        };
        let is_before_end = region.end.is_none_or(|end| pc < end);
        (is_before_end && bucket < region.buckets as u128).then_some((index, bucket as usize))
    });
    hits.max_by_key(|&(index, _)| {
        let region = &regions[index];
        (!region.is_catch_all(), region.start, std::cmp::Reverse(index))
    })
}

proptest! {
    #[test]
    fn an_address_goes_where_the_rule_says(
        regions in prop::collection::vec(region(), 0..9),
        pcs in prop::collection::vec(pc(), 1..60),
    ) {
        let mut histogram = Histogram::new(regions.clone(), BucketWidth::Bits32).unwrap();
        for pc in pcs {
            let expected = match naive(&regions, pc) {
                Some((region, bucket)) => Outcome::Counted { region, bucket, increment: 1 },
                None => Outcome::Outside,
            };
            prop_assert_eq!(histogram.record(pc), expected, "{:#x}", pc);
        }
    }

    #[test]
    fn no_sample_is_lost_or_made(
        regions in prop::collection::vec(region(), 0..9),
        pcs in prop::collection::vec(pc(), 0..200),
    ) {
        let mut histogram = Histogram::new(regions, BucketWidth::Bits64).unwrap();
        histogram.record_batch(&pcs);
        let snapshot = histogram.snapshot();
        prop_assert_eq!(snapshot.total() + snapshot.outside, pcs.len() as u64);
        for region in &snapshot.regions {
            for bucket in &region.buckets {
                prop_assert!(bucket.first <= bucket.last);
                prop_assert!(pcs.iter().any(|&pc| bucket.first <= pc && pc <= bucket.last));
            }
        }
    }

    #[test]
    fn a_batch_is_its_samples_one_by_one(
        regions in prop::collection::vec(region(), 0..9),
        pcs in prop::collection::vec(pc(), 0..200),
        flags in any::<(bool, bool, bool)>(),
    ) {
        let flags = Flags { random: flags.0, compress: flags.1, weighted: flags.2 };
        let mut batch = Histogram::new(regions, BucketWidth::Bits16).unwrap().with_flags(flags, 9);
        let mut single = batch.clone();
        batch.record_batch(&pcs);
        for &pc in &pcs {
            single.record(pc);
        }
        prop_assert_eq!(batch.snapshot(), single.snapshot());
    }

    #[test]
    fn merging_parts_is_counting_all(
        regions in prop::collection::vec(region(), 0..5),
        a in prop::collection::vec(pc(), 0..100),
        b in prop::collection::vec(pc(), 0..100),
    ) {
        let count = |pcs: &[&[u64]]| {
            let mut histogram = Histogram::new(regions.clone(), BucketWidth::Bits64).unwrap();
            pcs.iter().for_each(|pcs| histogram.record_batch(pcs));
            histogram.snapshot()
        };
        let mut sum = count(&[&a]);
        sum.merge(&count(&[&b])).unwrap();
        prop_assert_eq!(sum, count(&[&a, &b]));
    }
}
