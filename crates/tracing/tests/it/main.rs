//! Spans whose counts are known.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it should do")]

use counterpoint::RegionReport;
use counterpoint_fixtures::touch;
use counterpoint_tracing::SpanCounts;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::instrument::Instrument;
use tracing::subscriber::with_default;
use tracing::{Subscriber, info_span};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

fn faults() -> SpanCounts {
    SpanCounts::new(&["page-faults"]).unwrap()
}

fn subscriber(
    counts: &SpanCounts,
) -> impl Subscriber + for<'s> LookupSpan<'s> + Send + Sync + use<> {
    tracing_subscriber::registry().with(counts.layer())
}

/// The calls of a span in all threads, and its page faults.
fn counted(report: &RegionReport, name: &str) -> (u64, u64) {
    let total = report.total(name).unwrap_or_else(|| panic!("{name} in\n{report}"));
    let faults = total.report.row("page-faults").unwrap().value.as_f64().unwrap();
    (total.calls, faults as u64)
}

/// Warms up what faults the first time: the stack, the span's callsites and the layer's own memory.
fn nested(counts: &SpanCounts) -> RegionReport {
    with_default(subscriber(counts), || {
        for _ in 0..20 {
            let _outer = info_span!("outer").entered();
            touch(10);
            let _inner = info_span!("inner").entered();
            touch(7);
        }
    });
    counts.report()
}

/// Asserts a number of faults in 20 rounds, of which the first has a few of its own.
fn assert_near(found: u64, expected: u64) {
    assert!((expected..expected + 20).contains(&found), "{found}, not {expected}");
}

#[test]
fn a_span_counts_its_children_or_leaves_them_out() {
    let report = nested(&faults());
    let ((outer_calls, outer), (inner_calls, inner)) =
        (counted(&report, "outer"), counted(&report, "inner"));
    assert_eq!((outer_calls, inner_calls), (20, 20));
    assert_near(outer, 340);
    assert_near(inner, 140);
    let report = nested(&faults().without_children());
    let ((outer_calls, outer), (inner_calls, inner)) =
        (counted(&report, "outer"), counted(&report, "inner"));
    assert_eq!((outer_calls, inner_calls), (20, 20));
    assert_near(outer, 200);
    assert_near(inner, 140);
}

#[test]
fn a_span_within_itself_is_counted_once() {
    fn descend(depth: usize) {
        let _span = info_span!("descend").entered();
        touch(5);
        if depth > 0 {
            descend(depth - 1);
        }
    }
    for counts in [faults(), faults().without_children()] {
        with_default(subscriber(&counts), || descend(9));
        let (calls, faults) = counted(&counts.report(), "descend");
        assert_eq!(calls, 10);
        assert_near(faults, 50);
    }
}

#[test]
fn a_future_is_counted_wherever_it_is_polled_and_not_while_it_waits() {
    let counts = faults();
    let work = async {
        for _ in 0..10 {
            touch(10);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    let other = async {
        for _ in 0..20 {
            touch(50);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    runtime.block_on(async {
        let span = with_default(subscriber(&counts), || info_span!("work"));
        let work = tokio::spawn(work.instrument(span));
        let other = tokio::spawn(other);
        work.await.unwrap();
        other.await.unwrap();
    });
    let (calls, faults) = counted(&counts.report(), "work");
    assert!(calls >= 10, "{calls} polls");
    assert!((100..160).contains(&faults), "{faults}");
}

#[test]
fn requests_of_a_service_are_counted_on_every_thread_that_polls_them() {
    const REQUESTS: u64 = 40;
    let counts = faults();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_time()
        .build()
        .unwrap();
    // The span is that of this subscriber also on threads that have none.
    let span = |name| {
        with_default(subscriber(&counts), || match name {
            "query" => info_span!("query"),
            _ => info_span!("request"),
        })
    };
    runtime.block_on(async {
        let request = |query| async move {
            touch(3);
            tokio::time::sleep(Duration::from_millis(1)).await;
            // A task of its own, which is polled beside this one.
            let query = tokio::spawn(
                async {
                    for _ in 0..5 {
                        touch(2);
                        tokio::task::yield_now().await;
                    }
                }
                .instrument(query),
            );
            touch(4);
            query.await.unwrap();
            touch(1);
        };
        let requests: Vec<_> = (0..REQUESTS)
            .map(|_| tokio::spawn(request(span("query")).instrument(span("request"))))
            .collect();
        for request in requests {
            request.await.unwrap();
        }
    });
    let report = counts.report();
    for (name, each, polls) in [("request", 8, 3), ("query", 10, 6)] {
        let (calls, faults) = counted(&report, name);
        let expected = REQUESTS * each;
        assert!(calls >= REQUESTS * polls, "{name}: {calls} polls");
        // Each thread has a few of its own at first.
        assert!((expected..expected + 60).contains(&faults), "{name}: {faults}, not {expected}");
        let threads = report.regions.iter().filter(|of| of.name == name && of.thread.is_some());
        assert!(threads.count() > 1, "{name} was on one thread only");
    }
}

/// A layer that keeps the numbers that are recorded in spans, as one that writes a log does.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<BTreeMap<String, f64>>>);

impl Visit for Log {
    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.record_f64(field, value as f64);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.lock().unwrap().insert(field.name().to_owned(), value);
    }
}

impl<S: Subscriber> Layer<S> for Log {
    fn on_record(&self, _: &tracing::Id, values: &tracing::span::Record<'_>, _: Context<'_, S>) {
        values.record(&mut self.clone());
    }
}

#[test]
fn declared_fields_have_the_counts_of_their_span() {
    let (counts, log) = (faults(), Log::default());
    let subscriber = subscriber(&counts).with(log.clone());
    with_default(subscriber, || {
        let empty = tracing::field::Empty;
        // Once for what faults the first time.
        drop(info_span!("warm", page_faults = empty).entered());
        let span = info_span!("request", page_faults = empty, duration_time = empty, id = 7);
        span.in_scope(|| touch(30));
        span.in_scope(|| touch(12));
        info_span!("other", id = 8).in_scope(|| touch(3));
    });
    let log = log.0.lock().unwrap();
    assert!((42.0..60.0).contains(&log["page_faults"]), "{log:?}");
    assert!(log["duration_time"] > 1000.0, "{log:?}");
    assert_eq!(log.len(), 2, "{log:?}");
    let (calls, faults) = counted(&counts.report(), "request");
    assert_eq!((calls, faults), (2, log["page_faults"] as u64));
}

#[test]
fn the_first_choice_that_can_be_counted_is_counted_and_said() {
    let counts = SpanCounts::new(&["no-such-event|task-clock", "cpu_utilization"]).unwrap();
    assert_eq!(counts.choices()[0].event, "task-clock");
    assert!(counts.choices()[0].to_string().contains("no-such-event cannot be counted"));
    with_default(subscriber(&counts), || info_span!("a").in_scope(|| touch(1)));
    let lines = counts.report().to_json();
    assert!(
        lines.contains(r#""region":"a""#) && lines.contains(r#""event":"task-clock""#),
        "{lines}"
    );
    assert!(lines.contains(r#""event":"cpu_utilization""#), "{lines}");
    let error = SpanCounts::new(&["nor-this"]).unwrap_err().to_string();
    assert!(error.contains("nor-this"), "{error}");
}
