//! Several runs of the same events.

use crate::world::{cpu_of, hold, holds, row, rows, set, two_sockets};
use counterpoint::formula::Number;
use counterpoint::perf::pmu_type::SOFTWARE;
use counterpoint::{Counters, RowPlacement, Snapshot, Split, Spread, Target, Value};
use counterpoint_fixtures::FakeKernel;

/// Opens the events anew for each run and lets `run` set what they hold.
fn runs(
    target: &Target,
    events: &str,
    number: u64,
    run: impl Fn(u64, &FakeKernel),
) -> (Counters, Vec<Snapshot>) {
    let mut snapshots = Vec::new();
    let mut last = None;
    for n in 0..number {
        let kernel = two_sockets();
        let set = set(&kernel, target.clone())
            .define("EVENT,RATIO,DERIVED_INFIX,N0/N1,instructions,cycles\n")
            .event(events);
        let mut counters = set.open_resolved(set.resolve().unwrap(), target).unwrap();
        run(n, &kernel);
        snapshots.push(counters.snapshot().unwrap());
        last = Some(counters);
    }
    (last.unwrap(), snapshots)
}

#[test]
fn the_mean_and_its_standard_deviation() {
    let (counters, snapshots) = runs(&Target::ThisThread, "cycles", 4, |n, kernel| {
        hold(kernel, holds([2, 4, 4, 6][n as usize], 1, 1), |_| true);
    });
    let report = counters.report_runs(&snapshots, &Split::Total);
    let cycles = row(&report, "cycles");
    assert_eq!(cycles.value.as_f64(), Some(4.0));
    let spread = cycles.spread.as_ref().unwrap();
    assert_eq!(spread.runs(), 4);
    assert!((spread.stddev().unwrap() - (8.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!((spread.standard_error().unwrap() - (8.0_f64 / 3.0).sqrt() / 2.0).abs() < 1e-12);
    let whole = |number| Some(Number::Int(number));
    assert_eq!((spread.min(), spread.median(), spread.max()), (whole(2), whole(4), whole(6)));
    let values = [2, 4, 4, 6].map(|number| Value::Counted(Number::Int(number)));
    assert_eq!(spread.values, values, "in the order of the runs");
    assert_eq!(cycles.raw, Some(16), "what the counters held in all runs");
}

/// A process may start threads between two runs, and events in groups of their own are opened for one thread after another.
#[test]
fn runs_of_different_threads_are_added_up_by_event_and_thread() {
    let of = |threads: &[u32]| {
        let target = Target::Threads(threads.to_vec());
        let (counters, mut snapshots) = runs(&target, "cycles,page-faults", 1, |_, kernel| {
            hold(kernel, holds(100, 1, 1), |event| event.attr.kind != SOFTWARE);
            hold(kernel, holds(7, 1, 1), |event| event.attr.kind == SOFTWARE);
        });
        (counters, snapshots.remove(0))
    };
    for (first, last) in [(&[11, 12][..], &[11, 12, 13][..]), (&[11, 12, 13], &[12])] {
        let ((_, earlier), (counters, later)) = (of(first), of(last));
        let alone = counters.report(&earlier, &Split::Total);
        let raw = |event| row(&alone, event).raw;
        let threads = first.len() as u64;
        assert_eq!((raw("cycles"), raw("page-faults")), (Some(100 * threads), Some(7 * threads)));

        let both = counters.report_runs(&[earlier, later], &Split::Thread);
        for (event, each) in [("cycles", 100), ("page-faults", 7)] {
            let shown: Vec<_> =
                rows(&both, event).iter().map(|row| (row.placement, row.raw)).collect();
            let expected = [11, 12, 13].map(|thread| {
                let runs = [first, last].iter().filter(|run| run.contains(&thread)).count() as u64;
                (RowPlacement::Thread(thread), Some(each * runs))
            });
            assert_eq!(shown, expected, "{event}");
        }
    }
}

#[test]
fn one_run_has_no_deviation() {
    let (counters, snapshots) =
        runs(&Target::ThisThread, "cycles", 1, |_, kernel| hold(kernel, holds(9, 1, 1), |_| true));
    let report = counters.report_runs(&snapshots, &Split::Total);
    assert_eq!(row(&report, "cycles").value, Value::Counted(Number::Int(9)));
    assert!(row(&report, "cycles").spread.as_ref().is_none_or(|spread| spread.stddev().is_none()));
}

#[test]
fn no_run_at_all_has_no_number() {
    let (counters, _) = runs(&Target::ThisThread, "cycles,RATIO", 1, |_, _| {});
    for row in counters.report_runs(&[], &Split::Total).rows {
        assert_eq!(row.value.as_f64(), None, "{row:?}");
    }
}

#[test]
fn a_formula_takes_the_mean_counts_and_is_no_mean_of_values() {
    let (counters, snapshots) = runs(&Target::AllCpus, "RATIO", 2, |n, kernel| {
        let (cycles, instructions) = [(10, 40), (30, 30)][n as usize];
        hold(kernel, holds(cycles, 1, 1), |o| o.attr.config == 0 && cpu_of(o).is_some());
        hold(kernel, holds(instructions, 1, 1), |o| o.attr.config == 1);
    });
    let report = counters.report_runs(&snapshots, &Split::Total);
    let ratio = row(&report, "RATIO");
    assert_eq!(ratio.value.as_f64(), Some(1.75), "70/40, and not (4+1)/2");
    assert_eq!(ratio.spread.as_ref().unwrap().stddev(), Some(4.5_f64.sqrt()), "of 4 and 1");
}

#[test]
fn a_run_without_a_number_is_not_among_the_runs() {
    let (counters, snapshots) = runs(&Target::ThisThread, "cycles", 3, |n, kernel| {
        let held = if n == 1 { holds(0, 10, 0) } else { holds(100, 10, 10) };
        hold(kernel, held, |_| true);
    });
    let report = counters.report_runs(&snapshots, &Split::Total);
    let cycles = row(&report, "cycles");
    let spread = cycles.spread.as_ref().unwrap();
    assert_eq!((spread.runs(), spread.stddev()), (2, Some(0.0)));
    assert_eq!(spread.values.len(), 3);
    assert!(matches!(spread.values[1], Value::NotCounted(_)), "{spread:?}");
    let Value::Estimated { value, coverage, .. } = cycles.value else { panic!("{report:?}") };
    assert!((value - 100.0).abs() < 1e-9, "{value}");
    assert!((coverage - 2.0 / 3.0).abs() < 1e-9);
}

#[test]
fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
    let spread =
        |numbers: &[Number]| Spread::new(numbers.iter().map(|n| Value::Counted(*n)).collect());
    let [one, two, big] = [1, 2, i128::MAX].map(Number::Int);
    assert_eq!(spread(&[big, one, two, one]).median(), Some(Number::Real(1.5)));
    assert_eq!(spread(&[two, one, two]).median(), Some(two));
    assert_eq!(spread(&[Number::Int(i128::MAX - 1), big]).max(), Some(big), "compared exactly");
    let none = spread(&[]);
    assert_eq!(
        (none.median(), none.min(), none.max(), none.standard_error()),
        (None, None, None, None)
    );
}
