//! The tables of `PAPI_profil(3)`: scales, buffer sizes, and the region of an address.

use counterpoint_profil::{BucketWidth, Histogram, Outcome, Region, RegionError, Scale};

/// The manual's table of representative scales, checked on the buckets of the first addresses.
#[test]
fn a_scale_says_how_many_addresses_share_a_bucket() {
    let per_bucket = |value: u32| {
        let scale = Scale::new(value).unwrap();
        (0..1 << 20).take_while(|&offset| scale.bucket(offset) == 0).count()
    };
    assert_eq!(per_bucket(0x20000), 1);
    assert_eq!(per_bucket(0x10000), 2);
    assert_eq!(per_bucket(0xffff), 3, "about two: the first bucket has three, others two");
    assert_eq!(per_bucket(0x8000), 4);
    assert_eq!(per_bucket(0x4000), 8);
    assert_eq!(per_bucket(2), 65_536);
}

#[test]
fn a_scale_of_no_meaning_is_refused_by_name() {
    for value in [0, 1, 65_537, 131_071, 131_073, u32::MAX] {
        let error = Scale::new(value).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{value} is not a scale: use 131072")));
    }
    assert_eq!(Scale::ONE_ADDRESS.to_string(), "1 address per bucket");
    assert_eq!(Scale::new(0x4000).unwrap().to_string(), "8 addresses per bucket");
    assert_eq!(Scale::new(65_535).unwrap().to_string(), "about 2.000 addresses per bucket");
}

/// bufsiz = (end - start) * (bucket_size / 2) * (scale / 65536)
#[test]
fn the_buffer_is_as_long_as_the_manual_says() {
    for (len, scale, width, bufsiz) in [
        (1000, 65_536, BucketWidth::Bits16, 1000),
        (1000, 65_536, BucketWidth::Bits32, 2000),
        (1000, 131_072, BucketWidth::Bits64, 8000),
        (4096, 16_384, BucketWidth::Bits16, 1024),
        (65_536, 2, BucketWidth::Bits32, 4),
    ] {
        let region = Region::new(0x400000..0x400000 + len, Scale::new(scale).unwrap()).unwrap();
        assert_eq!(region.buckets * width.bytes(), bufsiz, "{len} {scale} {width:?}");
    }
}

#[test]
fn a_length_that_does_not_fill_a_bucket_has_one_for_the_rest() {
    let region = Region::new(0x1000..0x1000 + 9, Scale::new(0x8000).unwrap()).unwrap();
    assert_eq!(region.buckets, 3);
    assert_eq!(region.bucket(0x1008), Some(2));
    assert_eq!(region.addresses(2), (0x1008, 0x100b));
    assert_eq!(region.span(), Some((0x1000, 0x100b)));
}

/// The last bucket of an exact region has no addresses beyond its end, not even the one of a region that starts at 0.
#[test]
fn an_exact_region_ends_with_its_addresses() {
    for (start, scale) in [(0x1000, 0x8000), (0x1000, 2), (0, 2)] {
        let scale = Scale::new(scale).unwrap();
        let region = Region::exactly(start..start + 9, scale).unwrap();
        assert_eq!(region.span(), Some((start, start + 8)));
        assert_eq!(region.bucket(start + 8), Some(region.buckets - 1));
        assert_eq!(region.bucket(start + 9), None);
        assert!(!region.is_catch_all());
        let mut histogram = Histogram::new(vec![region], BucketWidth::Bits32).unwrap();
        histogram.record_batch(&[start + 8, start + 9, start + 0x20000]);
        let snapshot = histogram.snapshot();
        assert_eq!((snapshot.total(), snapshot.outside), (1, 2));
        assert_eq!(snapshot.regions[0].buckets[0].last, start + 8);
    }
}

#[test]
fn no_addresses_and_too_many_are_refused() {
    let (start, end) = (0x2000, 0x1000);
    assert_eq!(
        Region::new(start..end, Scale::TWO_ADDRESSES).unwrap_err().to_string(),
        "no addresses from 0x2000 to 0x1000: the end must be above the start"
    );
    let all = Region::new(0..u64::MAX, Scale::ONE_ADDRESS).unwrap();
    let error = Histogram::new(vec![all], BucketWidth::Bits64).unwrap_err();
    assert!(error.to_string().starts_with("no memory for 18446744073709551615 buckets of 64 bits"));
    assert_eq!(Region::new(5..5, Scale::COARSEST), Err(RegionError::Empty { start: 5, end: 5 }));
}

#[test]
fn scale_2_from_0_is_one_bucket_for_everything() {
    let region = Region::new(0..u64::MAX, Scale::COARSEST).unwrap();
    assert_eq!(region, Region::catch_all());
    assert_eq!(region.bucket(u64::MAX), Some(0));
    assert_eq!(region.addresses(0), (0, u64::MAX));
    let elsewhere = Region::new(1..1 + (1 << 20), Scale::COARSEST).unwrap();
    assert_eq!(elsewhere.buckets, 16, "one for each 64 KiB when the start is not 0");
}

#[test]
fn a_bucket_knows_its_addresses_at_every_scale() {
    for scale in (2..=65_536).step_by(997).chain([131_072]) {
        let region = Region::new(0x7000..0x7000 + 300_000, Scale::new(scale).unwrap()).unwrap();
        for bucket in (0..region.buckets).step_by(region.buckets / 40 + 1) {
            let (first, last) = region.addresses(bucket);
            assert_eq!(region.bucket(first), Some(bucket), "{scale}");
            assert_eq!(region.bucket(last), Some(bucket), "{scale}");
            assert_ne!(region.bucket(last + 1), Some(bucket), "{scale}");
            assert_ne!(region.bucket(first.wrapping_sub(1)), Some(bucket), "{scale}");
        }
    }
}

/// A function within another one's range, a gap, and a catch-all at any position in the list.
#[test]
fn the_most_specific_region_has_an_address() {
    let outer = Region::new(0x1000..0x2000, Scale::ONE_ADDRESS).unwrap();
    let inner = Region::new(0x1800..0x1810, Scale::ONE_ADDRESS).unwrap();
    for (list, outer_at, inner_at) in [
        (vec![outer, inner, Region::catch_all()], 0, 1),
        (vec![Region::catch_all(), inner, outer], 2, 1),
        (vec![inner, Region::catch_all(), outer], 2, 0),
    ] {
        let catch_all = 3 - outer_at - inner_at;
        let mut histogram = Histogram::new(list, BucketWidth::Bits16).unwrap();
        for (pc, region, bucket) in [
            (0x1000, outer_at, 0),
            (0x1800, inner_at, 0),
            (0x180f, inner_at, 15),
            (0x1810, outer_at, 0x810),
            (0x1fff, outer_at, 0xfff),
            (0x2000, catch_all, 0),
            (0xfff, catch_all, 0),
            (0, catch_all, 0),
            (u64::MAX, catch_all, 0),
        ] {
            assert_eq!(
                histogram.record(pc),
                Outcome::Counted { region, bucket, increment: 1 },
                "{pc:#x}"
            );
        }
    }
}

#[test]
fn addresses_of_the_kernel_do_not_wrap_around() {
    let code = Region::new(0x400000..0x410000, Scale::ONE_ADDRESS).unwrap();
    let kernel = Region::new(0xffff_ffff_ffff_f000..u64::MAX, Scale::ONE_ADDRESS).unwrap();
    let mut histogram = Histogram::new(vec![code, kernel], BucketWidth::Bits16).unwrap();
    assert_eq!(histogram.record(0x8000_0040_0000), Outcome::Outside);
    assert_eq!(
        histogram.record(u64::MAX - 1),
        Outcome::Counted { region: 1, bucket: 0xffe, increment: 1 }
    );
    assert_eq!(histogram.snapshot().outside, 1);
}

/// Samples are counted in the buckets that a search for each finds: after a region inside another, past the ends, and far apart in a catch-all.
#[test]
fn samples_near_the_last_ones_are_counted_as_others() {
    let outer = Region::new(0x1000..0x9001, Scale::new(40_000).unwrap()).unwrap();
    let inner = Region::exactly(0x3000..0x3101, Scale::COARSEST).unwrap();
    let far = Region::exactly(1 << 40..1 << 63, Scale::COARSEST).unwrap();
    let regions = vec![outer, inner, Region { buckets: 9, ..far }, Region::catch_all()];
    let edges = [0, 0x1000, 0x3000, 0x3100, 0x3101, 0x9000, 0x9001, 0x2_0000, 1 << 40, u64::MAX];
    let more = [1 << 45, 0x5555_5555_0000, 0x7fff_ffff_f000, 0xffff_ffff_8000_0000];
    let around = |at: &u64| [at.wrapping_sub(1), *at, *at, at.wrapping_add(1)];
    let mut pcs: Vec<u64> = edges.iter().chain(&more).flat_map(around).collect();
    pcs.extend((0x2f00..0x3300).chain((0x2f00..0x3300).rev()));
    let histogram = || Histogram::new(regions.clone(), BucketWidth::Bits32).unwrap();
    let [mut searched, mut single, mut batch] = [histogram(), histogram(), histogram()];
    for &pc in &pcs {
        assert_eq!(single.record(pc), searched.record_weight(pc, 1), "{pc:#x}");
    }
    batch.record_batch(&pcs);
    assert_eq!(single.snapshot(), searched.snapshot());
    assert_eq!(batch.snapshot(), searched.snapshot());
}
