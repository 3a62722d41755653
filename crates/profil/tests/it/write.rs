//! The files, read back by the tools they are for if those are installed, and by independent parsers.

use counterpoint_profil::write::{self, PprofContext, PprofMapping, Profile, Symbol};
use counterpoint_profil::{BucketWidth, Flags, Histogram, Region, Scale, Snapshot};
use prost::Message;
use std::process::Command;

/// 300 samples in `solve`, 100 in `setup`, 5 in no function and 2 in the catch-all, all on a known line.
fn snapshot() -> Snapshot {
    let regions =
        vec![Region::new(0x1000..0x2000, Scale::ONE_ADDRESS).unwrap(), Region::catch_all()];
    let mut histogram = Histogram::new(regions, BucketWidth::Bits64).unwrap();
    for (pc, count) in [(0x1010, 200), (0x1020, 100), (0x1800, 100), (0x1f00, 5), (0x9000, 2)] {
        histogram.add(pc, count);
    }
    histogram.snapshot()
}

fn symbols(pc: u64) -> Option<Symbol> {
    let (function, line) = match pc {
        0x1000..0x1800 => ("solve<A; B>", 7),
        0x1800..0x1900 => ("setup", 40),
        _ => return None,
    };
    Some(Symbol {
        function: function.to_string(),
        module: Some("app".to_string()),
        file: Some("src/app.rs".to_string()),
        line: Some(line + (pc as u32 & 0x20) / 0x20),
        addresses: None,
        ..Symbol::default()
    })
}

fn profile(snapshot: &Snapshot) -> Profile<'_> {
    Profile { period: 1000, lost: 3, symbols: &symbols, ..Profile::new("task-clock", snapshot) }
}

#[test]
fn functions_and_lines_come_hottest_first_with_their_error() {
    let snapshot = snapshot();
    let functions = write::functions(&profile(&snapshot));
    let found: Vec<(&str, u64)> =
        functions.iter().map(|function| (function.function.as_str(), function.count)).collect();
    assert_eq!(found, [("solve<A; B>", 300), ("setup", 100), ("0x1f00", 5), ("[elsewhere]", 2)]);
    assert!((functions[0].percent - 300.0 / 407.0 * 100.0).abs() < 1e-9);
    // √(p(1−p)/n) with p = 300/407
    assert!((functions[0].error - 2.1820).abs() < 1e-3, "{}", functions[0].error);
    let lines = write::lines(&profile(&snapshot));
    let found: Vec<(u32, u64)> = lines.iter().map(|line| (line.lines.first, line.count)).collect();
    assert_eq!(found, [(7, 200), (8, 100), (40, 100)]);
}

/// The standard error of a share matches its variation from run to run, even if samples of one function weigh more than those of another.
#[test]
fn the_error_of_weighted_samples_is_what_runs_differ_by() {
    let (mut state, mut parts, mut errors) = (1_u64, Vec::new(), Vec::new());
    let mut below = |end: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    for _ in 0..400 {
        let region = Region::new(0x1000..0x2000, Scale::ONE_ADDRESS).unwrap();
        let flags = Flags { weighted: true, ..Flags::default() };
        let mut histogram =
            Histogram::new(vec![region], BucketWidth::Bits64).unwrap().with_flags(flags, 255);
        for _ in 0..2000 {
            // One in fifty samples is in `solve` and weighs 1 to 255; the others, in `setup` and outside all regions, weigh 1.
            match below(50) {
                0 => histogram.record_excess(0x1000 + below(0x800), below(255) as i64 + 1),
                1..10 => histogram.record_excess(0x9000, 0),
                _ => histogram.record_excess(0x1800, 0),
            };
        }
        let snapshot = histogram.snapshot();
        let profile = |snapshot| Profile { lost: 0, ..profile(snapshot) };
        let functions = write::functions(&profile(&snapshot));
        let table = write::table(
            &profile(&snapshot),
            &write::TableSize { rows: 9, ..write::TableSize::default() },
        );
        assert!(table.contains("\nsamples are weighted: each counts as 1 to 255\n"), "{table}");
        assert!(table.starts_with("task-clock: samples of total weight "), "{table}");
        assert!(table.contains("  weight  function\n") && !table.contains(" samples  "), "{table}");
        assert!(table.contains("\na weight of ") && table.contains(" is outside all regions\n"));
        assert!(write::svg(&profile(&snapshot)).contains(" weight</text>"));
        let solve = functions.iter().find(|f| f.function.starts_with("solve")).unwrap();
        parts.push(solve.percent);
        errors.push(solve.error);
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let centre = mean(&parts);
    let spread = mean(&parts.iter().map(|p| (p - centre).powi(2)).collect::<Vec<_>>()).sqrt();
    let ratio = mean(&errors) / spread;
    assert!((0.85..1.15).contains(&ratio), "{} said, {spread} found", mean(&errors));
}

#[test]
fn the_table_says_what_it_leaves_out() {
    let snapshot = snapshot();
    let table = write::table(
        &profile(&snapshot),
        &write::TableSize { rows: 2, ..write::TableSize::default() },
    );
    assert_eq!(
        table,
        "\
task-clock: 407 samples, one every 1000

   part   error  samples  function
 73.71%  ±2.18%      300  solve<A; B>  app
 24.57%  ±2.13%      100  setup  app
        … and 2 more functions

   part   error  samples  line
 49.14%  ±2.48%      200  src/app.rs:7  solve<A; B>
 24.57%  ±2.13%      100  src/app.rs:8  solve<A; B>
        … and 1 more line
3 samples lost: the reader could not keep up with the program
"
    );
}

#[test]
fn folded_stacks_are_read_by_inferno() {
    let snapshot = snapshot();
    let folded = write::folded(&profile(&snapshot));
    assert_eq!(folded, "solve<A: B> 300\nsetup 100\n0x1f00 5\n[elsewhere] 2\n");
    let mut svg = Vec::new();
    let mut options = inferno::flamegraph::Options::default();
    options.count_name = "task-clock".to_string();
    inferno::flamegraph::from_lines(&mut options, folded.lines(), &mut svg).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    assert!(svg.contains("setup (100 task-clock, 24.57%)"), "{svg}");
}

#[path = "../../../../fixtures/pprof.rs"]
pub(crate) mod proto;

/// `go tool pprof -disasm` reads the file of the mapping that has an address.
#[test]
fn pprof_has_the_files_the_time_and_the_period_of_a_clock() {
    let snapshot = snapshot();
    let mapping = |addresses, file: &str| PprofMapping {
        addresses,
        offset: 0x1000,
        file: file.to_string(),
        build_id: "abc1".to_string(),
    };
    let context = PprofContext {
        mappings: vec![mapping(0..u64::MAX, "/bin/program")],
        time: 1_700_000_000_000_000_000,
        duration: 5_000_000_000,
        clock_period: 1_000_000,
    };
    let bytes = write::pprof(&Profile { period: 0, ..profile(&snapshot) }, &context);
    let read = proto::Profile::decode(bytes.as_slice()).unwrap();
    let string = |index: i64| read.string_table[index as usize].as_str();
    let [only] = read.mapping.as_slice() else { panic!("{read:?}") };
    assert_eq!((only.id, only.memory_start, only.memory_limit), (1, 0, u64::MAX));
    assert_eq!((only.file_offset, only.has_functions), (0x1000, true));
    assert_eq!((string(only.filename), string(only.build_id)), ("/bin/program", "abc1"));
    assert!(read.location.iter().all(|location| location.mapping_id == 1), "{read:?}");
    let times = (read.time_nanos, read.duration_nanos);
    assert_eq!(times, (1_700_000_000_000_000_000, 5_000_000_000));
    let kind = read.period_type.as_ref().unwrap();
    assert_eq!((string(kind.r#type), string(kind.unit)), ("cpu", "nanoseconds"));
    assert_eq!(read.period, 1_000_000);
    let types: Vec<(&str, &str)> =
        read.sample_type.iter().map(|kind| (string(kind.r#type), string(kind.unit))).collect();
    assert_eq!(types, [("samples", "count"), ("cpu", "nanoseconds")]);
    assert_eq!(read.sample[0].value, [200, 200_000_000]);
    let comments: Vec<&str> = read.comment.iter().map(|comment| string(*comment)).collect();
    assert_eq!(comments, ["task-clock"]);
}

#[test]
fn pprof_is_read_by_its_public_schema() {
    let snapshot = snapshot();
    let bytes = write::pprof(&profile(&snapshot), &PprofContext::default());
    let read = proto::Profile::decode(bytes.as_slice()).unwrap();
    let string = |index: i64| read.string_table[index as usize].as_str();
    assert_eq!(string(0), "");
    let types: Vec<(&str, &str)> =
        read.sample_type.iter().map(|kind| (string(kind.r#type), string(kind.unit))).collect();
    assert_eq!(types, [("samples", "count"), ("task-clock", "count")]);
    assert_eq!(string(read.period_type.as_ref().unwrap().r#type), "task-clock");
    assert_eq!(read.period, 1000);

    let samples: Vec<(u64, &str, &str, i64, i64, i64)> = read
        .sample
        .iter()
        .map(|sample| {
            let id = sample.location_id[0];
            let location = read.location.iter().find(|location| location.id == id).unwrap();
            let line = location.line.first();
            let function = line.map(|line| {
                read.function.iter().find(|function| function.id == line.function_id).unwrap()
            });
            (
                location.address,
                function.map_or("", |function| string(function.name)),
                function.map_or("", |function| string(function.filename)),
                line.map_or(0, |line| line.line),
                sample.value[0],
                sample.value[1],
            )
        })
        .collect();
    assert_eq!(
        samples,
        [
            (0x1010, "solve<A; B>", "src/app.rs", 7, 200, 200_000),
            (0x1020, "solve<A; B>", "src/app.rs", 8, 100, 100_000),
            (0x1800, "setup", "src/app.rs", 40, 100, 100_000),
            (0x1f00, "", "", 0, 5, 5000),
            (0, "[elsewhere]", "", 0, 2, 2000),
        ]
    );
    assert_eq!(read.function.len(), 3, "each once");
}

#[test]
fn the_picture_is_xml_with_every_count() {
    let snapshot = snapshot();
    let names = |_: u64| Some(Symbol::new("operator<< \"&\"\u{1b}[31m"));
    let svg = write::svg(&Profile { symbols: &names, ..profile(&snapshot) });
    let tags = svg.matches('<').count();
    let closed = svg.matches("/>").count() + 2 * svg.matches("</").count();
    assert_eq!(tags, closed, "every element is closed");
    assert!(svg.contains("0x1010–0x1010: 200 (49.14 %) operator&lt;&lt; &quot;&amp;&quot;?[31m"));
    assert_eq!(svg.matches("<title>").count(), 4, "one bar for each bucket");
    assert!(!svg.contains('\u{1b}'));
}

/// Escape sequences in names do not reach a terminal, a line-based parser or an XML parser.
#[test]
fn names_with_control_characters_do_no_harm() {
    let snapshot = snapshot();
    let names = |_| Some(Symbol::new("a\x1b[31m\r\nb\u{9b}\u{ffff}"));
    let profile = Profile { symbols: &names, ..Profile::new("e\x07", &snapshot) };
    let (table, folded) = (
        write::table(&profile, &write::TableSize { rows: 9, ..write::TableSize::default() }),
        write::folded(&profile),
    );
    let svg = write::svg(&profile);
    for text in [&table, &folded, &svg] {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
    assert!(folded.starts_with("a [31m  b \u{ffff} 405\n"), "{folded:?}");
    assert!(svg.contains("a?[31m??b??"), "{svg}");
}

#[test]
fn full_buckets_of_one_function_add_up_to_the_most_there_can_be() {
    let mut snapshot = snapshot();
    for bucket in &mut snapshot.regions[0].buckets {
        bucket.count = u64::MAX;
    }
    let names = |_| Some(Symbol { file: Some("a.rs".into()), line: Some(1), ..Symbol::new("f") });
    let profile = Profile { symbols: &names, ..Profile::new("e", &snapshot) };
    assert_eq!(write::functions(&profile)[0].count, u64::MAX);
    assert_eq!(write::lines(&profile)[0].count, u64::MAX);
    assert!(write::svg(&profile).contains("100.00 %"));
}

#[test]
fn an_empty_profile_makes_whole_files() {
    let snapshot = Snapshot::default();
    let profile = Profile::new("cycles", &snapshot);
    assert!(write::svg(&profile).ends_with("</svg>\n"));
    assert_eq!(write::folded(&profile), "");
    assert_eq!(write::gmon(&profile, &Some).len(), 20);
    assert!(
        write::table(&profile, &write::TableSize::default()).starts_with("cycles: 0 samples\n")
    );
    let read = proto::Profile::decode(write::pprof(&profile, &PprofContext::default()).as_slice())
        .unwrap();
    assert_eq!(read.sample_type.len(), 1);
}

/// gprof reads the histogram of this test program, loaded at an address other than that of its symbols.
#[test]
fn gprof_reads_gmon_out() {
    let program = std::env::current_exe().unwrap();
    let Ok(nm) = Command::new("nm").args(["--defined-only", "-n"]).arg(&program).output() else {
        return println!("skipped: nm, of Debian's binutils, is not installed");
    };
    let text = String::from_utf8(nm.stdout).unwrap();
    let functions: Vec<(u64, &str)> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            matches!(words.next()?, "t" | "T" | "w" | "W").then_some((address, words.next()?))
        })
        .collect();
    // Two functions far apart, each long enough to contain a bin of any phase, and with only one name.
    let long: Vec<(u64, &str)> = functions
        .windows(3)
        .filter(|three| three[0].0 < three[1].0 && three[2].0 - three[1].0 >= 64)
        .map(|three| three[1])
        // gprof omits names with any other characters.
        .filter(|(_, name)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .collect();
    let (hot, cold) = (long[0], long[long.len() - 1]);
    assert_ne!(hot.1, cold.1);

    const LOADED_AT: u64 = 0x5555_5555_0000;
    let start = hot.0 + LOADED_AT;
    let region = Region::new(start..cold.0 + LOADED_AT + 64, Scale::TWO_ADDRESSES).unwrap();
    let mut histogram = Histogram::new(vec![region], BucketWidth::Bits64).unwrap();
    // More than a bin of the format can hold.
    histogram.add(hot.0 + LOADED_AT + 16, 150_000);
    histogram.add(cold.0 + LOADED_AT + 16, 50_000);
    let snapshot = histogram.snapshot();
    let profile = Profile::new("page-faults", &snapshot);
    let file = write::gmon(&profile, &|pc| pc.checked_sub(LOADED_AT));
    let directory = std::env::temp_dir().join(format!("counterpoint-gmon-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let gmon = directory.join("gmon.out");
    std::fs::write(&gmon, file).unwrap();
    let gprof =
        Command::new("gprof").args(["--no-demangle", "-b", "-p"]).arg(&program).arg(&gmon).output();
    std::fs::remove_dir_all(&directory).unwrap();
    let Ok(gprof) = gprof else {
        return println!("skipped: gprof, of Debian's binutils, is not installed");
    };
    let output = String::from_utf8_lossy(&gprof.stdout);
    assert!(gprof.status.success(), "{}", String::from_utf8_lossy(&gprof.stderr));
    let row = |name: &str| -> Vec<String> {
        let row = output.lines().find(|line| line.ends_with(name));
        let row = row.unwrap_or_else(|| panic!("{name} is not in\n{output}"));
        row.split_whitespace().map(str::to_string).collect()
    };
    assert_eq!((row(hot.1)[0].as_str(), row(hot.1)[2].as_str()), ("75.00", "150000.00"));
    assert_eq!((row(cold.1)[0].as_str(), row(cold.1)[2].as_str()), ("25.00", "50000.00"));
    assert!(output.contains("Each sample counts as 1 page-faults."), "{output}");
}

#[test]
fn a_gmon_file_stays_small_whatever_the_counts() {
    let region = Region::new(0x1000..0x9000, Scale::TWO_ADDRESSES).unwrap();
    let mut histogram = Histogram::new(vec![region], BucketWidth::Bits64).unwrap();
    for pc in (0x1000..0x9000).step_by(16) {
        histogram.add(pc, 1 << 50);
    }
    histogram.add(0x5000, 3 << 60);
    let snapshot = histogram.snapshot();
    let file = write::gmon(&Profile::new("cycles", &snapshot), &Some);
    assert!(file.len() < 2 << 20, "{} bytes", file.len());
    let [hot, other] = [0x5000, 0x1000].map(|pc| gmon_count(&file, pc, b"Tcycles"));
    assert_eq!(hot, ((3 << 60) + (1 << 50) + 500_000_000_000_u64) / 1_000_000_000_000);
    assert_eq!(other, ((1 << 50) + 500_000_000_000_u64) / 1_000_000_000_000);
}

/// The sum of an address's bins over all records, whose ranges are equal or disjoint.
fn gmon_count(file: &[u8], pc: u64, dimension: &[u8]) -> u64 {
    let number = |at: usize| u64::from_ne_bytes(file[at..at + 8].try_into().unwrap());
    let (mut at, mut sum) = (20, 0);
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    while at < file.len() {
        let (low, high) = (number(at + 1), number(at + 9));
        let bins = u32::from_ne_bytes(file[at + 17..at + 21].try_into().unwrap()) as usize;
        assert!(file[at + 25..].starts_with(dimension));
        if ranges.last() != Some(&(low, high)) {
            assert!(ranges.iter().all(|range| high <= range.0 || range.1 <= low));
            ranges.push((low, high));
        }
        if (low..high).contains(&pc) {
            let bin = at + 41 + 2 * ((pc - low) / 2) as usize;
            sum += u64::from(u16::from_ne_bytes([file[bin], file[bin + 1]]));
        }
        at += 41 + 2 * bins;
    }
    sum
}

#[test]
fn the_greatest_counts_and_addresses_are_written() {
    let region = Region::new(0x1000..0x1010, Scale::TWO_ADDRESSES).unwrap();
    let mut histogram = Histogram::new(vec![region], BucketWidth::Bits64).unwrap();
    for pc in [0x1000, 0x1002, 0, 1] {
        histogram.add(pc, u64::MAX);
    }
    let snapshot = histogram.snapshot();
    assert_eq!((snapshot.total(), snapshot.outside), (u64::MAX, u64::MAX));
    let main = |_| Some(Symbol { file: Some("a.c".into()), line: Some(1), ..Symbol::new("main") });
    let profile = Profile { symbols: &main, ..Profile::new("cycles", &snapshot) };
    assert!(write::folded(&profile).contains(&format!("main {}\n", u64::MAX)));
    assert!(write::table(&profile, &write::TableSize::default()).contains("100.00"));

    let top = Region::new(u64::MAX - 1..u64::MAX, Scale::TWO_ADDRESSES).unwrap();
    let mut histogram = Histogram::new(vec![top], BucketWidth::Bits16).unwrap();
    histogram.record(u64::MAX - 1);
    let file = write::gmon(&Profile::new("cycles", &histogram.snapshot()), &Some);
    assert_eq!(file[21..37], [(u64::MAX - 1).to_ne_bytes(), u64::MAX.to_ne_bytes()].concat());
}
