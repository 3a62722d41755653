//! Buckets of several functions or lines, in each of the formats.

use crate::write::proto;
use counterpoint_profil::write::{self, PprofContext, Profile, Symbol};
use counterpoint_profil::{BucketWidth, Histogram, Region, Scale};
use prost::Message;

/// Functions of 0x30 addresses without gaps, of which the even ones have a line for each half.
fn dense(pc: u64) -> Option<Symbol> {
    let (number, at) = ((pc - 0x1000) / 0x30, (pc - 0x1000) % 0x30);
    let start = pc - at;
    let (line, addresses) = match at / 0x18 {
        0 if number % 2 == 0 => (1, start..start + 0x18),
        _ if number % 2 == 0 => (2, start + 0x18..start + 0x30),
        _ => (3, start..start + 0x30),
    };
    Some(Symbol {
        file: Some("dense.c".to_string()),
        line: Some(line),
        addresses: Some(addresses),
        ..Symbol::new(format!("f{number}"))
    })
}

/// The count of a bucket that several functions share is not that of the first of them, in any format.
#[test]
fn a_shared_bucket_is_shown_as_one() {
    let scale = Scale::new(2048).unwrap();
    let regions = vec![Region::new(0x1000..0x2000, scale).unwrap()];
    let mut histogram = Histogram::new(regions, BucketWidth::Bits64).unwrap();
    histogram.add(0x1003, 10); // 0x1000 to 0x103f: f0 and f1
    histogram.add(0x1100, 20); // 0x1100 to 0x113f: f5 and f6
    let snapshot = histogram.snapshot();
    // Without the extents of functions, every address is asked for.
    let pointwise = |pc| Some(Symbol { addresses: None, ..dense(pc).unwrap() });
    let shared = ["[0x1100-0x1140: f5, f6]", "[0x1000-0x1040: f0, f1]"];
    for symbols in [&dense as &dyn Fn(u64) -> Option<Symbol>, &pointwise] {
        let profile = Profile { symbols, ..Profile::new("e", &snapshot) };
        let functions = write::functions(&profile);
        let names: Vec<&str> = functions.iter().map(|f| f.function.as_str()).collect();
        assert_eq!(names, shared);
        let place = functions[0].shared.as_ref().unwrap();
        assert_eq!((place.first, place.last), (0x1100, 0x113f));
        assert_eq!(place.functions, ["f5", "f6"]);
        assert_eq!(write::lines(&profile), [], "the lines of one function are not known");
        assert_eq!(
            write::folded(&profile),
            "[0x1100-0x1140: f5, f6] 20\n[0x1000-0x1040: f0, f1] 10\n"
        );
        let table =
            write::table(&profile, &write::TableSize { rows: 9, ..write::TableSize::default() });
        assert!(table.contains("       20  [0x1100-0x1140: f5, f6]\n"), "{table}");
        assert!(
            table.contains("30 samples are in buckets that several functions share"),
            "{table}"
        );
        let svg = write::svg(&profile);
        assert!(svg.contains("0x1100–0x113f: 20 (66.67 %) f5, f6<"), "{svg}");
        assert!(svg.contains("[0x1000-0x1040: f0, f1]"), "{svg}");
        let read =
            proto::Profile::decode(write::pprof(&profile, &PprofContext::default()).as_slice())
                .unwrap();
        for name in shared {
            assert!(read.string_table.iter().any(|text| text == name), "{name}");
        }
        assert!(!read.string_table.iter().any(|text| text == "f0"));
    }
}

#[test]
fn a_bucket_of_one_function_has_all_its_lines_and_of_many_the_first_names() {
    let at = |scale: u32, pc: u64| {
        let regions = vec![Region::new(0x1000..0x2000, Scale::new(scale).unwrap()).unwrap()];
        let mut histogram = Histogram::new(regions, BucketWidth::Bits64).unwrap();
        histogram.add(pc, 5);
        histogram.snapshot()
    };
    let snapshot = at(8192, 0x1012); // 0x1010 to 0x101f, across the halves of f0
    let profile = Profile { symbols: &dense, ..Profile::new("e", &snapshot) };
    let lines = write::lines(&profile);
    assert_eq!(
        (lines[0].lines.first, lines[0].lines.last, lines[0].function.as_str()),
        (1, 2, "f0")
    );
    assert!(
        write::table(&profile, &write::TableSize { rows: 9, ..write::TableSize::default() })
            .contains("  dense.c:1-2  f0\n")
    );
    let snapshot = at(512, 0x1000); // 0x1000 to 0x10ff
    let profile = Profile { symbols: &dense, ..Profile::new("e", &snapshot) };
    assert_eq!(write::functions(&profile)[0].function, "[0x1000-0x1100: f0, f1, f2 and 3 more]");
    // An address without a name is no function.
    let gaps = |pc: u64| dense(pc).filter(|_| pc < 0x1008);
    let profile = Profile { symbols: &gaps, ..profile };
    assert_eq!(write::functions(&profile)[0].function, "f0");
}

/// A column of the picture with several buckets has the functions of all of them.
#[test]
fn a_column_of_the_picture_names_all_its_functions() {
    let regions = vec![Region::new(0x1000..0x9000, Scale::ONE_ADDRESS).unwrap()];
    let mut histogram = Histogram::new(regions, BucketWidth::Bits64).unwrap();
    for (pc, count) in [(0x1000, 9), (0x102f, 1), (0x1030, 2), (0x8fff, 1)] {
        histogram.add(pc, count);
    }
    let snapshot = histogram.snapshot();
    let profile = Profile { symbols: &dense, ..Profile::new("e", &snapshot) };
    let svg = write::svg(&profile);
    assert!(svg.contains("0x102f–0x1030: 3 (23.08 %) f0, f1<"), "{svg}");
}

/// A bin of gmon.out has the addresses of a bucket, so that gprof sees no other functions in it.
#[test]
fn bins_of_gmon_out_begin_where_buckets_do() {
    let regions = vec![Region::new(0x1010..0x2000, Scale::new(2048).unwrap()).unwrap()];
    let mut histogram = Histogram::new(regions, BucketWidth::Bits64).unwrap();
    histogram.add(0x1018, 7); // 0x1010 to 0x104f
    let snapshot = histogram.snapshot();
    let file = write::gmon(&Profile::new("e", &snapshot), &Some);
    let number = |at: usize| u64::from_ne_bytes(*file[at..].first_chunk().unwrap());
    assert_eq!((number(21), number(29)), (0x1010, 0x1050));
}
