//! The report of the regions, and where it is written.

use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, process};

use counterpoint::Reporter;
use counterpoint::perf::{Host, output};
use counterpoint_capi::{at_exit, guarded};

use super::counted::{Event, Region, Regions};
use crate::components::NAMES;
use crate::hardware;

/// The directory of the reports; one that an earlier run has left gets the date and the time (UTC) at the end of its name.
pub(super) fn directory() -> PathBuf {
    let above = env::var_os("PAPI_OUTPUT_DIRECTORY").map_or_else(PathBuf::new, PathBuf::from);
    let above = env::current_dir().map_or(above.clone(), |current| current.join(above));
    let directory = above.join("papi_hl_output");
    let seconds =
        |time: SystemTime| time.duration_since(UNIX_EPOCH).ok().map(|past| past.as_secs());
    let made = fs::metadata(&directory).and_then(|made| made.modified()).ok().and_then(seconds);
    let now = seconds(SystemTime::now());
    // One of this second is that of another rank.
    if let (Some(made), Some(now)) = (made, now)
        && made < now
    {
        // Another rank may have been quicker; reports that stay are not overwritten.
        let _ = fs::rename(&directory, above.join(format!("papi_hl_output-{}", stamp(now))));
    }
    directory
}

/// Seconds since 1970 as `20261124-195132`.
fn stamp(seconds: u64) -> String {
    // The years of this calendar begin in March, so that a leap day is the last of its year.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = 400 * era + year + u64::from(month >= 10);
    let month = if month < 10 { month + 3 } else { month - 9 };
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year}{month:02}{day:02}-{hour:02}{minute:02}{second:02}")
}

/// Writes the report, when the program ends, and with `PAPI_REPORT` also prints it.
fn report() {
    let Some(regions) = Regions::get() else { return };
    let Ok(mut threads) = regions.threads.claim() else {
        return say("the regions are not reported, because the program ends within a call");
    };
    threads.sort_by_key(|(thread, _)| *thread);
    if threads.iter().all(|(_, ended)| ended.is_empty()) {
        return;
    }
    // Writing to a string cannot fail.
    let Ok(text) = json(&regions.events, &threads) else { return };
    if let Err(error) = write(&regions.directory, &text) {
        say(&format!("{}: {error}", regions.directory.display()));
    }
    if env::var_os("PAPI_REPORT").is_some() {
        // Standard output may be closed.
        let _ = write!(io::stdout(), "\n\nPAPI-HL Output:\n{text}\n");
    }
}

/// Has the report written when the program ends.
pub(super) fn report_at_exit() {
    extern "C" fn guarded_report() {
        guarded((), report);
    }
    static IS_NOTED: AtomicBool = AtomicBool::new(false);
    if !IS_NOTED.swap(true, Ordering::Relaxed) {
        at_exit(guarded_report);
    }
}

/// Writes the report to a file of its own: a process whose rank has one already gets its number added.
fn write(directory: &Path, text: &str) -> io::Result<()> {
    output::create_directory(directory)?;
    let rank = Reporter::this_process().rank.unwrap_or(0);
    let create = |name: String| {
        let path = directory.join(name);
        File::create_new(&path).map(|file| (file, path))
    };
    let created = create(format!("rank_{rank:06}.json")).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => create(format!("rank_{rank:06}-{}.json", process::id())),
        _ => Err(error),
    });
    let (mut file, path) = created?;
    // A part of a report is none.
    file.write_all(text.as_bytes()).inspect_err(|_| _ = fs::remove_file(path))
}

/// Tells the user what the program cannot be told.
pub(super) fn say(problem: &str) {
    // Standard error may be closed.
    let _ = writeln!(io::stderr(), "counterpoint: {problem}");
}

/// PAPI's report: each thread has its regions by their numbers, and each region its values.
fn json(events: &[Event], threads: &[(u32, Vec<Region>)]) -> Result<String, fmt::Error> {
    let mut text = String::from("{\n  \"papi_version\":\"7.0.0.0\",\n");
    let info = hardware::read(&Host::local());
    let model = String::from_utf8_lossy(&info.model_string).trim_end_matches('\0').to_owned();
    writeln!(text, "  \"cpu_info\":{},", quoted(&model))?;
    writeln!(text, "  \"max_cpu_rate_mhz\":\"{}\",", info.cpu_max_mhz)?;
    writeln!(text, "  \"min_cpu_rate_mhz\":\"{}\",", info.cpu_min_mhz)?;
    text.push_str("  \"event_definitions\":{");
    for (place, event) in events.iter().enumerate() {
        let (component, ..) = NAMES[event.component];
        let kind = if event.is_instant { "instant" } else { "delta" };
        let comma = if place == 0 { "" } else { "," };
        let name = quoted(&event.name);
        write!(text, "{comma}\n    {name}:{{\"component\":\"{component}\",\"type\":\"{kind}\"}}")?;
    }
    text.push_str("\n  },\n  \"threads\":{");
    for (place, (_, ended)) in threads.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        write!(text, "{comma}\n    \"{place}\":{{\n      \"regions\":{{")?;
        let mut ended: Vec<&Region> = ended.iter().collect();
        ended.sort_by_key(|region| region.number);
        for (place, region) in ended.into_iter().enumerate() {
            text.push_str(if place == 0 { "" } else { "," });
            region.write(events, &mut text)?;
        }
        text.push_str("\n      }\n    }");
    }
    text.push_str("\n  }\n}\n");
    Ok(text)
}

impl Region {
    fn write(&self, events: &[Event], text: &mut String) -> fmt::Result {
        let Region { number, parent, name, .. } = self;
        write!(text, "\n        \"{number}\":{{\n          \"name\":{},", quoted(name))?;
        write!(text, "\n          \"parent_region_id\":\"{parent}\"")?;
        let names = ["cycles", "real_time_nsec"].into_iter();
        let names = names.chain(events.iter().map(|event| event.name.as_str()));
        for (place, (name, value)) in names.zip(&self.values).enumerate() {
            write!(text, ",\n          {}:", quoted(name))?;
            if self.reads.is_empty() {
                write!(text, "\"{value}\"")?;
                continue;
            }
            write!(text, "{{\"region_value\":\"{value}\"")?;
            for (number, read) in self.reads.iter().enumerate() {
                let value = read.get(place).copied().unwrap_or_default();
                write!(text, ",\"read_{}\":\"{value}\"", number + 1)?;
            }
            text.push('}');
        }
        text.push_str("\n        }");
        Ok(())
    }
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            char if char.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(char));
            }
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::stamp;

    #[test]
    fn dates_of_the_calendar() {
        // As `date -u -d @SECONDS +%Y%m%d-%H%M%S` prints them.
        assert_eq!(stamp(0), "19700101-000000");
        assert_eq!(stamp(951_782_399), "20000228-235959");
        assert_eq!(stamp(951_782_400), "20000229-000000");
        assert_eq!(stamp(1_735_689_599), "20241231-235959");
        assert_eq!(stamp(1_764_013_892), "20251124-195132");
    }
}
