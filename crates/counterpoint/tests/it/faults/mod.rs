//! Every call into the kernel fails once, at every point and in every way; the outcomes are the table of `docs/faults.md`.

mod lives;

use counterpoint::perf::{Errno, Host};
use counterpoint::{Note, Report};
use counterpoint_fixtures::{Fault, FaultyKernel, Site};
use lives::{LIVES, Life, world};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

/// The error numbers of each call: those of its manual page, and those that any file can give.
fn faults(site: &Site) -> Vec<Fault> {
    const FILE: &str = "ENOENT EACCES EIO";
    let (errnos, others) = match site {
        Site::Open => (
            "E2BIG EACCES EBADF EBUSY EFAULT EINTR EINVAL EMFILE ENFILE ENODEV ENOENT ENOMEM ENOSPC ENOSYS EOPNOTSUPP EOVERFLOW EPERM ESRCH",
            vec![],
        ),
        Site::Id | Site::Enable | Site::Disable | Site::Redirect => ("EBADF EINVAL ENOTTY", vec![]),
        Site::Read => ("EAGAIN EBADF EINTR EIO ENOSPC", [0, 1, 3, 4].map(Fault::Words).to_vec()),
        Site::Map => ("EACCES EAGAIN EBADF EINVAL ENFILE ENODEV ENOMEM EPERM", vec![]),
        Site::Poll => ("EAGAIN EFAULT EINTR EINVAL ENOMEM", vec![]),
        Site::Signal => ("EBADF EINVAL EPERM ESRCH", vec![]),
        Site::RaiseOpenFiles => ("EFAULT EINVAL EPERM", vec![]),
        Site::OpenDirectory | Site::Directory(_) => (FILE, vec![]),
        Site::File(file) => {
            let garbage = b"\xff\0\x1b[31m-1 \n".to_vec();
            let mut contents = vec![Fault::Content(Vec::new()), Fault::Content(garbage)];
            // The kernel gives a file of one line whole.
            let is_long = file.starts_with("/proc") && !file.starts_with("/proc/sys");
            contents.extend(is_long.then_some(Fault::Torn));
            (FILE, contents)
        }
    };
    let errnos = errnos.split(' ').map(|name| Fault::Errno(name.parse::<Errno>().unwrap()));
    errnos.chain(others).collect()
}

/// The outcome of a life, from the best to the worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// Every number is there, and nothing else is reported.
    Whole,
    /// Every number that is there is right; notes or rows differ.
    Otherwise,
    /// An event has no number, but a reason.
    NoNumber,
    /// An error; the step succeeded when it was tried again.
    Error,
}

impl Outcome {
    fn text(self) -> &'static str {
        match self {
            Outcome::Whole => "no effect",
            Outcome::Otherwise => "a different result, with a note",
            Outcome::NoNumber => "no number, with the reason",
            Outcome::Error => "an error",
        }
    }
}

/// The results of a life.
#[derive(Default)]
pub(crate) struct Log {
    /// The numbers by step, event and placement.
    numbers: BTreeMap<String, Option<f64>>,
    notes: BTreeSet<String>,
    errors: Vec<String>,
}

impl Log {
    fn number(&mut self, what: &str, number: f64) {
        self.numbers.insert(what.to_string(), Some(number));
    }

    fn note(&mut self, note: String) {
        self.notes.insert(note);
    }

    fn report(&mut self, step: &str, report: &Report) {
        assert!(!report.rows.is_empty(), "{step}");
        for row in &report.rows {
            // The wall time of regions passes really, and other threads of the tests run.
            let is_wall = row.event == "duration_time";
            let number = row.value.as_f64().map(|number| if is_wall { 1.0 } else { number });
            self.numbers.insert(format!("{step} {} {:?}", row.event, row.placement), number);
            let is_of_time = |note: &&Note| matches!(note, Note::OtherThreads | Note::Visits);
            let notes = row.notes.iter().filter(|note| !is_of_time(note));
            self.notes.extend(notes.map(|note| format!("{}: {}", row.event, note.text())));
            if let Some(reason) = row.value.reason() {
                assert!(!reason.to_string().trim().is_empty(), "{row:?}");
                assert_eq!(row.raw, None, "{row:?}");
            }
        }
    }

    fn error(&mut self, error: &impl Display) {
        let text = error.to_string();
        assert!(text.split(' ').count() > 3 || text.starts_with('E'), "an error says more: {text}");
        self.errors.push(text);
    }

    /// Takes a step, a second time if it fails.
    fn again<T, E: Display + Debug>(&mut self, mut step: impl FnMut() -> Result<T, E>) -> T {
        step()
            .or_else(|error| {
                self.error(&error);
                step()
            })
            .unwrap()
    }

    /// The outcome, compared with a life without a fault; panics if a number is wrong.
    fn beside(&self, clean: &Log) -> Outcome {
        for (what, number) in &self.numbers {
            let right = clean.numbers.get(what).copied().flatten();
            assert!(number.is_none() || *number == right, "{what} is {number:?}, not {right:?}");
        }
        let lacks = |(what, number): (&String, &Option<f64>)| {
            number.is_some() && self.numbers.get(what).is_some_and(Option::is_none)
        };
        if !self.errors.is_empty() {
            Outcome::Error
        } else if clean.numbers.iter().any(lacks) {
            Outcome::NoNumber
        } else if self.notes != clean.notes || self.numbers != clean.numbers {
            Outcome::Otherwise
        } else {
            Outcome::Whole
        }
    }
}

fn live(life: Life, fault: Option<(Site, usize, Fault)>) -> (Log, BTreeMap<Site, usize>) {
    let fake = world();
    let kernel = match fault {
        Some((site, nth, fault)) => FaultyKernel::new(fake.clone()).fail(site, nth, fault),
        None => FaultyKernel::new(fake.clone()),
    };
    let mut log = Log::default();
    if let Err(error) = life(&Host::with_kernel(kernel.clone()), &fake, &mut log) {
        log.error(&error);
    }
    assert_eq!(fake.still_open(), 0, "events are left open");
    (log, kernel.calls())
}

/// The name of a call in the table, which does not distinguish processes and CPUs.
fn name(site: &Site) -> String {
    let path = |path: &Path| {
        let parts = path.to_str().unwrap().split('/').map(|part| match part {
            "70" | "71" => "N".to_string(),
            own if own == std::process::id().to_string() => "N".to_string(),
            cpu if cpu.strip_prefix("cpu").is_some_and(|n| n.parse::<u32>().is_ok()) => {
                "cpuN".to_string()
            }
            other => other.to_string(),
        });
        parts.collect::<Vec<_>>().join("/")
    };
    match site {
        Site::File(file) => format!("`{}`", path(file)),
        Site::Directory(directory) => format!("`{}/`", path(directory)),
        Site::Open => "`perf_event_open`".into(),
        Site::Id => "`ioctl` ID".into(),
        Site::Enable => "`ioctl` ENABLE".into(),
        Site::Disable => "`ioctl` DISABLE".into(),
        Site::Redirect => "`ioctl` SET_OUTPUT".into(),
        Site::Read => "`read`".into(),
        Site::Map => "`mmap`".into(),
        Site::Poll => "`poll`".into(),
        Site::Signal => "`fcntl`".into(),
        Site::RaiseOpenFiles => "`setrlimit`".into(),
        Site::OpenDirectory => "`open` of a cgroup".into(),
    }
}

fn fault_name(fault: &Fault) -> String {
    match fault {
        Fault::Errno(errno) => errno.to_string(),
        Fault::Words(0) => "end of file".into(),
        Fault::Words(_) => "short".into(),
        Fault::Torn => "torn".into(),
        Fault::Content(content) if content.is_empty() => "empty".into(),
        Fault::Content(_) => "garbage".into(),
    }
}

/// All outcomes by call and fault, over all lives and points.
type Table = BTreeMap<(String, String), BTreeSet<Outcome>>;

/// Injects all faults; returns the table and the failures.
fn inject() -> (Table, Vec<String>) {
    let lives = LIVES.map(|life| std::thread::spawn(move || inject_into(life)));
    let (mut table, mut wrong) = (Table::new(), Vec::new());
    for life in lives {
        let (rows, problems) = life.join().unwrap();
        for (case, outcomes) in rows {
            table.entry(case).or_default().extend(outcomes);
        }
        wrong.extend(problems);
    }
    (table, wrong)
}

/// Returns true if a fault is left out, because no kernel has it or it would only take time.
fn is_left_out(life: &str, site: &Site, nth: usize, fault: &Fault) -> bool {
    // Nothing is tried after these but in groups: the first life shows it.
    const PLAIN: &str = "E2BIG EBADF EBUSY EFAULT ENFILE ENODEV ENOMEM ENOSPC ENOSYS EOVERFLOW";
    let again = *site == Site::Open && nth > 1 && life != "this thread";
    if again && PLAIN.split(' ').any(|plain| fault_name(fault) == plain) {
        return true;
    }
    // A thread that has ended has ended for all its events; `targets` shows that.
    let gone = *fault == Fault::Errno(Errno::ESRCH) && life == "processes";
    // A PMU without this file is one of cores.
    let other = *fault == Fault::Errno(Errno::ENOENT)
        && matches!(site, Site::File(path) if path.ends_with("cpumask"));
    gone || other
}

fn inject_into((title, life): (&str, Life)) -> (Table, Vec<String>) {
    let (mut table, mut wrong) = (Table::new(), Vec::new());
    let (clean, calls) = live(life, None);
    assert_eq!(clean.errors, [""; 0]);
    for (site, calls) in calls {
        let places = match (&site, calls) {
            // A thread waits as often as time has it.
            (Site::Poll, _) => 1,
            // The first and another time: the file is read again and again.
            (Site::File(_) | Site::Directory(_), _) => calls.min(2),
            _ => calls,
        };
        for (nth, fault) in
            (0..places).flat_map(|nth| faults(&site).into_iter().map(move |f| (nth, f)))
        {
            let case = (site.clone(), nth, fault.clone());
            if is_left_out(title, &site, nth, &fault) {
                continue;
            }
            match catch_unwind(AssertUnwindSafe(|| live(life, Some(case)).0.beside(&clean))) {
                Ok(outcome) => {
                    table.entry((name(&site), fault_name(&fault))).or_default().insert(outcome);
                }
                Err(panic) => {
                    let why = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                    wrong.push(format!("{title}, call {nth} of {site:?}, {fault:?}: {why}"));
                }
            }
        }
    }
    (table, wrong)
}

/// One row for all faults of a call with the same outcomes.
fn markdown(table: &Table) -> String {
    let mut rows: BTreeMap<(&str, Vec<&'static str>), Vec<&str>> = BTreeMap::new();
    for ((call, fault), outcomes) in table {
        let outcomes = outcomes.iter().map(|outcome| outcome.text()).collect();
        rows.entry((call, outcomes)).or_default().push(fault);
    }
    let mut text = "| call | fault | result |\n|---|---|---|\n".to_string();
    for ((call, outcomes), faults) in rows {
        text.push_str(&format!("| {call} | {} | {} |\n", faults.join(" "), outcomes.join("; ")));
    }
    text
}

#[test]
fn every_call_fails_once_and_the_table_says_what_comes_of_it() {
    // A thread of its own, so that a life that hangs is reported.
    let (done, table) = channel();
    let injecting = std::thread::spawn(move || done.send(inject()).unwrap());
    let (table, wrong) = match table.recv_timeout(Duration::from_secs(300)) {
        Ok(injected) => injected,
        Err(_) if injecting.is_finished() => panic!("{:?}", injecting.join()),
        Err(_) => panic!("a life hangs"),
    };
    assert!(wrong.is_empty(), "{} of the faults do harm:\n{}", wrong.len(), wrong.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/faults.md");
    let document = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(BEGIN).expect("the table has its place");
    let (committed, after) = rest.split_once(END).expect("the table has its end");
    let generated = format!("\n\n{}\n", markdown(&table));
    if std::env::var_os("COUNTERPOINT_UPDATE").is_some() {
        std::fs::write(&path, [before, BEGIN, &generated, END, after].concat()).unwrap();
    } else {
        assert_eq!(committed, generated, "stale: run this test once with COUNTERPOINT_UPDATE=1");
    }
}

const BEGIN: &str = "<!-- Generated by the test `faults` of the facade: from here -->";
const END: &str = "<!-- to here -->";
