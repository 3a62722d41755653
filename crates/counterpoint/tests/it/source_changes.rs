//! Numbers of files that come, go, are reset or turn into something else while they are counted.

use crate::sources::{kernel, number, open, reason};
use crate::world::row;
use counterpoint::perf::process::Held;
use counterpoint::{Counters, EventSet, Note, Report, Snapshot, Split, Target};
use counterpoint_fixtures::FakeKernel;

const TEMPERATURE: &str = "/sys/class/hwmon/hwmon1/temp1_input";

/// The reports of one interval after the other.
struct Intervals {
    counters: Counters,
    before: Snapshot,
}

impl Intervals {
    fn of(mut counters: Counters) -> Intervals {
        let before = counters.snapshot().unwrap();
        Intervals { counters, before }
    }

    fn next(&mut self) -> Report {
        let now = self.counters.snapshot().unwrap();
        let since = now.since(&self.before);
        self.before = now;
        self.counters.report(&since, &Split::Total)
    }
}

fn write(kernel: &FakeKernel, path: &str, text: &str) {
    _ = kernel.clone().file(path, text);
}

/// Whatever becomes of the file of a level, its last value is not shown for a time in which it was not read.
#[test]
fn a_level_whose_file_goes_bad_has_a_reason_and_not_its_last_value() {
    for bad in ["\n", "45,5 °C\n", "", "99999999999999999999999"] {
        let kernel = kernel("linux-7.2");
        let mut intervals = Intervals::of(open(&kernel, Target::AllCpus, "hwmon/coretemp/temp1/"));
        let event = "hwmon/coretemp/temp1/";
        write(&kernel, TEMPERATURE, "61000\n");
        intervals.counters.read_levels();
        write(&kernel, TEMPERATURE, bad);
        let report = intervals.next();
        assert_eq!(row(&report, event).extremes.unwrap().greatest, 61.0);
        assert_eq!(row(&report, event).notes, [Note::Vanished], "{bad:?}");
        let report = intervals.next();
        assert!(reason(&report, event).contains("temp1_input"), "{report}");
        assert_eq!((row(&report, event).extremes, &*row(&report, event).notes), (None, &[][..]));
        write(&kernel, TEMPERATURE, "30000\n");
        let report = intervals.next();
        let extremes = row(&report, event).extremes.unwrap();
        assert_eq!((extremes.least, extremes.greatest, number(&report, event)), (30.0, 30.0, 30.0));
        assert_eq!(row(&report, event).notes, [Note::Appeared]);
        let whole = intervals.counters.read().unwrap();
        assert_eq!(row(whole, event).notes, [Note::Appeared, Note::Vanished]);
        assert_eq!(row(whole, event).extremes.unwrap().greatest, 61.0);
    }
}

#[test]
fn a_counter_that_is_gone_or_was_read_once_has_a_reason_and_no_zero() {
    let kernel = kernel("linux-7.2");
    let net = |rows: &str| write(&kernel, "/proc/net/dev", &format!("Inter-|\n face |\n{rows}"));
    let event = "net/tun0/rx_bytes/";
    let counters = open(&kernel, Target::AllCpus, event);
    assert!(counters.has_levels(), "what may come is looked for");
    let mut intervals = Intervals::of(counters);
    assert!(reason(&intervals.next(), event).contains("has no `tun0`, but lo"));
    net("tun0: 5000 1\n");
    assert!(reason(&intervals.next(), event).contains("had just appeared"));
    net("lo: 1 1\n");
    assert!(reason(&intervals.next(), event).contains("has no number `tun0`"));
    assert!(reason(intervals.counters.read().unwrap(), event).contains("has no number `tun0`"));
    net("tun0: 100 1\n");
    intervals.next();
    net("tun0: 350 1\n");
    let report = intervals.next();
    assert_eq!((number(&report, event), &*row(&report, event).notes), (250.0, &[][..]));
    net("lo: 1 1\n");
    for _ in 0..2 {
        assert!(reason(&intervals.next(), event).contains("has no number `tun0`"));
    }
    // Added up, the intervals have what was measured in them.
    let counters = &mut intervals.counters;
    counters.reset().unwrap();
    let mut sum = counters.zero();
    for rows in ["tun0: 5 1", "tun0: 25 1", "lo: 1 1", "lo: 1 1"] {
        net(rows);
        counters.accumulate(&mut sum).unwrap();
    }
    assert_eq!(number(&counters.report(&sum, &Split::Total), event), 20.0);
}

/// The energy began again at zero long before it could wrap around.
#[test]
fn energy_that_could_not_wrap_in_the_time_was_reset() {
    const ENERGY: &str = "/sys/class/powercap/intel-rapl:0/energy_uj";
    let kernel = kernel("linux-7.2");
    write(&kernel, ENERGY, "90000000000\n");
    let mut counters = open(&kernel, Target::AllCpus, "powercap/package-0/energy/");
    write(&kernel, ENERGY, "3000000\n");
    let report = counters.read().unwrap();
    assert_eq!(number(report, "powercap/package-0/energy/"), 3.0);
    assert_eq!(row(report, "powercap/package-0/energy/").notes, [Note::Reset]);
}

#[test]
fn a_number_above_the_greatest_signed_one_is_not_negative() {
    let kernel = kernel("linux-7.2").file("/proc/vmstat", "nr_dirty 18446744073709551615\n");
    write(&kernel, "/proc/meminfo", "MemFree: 9223372036854775808 kB\n");
    let events = "vmstat/nr_dirty/,memory/MemFree/";
    let mut counters = open(&kernel, Target::AllCpus, events);
    let report = counters.read().unwrap();
    assert_eq!(number(report, "vmstat/nr_dirty/"), u64::MAX as f64);
    assert_eq!(number(report, "memory/MemFree/"), 2_f64.powi(73));
}

/// What was not started was not measured.
#[test]
fn a_source_that_was_not_started_has_no_number() {
    let kernel = kernel("linux-7.2");
    let events = "net/lo/rx_bytes/,memory/MemFree/,cputime/user/,net/eth9/rx_bytes/";
    let set = crate::world::set(&kernel, Target::AllCpus).delayed(true).event(events);
    let mut counters = set.open().unwrap();
    let report = counters.read().unwrap().clone();
    for row in &report.rows[..3] {
        assert_eq!(row.value.reason().unwrap().to_string(), "counting had not begun");
    }
    counters.start().unwrap();
    let report = counters.read().unwrap();
    assert_eq!(number(report, "net/lo/rx_bytes/"), 0.0);
    assert_eq!(row(report, "net/lo/rx_bytes/").notes, []);
}

/// A peak is the greatest value, and no mean; of a command it is known at the end, when its files have it no more.
#[test]
fn the_peak_of_memory_is_the_greatest_value_until_the_end() {
    const MIB: f64 = 1048576.0;
    let path = format!("/proc/{}/status", std::process::id());
    let kernel = kernel("linux-7.2").file(&path, "VmHWM:\t  1024 kB\n");
    let mut counters = open(&kernel, Target::ThisThread, "process/VmHWM/");
    write(&kernel, &path, "VmHWM:\t  4096 kB\n");
    let report = counters.read().unwrap();
    assert_eq!(number(report, "process/VmHWM/"), 4.0 * MIB);
    assert_eq!(row(report, "process/VmHWM/").extremes, None);
    // Memory that is there for a moment at the end, between two readings.
    let held = Held::fork(
        &["dd", "if=/dev/zero", "of=/dev/null", "bs=300M", "count=1", "status=none"],
        None,
    );
    let held = held.unwrap();
    let set = EventSet::new(Target::Command(held.pid()));
    let mut counters = set.event("process/VmHWM/,rusage/max_rss/,process/VmRSS/").open().unwrap();
    held.exec().unwrap().wait().unwrap();
    let report = counters.read().unwrap();
    assert!(number(report, "process/VmHWM/") > 290.0 * MIB, "{report}");
    let difference = number(report, "process/VmHWM/") - number(report, "rusage/max_rss/");
    assert!(difference.abs() < 1024.0, "{report}");
    assert!(reason(report, "process/VmRSS/").contains("had ended"), "{report}");
    // Of a small command, the peak may be hidden by what was before it, which both say.
    let held = Held::fork(&["true"], None).unwrap();
    let set = EventSet::new(Target::Command(held.pid()));
    let mut counters = set.event("process/VmHWM/,rusage/max_rss/").open().unwrap();
    held.exec().unwrap().wait().unwrap();
    let report = counters.read().unwrap();
    assert_eq!(row(report, "process/VmHWM/").value, row(report, "rusage/max_rss/").value);
}
