//! Closures that take turns, by what they count.

use counterpoint::bench::{Bench, Outcome, Percentage, Verdict};
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

const PAGE: usize = 4096;

/// Writes to fresh pages, each of which is a fault: too few for a large one.
#[allow(unsafe_code, reason = "memory that the allocator keeps is no longer fresh")]
fn touch(pages: usize) {
    let length = NonZeroUsize::new(pages * PAGE).unwrap();
    let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
    // SAFETY: a new mapping overlaps nothing.
    let begin = unsafe { mmap_anonymous(None, length, access, MapFlags::MAP_PRIVATE).unwrap() };
    for page in 0..pages {
        // SAFETY: the byte is in the mapping.
        let byte = unsafe { begin.as_ptr().cast::<u8>().add(page * PAGE) };
        // SAFETY: as above, and nothing else uses it.
        unsafe { byte.write_volatile(1) };
    }
    // SAFETY: nothing uses the mapping any more.
    unsafe { munmap(begin, length.get()).unwrap() };
}

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
