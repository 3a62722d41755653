//! `cargo xtask prometheus`: the system's Prometheus scrapes the exporter, and what it answers to a query is what `stat` counts
//! meanwhile; `promtool` has nothing to say about the names.

use crate::project::{arguments, root, target};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time that something may take that Prometheus does every second.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn run() -> Result<(), String> {
    if arguments().next().as_deref() == Some("--work") {
        return work();
    }
    for tool in ["prometheus", "promtool"] {
        Command::new(tool).arg("--version").output().map_err(|_| {
            format!("{tool} is not installed; with Debian or Ubuntu: apt-get install prometheus")
        })?;
    }
    let build = ["build", "--quiet", "-p", "counterpoint-cli", "--features", "exporter"];
    let built = Command::new("cargo").args(build).current_dir(root()).status();
    if !built.map_err(|error| format!("cargo: {error}"))?.success() {
        return Err("the program with the exporter cannot be built".to_string());
    }
    let folder = target().join("prometheus");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Trial { program: target().join("debug/counterpoint"), folder }.run()
}

/// The counted program: waits for a line, then does its work, and waits for the end.
fn work() -> Result<(), String> {
    let mut lines = std::io::stdin().lines();
    lines.next();
    let pages = vec![1_u8; 32 << 20];
    println!("{}", pages.iter().step_by(4096).map(|byte| usize::from(*byte)).sum::<usize>());
    lines.next();
    Ok(())
}

struct Trial {
    program: PathBuf,
    folder: PathBuf,
}

impl Trial {
    fn run(&self) -> Result<(), String> {
        let mut worker = Running::start(
            Command::new(std::env::current_exe().map_err(|error| error.to_string())?)
                .args(["prometheus", "--work"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped()),
        )?;
        let pid = worker.0.id();
        let (exporter, address) = self.exporter(pid)?;
        self.check_names(&address)?;
        let stat = self.stat(pid)?;
        let (prometheus, api) = self.prometheus(&address)?;
        let name = format!("counterpoint_process_page_faults_total{{pid=\"{pid}\"}}");
        // A process that only waits has no value yet.
        wait_for(&api, &format!("counterpoint_target_counted{{pid=\"{pid}\"}}"), |value| {
            value == 1.0
        })?;

        let mut input = worker.0.stdin.take().ok_or("the worker has no input")?;
        self.let_work(&mut worker, &mut input)?;
        let counted = self.counted(stat)?;
        let shown = wait_for(&api, &name, |value| value == counted)?;
        println!("page faults of a process: {counted} by stat, {shown} by Prometheus");
        // A family of OpenMetrics has the name of its samples without their ending.
        let about =
            &query(&api, "/api/v1/metadata")?["data"]["counterpoint_process_page_faults"][0];
        if about["type"] != "counter" {
            return Err(format!("Prometheus does not take page faults for a counter: {about}"));
        }
        let cycles = format!("counterpoint_process_cycles_total{{pid=\"{pid}\"}}");
        let status = format!("counterpoint_event_status{{event=\"cycles\",pid=\"{pid}\"}}");
        let [is_counted, is_said] = [has_value(&api, &cycles)?, has_value(&api, &status)?];
        println!(
            "cycles: {}",
            if is_counted { "counted" } else { "absent, and the status says why" }
        );
        if is_counted == is_said {
            return Err("cycles have to be counted, or absent with a status".to_string());
        }
        self.check_files(&api)?;
        drop((input, prometheus, exporter));
        Ok(())
    }

    /// Starts the exporter; returns where it listens.
    fn exporter(&self, pid: u32) -> Result<(Running, String), String> {
        let config = self.folder.join("counterpoint.toml");
        let text = format!(
            "interval = 1\n[[count]]\nprocesses = [{pid}]\nevents = ['page-faults', 'task-clock', 'cycles']\nmetrics = ['page_fault_rate']\n"
        );
        fs::write(&config, text).map_err(|error| format!("{}: {error}", config.display()))?;
        let mut exporter = Running::start(
            Command::new(&self.program)
                .args(["exporter", "--listen", "127.0.0.1:0"])
                .arg(&config)
                .stderr(Stdio::piped()),
        )?;
        let stderr = exporter.0.stderr.take().ok_or("the exporter has no stderr")?;
        let mut said = String::new();
        for line in BufReader::new(stderr).lines() {
            let line = line.map_err(|error| error.to_string())?;
            if let Some((_, rest)) = line.split_once("listening on http://") {
                return Ok((exporter, rest.trim_end_matches("/metrics").to_string()));
            }
            said += &line;
        }
        Err(format!("the exporter does not start: {said}"))
    }

    fn check_names(&self, exporter: &str) -> Result<(), String> {
        let text = get(exporter, "/metrics")?;
        let mut promtool = Command::new("promtool");
        promtool.args(["check", "metrics"]).stdin(Stdio::piped());
        let mut promtool = promtool
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("promtool: {error}"))?;
        if let Some(mut input) = promtool.stdin.take() {
            input.write_all(text.as_bytes()).map_err(|error| format!("promtool: {error}"))?;
        }
        let output = promtool.wait_with_output().map_err(|error| format!("promtool: {error}"))?;
        let said = [output.stdout, output.stderr].concat();
        if !output.status.success() || !said.is_empty() {
            return Err(format!("promtool: {}\n{text}", String::from_utf8_lossy(&said)));
        }
        println!("promtool check metrics: nothing to say about {} lines", text.lines().count());
        Ok(())
    }

    /// Starts `stat` of the process, and waits until it counts.
    fn stat(&self, pid: u32) -> Result<Running, String> {
        let report = self.report();
        let stat = Running::start(
            Command::new(&self.program)
                .args(["stat", "--json", "-e", "page-faults", "-I", "100", "-o"])
                .arg(&report)
                .args(["-p", &pid.to_string()]),
        )?;
        let begun = Instant::now();
        while fs::read_to_string(&report).unwrap_or_default().is_empty() {
            if begun.elapsed() > PATIENCE {
                return Err("stat does not begin".to_string());
            }
            sleep(Duration::from_millis(50));
        }
        Ok(stat)
    }

    /// Checks the files of `examples/monitor`: rules by promtool, the queries of the dashboard by Prometheus, and the unit by systemd.
    fn check_files(&self, api: &str) -> Result<(), String> {
        let folder = root().join("examples/monitor");
        let read = |name: &str| {
            fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
        };
        succeeds(Command::new("promtool").args(["check", "rules"]).arg(folder.join("rules.yml")))?;
        let dashboard: Value = serde_json::from_str(&read("dashboard.json")?)
            .map_err(|error| format!("dashboard.json: {error}"))?;
        let panels = dashboard["panels"].as_array().into_iter().flatten();
        let targets = panels.flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
        let queries: Vec<&str> = targets.filter_map(|target| target["expr"].as_str()).collect();
        for expression in &queries {
            let text = expression.replace("$instance", ".*").replace("$__rate_interval", "1m");
            query(api, &format!("/api/v1/query?query={}", encoded(&text)))?;
        }
        println!("dashboard.json: Prometheus answers its {} queries", queries.len());
        if Command::new("systemd-analyze").arg("--version").output().is_err() {
            println!("skipped: systemd-analyze is not installed");
            return Ok(());
        }
        let unit = self.folder.join("counterpoint-exporter.service");
        let program = self.program.display().to_string();
        let text = read("counterpoint-exporter.service")?;
        fs::write(&unit, text.replace("/usr/local/bin/counterpoint", &program))
            .map_err(|error| format!("{}: {error}", unit.display()))?;
        succeeds(Command::new("systemd-analyze").args(["--man=no", "verify"]).arg(&unit))
    }

    fn report(&self) -> PathBuf {
        self.folder.join("stat.jsonl")
    }

    fn let_work(&self, worker: &mut Running, input: &mut ChildStdin) -> Result<(), String> {
        input.write_all(b"\n").map_err(|error| format!("the worker: {error}"))?;
        let output = worker.0.stdout.take().ok_or("the worker has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        match line.trim() {
            "8192" => Ok(()),
            other => Err(format!("the worker says {other:?}")),
        }
    }

    /// Ends `stat`; the sum of its intervals.
    fn counted(&self, mut stat: Running) -> Result<f64, String> {
        let pid = stat.0.id().to_string();
        let killed = Command::new("kill").args(["-INT", &pid]).status();
        killed.map_err(|error| format!("kill: {error}"))?;
        stat.0.wait().map_err(|error| error.to_string())?;
        let text = fs::read_to_string(self.report()).map_err(|error| error.to_string())?;
        let lines: Vec<Value> = text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
        let of_faults = lines.iter().filter(|line| line["event"] == "page-faults");
        let values: Vec<f64> = of_faults.filter_map(|line| line["value"].as_f64()).collect();
        if values.is_empty() {
            Err(format!("stat counts nothing: {text}"))
        } else {
            Ok(values.iter().sum())
        }
    }

    /// Starts Prometheus; returns where it answers.
    fn prometheus(&self, exporter: &str) -> Result<(Running, String), String> {
        let config = self.folder.join("prometheus.yml");
        let text = format!(
            "global:\n  scrape_interval: 1s\nscrape_configs:\n  - job_name: counterpoint\n    static_configs:\n      - targets: ['{exporter}']\n"
        );
        fs::write(&config, text).map_err(|error| format!("{}: {error}", config.display()))?;
        let address = free_address()?;
        let log = fs::File::create(self.folder.join("prometheus.log"));
        let prometheus = Running::start(
            Command::new("prometheus")
                .arg(option("--config.file", &config))
                .arg(option("--storage.tsdb.path", &self.folder.join("data")))
                .arg(format!("--web.listen-address={address}"))
                .stdout(Stdio::null())
                .stderr(log.map_err(|error| error.to_string())?),
        )?;
        Ok((prometheus, address))
    }
}

/// Runs a command that checks something.
fn succeeds(command: &mut Command) -> Result<(), String> {
    let name = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if !output.status.success() {
        return Err(format!("{name}: {said}"));
    }
    println!("{name}: {}", said.trim());
    Ok(())
}

fn option(name: &str, path: &Path) -> String {
    format!("{name}={}", path.display())
}

/// A process that is killed when it is no longer needed.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Result<Running, String> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.spawn().map(Running).map_err(|error| format!("{name}: {error}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_address() -> Result<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    listener.local_addr().map(|address| address.to_string()).map_err(|error| error.to_string())
}

/// Queries the only value of a series until it is as expected.
fn wait_for(api: &str, series: &str, is_so: impl Fn(f64) -> bool) -> Result<f64, String> {
    let path = format!("/api/v1/query?query={}", encoded(series));
    let begun = Instant::now();
    let mut last = String::new();
    while begun.elapsed() < PATIENCE {
        // Until it has started, it does not answer.
        if let Ok(answer) = query(api, &path) {
            let value = answer["data"]["result"][0]["value"][1].as_str();
            match value.and_then(|text| text.parse().ok()) {
                Some(value) if is_so(value) => return Ok(value),
                _ => last = answer.to_string(),
            }
        }
        sleep(Duration::from_millis(200));
    }
    Err(format!("Prometheus does not have the value of {series}: {last}"))
}

fn has_value(api: &str, series: &str) -> Result<bool, String> {
    let answer = query(api, &format!("/api/v1/query?query={}", encoded(series)))?;
    Ok(answer["data"]["result"].as_array().is_some_and(|result| !result.is_empty()))
}

fn query(api: &str, path: &str) -> Result<Value, String> {
    let body = get(api, path)?;
    serde_json::from_str(&body).map_err(|error| format!("{path}: {error}: {body}"))
}

fn encoded(query: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    query.bytes().map(byte).collect()
}

/// The body of an answer, which version 1.0 of HTTP leaves in one piece.
fn get(address: &str, path: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("http://{address}{path}: {error}");
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    match head.split(' ').nth(1) {
        Some("200") => Ok(body.to_string()),
        _ => Err(format!("http://{address}{path}: {}", head.lines().next().unwrap_or_default())),
    }
}
