//! Events of the whole node, which one of the processes on it counts.

use crate::components::with_energy;
use crate::world::{cpu_of, ms, row, set};
use counterpoint::formula::Number;
use counterpoint::{NodeEvents, Note, Reason, Report, Target, Value};
use counterpoint_fixtures::FakeKernel;

/// The report of a rank that counts these events for a command, or for all CPUs.
fn counted(kernel: &FakeKernel, target: Target, choice: NodeEvents, events: &str) -> Report {
    let mut counters = set(kernel, target).event(events).node_events(choice).open().unwrap();
    assert!(counters.is_any_open());
    kernel.run(ms(1));
    kernel.exec();
    kernel.run(ms(2));
    counters.read().unwrap().clone()
}

#[test]
fn one_rank_counts_the_energy_beside_its_command() {
    let events = "task-clock,power/energy-pkg/";
    let energy = |report: &Report| row(report, "power/energy-pkg/").value.clone();
    let clock = |report: &Report| row(report, "task-clock").value.as_f64();

    let kernel = with_energy();
    let first = counted(&kernel, Target::Command(70), NodeEvents::Here, events);
    let places: Vec<_> = kernel.opened().iter().map(|o| (cpu_of(o), o.setup.inherit)).collect();
    assert_eq!(places, [(None, true), (Some(0), false), (Some(2), false)]);
    // Two packages, which do not wait for the exec of the command, with a scale of 0.5.
    assert_eq!(energy(&first), Value::Counted(Number::Real(3e6)));
    assert_eq!(clock(&first), Some(2e6), "the command from its exec");

    let kernel = with_energy();
    let other = counted(&kernel, Target::Command(71), NodeEvents::Elsewhere, events);
    assert_eq!(energy(&other), Value::NotCounted(Reason::CountedElsewhere));
    assert_eq!((clock(&other), kernel.opened().len()), (Some(2e6), 1));
}

#[test]
fn of_a_target_of_cpus_every_event_is_of_the_node() {
    let kernel = with_energy();
    let events = "context-switches,power/energy-pkg/";
    let other = counted(&kernel, Target::AllCpus, NodeEvents::Elsewhere, events);
    for row in &other.rows {
        assert_eq!(row.value, Value::NotCounted(Reason::CountedElsewhere), "{}", row.event);
    }
    assert_eq!((other.rows.len(), kernel.opened().len()), (2, 0));
    let first = counted(&kernel, Target::AllCpus, NodeEvents::Here, events);
    assert!(first.rows.iter().all(|row| row.value.as_f64().is_some() && row.notes.is_empty()));
}

#[test]
fn a_formula_over_an_event_of_the_node_is_counted_where_the_event_is() {
    let definition = "EVENT,HALF,DERIVED_INFIX,N0/2,power/energy-pkg/\n";
    let value = |choice| {
        let kernel = with_energy();
        let set = set(&kernel, Target::Command(70)).define(definition).event("HALF");
        let mut counters = set.node_events(choice).open().unwrap();
        kernel.run(ms(1));
        counters.read().unwrap().rows[0].value.clone()
    };
    assert!(value(NodeEvents::Here).as_f64().is_some());
    let Value::NotCounted(reason) = value(NodeEvents::Elsewhere) else {
        panic!("it is not supported")
    };
    assert!(reason.is_elsewhere(), "{reason}");
    assert!(reason.to_string().contains("local rank 0"), "{reason}");
}

#[test]
fn ranks_without_a_local_rank_note_that_each_counts_the_node() {
    let kernel = with_energy();
    let events = "task-clock,power/energy-pkg/";
    let report = counted(&kernel, Target::Command(70), NodeEvents::Everywhere, events);
    assert_eq!(row(&report, "power/energy-pkg/").notes, [Note::OfNode]);
    assert_eq!(row(&report, "task-clock").notes, []);
}

#[test]
fn without_a_choice_an_event_of_packages_needs_a_target_of_cpus() {
    let set = set(&with_energy(), Target::Command(70)).event("power/energy-pkg/");
    let error = set.open().err().unwrap();
    assert!(error.help().is_some(), "{error}");
}
