use counterpoint_fixtures::{alone, is_alone};
use counterpoint_perf::process::{Ended, Held, Signal, Signals, Streams, children_times};
use nix::sys::signal::SigSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

fn is_there(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

fn temporary(name: &str) -> String {
    format!("{}/{name}-{}", env!("CARGO_TARGET_TMPDIR"), std::process::id())
}

#[test]
fn a_command_ends_as_it_ends() {
    let run = |script| Held::fork(&["sh", "-c", script], None).unwrap().exec().unwrap();
    assert_eq!(run("exit 7").wait().unwrap(), Ended::Exited(7));
    let killed = run("kill -9 $$").wait().unwrap();
    assert_eq!((killed, killed.code()), (Ended::Killed(9), 137));
    let mut twice = run("exit 3");
    assert_eq!(twice.wait().unwrap(), twice.wait().unwrap());
    assert_eq!(twice.try_wait().unwrap(), Some(Ended::Exited(3)));
    twice.kill(9).unwrap();
}

#[test]
fn a_running_command_can_be_ended() {
    let mut sleep = Held::fork(&["sleep", "100"], None).unwrap().exec().unwrap();
    assert_eq!(sleep.try_wait().unwrap(), None);
    sleep.kill(15).unwrap();
    assert_eq!(sleep.wait().unwrap(), Ended::Killed(15));
    assert!(!is_there(sleep.pid()));
}

#[test]
fn a_program_that_is_not_there_is_not_found() {
    let held = Held::fork(&["/no/such/program"], None).unwrap();
    let pid = held.pid();
    assert_eq!(held.exec().unwrap_err().kind(), ErrorKind::NotFound);
    assert!(!is_there(pid), "the process that failed is collected");
    let held = Held::fork(&["/"], None).unwrap();
    assert_eq!(held.exec().unwrap_err().kind(), ErrorKind::PermissionDenied);
}

#[test]
fn what_cannot_be_a_command_is_invalid() {
    let none: [&str; 0] = [];
    assert_eq!(Held::fork(&none, None).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert_eq!(Held::fork(&["a\0b"], None).unwrap_err().kind(), ErrorKind::InvalidInput);
}

#[test]
fn a_held_process_that_is_dropped_runs_nothing_and_leaves_no_zombie() {
    let file = temporary("held");
    let held = Held::fork(&["touch", &file], None).unwrap();
    let pid = held.pid();
    assert!(is_there(pid));
    drop(held);
    assert!(!is_there(pid) && !Path::new(&file).exists());
}

#[test]
fn output_goes_into_a_file() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("output-of-a-command");
    let file = std::fs::File::create(&path).unwrap();
    let streams = Streams { output: Some(file.as_fd()), ..Streams::default() };
    let held = Held::fork_into(&["echo", "a line"], None, streams).unwrap();
    assert_eq!(held.exec().unwrap().wait().unwrap(), Ended::Exited(0));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a line\n");
    let input = std::fs::File::open(&path).unwrap();
    let errors = std::fs::File::create(path.with_extension("errors")).unwrap();
    let (input, error) = (Some(input.as_fd()), Some(errors.as_fd()));
    let streams = Streams { input, error, ..Streams::default() };
    let held = Held::fork_into(&["sh", "-c", "cat >&2"], None, streams).unwrap();
    assert_eq!(held.exec().unwrap().wait().unwrap(), Ended::Exited(0));
    assert_eq!(std::fs::read_to_string(path.with_extension("errors")).unwrap(), "a line\n");
}

#[test]
fn several_are_held_at_once() {
    let held: Vec<Held> = (0..4).map(|_| Held::fork(&["true"], None).unwrap()).collect();
    let pids: Vec<u32> = held.iter().map(Held::pid).collect();
    // The later ones have copies of what holds the first: neither may wait for them.
    for (n, held) in held.into_iter().enumerate() {
        if n % 2 == 0 {
            drop(held);
        } else {
            assert_eq!(held.exec().unwrap().wait().unwrap(), Ended::Exited(0));
        }
    }
    assert!(pids.iter().all(|pid| !is_there(*pid)));
}

#[test]
fn commands_held_by_many_threads_do_not_wait_for_each_other() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                for _ in 0..10 {
                    let held = Held::fork(&["true"], None).unwrap();
                    let kept = Held::fork(&["true"], None).unwrap();
                    assert_eq!(held.exec().unwrap().wait().unwrap(), Ended::Exited(0));
                    drop(kept);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn a_command_gets_its_signals_back() {
    let signals = Signals::block().unwrap();
    let script = ["sh", "-c", "kill -TERM $$; exit 5"];
    let given = Held::fork(&script, Some(&signals)).unwrap().exec().unwrap().wait().unwrap();
    let kept = Held::fork(&script, None).unwrap().exec().unwrap().wait().unwrap();
    assert_eq!((given, kept), (Ended::Killed(15), Ended::Exited(5)));
}

#[test]
fn the_time_of_children_that_ended_is_known() {
    let (user, system) = children_times().unwrap();
    let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
    Held::fork(&["sh", "-c", script], None).unwrap().exec().unwrap().wait().unwrap();
    let (later_user, later_system) = children_times().unwrap();
    assert!(later_user + later_system > user + system);
}

/// A signal to a process goes to any thread that does not block it, so this needs a process whose main thread was started with signals blocked.
#[test]
fn signals_are_read_in_turn() {
    let test = "process::signals_are_read_in_turn";
    if !is_alone(test) {
        let binary = std::env::current_exe().unwrap();
        let log = temporary("signals");
        // Signals that are ignored, as `nohup` starts its command, are not received.
        let env = "env --default-signal=INT,HUP,TERM --block-signal=CHLD,INT,HUP,TERM";
        let script = format!("exec {env} \"$@\" > {log} 2>&1");
        let mut words: Vec<OsString> = ["sh", "-c", &script, "sh"].map(OsString::from).into();
        words.extend(alone(&[], &binary, test));
        let ended = Held::fork(&words, None).unwrap().exec().unwrap().wait().unwrap();
        assert_eq!(ended, Ended::Exited(0), "{}", std::fs::read_to_string(&log).unwrap());
        std::fs::remove_file(&log).unwrap();
        return;
    }
    let signals = Signals::block().unwrap();
    let long = Some(Duration::from_secs(60));
    let start = Instant::now();
    assert_eq!(signals.wait(Some(Duration::from_millis(20))).unwrap(), None);
    assert!(start.elapsed() >= Duration::from_millis(20), "no spinning before a deadline");

    let mut command = Held::fork(&["true"], Some(&signals)).unwrap().exec().unwrap();
    assert_eq!(signals.wait(long).unwrap(), Some(Signal::Child));
    assert_eq!(command.try_wait().unwrap(), Some(Ended::Exited(0)));
    for number in [2, 15, 1] {
        let kill = format!("kill -{number} {}; exit 0", std::process::id());
        let mut sender = Held::fork(&["sh", "-c", &kill], None).unwrap().exec().unwrap();
        let mut seen = [signals.wait(long).unwrap(), signals.wait(long).unwrap()];
        seen.sort_by_key(|signal| *signal == Some(Signal::Child));
        let stop = Signal::Stop { number, from_terminal: false };
        assert_eq!(seen, [Some(stop), Some(Signal::Child)]);
        assert_eq!(sender.wait().unwrap(), Ended::Exited(0));
    }
}

#[test]
fn a_thread_gets_its_signals_back() {
    let blocked = || SigSet::thread_get_mask().unwrap().contains(nix::sys::signal::SIGTERM);
    let signals = Signals::block().unwrap();
    assert!(blocked());
    drop(signals);
    assert!(!blocked());
}
