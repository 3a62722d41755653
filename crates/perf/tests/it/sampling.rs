//! Samples that the running kernel takes; none needs a hardware PMU.

#![allow(unsafe_code, reason = "a signal handler and a fork cannot be tested without")]

use crate::support::{PAGE_FAULTS, TASK_CLOCK, burn, disabled, or_skip, permitted};
use counterpoint_fixtures::{
    Pages, alone, is_alone, page_size, run_alone, run_with_breakpoint, touch,
};
use counterpoint_perf::process::{Ended, Held};
use counterpoint_perf::records::{Record, Sample};
use counterpoint_perf::{
    Attr, Cause, Every, Fields, Host, OpenError, Overflow, Placement, Reader, Sampler, Sampling,
    Setup, WaitResult, Wakeup, pmu_type,
};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn sampled(config: u64, period: u64) -> Attr {
    Attr { every: Every::Period(period), ..permitted(config) }
}

fn open(sampling: Sampling, setup: Setup, events: &[Attr]) -> Result<Sampler, OpenError> {
    let mut sampler = Host::local().sampler(sampling, setup);
    sampler.add(events, &Placement::ThisThread)?;
    Ok(sampler)
}

/// The fields of every sample that are wanted.
fn collect<T>(sampler: &mut Sampler, mut each: impl FnMut(&Sample<'_>) -> Option<T>) -> Vec<T> {
    let mut all = Vec::new();
    let drained = sampler.drain(|record| {
        if let Record::Sample(sample) = record {
            all.extend(each(sample));
        }
    });
    let drained = drained.unwrap();
    assert_eq!((drained.unreadable, drained.out_of_step), (None, false));
    all
}

fn seconds_of_cpu() -> Duration {
    nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID.now().unwrap().into()
}

/// Uses so much of this thread's CPU time, in a function that can be told from others.
macro_rules! burner {
    ($name:ident, $left:literal, $right:literal) => {
        #[inline(never)]
        fn $name(time: Duration) -> u64 {
            let (end, mut value) = (seconds_of_cpu() + time, 1_u64);
            while seconds_of_cpu() < end {
                value = $name::inner(value);
            }
            value
        }
        mod $name {
            #[inline(never)]
            pub(super) fn inner(mut value: u64) -> u64 {
                // Operators only: in a debug build everything else is a call to somewhere else.
                let mut n = 0_u64;
                while n < 20_000 {
                    value = ((value << $left) | (value >> $right)) ^ n;
                    n += 1;
                }
                value
            }
        }
    };
}

burner!(long, 7, 57);
burner!(short, 11, 53);

/// The addresses of a function of which only the start is known: it is no longer than this.
fn is_in(function: fn(u64) -> u64, ip: u64) -> bool {
    let start = function as usize as u64;
    (start..start + 600).contains(&ip)
}

#[inline(never)]
fn called(n: u64) -> u64 {
    black_box(n) + 1
}

#[inline(never)]
fn called_for_signals(n: u64) -> u64 {
    black_box(n) + 2
}

/// Breaks at each call of a function; `None` with the reason where that cannot be had.
fn calls(function: fn(u64) -> u64, sampling: Sampling, setup: Setup) -> Option<Sampler> {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        println!("skipped: breakpoints on code are tried on x86-64 and aarch64 only");
        return None;
    }
    let event = Attr {
        config1: function as usize as u64,
        config2: if cfg!(target_arch = "aarch64") { 4 } else { 8 },
        breakpoint: 4,
        every: Every::Period(1),
        ..Attr::new(pmu_type::BREAKPOINT, 0).user_only()
    };
    let sampler = open(sampling, setup, &[event]);
    if sampler.as_ref().is_err_and(|e| e.cause == Cause::NoFreeBreakpoint) {
        println!("skipped: a debugger has the breakpoints");
        return None;
    }
    or_skip("a breakpoint", sampler)
}

#[test]
fn an_event_that_would_never_be_sampled_is_refused() {
    for every in [Every::Period(0), Every::Frequency(0)] {
        let clock = Attr { every, ..permitted(TASK_CLOCK) };
        let refused = open(Sampling::new(Fields::IP), disabled(), &[clock]).unwrap_err();
        assert_eq!(refused.cause, Cause::NoRate, "{refused}");
    }
}

#[test]
fn a_breakpoint_gives_a_sample_for_each_call_and_its_address() {
    let test = "sampling::a_breakpoint_gives_a_sample_for_each_call_and_its_address";
    if !is_alone(test) {
        return run_with_breakpoint(test);
    }
    let Some(mut sampler) = calls(called, Sampling::new(Fields::IP), disabled()) else { return };
    let mut sum = called(0);
    sampler.enable().unwrap();
    for n in 0..1000 {
        sum += black_box(called as fn(u64) -> u64)(n);
    }
    sampler.disable().unwrap();
    sum += called(0);
    let ips = collect(&mut sampler, |sample| sample.ip);
    assert_eq!((ips.len(), sum), (1000, 500_502));
    assert!(ips.iter().all(|ip| *ip == called as fn(u64) -> u64 as usize as u64));
    assert_eq!(sampler.lost().unwrap(), 0);
}

static SIGNALS: AtomicU64 = AtomicU64::new(0);

extern "C" fn count_signal(_: i32) {
    SIGNALS.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn a_signal_comes_for_each_sample_to_the_thread_that_asked() {
    let test = "sampling::a_signal_comes_for_each_sample_to_the_thread_that_asked";
    if !is_alone(test) {
        return run_with_breakpoint(test);
    }
    if cfg!(target_arch = "aarch64") {
        return println!(
            "skipped: on arm64 a breakpoint is met again when its signal's handler returns"
        );
    }
    let action =
        SigAction::new(SigHandler::Handler(count_signal), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handler only adds to an atomic number.
    unsafe { sigaction(Signal::SIGURG, &action) }.unwrap();
    let sampling = Sampling { wakeup: Wakeup::Samples(1), ..Sampling::new(Fields::IP) };
    let Some(mut sampler) = calls(called_for_signals, sampling, disabled()) else { return };
    let thread = nix::unistd::gettid().as_raw() as u32;
    sampler.signal(Signal::SIGURG as i32, thread).unwrap();
    sampler.enable().unwrap();
    for n in 0..100 {
        black_box(called_for_signals as fn(u64) -> u64)(n);
    }
    sampler.disable().unwrap();
    assert_eq!(SIGNALS.load(Ordering::Relaxed), 100);
    assert_eq!(collect(&mut sampler, |sample| sample.ip).len(), 100);
}

/// When another thread forks, pages fault once more: so not beside other tests.
#[test]
fn page_faults_give_the_addresses_of_the_pages() {
    let test = "sampling::page_faults_give_the_addresses_of_the_pages";
    if !is_alone(test) {
        run_alone(&alone(&[], &std::env::current_exe().unwrap(), test));
        return;
    }
    let fields = Fields::IP | Fields::ADDR | Fields::PERIOD;
    let sampler = open(Sampling::new(fields), disabled(), &[sampled(PAGE_FAULTS, 1)]);
    let Some(mut sampler) = or_skip("page faults", sampler) else { return };
    let size = page_size() as u64;
    sampler.enable().unwrap();
    let touched = Pages::touched(128);
    sampler.disable().unwrap();
    let pages: BTreeSet<u64> = touched.addresses().map(|address| address / size).collect();
    let found = collect(&mut sampler, |sample| {
        assert_eq!(sample.period, Some(1));
        sample.addr.map(|addr| addr / size).filter(|page| pages.contains(page))
    });
    assert_eq!(found.len(), 128, "each once");
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), pages);
}

/// The same: counted and lost samples are compared exactly.
#[test]
fn a_ring_that_is_too_small_says_what_it_lost_and_does_not_block() {
    let test = "sampling::a_ring_that_is_too_small_says_what_it_lost_and_does_not_block";
    if !is_alone(test) {
        run_alone(&alone(&[], &std::env::current_exe().unwrap(), test));
        return;
    }
    let sampling = Sampling { wakeup: Wakeup::Samples(1), ..Sampling::new(Fields::IP) };
    let mut sampler = Host::local().sampler(sampling, disabled()).ring_bytes(1);
    let added = sampler.add(&[sampled(PAGE_FAULTS, 1)], &Placement::ThisThread);
    let Some(_) = or_skip("page faults", added) else { return };
    assert_eq!(sampler.room(), page_size());
    sampler.enable().unwrap();
    let before = Instant::now();
    touch(2000);
    assert!(before.elapsed() < Duration::from_secs(10));
    sampler.disable().unwrap();
    let samples = collect(&mut sampler, |sample| sample.ip).len() as u64;
    let lost = sampler.lost().unwrap();
    assert!(samples <= page_size() as u64 / 16 && samples > 0, "{samples}");
    assert!(samples + lost >= 2000, "{samples} samples, {lost} lost");

    // With room again the kernel writes what it lost, once.
    sampler.enable().unwrap();
    touch(100);
    sampler.disable().unwrap();
    let mut told = 0;
    let drained = sampler.drain(|record| {
        if let Record::Lost { lost, .. } = record {
            told += lost;
        }
    });
    assert_eq!((told, drained.unwrap().lost), (lost, lost));
    assert_eq!(sampler.lost().unwrap(), lost, "not twice");
}

#[test]
fn the_task_clock_shows_where_the_time_went() {
    let sampler = open(Sampling::new(Fields::IP), disabled(), &[sampled(TASK_CLOCK, 100_000)]);
    let Some(mut sampler) = or_skip("the task clock", sampler) else { return };
    sampler.enable().unwrap();
    for _ in 0..10 {
        black_box(long(Duration::from_millis(30)));
        black_box(short(Duration::from_millis(10)));
    }
    sampler.disable().unwrap();
    let mut counts = [0_u64; 2];
    collect(&mut sampler, |sample| {
        let ip = sample.ip?;
        counts[0] += u64::from(is_in(long::inner, ip));
        counts[1] += u64::from(is_in(short::inner, ip));
        Some(())
    });
    let [a, b] = counts.map(|count| count as f64);
    assert!(a + b > 1000.0, "{counts:?}");
    let (share, error) = (a / (a + b), (0.75 * 0.25 / (a + b)).sqrt());
    assert!((share - 0.75).abs() < 5.0 * error, "{share} should be 0.75, give or take {error}");
}

#[test]
fn threads_that_start_later_are_sampled_when_they_inherit() {
    let setup = Setup { inherit: true, ..disabled() };
    let sampling = Sampling {
        tasks: true,
        ..Sampling::new(Fields::IP | Fields::TID | Fields::TIME | Fields::CPU)
    };
    let sampler = open(sampling, setup, &[sampled(TASK_CLOCK, 200_000)]);
    let Some(mut sampler) = or_skip("an inherited clock", sampler) else { return };
    sampler.enable().unwrap();
    let work = || {
        black_box(long(Duration::from_millis(30)));
        nix::unistd::gettid().as_raw() as u32
    };
    let threads: BTreeSet<u32> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    sampler.disable().unwrap();
    let (mut samples, mut began, mut ended) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    let cpus = Host::local().online_cpus();
    sampler
        .drain(|record| match record {
            Record::Sample(sample) => {
                assert_eq!(sample.pid, Some(std::process::id()));
                assert!(sample.time.is_some_and(|time| time > 0));
                assert!(sample.cpu.is_some_and(|cpu| cpus.contains(cpu)));
                *samples.entry(sample.tid.unwrap()).or_insert(0) += 1;
            }
            Record::Fork(task) => drop(began.insert(task.tid)),
            Record::Exit(task) => drop(ended.insert(task.tid)),
            _ => {}
        })
        .unwrap();
    for thread in &threads {
        // 150 are expected of each; a machine that is busy elsewhere may take some.
        assert!(samples.get(thread).is_some_and(|count| *count > 75), "{thread}: {samples:?}");
    }
    assert!(began.is_superset(&threads) && ended.is_superset(&threads), "{began:?} {ended:?}");
}

#[test]
fn a_command_that_forks_is_sampled_with_its_children_and_their_files() {
    let script =
        "(i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done); cat /proc/self/stat > /dev/null; :";
    let held = Held::fork(&["sh", "-c", script], None).unwrap();
    let setup = Setup { inherit: true, enable_on_exec: true, disabled: true, ..Setup::default() };
    let sampling = Sampling { tasks: true, ..Sampling::new(Fields::IP | Fields::TID) };
    let mut sampler = Host::local().sampler(sampling, setup);
    let added = sampler.add(&[sampled(PAGE_FAULTS, 1)], &Placement::Thread(held.pid()));
    let Some(_) = or_skip("a command", added) else { return };
    let shell = held.pid();
    #[derive(Default)]
    struct Seen {
        samples: BTreeMap<u32, u64>,
        names: BTreeSet<String>,
        files: BTreeSet<String>,
    }
    let reader = Reader::start(sampler, Seen::default(), |seen, record| match record {
        Record::Sample(sample) => *seen.samples.entry(sample.pid.unwrap()).or_default() += 1,
        Record::Comm(comm) => drop(seen.names.insert(comm.name.to_string_lossy().into())),
        Record::Mmap(map) if map.executable => {
            let name = map.path.file_name().unwrap_or_default();
            seen.files.insert(name.to_string_lossy().into());
        }
        _ => {}
    })
    .unwrap();
    assert_eq!(held.exec().unwrap().wait().unwrap(), Ended::Exited(0));
    let (sampler, seen) = reader.stop().unwrap();
    assert_eq!(sampler.lost().unwrap(), 0);
    assert!(seen.samples.len() >= 3, "the shell, its copy and cat: {:?}", seen.samples);
    assert!(seen.samples.get(&shell).is_some_and(|count| *count > 10), "{:?}", seen.samples);
    assert!(seen.names.contains("sh") && seen.names.contains("cat"), "{:?}", seen.names);
    let program = std::fs::canonicalize("/bin/cat").unwrap();
    let program = program.file_name().unwrap().to_string_lossy();
    assert!(seen.files.contains(program.as_ref()), "{program} in {:?}", seen.files);
}

#[test]
fn a_reader_ends_with_its_target() {
    let held = Held::fork(&["true"], None).unwrap();
    let setup = Setup { inherit: true, enable_on_exec: true, disabled: true, ..Setup::default() };
    let mut sampler = Host::local().sampler(Sampling::new(Fields::IP), setup);
    let added = sampler.add(&[sampled(PAGE_FAULTS, 1)], &Placement::Thread(held.pid()));
    let Some(_) = or_skip("a command", added) else { return };
    let reader = Reader::start(sampler, 0_u64, |count, _| *count += 1).unwrap();
    held.exec().unwrap().wait().unwrap();
    let before = Instant::now();
    while !reader.is_finished() {
        assert!(before.elapsed() < Duration::from_secs(10), "it hears of the end");
        std::thread::sleep(Duration::from_millis(1));
    }
    let (mut sampler, count) = reader.stop().unwrap();
    assert!(count > 10, "{count}");
    assert_eq!(sampler.wait(None), Ok(WaitResult::Ended));
}

#[test]
fn a_wait_ends_when_the_watermark_is_reached() {
    let sampling = Sampling { wakeup: Wakeup::Samples(20), ..Sampling::new(Fields::IP) };
    let sampler = open(sampling, disabled(), &[sampled(TASK_CLOCK, 100_000)]);
    let Some(mut sampler) = or_skip("the task clock", sampler) else { return };
    sampler.enable().unwrap();
    assert_eq!(sampler.wait(Some(Duration::ZERO)), Ok(WaitResult::TimedOut));
    while sampler.wait(Some(Duration::ZERO)) == Ok(WaitResult::TimedOut) {
        burn();
    }
    sampler.disable().unwrap();
    assert!(collect(&mut sampler, |sample| sample.ip).len() >= 20);
}

#[test]
fn a_frequency_is_a_period_that_samples_tell() {
    let clock = Attr { every: Every::Frequency(2000), ..permitted(TASK_CLOCK) };
    let sampler = open(Sampling::new(Fields::PERIOD), disabled(), &[clock]);
    let Some(mut sampler) = or_skip("the task clock", sampler) else { return };
    sampler.enable().unwrap();
    long(Duration::from_millis(20));
    sampler.disable().unwrap();
    let periods = collect(&mut sampler, |sample| sample.period);
    assert!(!periods.is_empty());
    assert!(periods.iter().all(|period| *period == 500_000), "{periods:?}");
}

#[test]
fn a_chain_of_callers_comes_with_a_sample() {
    if cfg!(target_arch = "s390x") {
        return println!("skipped: before Linux 6.8, s390x gives no addresses of user space");
    }
    let fields = Fields::IP | Fields::CALLCHAIN;
    let sampler = open(Sampling::new(fields), disabled(), &[sampled(TASK_CLOCK, 500_000)]);
    let Some(mut sampler) = or_skip("the task clock", sampler) else { return };
    sampler.enable().unwrap();
    long(Duration::from_millis(20));
    sampler.disable().unwrap();
    let chains = collect(&mut sampler, |sample| {
        Some(sample.callchain?.iter().any(|(_, address)| Some(address) == sample.ip))
    });
    assert!(!chains.is_empty() && chains.iter().all(|has_ip| *has_ip), "{chains:?}");
}

/// A clock leads; how often the counted event passes its threshold is seen from the samples of the clock.
#[test]
fn software_overflow_follows_an_event_that_only_counts() {
    for inherit in [false, true] {
        let events = [sampled(TASK_CLOCK, 50_000), permitted(PAGE_FAULTS)];
        let fields = Fields::IP | Fields::TID | Fields::READ;
        let setup = Setup { inherit, ..disabled() };
        let sampler = match open(Sampling::new(fields), setup, &events) {
            Err(e) if e.cause == Cause::NoInheritedValues => {
                println!("skipped: {e}");
                continue;
            }
            other => other,
        };
        let Some(mut sampler) = or_skip("a clock and page faults", sampler) else { return };
        sampler.enable().unwrap();
        let work = || (0..50).for_each(|_| touch(100));
        if inherit {
            std::thread::scope(|scope| drop(scope.spawn(work)))
        } else {
            work()
        }
        sampler.disable().unwrap();
        let mut overflow = Overflow::every(500);
        let numbers = sampler.event_ids();
        let (mut fired, mut samples) = (0, 0);
        sampler
            .drain(|record| {
                let Record::Sample(sample) = record else { return };
                samples += 1;
                assert_eq!(sample.values.unwrap().iter().count(), 2);
                let passed = overflow.passes(sample, |counts| {
                    let faults = counts.filter(|(id, _)| numbers.event(*id) == Some((0, 1)));
                    faults.map(|(_, count)| i128::from(count)).sum()
                });
                fired += u64::from(passed.is_some());
            })
            .unwrap();
        // 5000 pages at least were touched; each overflow comes a little late.
        assert!((5..=12).contains(&fired), "inherit {inherit}: {fired} of {samples} samples");
    }
}

#[test]
fn what_cannot_be_sampled_says_so() {
    let host = Host::local();
    let fast = Attr { every: Every::Frequency(u64::MAX >> 1), ..permitted(TASK_CLOCK) };
    match open(Sampling::new(Fields::IP), disabled(), &[fast]).unwrap_err() {
        OpenError { cause: Cause::RateTooHigh { limit }, .. } => assert!(limit.is_some()),
        other => panic!("{other:?}"),
    }
    let Ok(kind) = host.text("/sys/bus/event_source/devices/msr/type") else {
        println!("skipped: this machine has no msr PMU");
        return;
    };
    let tsc = Attr::new(kind.parse().unwrap(), 0);
    if or_skip("msr/tsc/", host.probe(&tsc, &Placement::ThisThread)).is_none() {
        return;
    }
    for every in [Every::Frequency(100), Every::Period(1_000_000)] {
        let tsc = Attr { every, ..tsc.clone() };
        let error = open(Sampling::new(Fields::IP), disabled(), &[tsc]).unwrap_err();
        assert_eq!(error.cause, Cause::CannotSample);
    }
}

#[test]
fn a_forked_child_reads_nothing_and_harms_nothing() {
    let sampler = open(Sampling::new(Fields::IP), disabled(), &[sampled(TASK_CLOCK, 100_000)]);
    let Some(mut sampler) = or_skip("the task clock", sampler) else { return };
    sampler.enable().unwrap();
    long(Duration::from_millis(5));
    sampler.disable().unwrap();
    // SAFETY: the child reads its own memory, allocates nothing, and ends without unwinding.
    match unsafe { nix::unistd::fork() }.unwrap() {
        nix::unistd::ForkResult::Child => {
            let read = sampler.drain(|_| {}).is_ok_and(|drained| drained.records == 0);
            drop(sampler);
            // SAFETY: ends the process at once.
            unsafe { nix::libc::_exit(if read { 0 } else { 1 }) }
        }
        nix::unistd::ForkResult::Parent { child } => {
            let ended = nix::sys::wait::waitpid(child, None).unwrap();
            assert_eq!(ended, nix::sys::wait::WaitStatus::Exited(child, 0));
        }
    }
    assert!(collect(&mut sampler, |sample| sample.ip).len() > 10, "they are still the parent's");
}

#[test]
fn a_cpu_is_sampled_whatever_runs_on_it() {
    let clock = Attr { every: Every::Period(1_000_000), ..Attr::new(pmu_type::SOFTWARE, 0) };
    let mut sampler = Host::local()
        .sampler(Sampling::new(Fields::IP | Fields::TID | Fields::CPU), Setup::default());
    for cpu in Host::local().online_cpus().iter() {
        let added = sampler.add(std::slice::from_ref(&clock), &Placement::Cpu(cpu));
        let Some(_) = or_skip("a whole CPU", added) else { return };
    }
    long(Duration::from_millis(20));
    let found = collect(&mut sampler, |sample| Some(sample.pid? == std::process::id()));
    assert!(found.contains(&true), "{} samples", found.len());
}
