//! The errors of estimates: what follows from time slices, against programs whose counts are known.

use crate::world::{hold, holds, ms, set, two_sockets};
use counterpoint::{
    Counters, EventSet, Regions, Row, Slices, Split, Target, Value, read_definitions,
};
use counterpoint_fixtures::{FakeKernel, Holds};

/// The kernel's turn on the counters, in milliseconds.
const TURN: u64 = 4;

/// Three groups of events take turns: cycles with instructions, cache references, and branches.
const GROUP: [usize; 4] = [0, 0, 1, 2];
const GROUPS: usize = 3;

/// A program and the kernel that counts it: the numbers that each event has counted, and the true ones.
struct Run {
    kernel: FakeKernel,
    random: u64,
    turn: usize,
    held: [Holds; 4],
    /// The number of its first event among those that were opened.
    first: usize,
    truth: [f64; 4],
}

impl Run {
    fn new(kernel: &FakeKernel, seed: u64) -> Run {
        let (kernel, held) = (kernel.clone(), [Holds::default(); 4]);
        Run { kernel, random: seed, turn: seed as usize % GROUPS, held, first: 0, truth: [0.0; 4] }
    }

    /// A number between 0 and 1 (SplitMix64).
    fn draw(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The program runs for a turn of the kernel, at a share of its full speed.
    fn turn(&mut self, speed: f64) {
        let [work, stalls, misses, jumps] = [(); 4].map(|()| self.draw());
        let instructions = speed * (4e6 + 8e6 * work);
        let counted = [
            instructions * (0.5 + stalls),
            instructions,
            instructions * 0.02 * misses,
            instructions * (0.1 + 0.1 * jumps),
        ];
        for (event, count) in counted.into_iter().enumerate() {
            self.truth[event] += count;
            self.held[event].enabled += ms(TURN);
            if GROUP[event] == self.turn % GROUPS {
                self.held[event].value += count as u64;
                self.held[event].running += ms(TURN);
            }
        }
        self.turn += 1;
    }

    /// Shows the kernel what the events hold, which are open in their order.
    fn show(&self) {
        for (event, held) in self.held.iter().enumerate() {
            self.kernel.set(self.first + event, *held);
        }
    }
}

const EVENTS: &str = "cycles,instructions,cache-references,branches";

fn with_metrics(kernel: &FakeKernel) -> EventSet {
    let text = "metric my_ipc\n formula instructions / cycles\n threshold my_ipc > 0.8\n\
                metric per_branch\n formula `cache-references` / branches\n unit 100%\n";
    let set = set(kernel, Target::ThisThread).define(read_definitions("my.metrics", text));
    set.event(EVENTS).metric("my_ipc").metric("per_branch")
}

/// How far each value is off, in standard errors, and the error in percent of the value: of a program of 40 slices of eight turns.
fn off(counters: &mut Counters, run: &mut Run, speed: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let mut slices = Slices::since(counters.zero());
    for turn in 0..320 {
        run.turn(speed(turn));
        if turn % 8 == 7 && turn != 319 {
            run.show();
            slices.read(counters).unwrap();
        }
    }
    run.show();
    let total = slices.total(&counters.snapshot().unwrap());
    let report = counters.report(&total, &Split::Total);
    let [cycles, instructions, misses, branches] = run.truth;
    let truth =
        [cycles, instructions, misses, branches, instructions / cycles, 100.0 * misses / branches];
    let off = |(row, truth): (&Row, f64)| {
        let error = row.standard_error().unwrap_or_else(|| panic!("{row:?}"));
        ((row.value.as_f64().unwrap() - truth).abs() / error, 100.0 * error / truth)
    };
    report.rows.iter().zip(truth).map(off).collect()
}

/// The share of programs in which each value is within two standard errors, and the mean error, both in percent.
fn covered(programs: u64, speed: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let kernel = two_sockets();
    let mut counters = with_metrics(&kernel).open().unwrap();
    let mut sums = vec![(0.0, 0.0); 6];
    for seed in 0..programs {
        let mut run = Run::new(&kernel, seed);
        for (sum, (off, error)) in sums.iter_mut().zip(off(&mut counters, &mut run, &speed)) {
            *sum = (sum.0 + f64::from(u8::from(off < 2.0)), sum.1 + error);
        }
    }
    let mean = |(within, error)| (100.0 * within / programs as f64, error / programs as f64);
    sums.into_iter().map(mean).collect()
}

#[test]
fn two_standard_errors_cover_the_true_value_of_ninety_five_in_a_hundred_programs() {
    let covered = covered(3_000, |_| 1.0);
    for (value, (share, _)) in covered.iter().enumerate() {
        // Events of different groups are taken for independent, and here have work in common.
        let least = if value == 5 { 92.0 } else { 93.0 };
        assert!((least..97.0).contains(share), "{covered:?}");
    }
}

/// Each visit of a region is one of 4 to 12 turns, or of less than one; between them, the program does something else.
fn regions_covered(programs: u64, threads: usize) -> Vec<f64> {
    let mut within = [0; 6];
    for seed in 0..programs {
        let kernel = two_sockets();
        let regions = with_metrics(&kernel).regions().unwrap();
        let mut truth = [0.0; 4];
        for thread in 0..threads {
            let mut run = Run::new(&kernel, seed * threads as u64 + thread as u64);
            run.first = 4 * thread;
            let mut visits = || run_visits(&regions, &mut run);
            let counted = if thread == 0 {
                visits()
            } else {
                std::thread::scope(|scope| scope.spawn(&mut visits).join().unwrap())
            };
            truth.iter_mut().zip(counted).for_each(|(sum, count)| *sum += count);
        }
        let [cycles, instructions, misses, branches] = truth;
        let truth = [
            cycles,
            instructions,
            misses,
            branches,
            instructions / cycles,
            100.0 * misses / branches,
        ];
        let report = regions.report();
        let rows = &report.total("solve").unwrap().report.rows;
        for ((row, truth), within) in rows.iter().zip(truth).zip(&mut within) {
            let error = row.standard_error().unwrap_or_else(|| panic!("{row:?}"));
            *within += u64::from((row.value.as_f64().unwrap() - truth).abs() < 2.0 * error);
        }
    }
    within.map(|within| 100.0 * within as f64 / programs as f64).to_vec()
}

/// The numbers that the visits have counted in truth.
fn run_visits(regions: &Regions, run: &mut Run) -> [f64; 4] {
    let mut truth = [0.0; 4];
    for visit in 0..30 {
        let before = run.truth;
        let solve = regions.region("solve");
        for _ in 0..4 + visit % 9 {
            run.turn(1.0);
        }
        run.show();
        drop(solve);
        let counted = run.truth.iter().zip(before).map(|(after, before)| after - before);
        truth.iter_mut().zip(counted).for_each(|(sum, count)| *sum += count);
        run.turn(0.5);
        run.show();
    }
    truth
}

#[test]
fn visits_of_a_region_are_slices_of_it() {
    for (programs, threads) in [(600, 1), (200, 3)] {
        let covered = regions_covered(programs, threads);
        for (value, share) in covered.iter().enumerate() {
            // Of so few programs, the share itself is uncertain by one or two.
            let least = if value == 5 { 89.0 } else { 91.0 };
            assert!((least..98.5).contains(share), "{threads} threads: {covered:?}");
        }
    }
}

#[test]
fn phases_of_a_program_widen_the_errors_only_where_they_change() {
    let steady = covered(300, |_| 1.0);
    let phases = covered(300, |turn| if turn / 80 % 2 == 0 { 1.0 } else { 0.1 });
    for (steady, phases) in steady.iter().zip(&phases) {
        assert!(phases.0 > 88.0 && phases.1 < 2.7 * steady.1, "{steady:?} {phases:?}");
    }
}

#[test]
fn what_is_exact_or_too_short_has_no_error() {
    let kernel = two_sockets();
    let mut counters = with_metrics(&kernel).open().unwrap();
    let mut run = Run::new(&kernel, 1);
    let mut slices = Slices::since(counters.zero());
    for _ in 0..15 {
        (0..3).for_each(|_| run.turn(1.0));
        run.show();
        slices.read(&mut counters).unwrap();
    }
    let short = slices.total(&counters.snapshot().unwrap());
    for row in counters.report(&short, &Split::Total).rows {
        assert!(matches!(row.value, Value::Estimated { standard_error: None, .. }), "{row:?}");
    }
    (0..3).for_each(|_| run.turn(1.0));
    run.held[1].running = run.held[1].enabled;
    run.show();
    slices.read(&mut counters).unwrap();
    let total = slices.total(&counters.snapshot().unwrap());
    let report = counters.report(&total, &Split::Total);
    let errors: Vec<bool> = report.rows.iter().map(|row| row.standard_error().is_some()).collect();
    assert_eq!(errors, [true, false, true, true, true, true], "{report:?}");
    assert!(matches!(report.rows[1].value, Value::Counted(_)), "{report:?}");
    let later = counters.snapshot().unwrap();
    assert!(counters.report(&later, &Split::Total).rows[0].standard_error().is_none());
}

#[test]
fn an_event_that_was_never_measured_at_one_place_has_no_error() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::AllCpus).event("cycles").open().unwrap();
    let mut slices = Slices::since(counters.zero());
    for slice in 1..=20 {
        for cpu in 0..4 {
            let running = if cpu == 3 { 0 } else { 2 * slice };
            kernel.set(cpu, holds(slice * (100 + slice % 7), 4 * slice, running));
        }
        slices.read(&mut counters).unwrap();
    }
    let total = slices.total(&counters.snapshot().unwrap());
    let by_cpu: Vec<bool> = counters
        .report(&total, &Split::Cpu)
        .rows
        .iter()
        .map(|row| row.standard_error().is_some_and(|error| error > 0.0))
        .collect();
    assert_eq!(by_cpu, [true, true, true, false]);
    assert_eq!(counters.report(&total, &Split::Total).rows[0].standard_error(), None);
}

#[test]
fn slices_are_joined_and_read_less_often_as_time_goes_on() {
    let kernel = two_sockets();
    let mut counters = with_metrics(&kernel).open().unwrap();
    let mut run = Run::new(&kernel, 2);
    let mut slices = Slices::since(counters.zero());
    let first = slices.wait();
    for _ in 0..1000 {
        (0..3).for_each(|_| run.turn(1.0));
        run.show();
        slices.read(&mut counters).unwrap();
    }
    assert!(slices.wait() >= 16 * first, "{:?} {first:?}", slices.wait());
    let total = slices.total(&counters.snapshot().unwrap());
    let report = counters.report(&total, &Split::Total);
    let last = counters.snapshot().unwrap();
    let whole = counters.report(&last, &Split::Total);
    for (row, whole) in report.rows.iter().zip(&whole.rows) {
        assert_eq!((row.value.as_f64(), row.raw), (whole.value.as_f64(), whole.raw));
        // The error falls with the root of the time: 3,000 turns have a third of those of 320.
        let percent = 100.0 * row.standard_error().unwrap() / row.value.as_f64().unwrap();
        assert!((0.1..3.0).contains(&percent), "{row:?}");
    }
}

#[test]
fn a_threshold_within_the_errors_may_be_crossed_or_not() {
    let kernel = two_sockets();
    let limits = |limit: f64| {
        let text =
            format!("metric my_ipc\n formula instructions / cycles\n threshold my_ipc > {limit}\n");
        let set = set(&kernel, Target::ThisThread).define(read_definitions("my.metrics", &text));
        let mut counters = set.event(EVENTS).metric("my_ipc").open().unwrap();
        let mut run = Run::new(&kernel, 3);
        let mut slices = Slices::since(counters.zero());
        for _ in 0..40 {
            (0..6).for_each(|_| run.turn(1.0));
            for (event, held) in run.held.iter().enumerate() {
                let config = [0, 1, 2, 4][event];
                hold(&kernel, *held, |opening| opening.attr.config == config);
            }
            slices.read(&mut counters).unwrap();
        }
        let total = slices.total(&counters.snapshot().unwrap());
        let row = counters.report(&total, &Split::Total).rows.pop().unwrap();
        (row.crossed, row.is_uncertain, row.value.as_f64().unwrap(), row.standard_error().unwrap())
    };
    let (_, _, ipc, error) = limits(0.0);
    let at = |limit| {
        let (crossed, is_uncertain, ..) = limits(limit);
        (crossed, is_uncertain)
    };
    assert_eq!(at(ipc - 3.0 * error), (Some(true), false));
    assert_eq!(at(ipc - error), (Some(true), true));
    assert_eq!(at(ipc + error), (Some(false), true));
    assert_eq!(at(ipc + 3.0 * error), (Some(false), false));
}

#[test]
fn a_threshold_within_the_variation_of_runs_may_be_crossed_or_not() {
    let kernel = two_sockets();
    let text = "metric rate\n formula instructions / cycles\n threshold rate > 0.5\n";
    let set = set(&kernel, Target::ThisThread).define(read_definitions("my.metrics", text));
    let mut counters = set.metric("rate").open().unwrap();
    let mut report_of = |runs: &[(u64, u64)]| {
        let run = |(instructions, cycles): &(u64, u64)| {
            hold(&kernel, holds(*instructions, 9, 9), |opening| opening.attr.config == 1);
            hold(&kernel, holds(*cycles, 9, 9), |opening| opening.attr.config == 0);
            counters.snapshot().unwrap()
        };
        let runs: Vec<_> = runs.iter().map(run).collect();
        let row = counters.report_runs(&runs, &Split::Total).rows.remove(0);
        (row.crossed, row.is_uncertain)
    };
    assert_eq!(report_of(&[(60, 100), (61, 100), (62, 100)]), (Some(true), false));
    assert_eq!(report_of(&[(40, 100), (60, 100), (53, 100)]), (Some(true), true));
}
