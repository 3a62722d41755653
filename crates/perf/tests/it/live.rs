//! Events that the running kernel counts; none needs a hardware PMU.

use crate::support::{PAGE_FAULTS, TASK_CLOCK, burn, disabled, or_skip, permitted, software};
use counterpoint_fixtures::{alone, is_alone, run_alone, run_with_breakpoint, touch};
use counterpoint_perf::process::{Ended, Held};
use counterpoint_perf::{
    Attr, Cause, Count, Errno, Exclude, Host, OpenError, Placement, Setup, pmu_type,
};
use std::hint::black_box;
use std::sync::mpsc::channel;
use std::time::Duration;

/// When another thread forks, every page that this one writes to faults once more: so not beside other tests.
#[test]
fn fresh_pages_are_counted_one_by_one() {
    let test = "live::fresh_pages_are_counted_one_by_one";
    if !is_alone(test) {
        run_alone(&alone(&[], &std::env::current_exe().unwrap(), test));
        return;
    }
    let faults = permitted(PAGE_FAULTS);
    let host = Host::local();
    let Some(mut group) =
        or_skip("page faults", host.open(&[faults], Placement::ThisThread, disabled()))
    else {
        return;
    };
    let mut count = |pages| {
        let before = group.read().unwrap()[0];
        group.enable().unwrap();
        touch(pages);
        group.disable().unwrap();
        group.read().unwrap()[0].since(&before).raw
    };
    // The first pass also maps the code.
    count(1);
    let baseline = count(64);
    let more = count(64 + 128) - baseline;
    assert!(more.abs_diff(128) <= 2, "128 more pages touched, {more} more faults");
    assert!(baseline >= 64, "64 pages touched, {baseline} faults");
}

#[test]
fn the_task_clock_runs_whenever_it_is_enabled() {
    let events = [permitted(TASK_CLOCK), permitted(PAGE_FAULTS)];
    let group = Host::local().open(&events, Placement::ThisThread, disabled());
    let Some(mut group) = or_skip("the task clock", group) else { return };
    assert_eq!(group.read().unwrap()[0], Count { lost: Some(0), ..Count::default() });

    group.enable().unwrap();
    burn();
    group.disable().unwrap();
    let first = group.read().unwrap();
    assert!(first[0].raw > 0, "{first:?}");
    assert!(first.iter().all(|count| count.running == count.enabled && !count.enabled.is_zero()));
    assert_eq!(first[0].scaled(), Some(first[0].raw as f64));

    burn();
    assert_eq!(group.read().unwrap(), first, "stopped events count nothing");
    group.enable().unwrap();
    burn();
    assert!(group.read().unwrap()[0].raw > first[0].raw, "started again, it goes on");
}

#[test]
fn a_thread_is_counted_by_its_number() {
    let (tell, number) = channel();
    let (begin, begun) = channel::<()>();
    let thread = std::thread::spawn(move || {
        tell.send(nix::unistd::gettid().as_raw() as u32).unwrap();
        begun.recv().unwrap();
        burn();
    });
    let tid = number.recv().unwrap();
    let events = [permitted(TASK_CLOCK)];
    let group = Host::local().open(&events, Placement::Thread(tid), Setup::default());
    // Only now: the thread waits while it is told.
    begin.send(()).unwrap();
    thread.join().unwrap();
    let Some(mut group) = or_skip("a thread", group) else { return };
    let count = group.read().unwrap()[0];
    assert!(count.raw > 0 && count.running == count.enabled, "{count:?}");
}

#[test]
fn a_thread_that_is_not_there_is_named_so() {
    let host = Host::local();
    for tid in [0, i32::MAX as u32, u32::MAX] {
        let error = host.probe(&permitted(TASK_CLOCK), &Placement::Thread(tid)).unwrap_err();
        assert_eq!((error.errno, error.cause), (Errno::ESRCH, Cause::NoSuchProcess), "{tid}");
    }
}

#[test]
fn a_command_is_counted_from_its_first_instruction() {
    let held = Held::fork(&["true"], None).unwrap();
    let setup = Setup { inherit: true, enable_on_exec: true, disabled: true, ..Setup::default() };
    let events = [permitted(TASK_CLOCK), permitted(PAGE_FAULTS)];
    let group = Host::local().open(&events, Placement::Thread(held.pid()), setup);
    let Some(mut group) = or_skip("a command", group) else { return };
    for count in group.read().unwrap() {
        assert_eq!((count.raw, count.enabled), (0, Duration::ZERO), "nothing counts before exec");
    }
    let mut running = held.exec().unwrap();
    assert_eq!(running.wait().unwrap(), Ended::Exited(0));
    let counts = group.read().unwrap();
    assert!(counts[0].raw > 0 && counts[1].raw > 10, "{counts:?}");
    assert!(counts.iter().all(|count| count.running == count.enabled && !count.enabled.is_zero()));
    assert_eq!(group.read().unwrap(), counts, "what has ended counts no more");
}

#[test]
fn children_are_counted_when_they_inherit() {
    let faults = |inherit| {
        let command =
            ["sh", "-c", "cat /proc/self/stat > /dev/null; cat /proc/self/stat > /dev/null; :"];
        let held = Held::fork(&command, None).unwrap();
        let setup = Setup { inherit, enable_on_exec: true, disabled: true, ..Setup::default() };
        let group =
            Host::local().open(&[permitted(PAGE_FAULTS)], Placement::Thread(held.pid()), setup);
        let mut group = or_skip("a command", group)?;
        assert_eq!(held.exec().unwrap().wait().unwrap(), Ended::Exited(0));
        Some(group.read().unwrap()[0].raw)
    };
    let (Some(own), Some(all)) = (faults(false), faults(true)) else { return };
    assert!(own > 10 && all > own + 50, "the shell {own}, with its children {all}");
}

#[test]
fn a_kernel_that_is_too_old_says_how_old() {
    let attr = Attr { config4: 1, ..permitted(TASK_CLOCK) };
    match Host::local().probe(&attr, &Placement::ThisThread) {
        Err(OpenError { errno: Errno::E2BIG, cause }) => {
            let Cause::AttributeTooNew { field: "config4", known_size: Some(size) } = cause else {
                panic!("{cause:?}");
            };
            assert!((64..144).contains(&size), "{size}");
        }
        other => println!("skipped: this kernel knows config4: {other:?}"),
    }
}

#[inline(never)]
fn watched(n: u64) -> u64 {
    black_box(n) + 1
}

#[test]
fn a_breakpoint_counts_every_call() {
    let test = "live::a_breakpoint_counts_every_call";
    if !is_alone(test) {
        return run_with_breakpoint(test);
    }
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        println!("skipped: breakpoints on code are tried on x86-64 and aarch64 only");
        return;
    }
    let address = watched as fn(u64) -> u64 as usize as u64;
    let calls = Attr {
        config1: address,
        config2: if cfg!(target_arch = "aarch64") { 4 } else { 8 },
        breakpoint: 4,
        ..Attr::new(pmu_type::BREAKPOINT, 0).user_only()
    };
    let group = Host::local().open(&[calls], Placement::ThisThread, disabled());
    let busy = group.as_ref().is_err_and(|e| e.cause == Cause::NoFreeBreakpoint);
    if busy {
        println!("skipped: a debugger has the breakpoints");
        return;
    }
    let Some(mut group) = or_skip("a breakpoint", group) else { return };
    let mut sum = watched(0);
    group.enable().unwrap();
    for n in 0..1000 {
        sum += black_box(watched as fn(u64) -> u64)(n);
    }
    group.disable().unwrap();
    sum += watched(0);
    let count = group.read().unwrap()[0];
    assert_eq!((count.raw, sum), (1000, 500_502));
}

#[test]
fn the_time_stamp_counter_counts_without_exclude_bits() {
    let host = Host::local();
    let Ok(kind) = host.text("/sys/bus/event_source/devices/msr/type") else {
        println!("skipped: this machine has no msr PMU");
        return;
    };
    let tsc = Attr::new(kind.parse().unwrap(), 0);
    let group = host.open(std::slice::from_ref(&tsc), Placement::ThisThread, Setup::default());
    let Some(mut group) = or_skip("msr/tsc/", group) else { return };
    let before = group.read().unwrap()[0];
    burn();
    assert!(group.read().unwrap()[0].raw > before.raw);

    let exclude = Exclude { guest: true, ..Exclude::default() };
    let error = host.probe(&Attr { exclude, ..tsc }, &Placement::ThisThread).unwrap_err();
    assert_eq!((error.errno, error.cause), (Errno::EINVAL, Cause::ExcludeUnsupported));
}

#[test]
fn a_cpu_is_counted_whatever_runs_on_it() {
    let host = Host::local();
    let cpus = host.online_cpus();
    let cpu_clock = software(0);
    for cpu in cpus.iter() {
        let group =
            host.open(std::slice::from_ref(&cpu_clock), Placement::Cpu(cpu), Setup::default());
        let Some(mut group) = or_skip("a whole CPU", group) else { return };
        let before = group.read().unwrap()[0];
        burn();
        let count = group.read().unwrap()[0].since(&before);
        assert!(count.raw > 0 && count.running == count.enabled, "CPU {cpu}: {count:?}");
    }
    for cpu in [cpus.iter().max().unwrap() + 1, 60_000, u32::MAX] {
        let error = host.probe(&cpu_clock, &Placement::Cpu(cpu)).unwrap_err();
        assert_eq!(error.cause, Cause::NoSuchCpu, "{cpu}: {error:?}");
    }
}

#[test]
fn cycles_count_or_say_why_not() {
    let host = Host::local();
    let cycles = Attr::new(pmu_type::HARDWARE, 0).user_only();
    match host.open(&[cycles], Placement::ThisThread, Setup::default()) {
        Ok(mut group) => {
            burn();
            let count = group.read().unwrap()[0];
            // Another tool may have taken every counter.
            assert!(count.raw > 0 || count.scaled().is_none(), "{count:?}");
        }
        Err(e) => {
            println!("skipped: cycles: {e} ({})", e.errno);
            let has_pmu = !host.access().core_pmus.is_empty();
            assert_eq!(e.cause == Cause::NoHardwarePmu, !has_pmu && !e.is_permission(), "{e:?}");
        }
    }
}
