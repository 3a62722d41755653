//! `counterpoint exporter`; its crate has the tests of what it shows.

use crate::{counterpoint, run, stderr};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The exporter of a file, what it says before it listens, and where that is.
fn start(file: &Path) -> (Child, String, String) {
    let mut child =
        crate::signals::start(&["exporter", "--listen", "127.0.0.1:0", file.to_str().unwrap()]);
    let mut said = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut address = None;
    // A line more than what it says would be waited for.
    while address.is_none()
        && let Some(line) = lines.next()
    {
        let listens = line.split_once("listening on http://");
        address = listens.map(|(_, rest)| rest.strip_suffix("/metrics").unwrap().to_string());
        said.push_str(&line);
        said.push('\n');
    }
    (child, said.clone(), address.unwrap_or_else(|| panic!("it ends: {said}")))
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn it_listens_until_it_is_told_to_end() {
    let pid = std::process::id();
    let config = format!("[[count]]\nprocesses = [{pid}]\nevents = ['page-faults', 'cycles']\n");
    for signal in ["-TERM", "-INT"] {
        let (mut child, said, address) = start(&file("exporter.toml", &config));
        let metrics = get(&address, "/metrics");
        assert!(metrics.contains("\ncounterpoint_process_page_faults_total{pid="), "{metrics}");
        let is_counted = metrics.contains("\ncounterpoint_process_cycles_total{");
        assert!(is_counted != said.contains("cycles of process"), "{said}");
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

/// Levels are gauges, and a number that this machine does not show has its reason.
#[test]
fn numbers_of_files_are_counters_and_gauges() {
    let events = "['memory/MemFree/', 'vmstat/pgfault/', 'net/no_such/rx_bytes/']";
    let config = format!("[[count]]\ncpus = 'all'\nevents = {events}\n");
    let (mut child, _, address) = start(&file("exporter-sources.toml", &config));
    let metrics = get(&address, "/metrics");
    let has = |text: &str| assert!(metrics.contains(text), "{text}: {metrics}");
    has("# TYPE counterpoint_memory_memfree_bytes gauge\n");
    has("# TYPE counterpoint_vmstat_pgfault_total counter\n");
    has("\ncounterpoint_vmstat_pgfault_total{");
    has("reason=\"not-shown\"");
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// One file serves machines of several kinds.
#[test]
fn a_name_that_this_machine_lacks_is_said_and_ends_nothing() {
    let pid = std::process::id();
    let config = format!("[[count]]\nprocesses = [{pid}]\nevents = ['page-faults', 'no_pmu/x/']\n");
    let (mut child, said, address) = start(&file("exporter-fleet.toml", &config));
    assert!(said.contains("exporter-fleet.toml:3:26: no PMU is called `no_pmu`"), "{said}");
    assert!(said.contains("it is not counted\n  help: "), "{said}");
    let metrics = get(&address, "/metrics");
    assert!(metrics.contains("\ncounterpoint_process_page_faults_total{pid="), "{metrics}");
    assert!(metrics.contains("counterpoint_event_status{event=\"no_pmu/x/\",pid="), "{metrics}");
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_is_wrong_has_its_place_and_what_to_write() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let good = "[[count]]\ncpus = 'all'\nevents = ['cpu-clock']\n";
    let bad = "[[count]]\ncpus = 'all'\nevents = ['cpu-clokc']\n";
    let [good, bad] = [file("good.toml", good), file("bad.toml", bad)];
    let [good, bad] = [good.to_str().unwrap(), bad.to_str().unwrap()];
    for (args, says, help) in [
        (&["--listen", "127.0.0.1:0", bad][..], "bad.toml:3:11: ", "cpu-clock"),
        (&["--listen", &address, good], "cannot listen on ", "--listen ADDRESS:PORT"),
        (&["--listen", "9000", good], "`9000`", "127.0.0.1:19748"),
        (&["--listen", "127.0.0.1:0", "--otlp", "https://a", good], "encryption", "Collector"),
        (&["no-such-file.toml"], "no-such-file.toml: No such file", ""),
    ] {
        let output = run(&[&["exporter"], args].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(says) && text.contains(help), "{text}");
    }
}

/// The directory of the configuration does not matter.
#[test]
fn paths_of_a_certificate_begin_where_the_program_was_started() {
    let [started, other] = ["exporter-started", "exporter-other"]
        .map(|name| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
    let pem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../exporter/tests/tls");
    for folder in [&started, &other] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::copy(pem.join("first.pem"), started.join("own.pem")).unwrap();
    std::fs::copy(pem.join("first.key.pem"), started.join("own.key.pem")).unwrap();
    let config = other.join("exporter.toml");
    let text = "[tls]\ncertificate = 'own.pem'\nkey = 'own.key.pem'\n[[count]]\ncpus = 'all'\nevents = ['vmstat/pgfault/']\n";
    std::fs::write(&config, text).unwrap();
    let command = |folder: &Path| {
        let mut command = counterpoint(&["exporter", "--listen", "127.0.0.1:0"]);
        command.arg(&config).current_dir(folder).stderr(Stdio::piped());
        command
    };
    let refused = command(&other).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("own.pem: I/O error: No such file"), "{}", stderr(&refused));
    let mut child = command(&started).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let listens = lines.into_iter().find(|line| line.contains("listening on https://"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(listens.is_some());
}
