//! Configurations whose mistakes are found when names are looked up.

use crate::server::value;
use crate::values::machine;
use counterpoint::EventSet;
use counterpoint::perf::{Errno, Host};
use counterpoint_exporter::{Config, ConfigError, Exporter, Format};
use std::time::Duration;

fn error(config: &str) -> (usize, usize, String, String) {
    let config = Config::read(config).unwrap();
    let kernel =
        machine(4).file("/proc/70/stat", "70 (x) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 5 1");
    let kernel = kernel.file("/proc/70/task/70/stat", "");
    let made = Exporter::new(&config, |target| {
        Ok::<_, ConfigError>(EventSet::on(Host::with_kernel(kernel.clone()), target))
    });
    let ConfigError { place, text, help } = made.unwrap_err();
    (place.line, place.column, text, help.unwrap_or_default())
}

#[test]
fn a_name_that_means_nothing_here_has_its_place_and_near_names_and_ends_nothing() {
    let config = "[[count]]\ncpus = 'all'\nevents = ['cycles', 'page-fualts', 'power/energy-pkg/']\nmetrics = ['icp']\n";
    let exporter = crate::values::exporter(&machine(1), config);
    let refused: Vec<_> = exporter.refused().collect();
    let places: Vec<_> = refused.iter().map(|e| (e.place.line, e.place.column)).collect();
    // The PMU is one that other machines have, and its event is a series without a number.
    assert_eq!(places, [(3, 21), (4, 12)]);
    let (text, help) = (&refused[0].text, refused[0].help.as_deref().unwrap());
    assert!(text.contains("`page-fualts`") && help.contains("page-faults"), "{text} {help}");
    assert!(exporter.is_counting());
    let samples = crate::open_metrics::samples(&exporter.text(Format::OpenMetrics));
    // The series of a PMU that is not there has no CPU, as it is on none.
    for (name, reason) in [
        ("page-fualts\",cpus=\"all", "unknown-event"),
        ("power/energy-pkg/", "not-shown"),
        ("icp\",cpus=\"all", "unknown-event"),
    ] {
        let status = format!(
            "counterpoint_event_status{{event=\"{name}\",status=\"not-supported\",reason=\"{reason}\"}}"
        );
        assert_eq!(value(&samples, &status), Some(1.0), "{samples:?}");
    }
    assert!(exporter.page().contains("line 3, column 21: no event is called `page-fualts`"));
}

#[test]
fn of_braces_with_a_name_that_means_nothing_the_others_are_counted() {
    let config = "[[count]]\ncpus = 'all'\nevents = ['{cycles,page-fualts,instructions}:u']\n";
    let kernel = machine(1).counts(|_, _| 7);
    let mut exporter = crate::values::exporter(&kernel, config);
    kernel.run(Duration::from_millis(1));
    exporter.read();
    let refused: Vec<_> = exporter.refused().map(|error| error.text).collect();
    assert!(matches!(refused.as_slice(), [text] if text.contains("`page-fualts`")), "{refused:?}");
    let samples = crate::open_metrics::samples(&exporter.text(Format::OpenMetrics));
    for name in ["cycles_u", "instructions_u"] {
        let is_shown =
            |(series, _): &(String, f64)| series.starts_with(&format!("counterpoint_{name}_total"));
        assert!(samples.iter().any(is_shown), "{name}: {samples:?}");
    }
    let status = "counterpoint_event_status{event=\"page-fualts\",cpus=\"all\",status=\"not-supported\",reason=\"unknown-event\"}";
    assert_eq!(value(&samples, status), Some(1.0), "{samples:?}");
}

/// A raw code has the label that Prometheus is asked for.
#[test]
fn an_event_has_the_label_that_was_written() {
    let config = "[[count]]\ncpus = 'all'\nevents = ['cycles', 'r003c', '{r003c}:u']\n";
    let kernel = machine(1).refuse_with(Errno::ENOENT, |opening| opening.attr.config == 0x3c);
    let exporter = crate::values::exporter(&kernel, config);
    let samples = crate::open_metrics::samples(&exporter.text(Format::OpenMetrics));
    let of = |event: &str| {
        let status = format!("counterpoint_event_status{{event=\"{event}\"");
        samples.iter().filter(|(series, _)| series.starts_with(&status)).count()
    };
    assert_eq!([of("r003c"), of("r3c:u")], [1, 1], "{samples:?}");
}

#[test]
fn a_file_of_which_nothing_is_counted_is_refused_with_its_first_name() {
    let (line, column, text, help) = error("[[count]]\ncpus = 'all'\nevents = ['page-fualts']\n");
    assert_eq!((line, column), (3, 11));
    assert!(text.contains("`page-fualts`") && help.contains("page-faults"), "{text} {help}");
    let (line, column, ..) = error("[[count]]\ncpus = 'all'\nevents = ['cycles', '{cycles']\n");
    assert_eq!((line, column), (3, 21), "text that means nothing on any machine");
    let config = "[[count]]\ncpus = 'all'\nmetrics = [\n  'icp',\n]\n";
    let (line, column, text, _) = error(config);
    assert_eq!((line, column, text.contains("`icp`")), (4, 3, true), "{text}");
}

#[test]
fn an_event_is_counted_once_for_a_target() {
    let again = "[[count]]\ncpus = 'all'\nevents = ['cycles']\n[[count]]\ncpus = '2'\nevents = ['faults', 'cycles']\n";
    let (line, column, text, help) = error(again);
    assert_eq!((line, column), (6, 21), "{text}");
    assert!(text.contains("`cycles`") && help.contains("remove"), "{text} {help}");
}

#[test]
fn an_event_that_cannot_be_counted_for_such_a_target_has_its_place() {
    let config = "[[count]]\ncpus = '0,9'\nevents = ['cycles']\n";
    let exporter = crate::values::exporter(&machine(4), config);
    assert!(exporter.problems()[0].contains("no CPU 9"), "{:?}", exporter.problems());
    assert!(!exporter.is_counting());
    let config = "[[count]]\nprocesses = [70]\nevents = ['uncore/event=1/']\n";
    let (line, column, text, _) = error(config);
    assert_eq!((line, column), (3, 11), "{text}");
}

#[test]
fn a_url_without_a_receiver_is_refused() {
    let config = "otlp = 'https://x'\n[[count]]\ncpus = 'all'\nevents = ['cycles']\n";
    let (_, _, text, help) = error(config);
    assert!(text.contains("encryption") && help.contains("Collector"), "{text} {help}");
}
