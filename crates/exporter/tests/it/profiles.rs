//! Profiles over HTTP, as `go tool pprof`, Pyroscope and Parca ask for them.

use crate::server::{Serving, may_count_cpus};
use prost::Message;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[path = "../../../../fixtures/pprof.rs"]
mod proto;

/// A process that computes until it is killed.
struct Busy(Child);

impl Busy {
    fn start() -> Busy {
        let loops = ["-c", "while :; do :; done"];
        Busy(Command::new("sh").args(loops).stdin(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const COUNT: &str = "[[count]]\nprocesses = [PID]\nevents = ['task-clock']\n";

fn serving(pids: &[u32], profiles: &str) -> Serving {
    let counts = pids.iter().map(|pid| COUNT.replace("PID", &pid.to_string()));
    Serving::start(&format!("{profiles}{}", counts.collect::<String>()))
}

/// The head and the bytes of an answer.
fn ask(serving: &Serving, path: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(serving.address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    let body = answer.split_off(end + 4);
    (String::from_utf8(answer).unwrap(), body)
}

fn refused(serving: &Serving, path: &str, status: &str, says: &str) {
    let (head, body) = ask(serving, path);
    let text = String::from_utf8(body).unwrap();
    assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {head}");
    assert!(text.contains(says) && text.ends_with('\n'), "{path}: {text}");
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut contents = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut contents).unwrap();
    contents
}

#[test]
fn a_process_is_profiled_while_others_are_answered() {
    let busy = Busy::start();
    let serving = serving(&[busy.0.id()], "[profiles]\nfrequency = 500\n");
    let mut stream = TcpStream::connect(serving.address).unwrap();
    stream.write_all(b"GET /debug/pprof/profile?seconds=2 HTTP/1.1\r\n\r\n").unwrap();
    let begun = Instant::now();
    // A scrape does not wait, and a second profile is refused in words.
    assert!(!serving.scrape().is_empty());
    refused(&serving, "/debug/pprof/profile?seconds=1", "503", "one at a time");
    assert!(begun.elapsed() < Duration::from_millis(1500), "{:?}", begun.elapsed());
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    assert!(
        head.starts_with("HTTP/1.1 200") && head.contains("application/octet-stream"),
        "{head}"
    );
    let read = proto::Profile::decode(unpacked(&answer[end + 4..]).as_slice()).unwrap();
    let string = |index: i64| read.string_table[index as usize].as_str();
    let types: Vec<_> =
        read.sample_type.iter().map(|of| (string(of.r#type), string(of.unit))).collect();
    assert_eq!(types, [("samples", "count"), ("cpu", "nanoseconds")]);
    assert_eq!(read.period, 2_000_000);
    assert!((2_000_000_000..10_000_000_000).contains(&read.duration_nanos), "{read:?}");
    // It computes for all of the time, as far as it has a CPU.
    let cpu: i64 = read.sample.iter().map(|sample| sample.value[1]).sum();
    assert!((200_000_000..2_500_000_000).contains(&cpu), "{cpu} ns");
    assert!(read.sample.iter().any(|sample| sample.location_id.len() > 1), "no call stacks");
    serving.end();
}

#[test]
fn what_is_not_profiled_is_said_with_what_to_ask_for() {
    let (one, other) = (Busy::start(), Busy::start());
    let (one, other) = (one.0.id(), other.0.id());
    let path = "/debug/pprof/profile";
    let off = serving(&[one], "");
    refused(&off, path, "404", "[profiles]");
    off.end();
    let serving = serving(&[one, other], "[profiles]\n");
    refused(&serving, path, "400", &format!("pid={one} pid={other}"));
    for (query, says) in [
        ("seconds=0", "from 1 to 60"),
        ("seconds=61", "from 1 to 60"),
        ("seconds=x", "from 1 to 60"),
        ("pid=x", "`pid=x`"),
        ("pid=1", "process 1 is not counted"),
        ("cgroup=a%2Fb", "cgroup a/b is not counted"),
        ("second=1", "`second`"),
        ("pid=1&cgroup=a", "both"),
    ] {
        refused(&serving, &format!("{path}?{query}"), "400", says);
    }
    let head =
        crate::server::ask(serving.address, format!("HEAD {path} HTTP/1.1\r\n\r\n").as_bytes());
    assert!(head.head.starts_with("HTTP/1.1 405"), "{}", head.head);
    let page = serving.get("/").body;
    assert!(page.contains(&format!("a profile, of: pid={one} pid={other}\n")), "{page}");
    serving.end();
}

#[test]
fn a_profile_that_nobody_waits_for_ends() {
    let busy = Busy::start();
    let serving = serving(&[busy.0.id()], "[profiles]\n");
    let mut stream = TcpStream::connect(serving.address).unwrap();
    stream.write_all(b"GET /debug/pprof/profile?seconds=60 HTTP/1.1\r\n\r\n").unwrap();
    refused(&serving, "/debug/pprof/profile?seconds=1", "503", "one at a time");
    drop(stream);
    let begun = Instant::now();
    while !ask(&serving, "/debug/pprof/profile?seconds=1").0.starts_with("HTTP/1.1 200") {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    serving.end();
}

#[test]
fn an_event_that_cannot_be_sampled_is_said() {
    let busy = Busy::start();
    let serving = serving(&[busy.0.id()], "[profiles]\nevent = 'no-such-event'\n");
    refused(&serving, "/debug/pprof/profile?seconds=1", "503", "no-such-event");
    serving.end();
}

/// Also those of a process that is not named, where all CPUs are counted.
#[test]
fn the_whole_machine_is_profiled_where_it_is_counted() {
    if !may_count_cpus() {
        return;
    }
    let busy = Busy::start();
    let serving = Serving::start("[profiles]\n[[count]]\ncpus = 'all'\nevents = ['page-faults']\n");
    for query in ["seconds=1".to_string(), format!("seconds=1&pid={}", busy.0.id())] {
        let (head, body) = ask(&serving, &format!("/debug/pprof/profile?{query}"));
        assert!(head.starts_with("HTTP/1.1 200"), "{head} {}", String::from_utf8_lossy(&body));
        let read = proto::Profile::decode(unpacked(&body).as_slice()).unwrap();
        assert!(!read.sample.is_empty(), "{query}");
    }
    serving.end();
}

#[test]
fn go_reads_the_profile() {
    let is_there = Command::new("go").arg("version").output().is_ok_and(|of| of.status.success());
    if !is_there {
        println!("skipped: needs go");
        return;
    }
    let busy = Busy::start();
    let serving = serving(&[busy.0.id()], "[profiles]\n");
    let (_, body) = ask(&serving, "/debug/pprof/profile?seconds=2");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile.pb.gz");
    fs::write(&file, body).unwrap();
    let output = Command::new("go").args(["tool", "pprof", "-top"]).arg(&file).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("Type: cpu") && text.contains("Duration: 2"), "{text}");
    println!("{text}");
    serving.end();
}
