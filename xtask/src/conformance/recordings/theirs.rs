//! What perf says of a recording.

use super::read::{KINDS, Read, Sample, without_guests};
use std::path::Path;
use std::process::Command;

pub(super) fn read(file: &Path) -> Result<Read, String> {
    let mut read = Read::default();
    for line in perf(file, &["report", "--header-only"])?.lines() {
        let fact = line.strip_prefix("# ").and_then(|line| line.split_once(" : "));
        if let Some((key, value)) = fact.filter(|(_, value)| !value.trim().is_empty()) {
            read.facts.insert(key.trim().to_owned(), value.trim().replace("\\'", "'"));
        }
    }
    for line in perf(file, &["buildid-list"])?.lines() {
        read.build_ids.insert(line.trim().to_owned());
    }
    let dump = perf(file, &["report", "--no-itrace", "-D"])?;
    read_dump(&mut read, &dump);
    read.is_made = dump.contains("PERF_RECORD_AUXTRACE_INFO type: 4");
    let itrace = if read.is_made { "--itrace=i1iMfmtab" } else { "--no-itrace" };
    let fields = "tid,time,event,data_src";
    let script = |fields| perf(file, &["script", itrace, "--ns", "-G", "-F", fields]);
    let scripted = match script(fields)? {
        without if without.is_empty() => script("tid,time,event")?,
        with => with,
    };
    let scripted = if read.is_made { of_recorded(&scripted, file)? } else { scripted };
    scripted.lines().for_each(|line| read_scripted(&mut read, line));
    read_totals(
        &mut read,
        &perf(file, &["report", "--no-itrace", "--no-branch-stack", "--stdio", "-s", "comm"])?,
    );
    Ok(read)
}

/// The samples that are made of the data of Arm's SPE, under the names of ours: `instructions` is the event that was recorded, and accesses that need not miss are none.
fn of_recorded(scripted: &str, file: &Path) -> Result<String, String> {
    let events = perf(file, &["evlist"])?;
    let recorded = events.lines().find(|event| event.starts_with("arm_spe")).unwrap_or_default();
    let is_ours = |line: &&str| {
        !["l1d-access:", "llc-access:", "tlb-access:"].iter().any(|event| line.contains(event))
    };
    let lines = scripted.lines().filter(is_ours);
    let line = |line: &str| line.replace(" instructions:", &format!(" {recorded}:")) + "\n";
    Ok(lines.map(line).collect())
}

/// What perf prints, which is nothing of what it cannot do; an error where it cannot read the records.
fn perf(file: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut perf = Command::new("perf");
    let output = perf.args(arguments).arg("-i").arg(file).env("DEBUGINFOD_URLS", "").output();
    let output = output.map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    let mut errors = said.lines().filter(|line| !line.trim().is_empty());
    let fault = errors.find(|line| !output.status.success() || line.contains("failed to process"));
    match fault.filter(|_| arguments.contains(&"-D")) {
        Some(fault) => Err(fault.trim().to_owned()),
        None => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
    }
}

/// Takes the lines of `-D`: of each record one, and those of its parts behind it.
fn read_dump(read: &mut Read, dump: &str) {
    let mut sample: Option<Sample> = None;
    let mut list = "";
    for line in dump.lines() {
        if line.starts_with("... sample_read:") {
            sample = None;
        }
        if let Some((before, after)) = line.split_once(": PERF_RECORD_") {
            read.samples.extend(sample.take());
            let kind = after.split([':', ' ', '(']).next().unwrap_or_default();
            if KINDS.iter().any(|(_, name)| *name == kind) {
                *read.kinds.entry(kind.to_owned()).or_default() += 1;
            }
            match after.strip_prefix("SAMPLE(") {
                Some(rest) => sample = begun(before, rest),
                None => read_record(read, before, after),
            }
            list = "";
        } else if let Some(sample) = &mut sample {
            read_part(sample, &mut list, line);
        }
    }
    read.samples.extend(sample);
}

/// A sample of `CPU TIME OFFSET [SIZE]: PERF_RECORD_SAMPLE(IP, MISC): PID/TID: IP period: N addr: A`; without the first two if it has none.
fn begun(before: &str, rest: &str) -> Option<Sample> {
    let mut sample = Sample::new();
    let places: Vec<&str> = before.split(' ').collect();
    let leading = places.len().checked_sub(2)?;
    // A time is longer than the number of a CPU.
    match places[..leading] {
        [cpu, time] => sample.extend([("cpu", hex(cpu)), ("time", hex(time))]),
        [time] => sample.extend([("time", hex(time))]),
        _ => {}
    }
    let (_, rest) = rest.split_once("): ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [who, ip, "period:", period, "addr:", addr] = words[..] else { return None };
    let (pid, tid) = who.trim_end_matches(':').split_once('/')?;
    sample.extend([("pid", hex(pid)), ("tid", hex(tid)), ("ip", hex(ip))]);
    sample.extend([("period", hex(period)), ("addr", hex(addr))]);
    Some(sample)
}

/// Takes a line behind that of a sample; `list` is what numbered lines belong to.
fn read_part(sample: &mut Sample, list: &mut &'static str, line: &str) {
    let line = line.trim_start();
    let Some(text) = line.strip_prefix('.') else { return };
    let text = text.trim_start_matches('.').trim_start();
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    let value = value.trim();
    match name {
        "weight" => {
            let mut costs = value.split(',').map(hex);
            let costs = ["weight", "latency", "latency2"].map(|name| Some((name, costs.next()?)));
            sample.extend(costs.into_iter().flatten());
        }
        "data_src" => drop(sample.insert("data_src", hex(value))),
        "phys_addr" => drop(sample.insert("phys_addr", hex(value))),
        "transaction" => drop(sample.insert("transaction", hex(value))),
        "FP chain" => begin(sample, list, "chain"),
        "branch stack" | "branch callstack" => begin(sample, list, "branches"),
        _ if text.starts_with("ustack: size ") => {
            let size = text.split([' ', ',']).nth(2).unwrap_or_default();
            sample.insert("stack", hex(size));
        }
        _ if text.starts_with("SP ") => {
            sample.insert("sp", hex(text.split_whitespace().nth(1).unwrap_or_default()));
        }
        _ if name.parse::<u32>().is_ok() => {
            let words: Vec<&str> = value.split_whitespace().collect();
            let entry = match (*list, &words[..]) {
                ("chain", [address]) => chained(address),
                ("branches", [from, "->", to, ..]) => Some(format!("{}/{},", bare(from), bare(to))),
                _ => None,
            };
            let entries = sample.get_mut(*list);
            entries.into_iter().zip(entry).for_each(|(entries, entry)| entries.push_str(&entry));
        }
        _ => {}
    }
}

fn begin(sample: &mut Sample, list: &mut &'static str, name: &'static str) {
    *list = name;
    sample.insert(name, String::new());
}

/// An address of a chain, but not a mark of the kernel between them.
fn chained(address: &str) -> Option<String> {
    let number = u64::from_str_radix(address, 16).ok()?;
    let is_mark = (1..4096).contains(&number.wrapping_neg());
    (!is_mark).then(|| format!("{number:x},"))
}

/// A number without its zeros in front.
fn bare(word: &str) -> String {
    u64::from_str_radix(word, 16).map_or_else(|_| word.to_owned(), |number| format!("{number:x}"))
}

/// A number of either base in the form of ours.
fn hex(word: &str) -> String {
    let number = match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => word.parse::<u64>().or_else(|_| word.parse::<i32>().map(|of| u64::from(of as u32))),
    };
    number.map_or_else(|_| word.to_owned(), |number| format!("{number:#x}"))
}

/// Takes a record that is no sample.
fn read_record(read: &mut Read, before: &str, after: &str) {
    let time = before.split(' ').rev().nth(2).unwrap_or_default();
    let record = match after.split_once([':', ' ', '(']) {
        Some(("MMAP" | "MMAP2", rest)) => mapped(rest),
        Some(("COMM", rest)) => {
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("exec: ").unwrap_or(rest);
            rest.rsplit_once(':').map(|(name, who)| format!("comm {} {name}", task(who, '/')))
        }
        Some((kind @ ("FORK" | "EXIT"), rest)) => {
            let who = rest.split(')').next().unwrap_or_default();
            Some(format!("{} {}", kind.to_lowercase(), task(who, ':')))
        }
        Some((kind, rest)) if kind.starts_with("SWITCH") => {
            Some(format!("switch {time} out={}", rest.trim_start().starts_with("OUT")))
        }
        _ => None,
    };
    if let Some(record) = record {
        *read.records.entry(record).or_default() += 1;
    }
}

/// The ids of a process and a thread; perf prints that of the kernel as a negative number.
fn task(who: &str, between: char) -> String {
    let ids = who.trim().split(between);
    let ids = ids
        .map(|id| id.parse::<i64>().map_or_else(|_| id.to_owned(), |id| (id as u32).to_string()));
    ids.collect::<Vec<_>>().join(&between.to_string())
}

/// A mapping of ` PID/TID: [START(LENGTH) @ OFFSET …]: PROTECTION PATH`.
fn mapped(rest: &str) -> Option<String> {
    let (who, rest) = rest.split_once(": [")?;
    let (place, path) = rest.split_once("]: ")?;
    let (_, path) = path.split_once(' ')?;
    let (start, place) = place.split_once('(')?;
    let (length, place) = place.split_once(") @ ")?;
    let offset = place.split(' ').next()?;
    let numbers = [start, length, offset].map(hex).join(" ");
    Some(format!("mmap {} {numbers} {path}", task(who, '/')))
}

/// Takes a line `TID TIME: EVENT: BITS |OP …`.
fn read_scripted(read: &mut Read, line: &str) {
    let (line, source) = line.split_once(" |OP ").map_or((line, None), |(a, b)| (a, Some(b)));
    let (line, bits) = match source {
        Some(_) => line.trim_end().rsplit_once(' ').unwrap_or_default(),
        None => (line, ""),
    };
    let Some((tid, rest)) = line.trim().split_once(' ') else { return };
    let Some((time, event)) = rest.trim_start().split_once(": ") else { return };
    let event = without_guests(event.trim().trim_end_matches(':'));
    let time = hex(&time.replace('.', ""));
    *read.events.entry(format!("{} {time} {event}", hex(tid))).or_default() += 1;
    *read.sampled.entry(event.to_owned()).or_default() += 1;
    // perf has words for one that was not reported.
    if let Some(source) = source.filter(|_| bits != "0") {
        let bits = u64::from_str_radix(bits, 16).map_or(String::new(), |bits| format!("{bits:#x}"));
        let parts = ["", "LVL ", "SNP ", "TLB ", "LCK ", "BLK "].iter().zip(source.split('|'));
        let parts = parts.map(|(name, part)| in_our_words(part.trim().trim_start_matches(name)));
        read.sources.insert(bits, parts.collect());
    }
}

/// A part of a source of data in the words that it has here.
fn in_our_words(part: &str) -> String {
    let (levels, outcome) = match part.rsplit_once(' ') {
        Some((levels, outcome @ ("hit" | "miss"))) => (levels, Some(outcome)),
        _ => (part, None),
    };
    let mut words: Vec<String> = Vec::new();
    for level in levels.trim().split(" or ") {
        let word = match level {
            "N/A" => continue,
            "Remote N/A" => "Remote".to_owned(),
            "LOAD" | "STORE" | "Yes" | "No" => level.to_lowercase(),
            "PFETCH" => "prefetch".to_owned(),
            "EXEC" => "execute".to_owned(),
            "LFB" => "LFB/MAB".to_owned(),
            "RAM" => "Local RAM".to_owned(),
            _ => level.to_owned(),
        };
        // A level is in both of its forms.
        if !words.iter().any(|other| other.ends_with(&word)) {
            words.push(word);
        }
    }
    let outcome = outcome.map(str::to_owned);
    let levels = Some(words.join(" or ")).filter(|levels| !levels.is_empty());
    levels.into_iter().chain(outcome).collect::<Vec<_>>().join(" ")
}

/// Takes `# Samples: N of event 'E'` and, behind it, `# Event count (approx.): N`.
fn read_totals(read: &mut Read, report: &str) {
    let mut event = None;
    for line in report.lines() {
        if let Some((_, name)) =
            line.strip_prefix("# Samples: ").and_then(|rest| rest.split_once(" of event '"))
        {
            event = Some(without_guests(name.trim_end_matches('\'')).to_owned());
        } else if let Some(count) = line.strip_prefix("# Event count (approx.): ") {
            let total = event.take().zip(count.trim().parse().ok());
            read.totals.extend(total.filter(|(_, count)| *count > 0));
        }
    }
}
