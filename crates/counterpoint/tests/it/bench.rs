//! Closures that take turns, by what they count.

use counterpoint::bench::{Bench, Outcome, Percentage, Verdict};
use counterpoint_fixtures::touch;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

fn faults(base: usize, other: usize) -> Outcome {
    Bench::new("page-faults")
        .unwrap()
        .rounds(12)
        .turn(Duration::ZERO)
        .case("base", || touch(base))
        .case("other", || touch(other))
        .run()
        .unwrap()
}

#[test]
fn a_planted_difference_is_found_with_its_size_and_fails_the_assertion() {
    let outcome = faults(100, 102);
    let [difference] = &outcome.differences()[..] else { panic!("{outcome}") };
    assert_eq!(difference.verdict, Verdict::More, "{outcome}");
    let ratio = difference.comparison.ratio.unwrap();
    assert!((ratio.low..=ratio.high).contains(&1.02), "{ratio:?}");
    assert!(
        difference.to_string().contains("`other`: 2.00 % ± 0.00 % more page-faults than `base`")
    );
    outcome.assert_no_more("page-faults", 3.0.percent());
    let failed =
        catch_unwind(AssertUnwindSafe(|| outcome.assert_no_more("page-faults", 1.0.percent())));
    let message = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("more page-faults than `base`; 1 % more are allowed"), "{message}");
}

/// An event whose name is in that of another is not taken for it, and metrics are compared as they are.
#[test]
fn an_assertion_is_about_one_event_or_metric() {
    let outcome = Bench::new("faults")
        .unwrap()
        .event("minor-faults")
        .unwrap()
        .event("no-such-event|cpu_utilization")
        .unwrap()
        .rounds(6)
        .case("base", || touch(50))
        .case("other", || touch(60))
        .run()
        .unwrap();
    let names: Vec<&str> = outcome.measures.iter().map(|measure| measure.event.as_str()).collect();
    assert_eq!(names, ["faults", "minor-faults", "cpu_utilization"]);
    assert!(outcome.choices[2].1.is_metric);
    assert!(
        outcome.measures[2].values[0].iter().all(|cpus| (0.0..2.0).contains(cpus)),
        "{outcome}"
    );
    outcome.assert_no_more("cpu_utilization", 1000.0.percent());
    outcome.assert_no_more("faults", 30.0.percent());
    let alone = Bench::new("faults").unwrap().rounds(2).case("base", || touch(1)).run().unwrap();
    let failed = catch_unwind(AssertUnwindSafe(|| alone.assert_no_more("faults", 1.0.percent())));
    let message = *failed.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, "faults was not compared");
}

#[test]
fn equal_closures_do_not_differ() {
    let outcome = faults(64, 64);
    assert_eq!(outcome.differences()[0].verdict, Verdict::NoDifference, "{outcome}");
    outcome.assert_no_more("page-faults", 0.0.percent());
    assert!(outcome.to_string().contains("no difference in page-faults from `base`"), "{outcome}");
}

#[test]
fn the_first_choice_that_can_be_counted_is_counted_and_said() {
    let outcome = Bench::new("no-such-event|task-clock")
        .unwrap()
        .rounds(3)
        .case("sum", || (0..black_box(1000_u64)).sum::<u64>())
        .case("sums", || (0..black_box(2000_u64)).sum::<u64>())
        .run()
        .unwrap();
    let (asked, choice) = &outcome.choices[0];
    assert_eq!((asked.as_str(), choice.event.as_str()), ("no-such-event|task-clock", "task-clock"));
    let text = outcome.to_string();
    assert!(
        text.contains("counted: task-clock, because no-such-event cannot be counted: "),
        "{text}"
    );
    assert!(outcome.calls > 1, "{text}");
    outcome.assert_no_more("no-such-event", 10_000.0.percent());
    let error = Bench::new("no-such-event|nor-this").unwrap_err().to_string();
    assert!(error.contains("no-such-event: ") && error.contains("nor-this: "), "{error}");
}

#[test]
#[should_panic(expected = "`cycles` is not among the events that are counted: page-faults")]
fn an_event_that_is_not_counted_fails_an_assertion() {
    faults(4, 4).assert_no_more("cycles", 1.0.percent());
}
