//! Reading counters without a system call: the kernel's protocol over pages that a test writes, and when it is not followed.

use crate::support::software;
use counterpoint_fixtures::{Call, FakeKernel, USER_ACCESS};
use counterpoint_perf::{
    Attr, Count, Errno, Group, Host, Placement, Setup, UserCounter, UserReads, pmu_type,
};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
use std::time::Duration;

/// The contents of the page of an event while it is on a counter; as on an x86-64 machine with a time-stamp counter of 2.1 GHz.
#[derive(Clone, Copy, Debug)]
struct State {
    index: u32,
    offset: u64,
    enabled: u64,
    running: u64,
    capabilities: u64,
    width: u64,
    shift: u64,
    multiplier: u64,
    time_offset: u64,
    cycles: u64,
    mask: u64,
    /// Not of the page: the counter's register and the clock.
    register: u64,
    ticks: u64,
}

const X86: State = State {
    // The second programmable counter.
    index: 2,
    offset: 0x8000_0000_1000,
    enabled: 5_000_000,
    running: 4_000_000,
    // A mark that the bit below means nothing, rdpmc, time, zero time.
    capabilities: 0b1_1110,
    width: 48,
    shift: 31,
    // 2^31 / 2.1, in nanoseconds a tick
    multiplier: 1_022_611_260,
    // The page was written at tick 21,000,000,000 of the clock, at 9,999,999,990 ns of it.
    time_offset: 9_999_999_990_u64.wrapping_neg(),
    cycles: 0,
    mask: 0,
    // The kernel sets a counter to less than zero, so that its overflow is far away.
    register: (1 << 47) + 5_000,
    // 2,100 ticks after.
    ticks: 21_000_002_100,
};

impl State {
    fn words(&self, lock: u32) -> [u64; 12] {
        let clock = self.width | self.shift << 16 | self.multiplier << 32;
        [
            0,
            u64::from(lock) | u64::from(self.index) << 32,
            self.offset,
            self.enabled,
            self.running,
            self.capabilities,
            clock,
            self.time_offset,
            0,
            96,
            self.cycles,
            self.mask,
        ]
    }
}

/// A page and the registers that belong to it; clones are handles of the same.
#[derive(Clone, Default)]
struct Counter(Arc<Memory>);

#[derive(Default)]
struct Memory {
    page: [AtomicU64; 12],
    index: AtomicU64,
    register: AtomicU64,
    ticks: AtomicU64,
}

impl Counter {
    fn new(state: &State) -> Counter {
        let counter = Counter::default();
        counter.begin();
        counter.write(state);
        counter.end();
        counter
    }

    /// The kernel begins to write: the sequence number becomes odd.
    fn begin(&self) {
        self.0.page[1].fetch_add(1, Ordering::Relaxed);
        fence(Ordering::Release);
    }

    fn end(&self) {
        fence(Ordering::Release);
        self.0.page[1].fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, state: &State) {
        let lock = self.0.page[1].load(Ordering::Relaxed) as u32;
        for (place, word) in self.0.page.iter().zip(state.words(lock)) {
            place.store(word, Ordering::Relaxed);
        }
        self.0.index.store(state.index.wrapping_sub(1).into(), Ordering::Relaxed);
        self.0.register.store(state.register, Ordering::Relaxed);
        self.0.ticks.store(state.ticks, Ordering::Relaxed);
    }
}

impl UserCounter for Counter {
    fn page(&self) -> &[AtomicU64; 12] {
        &self.0.page
    }

    fn register(&self, index: u32) -> Option<u64> {
        let is_there = u64::from(index) == self.0.index.load(Ordering::Relaxed);
        is_there.then(|| self.0.register.load(Ordering::Relaxed))
    }

    fn ticks(&self) -> u64 {
        self.0.ticks.load(Ordering::Relaxed)
    }
}

fn hardware(config: u64) -> Attr {
    Attr::new(pmu_type::HARDWARE, config)
}

fn wanted() -> Setup {
    Setup { user_reads: UserReads::WhereOffered, ..Setup::default() }
}

/// A kernel whose event of code n is read by counter n.
fn kernel(counters: &[Counter]) -> FakeKernel {
    let counters = counters.to_vec();
    FakeKernel::new().user_counters(move |opening| {
        let counter = counters.get(opening.attr.config as usize)?;
        Some(Box::new(counter.clone()))
    })
}

fn open(kernel: &FakeKernel, events: &[Attr], setup: Setup) -> Group {
    Host::with_kernel(kernel.clone()).open(events, Placement::ThisThread, setup).unwrap()
}

/// The values that are read of events with these counters, without a call.
fn read(states: &[State]) -> Vec<Count> {
    let counters: Vec<Counter> = states.iter().map(Counter::new).collect();
    let kernel = kernel(&counters);
    let events: Vec<Attr> = (0..states.len()).map(|n| hardware(n as u64)).collect();
    let mut group = open(&kernel, &events, wanted());
    assert!(group.is_read_in_user_space());
    kernel.forget_calls();
    let counts = group.read().unwrap();
    assert_eq!(kernel.calls(), []);
    counts
}

/// Returns true if a group of one event with this counter asks the kernel.
fn falls_back(state: &State) -> bool {
    let kernel = kernel(&[Counter::new(state)]);
    let mut group = open(&kernel, &[hardware(0)], wanted());
    kernel.forget_calls();
    assert_eq!(group.read().unwrap()[0], Count { lost: Some(0), ..Count::default() });
    kernel.calls() == [Call::Read(0)]
}

#[test]
fn the_count_is_the_offset_and_what_the_register_has_over_its_sign() {
    let count = read(&[X86])[0];
    // The register stands at 5,000 - 2^47.
    assert_eq!(count.raw, 0x8000_0000_1000 - (1 << 47) + 5_000);
    // 2,100 ticks are 1,000 ns.
    assert_eq!(count.enabled, Duration::from_nanos(5_001_000));
    assert_eq!(count.running, Duration::from_nanos(4_001_000));
    assert_eq!(count.lost, Some(0));
}

#[test]
fn a_clock_of_few_bits_goes_on_from_where_the_page_has_it() {
    // Of 56 bits, as arm64's may be; it has begun anew since the page was written.
    let cycles = (1 << 56) - 100;
    let state = State {
        capabilities: 0b11_1110,
        shift: 0,
        multiplier: 10,
        time_offset: (cycles * 10_u64).wrapping_neg(),
        cycles,
        mask: (1 << 56) - 1,
        ticks: 400,
        ..X86
    };
    assert_eq!(read(&[state])[0].enabled, Duration::from_nanos(5_000_000 + 5_000));
}

#[test]
fn a_group_has_one_time_and_each_member_its_own_counter() {
    let second = State { index: (1 << 30) + 1, offset: 70, register: 7, enabled: 1, ..X86 };
    let counts = read(&[X86, second, State { width: 64, offset: 0, register: u64::MAX, ..X86 }]);
    assert_eq!(counts[1].raw, 77);
    assert_eq!(counts[2].raw, u64::MAX);
    assert!(counts.iter().all(|count| count.enabled == counts[0].enabled), "{counts:?}");
}

#[test]
fn what_the_page_does_not_offer_is_asked_of_the_kernel() {
    let stopped = State { index: 0, ..X86 };
    let without_counter = State { capabilities: 0b1_1010, ..X86 };
    let without_time = State { capabilities: 0b1_0110, ..X86 };
    let no_width = State { width: 0, ..X86 };
    let too_wide = State { width: 65, ..X86 };
    let odd_clock = State { shift: 33, ..X86 };
    for state in [stopped, without_counter, without_time, no_width, too_wide, odd_clock] {
        assert!(falls_back(&state), "{state:?}");
    }
    // A member that waits takes the others with it.
    let counters = [Counter::new(&X86), Counter::new(&stopped)];
    let kernel = kernel(&counters);
    let mut group = open(&kernel, &[hardware(0), hardware(1)], wanted());
    assert_eq!(group.read().unwrap()[0].raw, 0);
    counters[1].write(&X86);
    assert_ne!(group.read().unwrap()[0].raw, 0);
    // The kernel never ends writing.
    counters[0].begin();
    assert_eq!(group.read().unwrap()[0].raw, 0);
}

#[test]
fn events_are_opened_for_it_and_otherwise_if_the_kernel_refuses() {
    let counters = [Counter::new(&X86), Counter::new(&X86)];
    let opened = |kernel: FakeKernel| {
        let group = open(&kernel, &[hardware(0), hardware(1)], wanted());
        let bits: Vec<u64> = kernel.opened().iter().map(|o| o.attr.config1).collect();
        (bits, group.is_read_in_user_space())
    };
    assert_eq!(opened(kernel(&counters)), (vec![USER_ACCESS; 2], true));
    assert_eq!(opened(kernel(&counters[..1])), (vec![USER_ACCESS; 2], false), "no page");
    let refusing = kernel(&counters).refuse_with(Errno::EOPNOTSUPP, |o| o.attr.config1 != 0);
    assert_eq!(opened(refusing), (vec![0; 2], false));

    // A refused event leaves the group as it was.
    let kernel = kernel(&counters).refuse_with(Errno::ENOENT, |o| o.attr.config == 7);
    let mut group = open(&kernel, &[hardware(0)], wanted());
    group.add(&hardware(7)).unwrap_err();
    assert!(group.is_read_in_user_space());
    assert_ne!(group.read().unwrap()[0].raw, 0);
    // A software event has no counter.
    group.add(&software(1)).unwrap();
    assert!(!group.is_read_in_user_space() && group.read().unwrap()[0].raw == 0);
}

#[test]
fn nobody_reads_so_who_did_not_ask_or_is_not_counted() {
    let kernel = kernel(&[Counter::new(&X86)]);
    let is_offered = |placement, setup| {
        let host = Host::with_kernel(kernel.clone());
        host.open(&[hardware(0)], placement, setup).unwrap().is_read_in_user_space()
    };
    assert!(is_offered(Placement::ThisThread, wanted()));
    assert!(!is_offered(Placement::ThisThread, Setup { inherit: true, ..wanted() }));
    assert!(!is_offered(Placement::Thread(std::process::id()), wanted()));
    assert!(!is_offered(Placement::Cpu(0), wanted()));
    let never = Setup { user_reads: UserReads::Never, ..Setup::default() };
    assert!(!is_offered(Placement::ThisThread, never));
    let proven = is_offered(Placement::ThisThread, Setup::default());
    assert_eq!(proven, cfg!(target_arch = "aarch64"));
}

#[test]
fn another_thread_asks_the_kernel() {
    let kernel = kernel(&[Counter::new(&X86)]);
    let mut group = open(&kernel, &[hardware(0)], wanted());
    assert_ne!(group.read().unwrap()[0].raw, 0);
    let (there, mut group) =
        std::thread::spawn(move || (group.read().unwrap(), group)).join().unwrap();
    assert_eq!(there[0].raw, 0);
    assert_ne!(group.read().unwrap()[0].raw, 0, "back in its own");

    // Events are of the thread that adds them.
    let mut group = Host::with_kernel(kernel.clone()).group(Placement::ThisThread, wanted());
    let group = std::thread::spawn(move || group.add(&hardware(0)).map(|_| group));
    assert!(!group.join().unwrap().unwrap().is_read_in_user_space());
}

/// The child has the parent's thread-local memory, and none of its pages.
#[test]
#[allow(unsafe_code, reason = "a fork is what is tested")]
fn a_forked_child_asks_the_kernel() {
    let kernel = kernel(&[Counter::new(&X86)]);
    let mut group = open(&kernel, &[hardware(0)], wanted());
    // SAFETY: the child reads its own memory, uses no lock that another thread may hold, and ends without unwinding.
    match unsafe { nix::unistd::fork() }.unwrap() {
        nix::unistd::ForkResult::Child => {
            let asked = group.read().is_ok_and(|counts| counts[0].raw == 0);
            // SAFETY: ends the process at once.
            unsafe { nix::libc::_exit(if asked { 0 } else { 1 }) }
        }
        nix::unistd::ForkResult::Parent { child } => {
            let ended = nix::sys::wait::waitpid(child, None).unwrap();
            assert_eq!(ended, nix::sys::wait::WaitStatus::Exited(child, 0));
        }
    }
    assert_ne!(group.read().unwrap()[0].raw, 0);
}

/// The number as a register of so many bits shows it.
fn truncated(value: i64, width: u64) -> u64 {
    value as u64 & (u64::MAX >> (64 - width))
}

proptest! {
    /// The kernel sets a register to any number that fits, and subtracts it from the offset.
    #[test]
    fn counts_go_on_over_zero_at_any_width(
        total: u64,
        width in 8_u64..=64,
        from: u64,
        counted: u64,
    ) {
        let half = 1_i64 << (width - 1).min(62);
        let from = -1 - (from % half as u64) as i64;
        let counted = counted % (half as u64);
        let state = State {
            width,
            offset: total.wrapping_sub(from as u64),
            register: truncated(from + counted as i64, width),
            ..X86
        };
        prop_assert_eq!(read(&[state])[0].raw, total.wrapping_add(counted));
    }

    #[test]
    fn any_page_at_all_is_read_or_left(words: [u64; 12], register: u64, ticks: u64) {
        let counter = Counter::default();
        counter.0.page.iter().zip(words).for_each(|(place, word)| place.store(word, Ordering::Relaxed));
        counter.0.index.store((words[1] >> 32).wrapping_sub(1), Ordering::Relaxed);
        counter.0.register.store(register, Ordering::Relaxed);
        counter.0.ticks.store(ticks, Ordering::Relaxed);
        // Offered when it was opened, and anything later.
        counter.0.page[5].store(X86.capabilities, Ordering::Relaxed);
        let mut group = open(&kernel(std::slice::from_ref(&counter)), &[hardware(0)], wanted());
        counter.0.page[5].store(words[5], Ordering::Relaxed);
        prop_assert!(group.read().is_ok());
    }
}

/// A state of which all numbers follow from one, and what is read of it.
fn state(seed: u32, member: u64) -> State {
    let (index, seed) = (seed % 6 + 1, u64::from(seed));
    let (offset, register) = (seed * 3, seed * 4 + member);
    State {
        index,
        offset,
        register,
        enabled: seed * 5,
        running: seed * 6,
        time_offset: 0,
        ticks: 0,
        ..X86
    }
}

/// Returns true if both counts are of one such state.
fn is_whole(counts: &[Count]) -> bool {
    let seed = counts[0].raw / 7;
    (0..).zip(counts).all(|(member, count)| {
        let enabled = Duration::from_nanos(seed * 5);
        let running = Duration::from_nanos(seed * 6);
        *count == Count { raw: seed * 7 + member, enabled, running, lost: Some(0) }
    })
}

/// The kernel takes the group from the counters and puts it on others.
fn rewrite(counters: &[Counter], seed: u32) {
    counters.iter().for_each(Counter::begin);
    (0..).zip(counters).for_each(|(member, counter)| counter.write(&state(seed, member)));
    counters.iter().rev().for_each(Counter::end);
}

/// A counter in whose reading an interrupt comes, before or after a register is read, at these calls.
struct Interrupted {
    counter: Counter,
    interrupts: Arc<Interrupts>,
}

struct Interrupts {
    at: Vec<(usize, u32)>,
    calls: AtomicUsize,
    counters: Vec<Counter>,
}

impl Interrupts {
    fn call(&self) {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        for (_, seed) in self.at.iter().filter(|(at, _)| *at == call) {
            rewrite(&self.counters, *seed);
        }
    }

    fn around<T>(&self, read: impl FnOnce() -> T) -> T {
        self.call();
        let found = read();
        self.call();
        found
    }
}

impl UserCounter for Interrupted {
    fn page(&self) -> &[AtomicU64; 12] {
        self.counter.page()
    }

    fn register(&self, index: u32) -> Option<u64> {
        self.interrupts.around(|| self.counter.register(index))
    }

    fn ticks(&self) -> u64 {
        self.interrupts.around(|| self.counter.ticks())
    }
}

proptest! {
    /// As a processor has it: the kernel writes when it interrupts this thread.
    #[test]
    fn no_read_mixes_what_was_before_and_after_an_interrupt(
        at in prop::collection::vec((0_usize..20, any::<u32>()), 0..10),
    ) {
        let counters = vec![Counter::new(&state(1, 0)), Counter::new(&state(1, 1))];
        let interrupts = Interrupts { at, calls: AtomicUsize::new(0), counters: counters.clone() };
        let interrupts = Arc::new(interrupts);
        let kernel = FakeKernel::new().user_counters(move |opening| {
            let counter = counters[opening.attr.config as usize].clone();
            Some(Box::new(Interrupted { counter, interrupts: interrupts.clone() }))
        });
        let mut group = open(&kernel, &[hardware(0), hardware(1)], wanted());
        kernel.forget_calls();
        let counts = group.read().unwrap();
        prop_assert!(is_whole(&counts), "{:?}", counts);
        prop_assert_eq!(kernel.calls(), []);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// As no processor has it: pages that are written on another one all the time.
    #[test]
    fn no_read_mixes_what_another_processor_writes(
        seeds in prop::collection::vec(1..u32::MAX, 2..6),
    ) {
        let counters = [0, 1].map(|member| Counter::new(&state(seeds[0], member)));
        let mut group = open(&kernel(&counters), &[hardware(0), hardware(1)], wanted());
        let done = AtomicBool::new(false);
        let (mut read, mut mixed) = (0_u32, None);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                seeds.iter().cycle().take(20_000).for_each(|seed| rewrite(&counters, *seed));
                done.store(true, Ordering::Relaxed);
            });
            while !done.load(Ordering::Relaxed) || read == 0 {
                let counts = group.read().unwrap();
                // Nothing but zeros is what the kernel says when it is asked.
                if counts.iter().all(|count| count.running.is_zero() && count.raw == 0) {
                    continue;
                }
                read += 1;
                if !is_whole(&counts) {
                    mixed = Some(counts);
                }
            }
        });
        prop_assert!(mixed.is_none(), "{mixed:?}");
    }
}
