//! Software events of this machine, over a socket.

use crate::server::{Serving, get, may_count_cpus, value};
use counterpoint::perf::Host;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const OWN: &str = "[[count]]\nprocesses = [PID]\nevents = ['page-faults', 'task-clock', 'cycles']\nmetrics = ['page_fault_rate']\n";

fn of_this_process(config: &str) -> String {
    config.replace("PID", &std::process::id().to_string())
}

/// A process that sleeps until it is killed.
struct Sleeper(Child);

impl Sleeper {
    fn start() -> Sleeper {
        Sleeper(Command::new("sleep").arg("600").stdout(Stdio::null()).spawn().unwrap())
    }

    fn end(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_process_is_counted_and_what_is_not_counted_is_absent_and_said() {
    let serving = Serving::start(&format!("interval = 0.2\n{}", of_this_process(OWN)));
    let touch = || assert_eq!(vec![1_u8; 4 << 20].len(), 4 << 20);
    touch();
    let first = serving.scrape();
    touch();
    let second = serving.scrape();
    let pid = format!("pid=\"{}\",comm=", std::process::id());
    let faults = format!("counterpoint_process_page_faults_total{{{pid}");
    let (before, after) = (value(&first, &faults).unwrap(), value(&second, &faults).unwrap());
    assert!(after >= before && before >= 0.0, "{before} {after}");
    let clock = format!("counterpoint_process_task_clock_seconds_total{{{pid}");
    assert!(value(&second, &clock).unwrap() > 0.0);
    let cycles = value(&second, &format!("counterpoint_process_cycles_total{{{pid}"));
    let status = second.iter().find(|(name, _)| name.contains("event=\"cycles\""));
    assert_eq!(cycles.is_none(), status.is_some(), "absent and said, or there: {second:?}");
    serving.scrape_until("the metric of an interval", |samples| {
        value(samples, &format!("counterpoint_process_page_fault_rate_per_second{{{pid}")).is_some()
    });
    assert_eq!(serving.end(), Vec::<String>::new());
}

#[test]
fn the_older_format_is_for_those_who_do_not_ask_for_the_newer() {
    let serving = Serving::start(&of_this_process(OWN));
    let answer = get(serving.address, "/metrics", "*/*");
    assert!(answer.head.contains("Content-Type: text/plain; version=0.0.4"), "{}", answer.head);
    assert!(answer.body.contains("# TYPE counterpoint_process_page_faults_total counter\n"));
    assert!(!answer.body.contains("# EOF") && !answer.body.contains("# UNIT"), "{}", answer.body);
    let answer = serving.get("/metrics");
    assert!(answer.head.contains("application/openmetrics-text; version=1.0.0"), "{}", answer.head);
    serving.end();
}

#[test]
fn there_are_pages_of_health_and_of_reasons() {
    let serving = Serving::start(&of_this_process(OWN));
    serving.scrape();
    let health = serving.get("/health");
    assert!(health.head.starts_with("HTTP/1.1 200") && health.body == "counting\n");
    let page = serving.get("/").body;
    assert!(page.contains("page-faults") && page.contains("_total: counted"), "{page}");
    let missing = serving.get("/nothing");
    assert!(missing.head.starts_with("HTTP/1.1 404") && missing.body.contains("/metrics"));
    let head = crate::server::ask(serving.address, b"HEAD /metrics HTTP/1.1\r\n\r\n");
    assert!(head.head.contains("Content-Length: ") && head.body.is_empty());
    serving.end();
}

#[test]
fn cpus_have_a_series_each() {
    if !may_count_cpus() {
        return;
    }
    let serving = Serving::start("[[count]]\ncpus = 'all'\nevents = ['cpu-clock']\n");
    let samples = serving.scrape();
    let name = "counterpoint_cpu_clock_seconds_total{";
    let clocks: Vec<_> = samples.iter().filter(|(labels, _)| labels.starts_with(name)).collect();
    let online = counterpoint::perf::Host::local().online_cpus();
    assert_eq!(clocks.len(), online.len(), "{samples:?}");
    assert!(clocks.iter().all(|(labels, seconds)| labels.contains("cpu=\"") && *seconds > 0.0));
    serving.end();
}

#[test]
fn a_process_that_ends_is_said_and_its_series_end() {
    let mut sleeper = Sleeper::start();
    let pid = sleeper.0.id();
    let serving = Serving::start(&format!(
        "interval = 0.3\n[[count]]\nprocesses = [{pid}]\nevents = ['task-clock']\n"
    ));
    let counted = format!("counterpoint_target_counted{{pid=\"{pid}\"");
    assert_eq!(value(&serving.scrape(), &counted), Some(1.0));
    sleeper.end();
    assert_eq!(value(&serving.scrape(), &counted), Some(0.0));
    serving.scrape_until("its series end", |samples| {
        samples.iter().all(|(name, _)| !name.contains(&format!("pid=\"{pid}\",comm")))
    });
    let page = serving.get("/").body;
    assert!(page.contains(&format!("process {pid}: not counted, because there is no")), "{page}");
    let health = serving.get("/health");
    assert!(health.head.starts_with("HTTP/1.1 503"), "{}", health.body);
    let said = serving.end();
    assert_eq!(said, [format!("process {pid} is no longer counted: there is no such process")]);
}

/// A cgroup that the test may create; `None` where it may not.
fn cgroup(name: &str) -> Option<std::path::PathBuf> {
    let name = format!("{name}-{}", std::process::id());
    let path = counterpoint::cgroup_directory(&Host::local(), Path::new(&name)).ok()?;
    fs::create_dir(&path).ok()?;
    Some(path)
}

#[test]
fn a_cgroup_that_goes_and_comes_back_is_counted_on() {
    let made = cgroup("counterpoint-test").filter(|_| may_count_cpus());
    let Some(path) = made else {
        println!("skipped: needs a cgroup that this user may create");
        return;
    };
    let mut sleeper = Sleeper::start();
    fs::write(path.join("cgroup.procs"), sleeper.0.id().to_string()).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let serving = Serving::start(&format!(
        "interval = 0.2\n[[count]]\ncgroups = ['{name}']\nevents = ['context-switches']\n"
    ));
    let counted = format!("counterpoint_target_counted{{cgroup=\"{name}\"}}");
    if value(&serving.scrape(), &counted) == Some(0.0) {
        let page = serving.get("/").body;
        sleeper.end();
        fs::remove_dir(&path).unwrap();
        println!("skipped: needs cgroups that count events: {page}");
        serving.end();
        return;
    }
    sleeper.end();
    // The kernel removes a process from its cgroup a moment after its end.
    while fs::remove_dir(&path).is_err() {}
    serving.scrape_until("the cgroup is gone", |s| value(s, &counted) == Some(0.0));
    fs::create_dir(&path).unwrap();
    serving.scrape_until("the cgroup is back", |s| value(s, &counted) == Some(1.0));
    fs::remove_dir(&path).unwrap();
    let said = serving.end();
    assert!(said[0].contains("is no longer counted: there is no such cgroup"), "{said:?}");
    assert_eq!(said[1], format!("cgroup {name} is counted"));
}
