//! Configurations whose mistakes are found when names are looked up.

use crate::values::machine;
use counterpoint::EventSet;
use counterpoint::perf::Host;
use counterpoint_exporter::{Config, ConfigError, Exporter};

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
fn a_name_that_means_nothing_has_its_place_and_near_names() {
    let config = "[[count]]\ncpus = 'all'\nevents = ['cycles', 'page-fualts']\n";
    let (line, column, text, help) = error(config);
    assert_eq!((line, column), (3, 21));
    assert!(text.contains("`page-fualts`") && help.contains("page-faults"), "{text} {help}");
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
    let (_, _, text, _) = error(config);
    assert!(text.contains("no CPU 9"), "{text}");
    let config = "[[count]]\nprocesses = [70]\nevents = ['task-clock', 'uncore/event=1/']\n";
    let (line, column, text, _) = error(config);
    assert_eq!((line, column), (3, 25), "{text}");
}

#[test]
fn a_url_without_a_receiver_is_refused() {
    let config = "otlp = 'https://x'\n[[count]]\ncpus = 'all'\nevents = ['cycles']\n";
    let (_, _, text, help) = error(config);
    assert!(text.contains("encryption") && help.contains("Collector"), "{text} {help}");
}
