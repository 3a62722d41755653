//! The life of a set, from adding events to the end.

use crate::live::{can_count, work};
use crate::world::{hold, holds, ms, open, row, rows, set, two_sockets};
use counterpoint::perf::{Every, Host, pmu_type, process};
use counterpoint::pmu::Privilege;
use counterpoint::profile::Profile;
use counterpoint::{
    Counters, EventSet, Multiplexing, Note, Reason, Regions, Split, State, Target, Value,
};
use counterpoint_fixtures::FakeKernel;
use std::sync::mpsc;

fn value(counters: &mut Counters, event: &str) -> f64 {
    row(counters.read().unwrap(), event).value.as_f64().unwrap()
}

fn events(set: &EventSet) -> Vec<String> {
    match set.resolve() {
        Ok(resolved) => resolved.events().map(|(event, _)| event.to_string()).collect(),
        Err(_) => Vec::new(),
    }
}

#[test]
fn an_event_is_added_whole_and_removed_from_any_list_or_group() {
    let mut set = EventSet::new(Target::ThisThread);
    set.add("task-clock").unwrap();
    set.add("{page-faults,minor-faults}:u, major-faults").unwrap();
    set.add("{cpu-clock}:u").unwrap();
    let error = set.add("dummy,no-such-event").unwrap_err();
    assert!(error.is_unknown_event() && error.span() == Some(6..19), "{error} {:?}", error.span());
    assert_eq!(
        events(&set),
        ["task-clock", "page-faults", "minor-faults", "major-faults", "cpu-clock"]
    );
    for (gone, left) in [
        ("page-faults", "task-clock minor-faults major-faults cpu-clock"),
        ("task-clock", "minor-faults major-faults cpu-clock"),
        ("cpu-clock", "minor-faults major-faults"),
        ("minor-faults", "major-faults"),
        ("major-faults", ""),
    ] {
        set.remove(gone).unwrap();
        assert_eq!(events(&set).join(" "), left, "without {gone}");
    }
    let error = set.remove("task-clock").unwrap_err();
    assert_eq!(error.to_string(), "`task-clock` is not an event of this set");
    assert_eq!(set.resolve().unwrap_err().to_string(), "no events were named");
    set.add("task-clock").unwrap();
    set.profile("task-clock", Profile::every(Every::Period(1000))).unwrap();
    set.remove("task-clock").unwrap();
    assert!(set.profiled().is_empty(), "a profile goes with its event");
    set.add("task-clock").unwrap();
    set.clear();
    assert!(events(&set).is_empty());
}

#[test]
fn a_set_starts_stops_and_starts_again_where_it_was() {
    if !can_count() {
        return;
    }
    let mut counters =
        EventSet::new(Target::ThisThread).delayed(true).event("task-clock").open().unwrap();
    assert_eq!(counters.state(), State::Stopped);
    work(ms(2));
    assert_eq!(counters.read().unwrap().rows[0].value.as_f64(), None, "it has not begun");
    counters.start().unwrap();
    assert_eq!(counters.state(), State::Running);
    work(ms(2));
    counters.stop().unwrap();
    let first = value(&mut counters, "task-clock");
    work(ms(2));
    assert_eq!(value(&mut counters, "task-clock"), first, "nothing is counted while stopped");
    counters.start().unwrap();
    work(ms(2));
    assert!(value(&mut counters, "task-clock") > first);
}

#[test]
fn paused_work_is_excluded_and_a_stopped_set_stays_stopped() {
    let kernel = FakeKernel::new();
    let mut counters = open(&kernel, "task-clock");
    assert_eq!(counters.paused(|| 7).unwrap(), 7);
    assert_eq!(counters.state(), State::Running);
    counters.stop().unwrap();
    counters.paused(|| ()).unwrap();
    assert_eq!(counters.state(), State::Stopped);

    if can_count() {
        let mut counters = EventSet::new(Target::ThisThread).event("task-clock").open().unwrap();
        counters.paused(|| work(ms(20))).unwrap();
        let clock = value(&mut counters, "task-clock");
        assert!(clock < 20e6, "{clock} ns of 20 ms paused");
    }
}

#[test]
fn a_snapshot_has_its_time_and_sums_lose_nothing() {
    let kernel = FakeKernel::new();
    let mut counters = open(&kernel, "task-clock,page-faults");
    let before = std::time::Instant::now();
    let (_, at) = counters.snapshot_at().unwrap();
    assert!(at >= before && at <= std::time::Instant::now());

    let mut sum = counters.zero();
    for (faults, time) in [(10, 1), (25, 2), (25, 3), (100, 4)] {
        hold(&kernel, holds(faults, time, time), |_| true);
        counters.accumulate(&mut sum).unwrap();
        // Accumulating has reset the set.
        assert_eq!(
            counters.snapshot().map(|r| counters.report(&r, &Split::Total)).unwrap().rows[1].raw,
            None
        );
    }
    let report = counters.report(&sum, &Split::Total);
    assert_eq!(row(&report, "page-faults").raw, Some(100));
    assert_eq!(row(&report, "page-faults").enabled, ms(4));

    // Into an existing snapshot, also that of another set.
    hold(&kernel, holds(130, 6, 6), |_| true);
    let mut snapshot = open(&FakeKernel::new(), "page-faults,dummy").zero();
    counters.read_into(&mut snapshot).unwrap();
    let report = counters.report(&snapshot, &Split::Total);
    let faults = row(&report, "page-faults");
    assert_eq!((faults.raw, faults.enabled), (Some(30), ms(2)));
}

#[test]
fn levels_are_for_events_that_name_none() {
    let kernel = two_sockets();
    let user = set(&kernel, Target::ThisThread).domain(Privilege::USER);
    let resolved = user.event("page-faults,task-clock:k,cpu/event=1/").resolve().unwrap();
    let names: Vec<String> = resolved.natives().iter().map(|n| n.id.to_string()).collect();
    assert_eq!(names, ["page-faults:u", "task-clock:k", "cpu/event=0x1/u"]);
    let exclude = |event: usize| resolved.natives()[event].boxes[0].attr.exclude;
    assert!(exclude(0).kernel && exclude(0).hv && !exclude(0).user);
    assert!(exclude(1).user && !exclude(1).kernel);

    for (levels, user, kernel_too, hypervisor) in [
        (Privilege::ALL, true, true, true),
        (Privilege::KERNEL, false, true, false),
        (Privilege::USER | Privilege::KERNEL, true, true, false),
        (Privilege::HYPERVISOR, false, false, true),
    ] {
        let set = set(&kernel, Target::ThisThread).domain(levels).event("page-faults");
        let exclude = set.resolve().unwrap().natives()[0].boxes[0].attr.exclude;
        let counted = (!exclude.user, !exclude.kernel, !exclude.hv);
        assert_eq!(counted, (user, kernel_too, hypervisor), "{levels:?}");
    }
}

#[test]
fn hardware_events_that_may_not_take_turns_are_pinned() {
    let kernel = two_sockets();
    let list = "{cpu/event=1/,cpu/event=2/},task-clock,r3";
    let pinned = |choice| {
        let before = kernel.asked().len();
        let set = set(&kernel, Target::ThisThread).multiplexing(choice).event(list);
        let counters = set.open().unwrap();
        let asked = kernel.asked().split_off(before);
        (counters, asked.iter().map(|o| o.attr.pinned).collect::<Vec<_>>())
    };
    assert_eq!(pinned(Multiplexing::Allow).1, [false; 4]);
    let (mut counters, pins) = pinned(Multiplexing::Refuse);
    // The leader holds it for its group; software events need no counter.
    assert_eq!(pins, [true, false, false, true]);

    let lost = kernel.opened().iter().rposition(|o| o.attr.kind == pmu_type::RAW).unwrap();
    kernel.lose_counter(lost);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "r3").value, Value::NotCounted(Reason::LostCounter));
}

#[test]
fn an_event_that_must_open_is_an_error_that_can_be_asked() {
    use counterpoint::perf::{Errno, OpenFailure};
    let refusing = |errno: Errno| {
        let kernel = two_sockets()
            .refuse(move |o| (o.attr.kind == pmu_type::RAW).then_some(OpenFailure::from(errno)));
        set(&kernel, Target::ThisThread).event("task-clock,r1").open_all().map(drop).unwrap_err()
    };
    let denied = refusing(Errno::EACCES);
    assert!(denied.is_permission() && !denied.is_unsupported(), "{denied}");
    assert!(denied.to_string().starts_with("`r1` cannot be counted: "), "{denied}");
    let missing = refusing(Errno::ENOENT);
    assert!(missing.is_unsupported() && !missing.is_permission(), "{missing}");

    let kernel = two_sockets().open_files(2, 2);
    let error = set(&kernel, Target::AllCpus).event("task-clock").open_all().map(drop).unwrap_err();
    assert!(error.is_open_file_limit(), "{error}");
    assert!(error.to_string().contains("need 4 open files"), "{error}");
    assert!(error.help().is_some_and(|help| help.to_string().contains("ulimit -n")));

    let derived = EventSet::new(Target::ThisThread)
        .define("EVENT,BAD,DERIVED_INFIX,N0/N1,task-clock,no-such-event")
        .event("BAD")
        .open_all();
    assert!(derived.map(drop).unwrap_err().to_string().contains("no-such-event"));
}

#[test]
fn errors_of_the_underlying_crates_convert_to_one() {
    fn formula() -> Result<f64, counterpoint::Error> {
        use counterpoint::formula::{Formula, Syntax};
        Ok(Formula::parse("1 + ", Syntax::Infix)?.eval(&[]))
    }
    let error = formula().unwrap_err();
    assert!(error.span().is_some() && !error.is_unknown_event(), "{error}");
    fn encode() -> Result<(), counterpoint::Error> {
        use counterpoint::pmu::{Context, Layer, encode};
        encode("no_such_event", &Context::new(Layer::Raw)).map(drop)?;
        Ok(())
    }
    assert!(encode().unwrap_err().is_unknown_event());
    fn open() -> Result<(), counterpoint::Error> {
        use counterpoint::perf::{Attr, Placement, Setup};
        let attr = [Attr::new(9999, 0)];
        Host::local().open(&attr, Placement::ThisThread, Setup::default())?;
        Ok(())
    }
    assert!(!open().unwrap_err().to_string().is_empty());
}

#[test]
fn sixty_four_threads_count_themselves() {
    if !can_count() {
        return;
    }
    let clocks: Vec<f64> = std::thread::scope(|scope| {
        let one = |_| {
            scope.spawn(|| {
                let set = EventSet::new(Target::ThisThread).event("task-clock,page-faults");
                let mut counters = set.open().unwrap();
                work(ms(1));
                value(&mut counters, "task-clock")
            })
        };
        let threads: Vec<_> = (0..64).map(one).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(clocks.len(), 64);
    assert!(clocks.iter().all(|clock| *clock > 0.0), "{clocks:?}");
}

#[test]
fn a_set_moved_to_another_thread_counts_the_one_that_opened_it() {
    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}
    is_send::<Counters>();
    is_send::<EventSet>();
    is_send::<Regions>();
    is_sync::<Regions>();
    if !can_count() {
        return;
    }
    let set = EventSet::new(Target::ThisThread).inherit(false).event("task-clock");
    let mut counters = set.open().unwrap();
    let elsewhere = std::thread::spawn(move || {
        let before = value(&mut counters, "task-clock");
        work(ms(20));
        let after = value(&mut counters, "task-clock");
        after - before
    });
    let elsewhere = elsewhere.join().unwrap();
    assert!(elsewhere < 20e6, "{elsewhere} ns of this thread, which waited");
}

#[test]
fn a_running_thread_is_attached_to_and_left() {
    if !can_count() {
        return;
    }
    let (sender, receiver) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        sender.send(process::this_thread()).unwrap();
        while ended.try_recv() == Err(mpsc::TryRecvError::Empty) {
            work(ms(1));
        }
    });
    let number = receiver.recv().unwrap();
    let set = EventSet::new(Target::Threads(vec![number])).event("task-clock");
    let mut counters = set.open_all().unwrap();
    let clock = |counters: &mut Counters| counters.read().unwrap().rows[0].value.as_f64();
    // On a busy machine it takes a while until the thread runs.
    let deadline = std::time::Instant::now() + ms(20_000);
    while clock(&mut counters).is_none() && std::time::Instant::now() < deadline {
        std::thread::sleep(ms(1));
    }
    assert!(value(&mut counters, "task-clock") > 0.0);
    counters.stop().unwrap();
    end.send(()).unwrap();
    thread.join().unwrap();
    // The count outlives the thread.
    assert!(value(&mut counters, "task-clock") > 0.0);
    let gone = EventSet::new(Target::Processes(vec![u32::MAX])).event("task-clock").open();
    assert_eq!(
        gone.map(drop).unwrap_err().to_string(),
        format!("there is no process {}", u32::MAX)
    );
}

#[test]
fn five_hundred_sets_count_at_once() {
    if !can_count() {
        return;
    }
    let set = EventSet::new(Target::ThisThread).event("page-faults,task-clock");
    let resolved = set.resolve().unwrap();
    let open = |_| set.open_resolved(resolved.clone(), &Target::ThisThread).unwrap();
    let mut sets: Vec<Counters> = (0..500).map(open).collect();
    let limited = |counters: &mut Counters| {
        let report = counters.read().unwrap();
        let reason = report.rows[0].value.reason().cloned();
        matches!(reason, Some(Reason::TooManyOpenFiles { .. }))
    };
    if sets.iter_mut().any(limited) {
        println!("skipped: this process may not open 1000 files");
        return;
    }
    for counters in &mut sets {
        counters.reset().unwrap();
    }
    let pages = std::hint::black_box(vec![1_u8; 64 * 65536]);
    for counters in &mut sets {
        assert!(value(counters, "page-faults") >= 1.0, "{} bytes were touched", pages.len());
    }
}

#[test]
fn an_excluded_kernel_is_reported_by_a_note() {
    let kernel = FakeKernel::new().refuse(|o| {
        let refused = o.attr.exclude.kernel || o.attr.exclude.user || o.attr.exclude.hv;
        refused.then_some(counterpoint::perf::Errno::EINVAL.into())
    });
    let set = set(&kernel, Target::ThisThread).domain(Privilege::USER).event("task-clock");
    let report = set.open().unwrap().read().unwrap().clone();
    let notes: Vec<&[Note]> = rows(&report, "task-clock").iter().map(|r| &*r.notes).collect();
    assert_eq!(notes, [[Note::EveryLevel]]);
}
